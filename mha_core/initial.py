"""Untrained models: the shapes of their weights, and how they are drawn."""

import numpy as np

from mha_core._checks import InputError
from mha_core.models import KINDS, LETTERS, PHONEMES


def initial(kind, rng, d=32, n=None, d_a=48, letters=LETTERS, phonemes=PHONEMES):
    """Return an untrained model of one kind.

    Parameters
    ----------
    kind : {"last_state", "bahdanau", "multihead"}
    rng : numpy.random.Generator
    d, n, d_a : int
        Widths of the embeddings, of one encoder direction and of the scoring network.
    letters, phonemes : int
        Numbers that the model reads and writes, 0 among them.
    """
    if kind not in KINDS:
        raise InputError(f"kind must be one of {', '.join(KINDS)}, not {kind!r}.")
    n = n or {"last_state": 42, "bahdanau": 40, "multihead": 36}[kind]
    shapes = _shapes(kind, d, n, 2 * n, d_a, letters, phonemes)
    params = {name: _draw(rng, name, shape) for name, shape in shapes.items()}
    return KINDS[kind](params)


def _shapes(kind, d, n, m, d_a, letters, phonemes):
    shapes = {
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
    additive = {"W_a": (m, d_a), "U_a": (m, d_a), "v_a": (d_a,)}
    heads = {name: (m, m) for name in ("W_Q", "W_K", "W_V", "W_O")}
    return shapes | {"bahdanau": additive, "multihead": heads}.get(kind, {})


def _draw(rng, name, shape):
    if name.startswith("b_"):
        return np.zeros(shape, np.float32)
    fan_in = 4 if name.startswith("E_") else shape[-2] if len(shape) > 1 else shape[0]
    return (rng.standard_normal(shape) / np.sqrt(fan_in)).astype(np.float32)
