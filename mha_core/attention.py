"""Attention: scores to weights to context, and the masks that hide keys.

Rows are queries, columns are keys. A mask is true where a query may attend. Every
function refuses what it cannot answer with a ValueError that names the argument.
"""

import math

import numpy as np

from mha_core._checks.arguments import (
    check_axis,
    check_count,
    check_flag,
    check_luong,
    check_number,
    check_size,
)
from mha_core._checks.checked import checked, finite
from mha_core._checks.masks import as_bias, as_mask, check_lengths
from mha_core._weights import weigh


@checked(x="... n")
def softmax(x, axis=-1):
    """Turn scores into weights that are positive and sum to 1: exp(x) / sum(exp(x)).

    The largest score is taken from its row first, so that exp cannot overflow.

    Parameters
    ----------
    x : ndarray, any shape
    axis : int
        Axis along which the weights sum to 1.

    Returns
    -------
    ndarray, shape and dtype of x
    """
    axis = check_axis("x", x, axis)
    scores = np.swapaxes(x, axis, -1) + 0.0  # a copy
    return np.swapaxes(weigh(scores), -1, axis)


def causal_mask(T_q, T_k=None, offset=0):
    """Return the mask that hides the future: query i sees key j if j <= i + offset.

    The diagonal starts at the top left, also when T_q and T_k differ.

    Parameters
    ----------
    T_q, T_k : int
        Number of queries and of keys; T_k is T_q if not given.
    offset : int
        How many keys after its own position a query may see.

    Returns
    -------
    ndarray of bool, shape (T_q, T_k)
    """
    T_q = check_count("T_q", T_q)
    T_k = T_q if T_k is None else check_count("T_k", T_k)
    check_size("T_q and T_k", T_q, T_k)
    offset = max(-T_q, min(check_count("offset", offset, least=None), T_k))
    return np.arange(T_k) <= np.arange(T_q)[:, None] + offset


def padding_mask(lengths, T_k):
    """Return the mask that hides the padding after each sequence's end.

    Parameters
    ----------
    lengths : ndarray of int, shape (B,)
        Number of real keys of each sequence, from 0 to T_k.
    T_k : int

    Returns
    -------
    ndarray of bool, shape (B, 1, T_k)
        True at the first ``lengths[b]`` keys of sequence b, for every query.
    """
    lengths, T_k = check_lengths(lengths, T_k)
    return np.arange(T_k) < lengths[:, None, None]  # (B, 1, T_k)


@checked(query="... T_q d_k", key="... T_k d_k", value="... T_k d_v")
def scaled_dot_product_attention(
    query, key, value, *, mask=None, bias=None, scale=None, causal=False
):
    """Let each query mix the values of the keys that it resembles.

    Parameters
    ----------
    query, key : ndarray, shapes (..., T_q, d_k) and (..., T_k, d_k)
    value : ndarray, shape (..., T_k, d_v)
    mask : ndarray of bool or of 0 and 1, broadcasts onto (..., T_q, T_k)
        True where a query may attend; ``causal`` adds ``causal_mask(T_q, T_k)``,
        whose diagonal starts at the top left.
    bias : ndarray, broadcasts onto the scores, to which it is added
    scale : float, factor of the scores, 1 / sqrt(d_k) if not given

    Returns
    -------
    output : ndarray, shape (..., T_q, d_v)
    weights : ndarray, shape (..., T_q, T_k)
        Each row sums to 1, or is 0 where every key is hidden. Vaswani 2017, eq. 1.
    """
    d_k = query.shape[-1]
    scale = 1 / math.sqrt(d_k) if scale is None else check_number("scale", scale)
    scores = (query * scale) @ np.swapaxes(key, -1, -2)  # (..., T_q, T_k)
    return attend(scores, value, mask, bias, causal)


@checked(
    query="... T_q d_q",
    key="... T_k d_key",
    value="... T_k d_v",
    W_a="d_q d_a",
    U_a="d_key d_a",
    v_a="d_a",
)
def additive_attention(query, key, value, W_a, U_a, v_a, *, mask=None):
    """Score every key with a small network, as the first attention did.

    Parameters
    ----------
    query : ndarray, shape (..., T_q, d_q)
        The decoder's previous states; one decoder step is T_q = 1.
    key, value : ndarray, shapes (..., T_k, d_key) and (..., T_k, d_v)
    W_a, U_a, v_a : ndarray, shapes (d_q, d_a), (d_key, d_a) and (d_a,)
    mask : ndarray of bool or of 0 and 1, broadcasts onto (..., T_q, T_k)

    Returns
    -------
    context : ndarray, shape (..., T_q, d_v)
    weights : ndarray, shape (..., T_q, T_k)
        Each row sums to 1. Bahdanau 2015, section 3.1 and appendix A.1.2.
    """
    return attend(additive_scores(query @ W_a, key @ U_a, v_a), value, mask)


@checked(
    query="... T_q d_q",
    key="... T_k d_key",
    value="... T_k d_v",
    W_a="d_row d_col",
    v_a="d_a",
)
def luong_attention(query, key, value, *, score="dot", W_a=None, v_a=None, mask=None):
    """Score keys by one of Luong's three ways, without a scale.

    Parameters
    ----------
    query : ndarray, shape (..., T_q, d_q)
        The decoder's current states.
    key, value : ndarray, shapes (..., T_k, d_key) and (..., T_k, d_v)
    score : {"dot", "general", "concat"}
        ``general`` needs W_a of shape (d_q, d_key), ``concat`` needs W_a of shape
        (d_q + d_key, d_a) and v_a of shape (d_a,).
    mask : ndarray of bool or of 0 and 1, broadcasts onto (..., T_q, T_k)

    Returns
    -------
    context : ndarray, shape (..., T_q, d_v)
    weights : ndarray, shape (..., T_q, T_k)
        Each row sums to 1. Luong 2015, section 3.1.
    """
    check_luong(score, query, key, W_a, v_a)
    if score == "concat":
        W_q, W_k = W_a[: query.shape[-1]], W_a[query.shape[-1] :]
        scores = additive_scores(query @ W_q, key @ W_k, v_a)
    else:
        query = query @ W_a if score == "general" else query  # (..., T_q, d_key)
        scores = query @ np.swapaxes(key, -1, -2)
    return attend(scores, value, mask)  # (..., T_q, d_v), (..., T_q, T_k)


def additive_scores(query, key, v_a):
    """Return v_a . tanh(query + key) of projected queries and keys, (..., T_q, T_k)."""
    query, key = query[..., :, None, :], key[..., None, :, :]
    return np.tanh(finite(query + key)) @ v_a  # (..., T_q, T_k, d_a) to (..., T_q, T_k)


def attend(scores, value, mask=None, bias=None, causal=False):
    """Turn scores into weights and mix the values; a hidden key weighs exactly 0."""
    if bias is not None:
        bias = as_bias(bias, scores.shape, scores.dtype)
        scores = scores + bias
    weights = weigh(scores, _visible(scores.shape, mask, bias, causal))
    return weights @ value, weights  # (..., T_q, d_v), (..., T_q, T_k)


def _visible(shape, mask, bias, causal):
    visible = True if mask is None else as_mask(mask, shape)
    if check_flag("causal", causal):
        visible = visible & causal_mask(*shape[-2:])
    if bias is not None:
        visible = visible & (bias > -np.inf)
    return None if visible is True else visible
