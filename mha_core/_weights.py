"""Turn scores into weights row by row, without overflow and without a spare copy."""

import numpy as np

from mha_core._checks.arrays import InputError, is_traced

LARGE = 10.0


def weigh(scores, visible=None):
    """Return exp(scores) divided by its sum in each row; hidden keys weigh exactly 0.

    Parameters
    ----------
    scores : ndarray, shape (..., T_q, T_k)
        They are overwritten.
    visible : ndarray of bool, broadcasts onto the scores, optional
        False hides a key; a row without a visible key has weights 0.
    """
    small = _all_small(scores)
    if not small:
        _refuse_overflow(scores, visible)
    if visible is not None:
        scores = np.where(visible, scores, -np.inf)
    if not small:
        scores -= _shift(scores, visible)
    weights = _exp(scores)
    total = weights @ np.ones((weights.shape[-1], 1), weights.dtype)  # (..., T_q, 1)
    weights /= total if visible is None else total + (total == 0)
    return weights


def log_total(scores):
    """Return log(sum(exp(scores))) of each row, without overflow: (...)."""
    if _all_small(scores):
        return np.log(np.sum(np.exp(scores), axis=-1))
    _refuse_overflow(scores, None)
    shift = _shift(scores, None)  # (..., 1)
    return np.log(np.sum(np.exp(scores - shift), axis=-1)) + shift[..., 0]


def _all_small(scores):
    if is_traced(scores):
        return np.all((scores < LARGE) & (scores > -LARGE))
    return -LARGE < scores.min() and scores.max() < LARGE  # half the time


def _refuse_overflow(scores, visible):
    """Refuse infinity at a key that is seen: minus infinity would seem to hide it."""
    lost = ~np.isfinite(scores)
    if np.any(lost if visible is None else lost & visible):
        raise InputError(
            f"The scores overflow {scores.dtype}: make what is multiplied or added to "
            "get them (query, key, scale, bias or the weights) smaller."
        )


def _shift(scores, visible):
    """Return the largest score of each row where it is large, else 0: (..., T_q, 1).

    Subtracted from the row it changes no weight, but keeps exp from overflowing.
    """
    highest = np.argmax(scores, axis=-1, keepdims=True)
    peak = np.take_along_axis(scores, highest, axis=-1)
    if visible is not None:
        peak = np.where(np.any(visible, axis=-1, keepdims=True), peak, 0.0)
    return np.where((peak > LARGE) | (peak < -LARGE), peak, 0.0)


def _exp(x):
    if is_traced(x):
        return np.exp(x)
    return np.exp(x, out=x)  # a second large array costs more than exp
