"""The models that pronounce words: one encoder-decoder, several ways to look back."""

import numpy as np

from mha_core.attention import additive_scores, attend, scaled_dot_product_attention
from mha_core.multihead import merge_heads, split_heads
from mha_core.seq2seq import LETTERS, PHONEMES, Recurrent, check_numbers
from mha_core.transformer import Transformer

__all__ = [
    "KINDS",
    "LETTERS",
    "PHONEMES",
    "Bahdanau",
    "LastState",
    "MultiHead",
    "Recurrent",
    "Transformer",
    "check_numbers",
]


class LastState(Recurrent):
    """Rung 1: the decoder is given the last states, the same at every step."""

    kind, h = "last_state", 0

    def remember(self, states, mask):
        """Keep the last states only: (B, m)."""
        return self.last_states(states), mask.shape[1]

    def look(self, state, memory):
        """Return the last states, whatever the decoder looks for; no weights."""
        last, T = memory
        return last, np.zeros((state.shape[0], 0, T), state.dtype)


class Bahdanau(Recurrent):
    """Rung 2: the decoder looks over all states with additive attention."""

    kind, h = "bahdanau", 1

    def remember(self, states, mask):
        """Keep every state, and its projection, which serves all steps."""
        return states, states @ self.params["U_a"], mask[:, None]

    def look(self, state, memory):
        """Return the context, (B, m), and the weights, (B, 1, T)."""
        states, keys, mask = memory
        query = (state @ self.params["W_a"])[:, None]  # (B, 1, d_a)
        scores = additive_scores(query, keys, self.params["v_a"])
        context, weights = attend(scores, states, mask)
        return context[:, 0], weights


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
        keys = split_heads.unchecked(states @ self.params["W_K"], self.h)
        values = split_heads.unchecked(states @ self.params["W_V"], self.h)
        return keys, values, mask[:, None, None]

    def look(self, state, memory):
        """Return the context, (B, m), and the weights, (B, h, T)."""
        keys, values, mask = memory
        query = (state @ self.params["W_Q"])[:, None]  # (B, 1, m)
        heads, weights = scaled_dot_product_attention.unchecked(
            split_heads.unchecked(query, self.h), keys, values, mask=mask
        )  # (B, h, 1, d_k), (B, h, 1, T)
        context = merge_heads.unchecked(heads) @ self.params["W_O"]  # (B, 1, m)
        return context[:, 0], weights[:, :, 0]


KINDS = {model.kind: model for model in (LastState, Bahdanau, MultiHead, Transformer)}
