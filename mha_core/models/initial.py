"""Untrained models: the shapes of their weights, and how they are drawn."""

import numpy as np

from mha_core._checks.arrays import InputError
from mha_core.models.kinds import KINDS
from mha_core.models.seq2seq import LETTERS, PHONEMES


def initial(
    kind, rng, d=None, n=None, d_a=48, d_ff=64, letters=LETTERS, phonemes=PHONEMES
):
    """Return an untrained model of one kind.

    Parameters
    ----------
    kind : {"last_state", "bahdanau", "multihead", "transformer"}
    rng : numpy.random.Generator
    d, n, d_a, d_ff : int
        Widths of the embeddings (of a Transformer throughout: d_model), of one encoder
        direction, of the scoring network and inside the feed-forward layer.
    letters, phonemes : int
        Numbers that the model reads and writes, 0 among them.
    """
    if kind not in KINDS:
        raise InputError(f"kind must be one of {', '.join(KINDS)}, not {kind!r}.")
    n = n or {"last_state": 42, "bahdanau": 40, "multihead": 36}.get(kind)
    if kind == "transformer":
        shapes = _transformer_shapes(letters, phonemes, d or 48, d_ff)
    else:
        shapes = _recurrent_shapes(kind, d or 32, n, 2 * n, d_a, letters, phonemes)
    params = {name: _draw(rng, kind, name, shape) for name, shape in shapes.items()}
    return KINDS[kind](params)


def _recurrent_shapes(kind, d, n, m, d_a, letters, phonemes):
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


def _transformer_shapes(letters, phonemes, d_model, d_ff, layers=2):
    attention = {name: (d_model, d_model) for name in ("W_Q", "W_K", "W_V", "W_O")}
    norm = {"gain": (d_model,), "shift": (d_model,)}
    think = {"W_1": (d_model, d_ff), "b_1": (d_ff,), "W_2": (d_ff, d_model)}
    think["b_2"] = (d_model,)
    parts = {"self": attention | norm, "cross": attention | norm, "think": think | norm}
    shapes = {"E_source": (letters, d_model), "E_target": (phonemes, d_model)}
    for side, names in (("encoder", ("self", "think")), ("decoder", tuple(parts))):
        for i in range(layers):
            for part in names:
                for name, shape in parts[part].items():
                    shapes[f"{side} {i} {part} {name}"] = shape
        shapes |= {f"{side} {name}": shape for name, shape in norm.items()}
    return shapes | {"W_out": (d_model, phonemes), "b_out": (phonemes,)}


def _draw(rng, kind, name, shape):
    last = name.split()[-1]
    if last == "gain":
        return np.ones(shape, np.float32)
    if last == "shift" or last.startswith("b_"):
        return np.zeros(shape, np.float32)
    fan_in = shape[-2] if len(shape) > 1 else shape[0]
    if last.startswith("E_"):
        fan_in = 1 if kind == "transformer" else 4
    return (rng.standard_normal(shape) / np.sqrt(fan_in)).astype(np.float32)
