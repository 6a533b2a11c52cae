"""Let a trained model pronounce a word."""

import functools
import string
from dataclasses import dataclass

import numpy as np

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
    """

    letters: tuple
    phonemes: tuple
    weights: np.ndarray
    expected: tuple | None
    seen: bool

    def __repr__(self):
        return f"{''.join(self.letters)}: {_ipa(self.phonemes)} ({self.note})"

    @property
    def note(self):
        """Say whether the word was in training, and what the dictionary has."""
        if self.expected is None:
            return "not in the dictionary"
        where = "seen in training" if self.seen else "held out of training"
        right = (
            "as in the dictionary"
            if self.phonemes == self.expected
            else (f"the dictionary has {_ipa(self.expected)}")
        )
        return f"{where}; {right}"


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
    expected, seen = _dictionary().get(word, (None, False))
    looked = weights[0, :, : len(phonemes)]  # (h, phonemes, letters)
    return Pronunciation(tuple(word), phonemes, looked, expected, seen)


def check_word(word):
    """Return a typed word in small letters, or say what the models cannot read."""
    if not isinstance(word, str):
        raise ValueError(f"A word must be text, not {type(word).__name__}.")
    word = word.strip().lower()
    if not word:
        raise ValueError("Type a word: one or more of the letters a to z.")
    foreign = [letter for letter in word if letter not in string.ascii_lowercase]
    if foreign:
        raise ValueError(
            f"The models read the letters a to z only, and {foreign[0]!r} is none of "
            "them; type an English word without spaces, digits or accents."
        )
    if len(word) > MOST_LETTERS:
        raise ValueError(
            f"{len(word)} letters are too many; type at most {MOST_LETTERS} "
            f"(words in training have {LONGEST} or fewer)."
        )
    return word


def _ipa(phonemes):
    return " ".join(to_ipa(phonemes)) or "nothing"


@functools.cache
def _dictionary():
    return {
        word: (phonemes, split == "train")
        for split in SPLITS
        for word, phonemes in pronunciation(split)
    }
