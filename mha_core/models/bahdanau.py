"""Rung 2: a network that looks back with additive attention."""

from mha_core.attention import additive_attention
from mha_core.models.seq2seq import Recurrent, recurrent_shapes


class Bahdanau(Recurrent):
    """Rung 2: the decoder looks over all states with additive attention."""

    kind, h = "bahdanau", 1

    def remember(self, states, mask):
        """Keep every state, and its projection, which serves all steps."""
        return states, states @ self.params["U_a"], mask[:, None]

    def look(self, state, memory):
        """Return the context, (B, m), and the weights, (B, 1, T)."""
        states, keys, mask = memory
        W_a, v_a = self.params["W_a"], self.params["v_a"]
        context, weights = additive_attention(
            state[:, None], keys, states, W_a, None, v_a, mask=mask
        )  # (B, 1, m), (B, 1, T)
        return context[:, 0], weights


def shapes(letters, phonemes, d, n, d_a):
    """Return the shapes of all parameters; d_a is the width of the scoring network."""
    own = {"W_a": (2 * n, d_a), "U_a": (2 * n, d_a), "v_a": (d_a,)}
    return recurrent_shapes(letters, phonemes, d, n) | own


def paths(letters, phonemes):
    """Count steps that wait, and ways from letter to letter and to phoneme."""
    return letters + phonemes + 1, letters, 2
