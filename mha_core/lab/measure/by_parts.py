"""Attention put together from parts that are handed in, one sequence at a time."""

import math

import numpy as np


def attention_of(softmax):
    """Return scaled dot-product attention with a softmax of one's own.

    Parameters
    ----------
    softmax : function of (scores, visible)

    Returns
    -------
    function of (query, key, value, mask), which returns output and weights
        Vaswani 2017, eq. 1.
    """

    def scaled_dot_product_attention(query, key, value, mask):
        scores = query @ np.swapaxes(key, -1, -2) / math.sqrt(query.shape[-1])
        weights = softmax(scores, mask)  # (h, T_q, T_k)
        return weights @ value, weights

    return scaled_dot_product_attention


def multi_head_of(attention, split, merge):
    """Return multi-head attention of parts of one's own.

    Parameters
    ----------
    attention : function of (query, key, value, mask)
    split : function of (x, h)
    merge : function of (x,)

    Returns
    -------
    function of (X, W_Q, W_K, W_V, W_O, h, mask, key), which returns output and weights
        Vaswani 2017, section 3.2.2.
    """

    def multi_head_attention(X, W_Q, W_K, W_V, W_O, h, mask, key):
        Q, K, V = (split(x, h) for x in (X @ W_Q, key @ W_K, key @ W_V))
        heads, weights = attention(Q, K, V, mask)  # (h, T_q, d_k), (h, T_q, T_k)
        return merge(heads) @ W_O, weights

    return multi_head_attention
