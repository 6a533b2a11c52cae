"""How far a model's pronunciations are from the dictionary's, and where in the word."""

import math

from mha_core.losses import surprise
from mha_core.models.letter_model import reading
from mha_core.tasks import name_phonemes, spell

BUCKETS = ((2, 3), (4, 5), (6, 7), (8, 9), (10, 11), (12, 13), (14, 15), (16, 20))


def transcribe(model, words, size=256):
    """Return the phonemes that a model writes for each word.

    Parameters
    ----------
    model : model of `mha_core.models`
    words : list of str
    size : int
        Words that are read together, shorter ones with padding.

    Returns
    -------
    list of tuple of str, in the order of the words
    """
    order = sorted(range(len(words)), key=lambda i: len(words[i]))
    said = {}
    for start in range(0, len(order), size):
        some = order[start : start + size]
        source = spell([words[i] for i in some])
        ids, _ = model.greedy(source, source.shape[1] + 5)
        said |= {i: name_phonemes(row) for i, row in zip(some, ids, strict=True)}
    return [said[i] for i in range(len(words))]


def align(reference, said):
    """Return, for each phoneme of the reference, whether a best alignment misses it.

    Parameters
    ----------
    reference, said : sequence of str

    Returns
    -------
    edits : int
        Insertions, deletions and changes that turn one into the other, at least.
    missed : list of bool
        One for each phoneme of the reference: it is changed or left out.
    """
    table = _edit_table(reference, said)
    i, j, missed = len(reference), len(said), []
    while i > 0:
        differ = j == 0 or reference[i - 1] != said[j - 1]
        if j > 0 and table[i][j] == table[i - 1][j - 1] + differ:
            missed.append(differ)
            i, j = i - 1, j - 1
        elif table[i][j] == table[i - 1][j] + 1:
            missed.append(True)
            i -= 1
        else:
            j -= 1
    return table[-1][-1], missed[::-1]


def phoneme_error(said, pairs):
    """Return edits per phoneme of the dictionary's pronunciations, over all pairs.

    Raises
    ------
    ValueError
        If the dictionary has no phoneme in them.
    """
    if not any(phonemes for _, phonemes in pairs):
        raise ValueError("There are no words with phonemes to measure an error on.")
    edits = sum(
        align(phonemes, a)[0] for a, (_, phonemes) in zip(said, pairs, strict=True)
    )
    return edits / sum(len(phonemes) for _, phonemes in pairs)


def error_by_length(said, pairs, buckets=BUCKETS):
    """Return the phoneme error and the number of words for each range of word lengths.

    Parameters
    ----------
    said : list of sequence of str
        What a model wrote for each pair.
    pairs : list of (str, sequence of str)
        Words and the dictionary's phonemes.
    buckets : sequence of (int, int)
        Shortest and longest word; ranges without a word are left out.

    Returns
    -------
    dict of (int, int) to (float, int)
    """
    found = {}
    for low, high in buckets:
        some = [
            (a, p) for a, p in zip(said, pairs, strict=True) if low <= len(p[0]) <= high
        ]
        if some:
            found[low, high] = phoneme_error(*zip(*some, strict=True)), len(some)
    return found


def missed_by_fifth(said, pairs, shortest=12):
    """Return the share of phonemes missed in each fifth of the long words.

    Parameters
    ----------
    said, pairs
        As in `error_by_length`.
    shortest : int
        Letters of the shortest word that counts.

    Returns
    -------
    list of five floats, from the beginning of the word to its end
        NaN for a fifth in which no word has a phoneme.
    """
    missed, total = [0] * 5, [0] * 5
    for a, (word, phonemes) in zip(said, pairs, strict=True):
        if len(word) >= shortest:
            for i, miss in enumerate(align(phonemes, a)[1]):
                missed[5 * i // len(phonemes)] += miss
                total[5 * i // len(phonemes)] += 1
    return [m / t if t else math.nan for m, t in zip(missed, total, strict=True)]


def shortened(said, pairs, by=2):
    """Return the share of words that come out too short, at least two sounds.

    Parameters
    ----------
    said, pairs
        As in `error_by_length`.
    by : int
        Sounds that must be lacking.

    Raises
    ------
    ValueError
        If there are no words.
    """
    if not pairs:
        raise ValueError("There are no words to count those that come out too short.")
    short = [len(p) - len(a) >= by for a, (_, p) in zip(said, pairs, strict=True)]
    return sum(short) / len(short)


def _edit_table(a, b):
    table = [list(range(len(b) + 1))]
    for i, left in enumerate(a, start=1):
        row = [i]
        for j, right in enumerate(b, start=1):
            change = table[-1][j - 1] + (left != right)
            row.append(min(table[-1][j] + 1, row[-1] + 1, change))
        table.append(row)
    return table


def bits_per_letter(model, words, at_once=512):
    """Return how surprising the letters of words are to a letter model, in bits.

    Parameters
    ----------
    model : Language
    words : list of str
    at_once : int
        Words that are read together.

    Returns
    -------
    float
        Mean of -log2 of the probability of each next letter; the end counts as one.
    """
    words, total, letters = sorted(words, key=len), 0.0, 0
    for start in range(0, len(words), at_once):
        ids, target, counted = reading(spell(words[start : start + at_once]))
        total += float((surprise(model.logits(ids), target) * counted).sum())
        letters += int(counted.sum())
    return total / letters / math.log(2)
