"""Sentences made to test four relations at once.

Each position of a sentence must report four words: the one before it, the one after
it, the first, and its partner, the other word with the same tag.
"""

import numpy as np

from mha_core._checks.arguments import check_count, told
from mha_core._checks.sentences import sentence

ROLES = ("previous", "next", "first", "partner")
T, WORDS, TAGS = 12, 16, 6


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


def places(tags):
    """Return where each role's word stands: (B, T) to (B, T, 4).

    The first word has no previous one and reports itself; so does the last.
    """
    _check_ids("tags", tags, TAGS)
    here = np.arange(T)
    same = tags[:, :, None] == tags[:, None, :]  # (B, T, T)
    partner = np.argmax(same & ~np.eye(T, dtype=bool), axis=-1)
    roles = [np.maximum(here - 1, 0), np.minimum(here + 1, T - 1), 0 * here]
    roles = [np.broadcast_to(role, tags.shape) for role in roles]
    return np.stack([*roles, partner], axis=-1)


def answers(words, tags):
    """Return the word that each role asks for: (B, T, 4)."""
    _check_ids("words", words, WORDS)
    _check_ids("tags", tags, TAGS)
    _check_rows(words, tags)
    return np.take_along_axis(words[:, :, None], places(tags), axis=1)  # (B, T, 4)


def batches(rng, count=100, size=64):
    """Draw batches of sentences, (size, T) words and tags."""
    count, size = check_count("count", count, 0), check_count("size", size)
    for _ in range(count):
        yield sentences(rng, size)


def _check_ids(name, ids, most):
    """Refuse what is not rows of T whole numbers below ``most``."""
    fits = isinstance(ids, np.ndarray) and ids.dtype.kind in "iu"
    if not fits or ids.ndim != 2 or ids.shape[1] != T:
        received = f"{ids.dtype} of shape {ids.shape}" if fits else told(ids)
        raise ValueError(
            sentence(
                "{name} must be integers of shape (B, {T}), a row for each sentence, "
                "not {received}.",
                name=name,
                T=T,
                received=received,
            )
        )
    _check_range(name, ids, most)


def _check_range(name, ids, most):
    if ids.size and not (0 <= ids.min() and ids.max() < most):
        raise ValueError(
            sentence(
                "{name} must be from 0 to {last}, but they are from {low} to {high}.",
                name=name,
                last=most - 1,
                low=ids.min(),
                high=ids.max(),
            )
        )


def _check_rows(words, tags):
    if len(words) != len(tags):
        raise ValueError(
            sentence(
                "words and tags must have one row for each sentence, but they have "
                "{words} and {tags} rows.",
                words=len(words),
                tags=len(tags),
            )
        )
