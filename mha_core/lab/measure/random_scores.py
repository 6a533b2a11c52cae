"""Why scores are divided by the square root of d_k, measured on random vectors."""

import math

import numpy as np

from mha_core import padding_mask, scaled_dot_product_attention, softmax
from mha_core._checks.arguments import check_count


def measure_scaling(widths, *, keys=16, draws=2000, seed=0):
    """Measure dot products of random queries and keys, and the softmax of them.

    Parameters
    ----------
    widths : sequence of int
        Values of d_k.
    keys, draws, seed : int
        Keys to a query; queries drawn; the seed.

    Returns
    -------
    dict of str to ndarray, shape (widths,)
        Standard deviation of the scores, and of the softmax the mean entropy (share of
        its most), mean largest weight, median and mean gradient: each raw and scaled.
    """
    widths = [check_count("widths", d_k) for d_k in widths]
    keys, draws = check_count("keys", keys), check_count("draws", draws)
    if not widths:
        raise ValueError("widths is empty; give at least one width, such as 64.")
    rows = [_at_width(d_k, keys, draws, seed) for d_k in widths]
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


def random_attention(d_k, *, scaled=True, T_q=6, T_k=12, length=None, seed=0):
    """Return weights of random queries and keys, (T_q, T_k); they are untrained.

    Parameters
    ----------
    d_k, T_q, T_k, seed : int
    scaled : bool
        Divide the scores by sqrt(d_k).
    length : int, optional
        Number of real keys; those behind it are padding and weigh 0.
    """
    rng = np.random.default_rng(seed)
    query, key = rng.standard_normal((T_q, d_k)), rng.standard_normal((T_k, d_k))
    mask = None if length is None else padding_mask([length], T_k)[0]
    scale = None if scaled else 1.0
    return scaled_dot_product_attention(query, key, key, mask=mask, scale=scale)[1]


def entropy(weights):
    """Return how evenly each row is spread: 0 is one key, 1 is all alike."""
    if weights.shape[-1] == 1:
        return np.zeros(weights.shape[:-1])
    logs = np.log(np.where(weights > 0, weights, 1.0))
    return -np.sum(weights * logs, axis=-1) / math.log(weights.shape[-1])


def _at_width(d_k, keys, draws, seed):
    rng = np.random.default_rng(seed)
    scores = np.concatenate([_draw(rng, d_k, keys) for _ in range(draws)])
    found = {}
    for name, scale in (("raw", 1.0), ("scaled", 1 / math.sqrt(d_k))):
        weights = softmax(scores * scale)
        found |= {
            f"std, {name}": (scores * scale).std(),
            f"entropy, {name}": entropy(weights).mean(),
            f"largest weight, {name}": weights.max(axis=-1).mean(),
            f"gradient, {name}": np.median(_jacobian_norm(weights)),
            f"mean gradient, {name}": _jacobian_norm(weights).mean(),
        }
    return found


def _draw(rng, d_k, keys):
    return rng.standard_normal((1, d_k)) @ rng.standard_normal((keys, d_k)).T


def _jacobian_norm(weights):
    """Return the size of d weights / d scores, which is diag(w) - w w^T."""
    square = weights[:, :, None] * (np.eye(weights.shape[-1]) - weights[:, None, :])
    return np.linalg.norm(square, axis=(-1, -2))
