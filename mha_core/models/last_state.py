"""Rung 1: a network that passes on nothing but its last states."""

import numpy as np

from mha_core.models.seq2seq import Recurrent


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


def paths(letters, phonemes):
    """Count steps that wait, and ways from letter to letter and to phoneme.

    The last states are near both ends of the word: its middle is farthest.
    """
    return letters + phonemes + 1, letters, (letters + 1) // 2
