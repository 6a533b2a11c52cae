"""Rung 4: a Transformer that pronounces words, without any recurrence."""

import itertools

import numpy as np

from mha_core._checks.arguments import check_count
from mha_core._checks.checked import trusted
from mha_core._checks.ids import check_letter_mask, check_numbers, check_rows
from mha_core.blocks import OURS, PROJECTIONS, decoder_block, positions


class Transformer:
    """An encoder and a decoder of two blocks each, with sinusoidal positions.

    Parameters
    ----------
    params : dict of str to ndarray
        The names of a block's weights begin with its name, such as ``encoder 0``.
    h : int
        Number of heads of every attention. Vaswani 2017, but normalised before each
        part (Xiong 2020), and embeddings are not multiplied by sqrt(d_model).
    formulas : Formulas
        What its blocks call.
    """

    kind = "transformer"
    layers = (0, 1)

    def __init__(self, params, h=4, formulas=OURS):
        self.params, self.h, self.formulas = params, h, formulas

    def with_params(self, params):
        """Return a model with as many heads and other parameters."""
        return Transformer(params, self.h, self.formulas)

    def with_formulas(self, formulas):
        """Return a model with the same parameters whose blocks call other formulas."""
        return Transformer(self.params, self.h, formulas)

    @trusted()
    def encode(self, source, mask):
        """Return a vector for each letter that has seen all, (B, T, d_model)."""
        check_numbers("source", source, self.params["E_source"].shape[0])
        check_letter_mask(mask, source)
        return self._encode(source, mask)[0]

    @trusted()
    def logits(self, source, target_in):
        """Return the scores of the next phonemes, given the true ones before them.

        Parameters
        ----------
        source : ndarray of int, shape (B, T)
        target_in : ndarray of int, shape (B, T_q)
            0, then the phonemes; all positions are computed at once.

        Returns
        -------
        ndarray, shape (B, T_q, PHONEMES)
        """
        return self._read(source, target_in)[0]

    @trusted()
    def attention(self, source, target_in):
        """Return the weights of every attention: name to (B, h, T_q, T_k)."""
        return self._read(source, target_in)[1]

    @trusted()
    def greedy(self, source, max_steps):
        """Write the likeliest phoneme at each step, and read all of them at the next.

        Parameters
        ----------
        source : ndarray of int, shape (B, T)
        max_steps : int

        Returns
        -------
        ids : ndarray of int, shape (B, T_q)
            T_q is max_steps or less; 0 from the end of the word on.
        weights : ndarray, shape (B, h, T_q, T)
            Of the cross-attention of the last block.
        """
        max_steps = check_count("max_steps", max_steps)
        check_numbers("source", source, self.params["E_source"].shape[0])
        target_in = np.zeros((len(source), 1), int)
        running = np.ones(len(source), bool)
        while running.any() and target_in.shape[1] <= max_steps:
            logits, weights = self._read(source, target_in)
            token = logits[:, -1, : self._phonemes() - 1].argmax(axis=-1) * running
            running = running & (token > 0)
            target_in = np.concatenate([target_in, token[:, None]], axis=1)
        return target_in[:, 1:], weights[f"decoder {self.layers[-1]} cross"]

    def _read(self, source, target_in):
        check_numbers("source", source, self.params["E_source"].shape[0])
        check_numbers("target_in", target_in, self._phonemes())
        check_rows(source, target_in)
        mask = source[:, None] > 0  # (B, 1, T)
        memory, weights = self._encode(source, source > 0)
        x = self._embed("E_target", target_in)
        for i in self.layers:
            block = self._block(f"decoder {i}")
            x, own, cross = decoder_block(x, memory, block, self.h, mask, self.formulas)
            weights |= {f"decoder {i} self": own, f"decoder {i} cross": cross}
        x = self._norm(x, "decoder")
        return x @ self.params["W_out"] + self.params["b_out"], weights

    def _encode(self, source, mask):
        x, weights = self._embed("E_source", source), {}
        for i in self.layers:
            block = self._block(f"encoder {i}")
            x, weights[f"encoder {i}"] = self.formulas.encoder_block(
                x, block, self.h, mask[:, None], self.formulas
            )
        return self._norm(x, "encoder"), weights

    def _norm(self, x, side):
        gain, shift = self.params[f"{side} gain"], self.params[f"{side} shift"]
        return self.formulas.layer_norm(x, gain, shift)

    def _embed(self, name, ids):
        vectors = self.params[name][ids]  # (B, T, d_model)
        return vectors + positions(*vectors.shape[1:]).astype(vectors.dtype)

    def _block(self, name):
        start = f"{name} "
        names = [key for key in self.params if key.startswith(start)]
        return {key.removeprefix(start): self.params[key] for key in names}

    def _phonemes(self):
        return self.params["E_target"].shape[0]


def shapes(letters, phonemes, d, d_ff):
    """Return the shapes of all parameters: those of a block begin with its name.

    Parameters
    ----------
    letters, phonemes : int
        Numbers that the model reads and writes, 0 among them.
    d, d_ff : int
        Width throughout, d_model, and inside the feed-forward layer.
    """
    attention = {name: (d, d) for name in PROJECTIONS}
    norm = {"gain": (d,), "shift": (d,)}
    think = {"W_1": (d, d_ff), "b_1": (d_ff,), "W_2": (d_ff, d), "b_2": (d,)}
    parts = {"self": attention | norm, "cross": attention | norm, "think": think | norm}
    found = {"E_source": (letters, d), "E_target": (phonemes, d)}
    for side, names in (("encoder", ("self", "think")), ("decoder", tuple(parts))):
        for i, part in itertools.product(Transformer.layers, names):
            block = f"{side} {i} {part}"
            found |= {f"{block} {name}": shape for name, shape in parts[part].items()}
        found |= {f"{side} {name}": shape for name, shape in norm.items()}
    return found | {"W_out": (d, phonemes), "b_out": (phonemes,)}


def paths(letters, phonemes):
    """Count blocks that wait, and ways from letter to letter and to phoneme."""
    return 2 * len(Transformer.layers), 1, 1
