"""Attention: scores to weights to context.

Rows are queries, columns are keys. A mask is true where a query may attend. Every
function refuses what it cannot answer with a ValueError that names the argument.
"""

import math

import numpy as np

from mha_core._checks.arguments import (
    check_axis,
    check_luong,
    check_number,
    check_projected,
)
from mha_core._checks.checked import checked, finite
from mha_core._checks.masks import as_bias, check_scores
from mha_core.masking import visible_keys

LARGE = 10.0


@checked
def softmax(x: "... n", axis=-1):
    """Turn scores into weights that are positive and sum to 1: exp(x) / sum(exp(x)).

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
    return np.swapaxes(masked_softmax(np.swapaxes(x, axis, -1)), -1, axis)


@checked
def masked_softmax(scores: "... T_k", visible=None):
    """Turn each row of scores into weights that sum to 1, with 0 for hidden keys.

    exp(scores) / sum(exp(scores)) over the visible keys.

    Parameters
    ----------
    scores : ndarray, shape (..., T_q, T_k)
    visible : ndarray of bool, broadcasts onto the scores, optional
        True where a query may attend.

    Returns
    -------
    ndarray, shape and dtype of the scores
        Each row sums to 1, or is 0 where every key is hidden.
    """
    check_scores(scores, visible)
    if visible is not None:
        scores = np.where(visible, scores, -np.inf)
    weights = np.exp(lowered(scores))
    total = np.sum(weights, axis=-1, keepdims=True)  # (..., T_q, 1)
    weights /= np.where(total > 0, total, 1)
    return weights


def lowered(scores):
    """Return large scores less the largest of their row, so that exp cannot overflow.

    This changes no weight, since exp(s - m) / sum(exp(s - m)) = exp(s) / sum(exp(s)).
    """
    plain = getattr(scores, "value", scores)  # of one that records its gradient
    if -LARGE < plain.min() and plain.max() < LARGE:
        return scores
    highest = np.max(scores, axis=-1, keepdims=True)  # (..., T_q, 1)
    return scores - np.where(highest > -np.inf, highest, 0)


@checked
def scaled_dot_product_attention(
    query: "... T_q d_k",
    key: "... T_k d_k",
    value: "... T_k d_v",
    *,
    mask=None,
    bias=None,
    scale=None,
    causal=False,
):
    """Let each query mix the values of the keys that it resembles.

    Parameters
    ----------
    query, key : ndarray, shapes (..., T_q, d_k) and (..., T_k, d_k)
    value : ndarray, shape (..., T_k, d_v)
    mask : ndarray of bool or of 0 and 1, broadcasts onto (..., T_q, T_k)
        True where a query may attend; lengths become one by `padding_mask`.
        ``causal`` adds ``causal_mask(T_q, T_k)``, its diagonal from the top left.
    bias : ndarray of floats, broadcasts onto the scores, to which it is added
    scale : float, factor of the scores, 1 / sqrt(d_k) if not given

    Returns
    -------
    output, weights : ndarray, shapes (..., T_q, d_v) and (..., T_q, T_k)
        Each row of the weights sums to 1, or is 0 where every key is hidden.
        Vaswani 2017, eq. 1.
    """
    d_k = query.shape[-1]
    scale = 1 / math.sqrt(d_k) if scale is None else check_number("scale", scale)
    scores = (query * scale) @ np.swapaxes(key, -1, -2)  # (..., T_q, T_k)
    if bias is not None:
        bias = as_bias(bias, scores.shape, scores.dtype)
        scores = scores + bias
    weights = masked_softmax(scores, visible_keys(scores, mask, bias, causal))
    return weights @ value, weights


@checked
def additive_attention(
    query: "... T_q d_q",
    key: "... T_k d_key",
    value: "... T_k d_v",
    W_a: "d_q d_a",
    U_a: "d_key d_a | None",
    v_a: " d_a",
    *,
    mask=None,
):
    """Score every key with a small network, as the first attention did.

    Parameters
    ----------
    query : ndarray, shape (..., T_q, d_q)
        The decoder's previous states; one decoder step is T_q = 1.
    key, value : ndarray, shapes (..., T_k, d_key) and (..., T_k, d_v)
    W_a, U_a, v_a : ndarray, shapes (d_q, d_a), (d_key, d_a) and (d_a,)
        Without U_a, None, the keys are projected already: once for all steps.
    mask : ndarray of bool or of 0 and 1, broadcasts onto (..., T_q, T_k)

    Returns
    -------
    context, weights : ndarray, shapes (..., T_q, d_v) and (..., T_q, T_k)
        Each row of the weights sums to 1. Bahdanau 2015, appendix A.1.2.
    """
    check_projected(key, U_a, v_a)
    query = query @ W_a  # (..., T_q, d_a)
    key = key if U_a is None else key @ U_a  # (..., T_k, d_a)
    inside = finite(query[..., :, None, :] + key[..., None, :, :])
    scores = np.tanh(inside) @ v_a  # (..., T_q, T_k, d_a) to (..., T_q, T_k)
    weights = masked_softmax(scores, visible_keys(scores, mask))
    return weights @ value, weights


@checked
def luong_attention(
    query: "... T_q d_q",
    key: "... T_k d_key",
    value: "... T_k d_v",
    *,
    score="dot",
    W_a: "d_row d_col" = None,
    v_a: " d_a" = None,
    mask=None,
):
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
    context, weights : ndarray, shapes (..., T_q, d_v) and (..., T_q, T_k)
        Each row of the weights sums to 1. Luong 2015, section 3.1.
    """
    check_luong(score, query, key, W_a, v_a)
    if score == "concat":
        W_q, W_k = W_a[: query.shape[-1]], W_a[query.shape[-1] :]
        return additive_attention(query, key, value, W_q, W_k, v_a, mask=mask)
    query = query @ W_a if score == "general" else query  # (..., T_q, d_key)
    scores = query @ np.swapaxes(key, -1, -2)  # (..., T_q, T_k)
    weights = masked_softmax(scores, visible_keys(scores, mask))
    return weights @ value, weights
