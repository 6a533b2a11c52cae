"""Let a trained model pronounce a word."""

import functools
import string
from dataclasses import dataclass

import numpy as np

from mha_core._checks.sentences import counted, sentence
from mha_core.tasks import LONGEST, SPLITS, name_phonemes, pronunciation, spell, to_ipa

MOST_LETTERS = 2 * LONGEST


@dataclass(frozen=True)
class Pronunciation:
    """What a model says of a word, and what it looked at.

    Attributes
    ----------
    letters : tuple of str
    phonemes : tuple of str
        In ARPAbet; `mha_core.tasks.to_ipa` turns them into phonetic signs.
    weights : ndarray, shape (h, phonemes, letters)
    expected : tuple of str or None
        The dictionary's phonemes; None for a word that is not in it.
    seen : bool
        The word was in training.
    kind : str
        The kind of the model.
    trained : bool
        Its weights are as a training left them.
    """

    letters: tuple
    phonemes: tuple
    weights: np.ndarray
    expected: tuple | None
    seen: bool
    kind: str = ""
    trained: bool = False

    def __repr__(self):
        return self.sentence

    @property
    def sentence(self):
        """The word, what the model says of it, and the note."""
        return sentence(
            "{word}: {sounds} ({note})",
            word="".join(self.letters),
            sounds=_ipa(self.phonemes),
            note=self.note,
        )

    @property
    def note(self):
        """Say whether the word was in training, and what the dictionary has."""
        if self.expected is None:
            return sentence("not in the dictionary")
        right = _ipa(self.expected)
        if self.phonemes == self.expected and self.seen:
            return sentence("seen in training; as in the dictionary")
        if self.phonemes == self.expected:
            return sentence("held out of training; as in the dictionary")
        if self.seen:
            return sentence("seen in training; the dictionary has {right}", right=right)
        return sentence("held out of training; the dictionary has {right}", right=right)


def pronounce(model, word):
    """Let a model pronounce a word, letter by letter.

    Parameters
    ----------
    model : model of `mha_core.models`
    word : str
        1 to 40 letters a to z; capitals count as small letters.

    Returns
    -------
    Pronunciation
    """
    word = check_word(word)
    ids, weights = model.greedy(spell([word]), len(word) + 5)
    phonemes = name_phonemes(ids[0])
    expected, seen = look_up(word)
    looked = weights[0, :, : len(phonemes)]  # (h, phonemes, letters)
    what = tuple(word), phonemes, looked, expected, seen
    return Pronunciation(*what, model.kind, getattr(model, "trained", False))


def look_up(word):
    """Return the dictionary's phonemes, or None, and whether training had the word."""
    return _dictionary().get(word, (None, False))


def check_word(word):
    """Return a typed word in small letters, or say what the models cannot read."""
    if not isinstance(word, str):
        kind = type(word).__name__
        raise ValueError(sentence("A word must be text, not {kind}.", kind=kind))
    word = word.strip().lower()
    if not word:
        raise ValueError(sentence("Type a word: one or more of the letters a to z."))
    foreign = [letter for letter in word if letter not in string.ascii_lowercase]
    if foreign:
        raise ValueError(_foreign(foreign[0]))
    if len(word) > MOST_LETTERS:
        raise ValueError(_too_long(len(word)))
    return word


def _foreign(letter):
    return sentence(
        "The models read the letters a to z only, and {letter!r} is none of them; type "
        "an English word without spaces, digits or accents.",
        letter=letter,
    )


def _too_long(count):
    return counted(
        "{n} letter is too many; type at most {most} (words in training have {longest} "
        "or fewer).",
        "{n} letters are too many; type at most {most} (words in training have "
        "{longest} or fewer).",
        n=count,
        most=MOST_LETTERS,
        longest=LONGEST,
    )


def _ipa(phonemes):
    return " ".join(to_ipa(phonemes)) or sentence("nothing")


@functools.cache
def _dictionary():
    return {
        word: (phonemes, split == "train")
        for split in SPLITS
        for word, phonemes in pronunciation(split)
    }
