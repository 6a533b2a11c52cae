"""Multi-head attention as a class that has weights of its own."""

import numpy as np

from mha_core._checks.arguments import check_number, check_size, random_state
from mha_core._checks.checked import checked
from mha_core._checks.masks import fit_heads
from mha_core._checks.projections import check_heads, check_sequences, check_width
from mha_core.attention import scaled_dot_product_attention
from mha_core.multihead import multi_head_attention, split_heads


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

    @checked
    def attn(
        self,
        Q: "... T_q d_k",
        K: "... T_k d_k",
        V: "... T_k d_v",
        mask=None,
        *,
        causal=False,
    ):
        """Return output and weights of `scaled_dot_product_attention`, head by head.

        Axis -3 of Q, K and V is heads, so a mask is that of `multi_head_attention`:
        (B, T_q, T_k) serves all heads.
        """
        mask = fit_heads("mask", mask, Q, K) if Q.ndim > 2 else mask
        return scaled_dot_product_attention(Q, K, V, mask=mask, causal=causal)

    @checked
    def forward(
        self,
        Q: "... T_q d_model",
        K: "... T_k d_model",
        V: "... T_k d_model",
        mask=None,
        *,
        causal=False,
        return_weights=False,
    ):
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
