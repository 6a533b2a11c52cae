"""Rung 3: a network that looks back with several heads."""

from mha_core.attention import scaled_dot_product_attention
from mha_core.models.seq2seq import Recurrent, recurrent_shapes
from mha_core.multihead import merge_heads, split_heads


class MultiHead(Recurrent):
    """Rung 3: the decoder looks with several heads of scaled dot-product attention."""

    kind = "multihead"

    def __init__(self, params, h=4):
        super().__init__(params)
        self.h = h

    def with_params(self, params):
        """Return a model with as many heads and other parameters."""
        return MultiHead(params, self.h)

    def remember(self, states, mask):
        """Keep keys and values of every head, (B, h, T, d_k), which serve all steps."""
        keys = split_heads(states @ self.params["W_K"], self.h)
        values = split_heads(states @ self.params["W_V"], self.h)
        return keys, values, mask[:, None, None]

    def look(self, state, memory):
        """Return the context, (B, m), and the weights, (B, h, T)."""
        keys, values, mask = memory
        query = (state @ self.params["W_Q"])[:, None]  # (B, 1, m)
        heads, weights = scaled_dot_product_attention(
            split_heads(query, self.h), keys, values, mask=mask
        )  # (B, h, 1, d_k), (B, h, 1, T)
        context = merge_heads(heads) @ self.params["W_O"]  # (B, 1, m)
        return context[:, 0], weights[:, :, 0]


def shapes(letters, phonemes, d, n):
    """Return the shapes of all parameters; they do not depend on the heads."""
    own = {name: (2 * n, 2 * n) for name in ("W_Q", "W_K", "W_V", "W_O")}
    return recurrent_shapes(letters, phonemes, d, n) | own
