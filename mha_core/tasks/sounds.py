"""The names of sounds: in ARPAbet, as phonetic signs, and as numbers."""

import functools

import numpy as np

from mha_core._checks.arguments import told, whole
from mha_core._checks.sentences import sentence
from mha_core.shipped import read_shipped


def phoneme_names():
    """Return the 39 phonemes: name in ARPAbet to sign of the phonetic alphabet (IPA).

    AH is both the vowel of "cut" and the unstressed one of "about": ə stands for both.
    """
    return dict(_phoneme_table())


def to_ipa(phonemes):
    """Return phonemes as signs of the International Phonetic Alphabet."""
    return _each(phonemes, phoneme_names())


def number_phonemes(pronunciations):
    """Return phonemes as numbers from 1 to 39 and 0 after the last: (B, T + 1)."""
    numbers = {name: i for i, name in enumerate(phoneme_names(), start=1)}
    return padded([[*_each(line, numbers), 0] for line in pronunciations])


def name_phonemes(row):
    """Return the names of one row of numbers, up to the first 0."""
    names = list(phoneme_names())
    return tuple(names[i - 1] for i in up_to_end(row, len(names)))


def up_to_end(row, most):
    """Return a row of numbers from 1 to ``most`` up to the first 0, which ends it."""
    row = list(row)
    row = row[: row.index(0) if 0 in row else None]
    wrong = [number for number in row if whole(number) not in range(1, most + 1)]
    if wrong:
        raise ValueError(
            sentence(
                "A row must hold numbers from 1 to {most}, and 0 for the end, not "
                "{number}.",
                most=most,
                number=told(wrong[0]),
            )
        )
    return row


@functools.cache
def _phoneme_table():
    lines = read_shipped("phonemes.tsv").decode("utf-8").splitlines()
    return [line.split("\t") for line in lines]


def _each(phonemes, table):
    unknown = [phoneme for phoneme in phonemes if phoneme not in table]
    if unknown:
        raise ValueError(
            sentence(
                "{name!r} is no phoneme; there are {known}.",
                name=unknown[0],
                known=", ".join(table),
            )
        )
    return [table[phoneme] for phoneme in phonemes]


def check_some(rows):
    """Refuse an empty list of words."""
    if not rows:
        raise ValueError(sentence("There are no words; give at least one."))


def padded(rows):
    """Return rows of numbers as one array, with 0 behind the shorter ones."""
    check_some(rows)
    width = max(map(len, rows))
    return np.array([[*row, *[0] * (width - len(row))] for row in rows])
