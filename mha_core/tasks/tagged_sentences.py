"""Sentences made to test four relations at once.

Each position of a sentence must report four words: the one before it, the one after
it, the first, and its partner, the other word with the same tag.
"""

import numpy as np

from mha_core._checks.arguments import check_count
from mha_core._checks.ids import check_numbers, check_rows

ROLES = ("previous", "next", "first", "partner")
T, WORDS, TAGS = 12, 16, 6
LETTERS = "ABCDEFGHIJKLMNOP"


def sentences(rng, count):
    """Draw sentences of 12 random words; each of 6 tags stands on two of them.

    Parameters
    ----------
    rng : numpy.random.Generator
    count : int

    Returns
    -------
    words, tags : ndarray of int, shape (count, T)
    """
    count = check_count("count", count, 0)
    words = rng.integers(WORDS, size=(count, T))
    tags = rng.permuted(np.tile(np.repeat(np.arange(TAGS), 2), (count, 1)), axis=1)
    return words, tags


def name_tokens(words, tags):
    """Return one sentence as labels: each word a letter, its tag as a number."""
    return [f"{LETTERS[w]}{t}" for w, t in zip(words, tags, strict=True)]


def places(tags):
    """Return where each role's word stands: (B, T) to (B, T, 4).

    The first word has no previous one and reports itself; so does the last.
    """
    check_numbers("tags", tags, TAGS, T)
    here = np.arange(T)
    same = tags[:, :, None] == tags[:, None, :]  # (B, T, T)
    partner = np.argmax(same & ~np.eye(T, dtype=bool), axis=-1)
    roles = [np.maximum(here - 1, 0), np.minimum(here + 1, T - 1), 0 * here]
    roles = [np.broadcast_to(role, tags.shape) for role in roles]
    return np.stack([*roles, partner], axis=-1)


def answers(words, tags):
    """Return the word that each role asks for: (B, T, 4)."""
    check_numbers("words", words, WORDS, T)
    check_numbers("tags", tags, TAGS, T)
    check_rows(words, tags, "tags", "sentence")
    return np.take_along_axis(words[:, :, None], places(tags), axis=1)  # (B, T, 4)


def batches(rng, count=100, size=64):
    """Draw batches of sentences, (size, T) words and tags."""
    count, size = check_count("count", count, 0), check_count("size", size)
    for _ in range(count):
        yield sentences(rng, size)
