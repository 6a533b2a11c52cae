"""Rung 2: a network that looks back with additive attention."""

from mha_core.attention import additive_scores, attend
from mha_core.models.seq2seq import Recurrent


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
