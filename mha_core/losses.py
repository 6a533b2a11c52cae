"""Losses: how much the right answers surprise a model."""

import numpy as np

from mha_core._checks.arrays import InputError
from mha_core._weights import log_total


def surprise(logits, targets):
    """Return minus the log of the weight that softmax gives each right answer.

    Parameters
    ----------
    logits : ndarray, shape (..., V)
    targets : ndarray of int, shape (...)
        From 0 to V - 1.

    Returns
    -------
    ndarray, shape (...), in nats
        log(sum(exp(logits))) - logits[target], at least 0.
    """
    V = logits.shape[-1]
    low, high = int(np.min(targets)), int(np.max(targets))
    if low < 0 or high >= V:
        raise InputError(f"targets run from {low} to {high}; they may be 0 to {V - 1}.")
    right = targets[..., None] == np.arange(V)  # (..., V)
    return log_total(logits) - np.sum(logits * right, axis=-1)  # (...)


def cross_entropy(logits, targets, counted):
    """Return the mean surprise at the right answers.

    Parameters
    ----------
    logits : ndarray, shape (B, T, V)
    targets : ndarray of int, shape (B, T)
    counted : ndarray of bool, shape (B, T)
        False at padding; true at one place at least.

    Returns
    -------
    number, in nats for each counted place
    """
    places = int(np.sum(counted))
    if not places:
        raise InputError("counted is false everywhere; one place at least must count.")
    return np.sum(surprise(logits, targets) * counted) * (1 / places)
