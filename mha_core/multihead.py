"""Multi-head attention: split the width into heads, attend in each, merge.

Every function refuses what it cannot answer with a ValueError that names the argument.
"""

import numpy as np

from mha_core._checks.arguments import (
    check_flag,
)
from mha_core._checks.checked import checked
from mha_core._checks.masks import fit_heads
from mha_core._checks.projections import (
    check_heads,
    check_projection_bias,
    check_sources,
    check_widths,
)
from mha_core.attention import scaled_dot_product_attention


@checked
def split_heads(x: "... T d_model", h):
    """Cut the features, not the sequence, into h heads.

    Parameters
    ----------
    x : ndarray, shape (..., T, d_model)
    h : int
        Number of heads; it divides d_model.

    Returns
    -------
    ndarray, shape (..., h, T, d_k)
        Head i holds features i * d_k to (i + 1) * d_k of every position.

    Raises
    ------
    ValueError
        If h does not divide d_model.
    """
    d_k = check_heads(x.shape[-1], h)
    x = np.reshape(x, (*x.shape[:-1], h, d_k))  # (..., T, h, d_k)
    return np.swapaxes(x, -2, -3)  # (..., h, T, d_k)


@checked
def merge_heads(x: "... h T d_k"):
    """Put the heads side by side again: the inverse of `split_heads`.

    Parameters
    ----------
    x : ndarray, shape (..., h, T, d_k)

    Returns
    -------
    ndarray, shape (..., T, h * d_k)
    """
    h, _, d_k = x.shape[-3:]
    x = np.swapaxes(x, -2, -3)  # (..., T, h, d_k)
    return np.reshape(x, (*x.shape[:-2], h * d_k))  # (..., T, h * d_k)


@checked(instead={"key": "X", "value": "key"}, late=("W_Q", "W_K", "W_V", "W_O"))
def multi_head_attention(
    X: "... T_q d_model",
    W_Q: "d_model width",
    W_K: "d_key width",
    W_V: "d_value width_v",
    W_O: "width_v d_out",
    h,
    mask=None,
    *,
    key: "... T_k d_key" = None,
    value: "... T_k d_value" = None,
    projection_bias=None,
    bias=None,
    causal=False,
):
    """Attend in h heads, each on its own slice of the projections.

    Parameters
    ----------
    X, key, value : ndarray, shapes (..., T_q, d_model) and (..., T_k, d_model)
        Without a key X attends to itself; without a value it is the key sequence.
    W_Q, W_K, W_V, W_O : ndarray, shape (d_model, d_model), used as X @ W
        Rows are inputs: the weights of torch, (out, in), need ``.T``.
    mask : ndarray, shape (T_q, T_k), (B, T_q, T_k) or (B, h, T_q, T_k), or 1 for T_q
        True where a query may attend. A (B, T_k) mask is none: if B is T_q, it would
        be read as (T_q, T_k); make it with `padding_mask`. ``causal`` hides the future.
    projection_bias : four ndarrays of shape (d_model,), added after the projections
    bias : ndarray of floats, shaped like a mask, added to the scores

    Returns
    -------
    output, weights : ndarray, shapes (..., T_q, d_model) and (..., h, T_q, T_k)
        Each row of the weights sums to 1. Vaswani 2017, section 3.2.2.
    """
    key, value = check_sources(X, key, value)
    check_widths(X, W_Q, W_V, h)
    b_Q, b_K, b_V, b_O = check_projection_bias(projection_bias, (W_Q, W_K, W_V, W_O))
    Q = split_heads(_project(X, W_Q, b_Q), h)  # (..., h, T_q, d_k)
    K = split_heads(_project(key, W_K, b_K), h)  # (..., h, T_k, d_k)
    V = split_heads(_project(value, W_V, b_V), h)  # (..., h, T_k, d_v)
    mask, bias = fit_heads("mask", mask, Q, K), fit_heads("bias", bias, Q, K)
    heads, weights = scaled_dot_product_attention(
        Q, K, V, mask=mask, bias=bias, causal=causal
    )
    return _project(merge_heads(heads), W_O, b_O), weights


def count_parameters(d_model, h, *, projection_bias=False):
    """Count the numbers in W_Q, W_K, W_V and W_O: they do not depend on h.

    Parameters
    ----------
    d_model, h : int
        h divides d_model.
    projection_bias : bool
        Count the four biases as well.

    Returns
    -------
    int
        4 * d_model**2, or 4 * d_model * (d_model + 1) with biases.
    """
    check_heads(d_model, h)
    biases = check_flag("projection_bias", projection_bias)
    return 4 * int(d_model) * (int(d_model) + biases)


def _project(x, W, b):
    return x @ W if b is None else x @ W + b
