"""Labels that fit, made of whole characters, and unlike where their words are."""

import unicodedata
from bisect import bisect_left
from collections import Counter, defaultdict
from itertools import count

from mha_core.lab.drawing.characters import UNSEEN, visible, wholes

ELLIPSIS = "…"
HIDDEN = dict.fromkeys(map(ord, UNSEEN))


def cut(pieces, fits, way=None, mark=""):
    """Return whole characters as one string, shortened where it does not fit.

    Parameters
    ----------
    pieces : list of str
    fits : callable
        Tells whether a string fits.
    way : callable, optional
        Takes the pieces and how many to keep: `start`, `ends` or `end`.
    mark : str
        Stands at the end, whatever is left out.
    """
    text = "".join(pieces) + mark
    if fits(text):
        return text
    way = way or start
    counts = range(1, len(pieces))
    kept = bisect_left(counts, True, key=lambda n: not fits(way(pieces, n) + mark))
    return way(pieces, kept) + mark


def start(pieces, n):
    """Return the first n whole characters and the sign of what is left out."""
    return "".join(pieces[:n]) + ELLIPSIS


def ends(pieces, n):
    """Return n whole characters from both ends, what lies between left out."""
    first, last = pieces[: n - n // 2], pieces[len(pieces) - n // 2 :]
    return "".join(first) + ELLIPSIS + "".join(last)


def end(pieces, n):
    """Return the last n whole characters."""
    return ELLIPSIS + "".join(pieces[len(pieces) - n :])


def unlike(words, pieces_of, fits):
    """Return a label for each word; unlike words have labels that look unlike.

    Words that would look alike are shortened in the middle, then at their beginning,
    and at last numbered.

    Parameters
    ----------
    words : sequence of str
    pieces_of : callable
        Returns the whole characters of a word.
    fits : callable
        Tells whether a string fits.

    Returns
    -------
    dict of str to str
    """
    pieces = {word: pieces_of(word) for word in words}
    labels = {word: cut(pieces[word], fits) for word in pieces}
    for way in (ends, end):
        for word in _alike(labels):
            labels[word] = cut(pieces[word], fits, way)
    return labels | _numbered(_alike(labels), labels, pieces, fits)


def told_apart(words, show=visible):
    """Return words as a text spells them, whole; unlike words are spelled unlike."""
    return unlike(words, lambda word: wholes(word, show(word)), lambda text: True)


def _numbered(words, labels, pieces, fits):
    taken = {_look(label) for word, label in labels.items() if word not in words}
    numbers, found = defaultdict(lambda: count(1)), {}
    for word in words:
        for n in numbers[_look(labels[word])]:
            found[word] = cut(pieces[word], fits, mark=f"({n})")
            if _look(found[word]) not in taken:
                break
        taken.add(_look(found[word]))
    return found


def _alike(labels):
    """Return the words whose label looks like that of another one, in order."""
    times = Counter(map(_look, labels.values()))
    return {word: None for word, label in labels.items() if times[_look(label)] > 1}


def _look(label):
    """Return what a reader sees of a label: accents joined, nothing invisible."""
    return unicodedata.normalize("NFC", label).translate(HIDDEN)
