"""The models that pronounce words: one encoder and decoder, several ways to look back.

Every model reads letters as numbers (0 is padding) and writes phonemes as numbers
(0 starts and ends the word). ``params`` maps the name of each weight to its array.
"""

import numpy as np

from mha_core._checks.arguments import check_count
from mha_core._checks.checked import trusted
from mha_core._checks.ids import check_letter_mask, check_numbers, check_rows
from mha_core.recurrent import gru_cell, run

LETTERS = 27
PHONEMES = 41  # 0, 39 phonemes, and one number that nothing has


class Recurrent:
    """A GRU encoder that reads both ways, and a GRU decoder; the parts all kinds share.

    A kind adds `remember`, what the decoder gets of the encoder's states, and `look`,
    which context it takes from that at one step. Cho 2014; Bahdanau 2015.
    """

    def __init__(self, params):
        self.params = params

    def with_params(self, params):
        """Return a model of the same kind with other parameters."""
        return type(self)(params)

    @trusted()
    def encode(self, source, mask):
        """Return the states of both directions at each letter, (B, T) to (B, T, m)."""
        check_numbers("source", source, self.params["E_source"].shape[0])
        check_letter_mask(mask, source)
        return self.read(self.params["E_source"][source], mask)

    @trusted()
    def read(self, letters, mask):
        """Run both directions over embedded letters, (B, T, d) to (B, T, m)."""
        both = np.stack([letters, letters[:, ::-1]])  # (2, B, T, d)
        visible = np.stack([mask, mask[:, ::-1]])
        W, U, b, b_U = self._gru("encoder")
        start = np.zeros((2, len(mask), U.shape[-2]), U.dtype)
        options = {"mask": visible, "reset_after": True}
        states = run(gru_cell, both, start, W, U, b, b_U, **options)  # (2, B, T, n)
        return np.concatenate([states[0], states[1][:, ::-1]], axis=-1)  # (B, T, m)

    def last_states(self, states):
        """Return the state that each direction ends with, side by side: (B, m)."""
        n = states.shape[-1] // 2
        return np.concatenate([states[:, -1, :n], states[:, 0, n:]], axis=-1)

    @trusted()
    def start(self, source):
        """Return what the decoder remembers of the source, and its first state."""
        check_numbers("source", source, self.params["E_source"].shape[0])
        mask = source > 0
        states = self.encode(source, mask)
        last = self.last_states(states)
        first = np.tanh(last @ self.params["W_start"] + self.params["b_start"])
        return self.remember(states, mask), first  # ..., (B, n)

    @trusted()
    def step(self, state, previous, memory):
        """Look back with the previous state, then renew it: one decoder step."""
        context, weights = self.look(state, memory)
        x = np.concatenate([previous, context], axis=-1)  # (B, d + m)
        state = gru_cell(x, state, *self._gru("decoder"), reset_after=True)
        return state, context, weights

    @trusted()
    def read_out(self, state, context):
        """Return the scores of every phoneme, (..., PHONEMES)."""
        shown = np.concatenate([state, context], axis=-1)  # (..., n + m)
        return shown @ self.params["W_out"] + self.params["b_out"]

    @trusted()
    def logits(self, source, target_in):
        """Return the scores of the next phonemes, given the true ones before them.

        Parameters
        ----------
        source : ndarray of int, shape (B, T)
        target_in : ndarray of int, shape (B, T_q)
            0, then the phonemes.

        Returns
        -------
        ndarray, shape (B, T_q, PHONEMES)
        """
        check_numbers("target_in", target_in, self.params["E_target"].shape[0])
        memory, state = self.start(source)
        check_rows(source, target_in)
        previous = self.params["E_target"][target_in]  # (B, T_q, d)
        states, contexts = [], []
        for t in range(target_in.shape[1]):
            state, context, _ = self.step(state, previous[:, t], memory)
            states.append(state)
            contexts.append(context)
        return self.read_out(np.stack(states, axis=1), np.stack(contexts, axis=1))

    @trusted()
    def greedy(self, source, max_steps):
        """Write the likeliest phoneme at each step, and read it at the next.

        Parameters
        ----------
        source : ndarray of int, shape (B, T)
        max_steps : int

        Returns
        -------
        ids : ndarray of int, shape (B, T_q)
            T_q is max_steps or less; 0 from the end of the word on.
        weights : ndarray, shape (B, h, T_q, T)
        """
        max_steps = check_count("max_steps", max_steps)
        memory, state = self.start(source)
        token = np.zeros(len(source), int)
        running = np.ones(len(source), bool)
        ids, weights = [], []
        while running.any() and len(ids) < max_steps:
            previous = self.params["E_target"][token]
            state, context, looked = self.step(state, previous, memory)
            scores = self.read_out(state, context)[:, : PHONEMES - 1]
            token = scores.argmax(axis=-1) * running
            running = running & (token > 0)
            ids.append(token)
            weights.append(looked)
        return np.stack(ids, axis=1), np.stack(weights, axis=2)

    def _gru(self, name):
        return [self.params[f"{part}_{name}"] for part in ("W", "U", "b", "b_U")]


def recurrent_shapes(letters, phonemes, d, n):
    """Return the shapes of what every recurrent kind has, with 2 n as a state's width.

    Parameters
    ----------
    letters, phonemes : int
        Numbers that the model reads and writes, 0 among them.
    d, n : int
        Widths of the embeddings and of one encoder direction.
    """
    m = 2 * n
    return {
        "E_source": (letters, d),
        "E_target": (phonemes, d),
        "W_encoder": (2, d, 3 * n),
        "U_encoder": (2, n, 3 * n),
        "b_encoder": (2, 1, 3 * n),
        "b_U_encoder": (2, 1, 3 * n),
        "W_start": (m, m),
        "b_start": (m,),
        "W_decoder": (d + m, 3 * m),
        "U_decoder": (m, 3 * m),
        "b_decoder": (3 * m,),
        "b_U_decoder": (3 * m,),
        "W_out": (2 * m, phonemes),
        "b_out": (phonemes,),
    }
