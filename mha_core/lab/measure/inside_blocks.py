"""What a Transformer holds, part by part, while it writes a word."""

from typing import NamedTuple

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.attention import softmax
from mha_core.blocks import attend_and_add, layer_norm, positions, think_and_add
from mha_core.models import Transformer
from mha_core.pronouncing import check_word
from mha_core.tasks import name_phonemes, spell, to_ipa

START = "▸"  # what a decoder reads first


class Blocks(NamedTuple):
    """States and weights of a Transformer, by the name of what made them.

    Names are such as ``encoder in``, ``encoder 0 self``, ``encoder 0 think`` and
    ``memory``; weights are named ``encoder 0 self`` or ``decoder 1 cross``.
    """

    letters: list
    read: list  # the start, then every sound but the last
    sounds: list
    states: dict  # (T, d_model) each
    weights: dict  # (h, T_q, T_k) each
    chances: np.ndarray  # (T_q,), how likely each written sound was


def inside_blocks(model, word):
    """Return what each part of a Transformer makes of a word that it writes.

    Parameters
    ----------
    model : Transformer
    word : str

    Returns
    -------
    Blocks

    Raises
    ------
    ValueError
        If it is no Transformer, or the word cannot be read.
    """
    _check(model)
    word = check_word(word)
    source = spell([word])  # (1, T)
    ids = model.greedy(source, len(word) + 5)[0][0]
    sounds = to_ipa(name_phonemes(ids))
    written = ids[: len(sounds)]
    p, states, weights = model.params, {}, {}
    x = _side(model, "encoder", source, None, states, weights)
    memory = layer_norm(x, p["encoder gain"], p["encoder shift"])
    states["memory"] = memory[0]
    read = np.concatenate([[0], written[:-1]])[None]
    x = _side(model, "decoder", read, memory, states, weights)
    x = layer_norm(x, p["decoder gain"], p["decoder shift"])[0]
    likely = softmax(x @ p["W_out"] + p["b_out"])  # (T_q, phonemes)
    chances = likely[np.arange(len(written)), written]
    heard = [START, *sounds[:-1]]
    return Blocks(list(word), heard, sounds, states, weights, chances)


def _side(model, side, ids, memory, states, weights):
    """Go through all blocks of one side, and keep what each part makes."""
    vectors = model.params["E_source" if memory is None else "E_target"][ids]
    x = vectors + positions(*vectors.shape[1:]).astype(vectors.dtype)
    states[f"{side} in"] = x[0]
    for i in model.layers:
        start = f"{side} {i} "
        own = _weights(model, start)
        for part in ("self", "cross")[: 1 if memory is None else 2]:
            source = memory if part == "cross" else None
            causal = side == "decoder" and part == "self"
            x, seen = attend_and_add(x, source, own, part, model.h, causal=causal)
            states[start + part], weights[start + part] = x[0], seen[0]
        x = think_and_add(x, own)
        states[f"{start}think"] = x[0]
    return x


def _weights(model, start):
    names = [name for name in model.params if name.startswith(start)]
    return {name.removeprefix(start): model.params[name] for name in names}


def _check(model):
    if not isinstance(model, Transformer):
        raise ValueError(
            sentence(
                "A model of kind transformer is needed, whose blocks can be drawn, "
                "not {kind}.",
                kind=getattr(model, "kind", type(model).__name__),
            )
        )
