"""Losses: how much the right answers surprise a model."""

import numpy as np

from mha_core._checks.arrays import InputError, check_finite


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
    check_finite("logits", logits)
    right = targets[..., None] == np.arange(V)  # (..., V)
    below = logits - np.max(logits, axis=-1, keepdims=True)  # at most 0
    log_total = np.log(np.sum(np.exp(below), axis=-1))  # (...)
    return log_total - np.sum(below * right, axis=-1)


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
