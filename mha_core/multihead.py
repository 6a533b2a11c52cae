"""Multi-head attention: split the width into heads, attend in each, merge.

Every function refuses what it cannot answer with a ValueError that names the argument.
"""

import numpy as np

from mha_core._checks.arguments import (
    check_flag,
    check_heads,
    check_number,
    check_projection_bias,
    check_sequences,
    check_size,
    check_width,
    random_state,
)
from mha_core._checks.checked import checked
from mha_core._checks.masks import fit_heads
from mha_core.attention import scaled_dot_product_attention


@checked(x="... T d_model")
def split_heads(x, h):
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


@checked(x="... h T d_k")
def merge_heads(x):
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


@checked(
    defaults={"key": "X", "value": "key"},
    X="... T_q d_model",
    key="... T_k d_key",
    value="... T_k d_value",
    W_Q="d_model width",
    W_K="d_key width",
    W_V="d_value width_v",
    W_O="width_v d_out",
    late=("W_Q", "W_K", "W_V", "W_O"),
)
def multi_head_attention(
    X,
    W_Q,
    W_K,
    W_V,
    W_O,
    h,
    mask=None,
    *,
    key=None,
    value=None,
    projection_bias=None,
    bias=None,
    causal=False,
):
    """Attend in h heads, each on its own slice of the projections.

    Parameters
    ----------
    X, key, value : ndarray, shapes (..., T_q, d_model) and (..., T_k, d_model)
        Self-attention if key is None; value is the key sequence if None.
    W_Q, W_K, W_V, W_O : ndarray, shape (d_model, d_model), split into h heads
    mask : ndarray, shape (T_q, T_k), (B, T_q, T_k) or (B, h, T_q, T_k), or 1 for T_q
        True where a query may attend; ``causal`` hides the future as well.
    projection_bias : four ndarrays of shape (d_model,), added after the projections
    bias : ndarray, shaped like a mask, added to the scores

    Returns
    -------
    output, weights : ndarray, shapes (..., T_q, d_model) and (..., h, T_q, T_k)
        Each row of the weights sums to 1. Vaswani 2017, section 3.2.2.
    """
    check_sequences(X=X, key=key, value=value)
    for name, W in (("columns of W_Q", W_Q), ("columns of W_V", W_V)):
        check_heads(W.shape[-1], h, "d_model" if W.shape[-1] == X.shape[-1] else name)
    b_Q, b_K, b_V, b_O = check_projection_bias(projection_bias, (W_Q, W_K, W_V, W_O))
    Q = split_heads.unchecked(_project(X, W_Q, b_Q), h)  # (..., h, T_q, d_k)
    K = split_heads.unchecked(_project(key, W_K, b_K), h)  # (..., h, T_k, d_k)
    V = split_heads.unchecked(_project(value, W_V, b_V), h)  # (..., h, T_k, d_v)
    mask, bias = (fit_heads(*named, Q, K) for named in [("mask", mask), ("bias", bias)])
    heads, weights = scaled_dot_product_attention.unchecked(
        Q, K, V, mask=mask, bias=bias, causal=causal
    )
    output = _project(merge_heads.unchecked(heads), W_O, b_O)
    return output, weights


class MultiHeadAttention:
    """Multi-head attention with random weights of its own.

    Parameters
    ----------
    d_model, h : int
        Width of the model and number of heads; h divides d_model.
    seed : int
        The weights wq, wk, wv, wo, each (d_model, d_model), are drawn from it.
    init_scale : float
        Standard deviation of the weights. They are untrained.
    """

    def __init__(self, d_model, h, seed=42, *, init_scale=0.02):
        self.d_k = check_heads(d_model, h)
        self.d_model, self.h = int(d_model), int(h)
        check_size("d_model", 4, self.d_model, self.d_model)
        init_scale = check_number("init_scale", init_scale, most=1e30)
        draw = random_state(seed).randn
        self.wq, self.wk, self.wv, self.wo = (
            draw(self.d_model, self.d_model) * init_scale for _ in range(4)
        )

    def split(self, x):
        """Return `split_heads(x, h)`: (..., T, d_model) to (..., h, T, d_k)."""
        return split_heads(x, self.h)

    @checked(Q="... T_q d_k", K="... T_k d_k", V="... T_k d_v")
    def attn(self, Q, K, V, mask=None, *, causal=False):
        """Return output and weights of `scaled_dot_product_attention`, head by head."""
        return scaled_dot_product_attention.unchecked(Q, K, V, mask=mask, causal=causal)

    @checked(Q="... T_q d_model", K="... T_k d_model", V="... T_k d_model")
    def forward(self, Q, K, V, mask=None, *, causal=False, return_weights=False):
        """Return the output, (..., T_q, d_model), of `multi_head_attention`.

        Parameters
        ----------
        Q, K, V : ndarray, shapes (..., T_q, d_model), (..., T_k, d_model) twice
            The weights are cast to their dtype.
        mask : ndarray of bool or of 0 and 1
            True where a query may attend.
        return_weights : bool
            Return also the weights, (..., h, T_q, T_k).
        """
        check_sequences(Q=Q, K=K, V=V)
        check_width(self.d_model, Q=Q, K=K, V=V)
        dtype = np.result_type(Q.dtype, K.dtype, V.dtype)
        weights = (self.wq, self.wk, self.wv, self.wo)
        weights = [w if w.dtype == dtype else w.astype(dtype) for w in weights]
        output, weights = multi_head_attention(
            Q, *weights, self.h, mask, key=K, value=V, causal=causal
        )
        return (output, weights) if return_weights else output


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
