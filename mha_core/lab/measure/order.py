"""Whether attention knows the order of tokens: by a mask, by positions, by neither."""

import numpy as np

from mha_core._checks.arguments import check_count
from mha_core.blocks import positions
from mha_core.multihead import multi_head_attention


def order_effect(f, X, *, draws=20, seed=0):
    """Measure how far the last output moves when tokens before it change places.

    Parameters
    ----------
    f : function
        Maps X to an output of shape (T, d_out).
    X : ndarray, shape (T, d_in)
    draws, seed : int
        Orders of the first T - 1 tokens that are tried; the last one stays.

    Returns
    -------
    float
        Length of the change, in lengths of the last output, mean over the orders; 0
        if the order of what came before says nothing.
    """
    X, rng = np.asarray(X, float), np.random.default_rng(seed)
    before, last = np.asarray(f(X))[-1], len(X) - 1
    orders = [np.append(rng.permutation(last), last) for _ in range(draws)]
    moved = [np.linalg.norm(np.asarray(f(X[order]))[-1] - before) for order in orders]
    return float(np.mean(moved) / np.linalg.norm(before))


def untrained_layers(layers, *, causal=False, placed=False, d=16, h=2, seed=0):
    """Return a function: untrained layers of self-attention, one after the other.

    Parameters
    ----------
    layers : int
    causal : bool
        Hide what comes later.
    placed : bool
        Add sines and cosines of the positions to the tokens first.
    d, h, seed : int
        Width, heads, and the seed of the weights.

    Returns
    -------
    function of X, shape (T, d), to an output of the same shape
        Each layer adds what it finds to what it was given.
    """
    rng = np.random.default_rng(seed)
    size = check_count("layers", layers), 4, d, d
    weights = rng.standard_normal(size) / np.sqrt(d)

    def f(X):
        X = X + positions(*X.shape) if placed else X
        for layer in weights:
            X = X + multi_head_attention(X, *layer, h, causal=causal)[0]
        return X

    return f


def rotation(steps, d_model):
    """Return the matrix that leads from each position to the one some steps later.

    Parameters
    ----------
    steps, d_model : int

    Returns
    -------
    R : ndarray, shape (d_model, d_model)
        ``positions(T, d_model)[t] @ R`` is row ``t + steps``, for every t: each pair of
        sine and cosine is turned by an angle of its own. Vaswani 2017, section 3.5.
    """
    pairs = positions(steps + 1, d_model)[-1].reshape(-1, 2)  # sine, cosine
    R = np.zeros((d_model, d_model))
    for i, (sine, cosine) in enumerate(pairs):
        R[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[cosine, -sine], [sine, cosine]]
    return R
