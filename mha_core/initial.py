"""Untrained models: the shapes of their weights, and how they are drawn."""

import numpy as np

from mha_core._checks import InputError
from mha_core.models import KINDS, LETTERS, PHONEMES


def initial(kind, rng, d=32, n=None, d_a=48):
    """Return an untrained model of one kind.

    Parameters
    ----------
    kind : {"last_state", "bahdanau"}
    rng : numpy.random.Generator
    d, n, d_a : int
        Widths of the embeddings, of one encoder direction and of the scoring network.
    """
    if kind not in KINDS:
        raise InputError(f"kind must be one of {', '.join(KINDS)}, not {kind!r}.")
    n = n or {"last_state": 42, "bahdanau": 40}[kind]
    shapes = _shapes(kind, d, n, 2 * n, d_a)
    params = {name: _draw(rng, name, shape) for name, shape in shapes.items()}
    return KINDS[kind](params)


def _shapes(kind, d, n, m, d_a):
    shapes = {
        "E_source": (LETTERS, d),
        "E_target": (PHONEMES, d),
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
        "W_out": (2 * m, PHONEMES),
        "b_out": (PHONEMES,),
    }
    attention = {"W_a": (m, d_a), "U_a": (m, d_a), "v_a": (d_a,)}
    return shapes | (attention if kind == "bahdanau" else {})


def _draw(rng, name, shape):
    if name.startswith("b_"):
        return np.zeros(shape, np.float32)
    fan_in = 4 if name.startswith("E_") else shape[-2] if len(shape) > 1 else shape[0]
    return (rng.standard_normal(shape) / np.sqrt(fan_in)).astype(np.float32)
