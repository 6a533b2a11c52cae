"""Save and load what is shipped, and let a trained model pronounce a word."""

import io
from pathlib import Path

import numpy as np

from mha_core._checks.arguments import check_count, told
from mha_core._checks.projections import check_heads
from mha_core.models import KINDS, Bahdanau
from mha_core.models.four_relations import FourRelations
from mha_core.models.letter_model import Language
from mha_core.pronouncing import pronounce
from mha_core.reader import load_reader
from mha_core.shipped import DATA, read_shipped, ship
from mha_core.tables import (
    load_controls,
    load_errors,
    load_evidence,
    load_head_pruning,
    load_head_relations,
    load_language_table,
    load_one_head,
    load_relation_controls,
    load_relations_table,
)

COMMAND = "python -m mha_core.recipes.pronunciation"
RELATIONS = "relations.npz"
MESSAGE, MESSAGES = 84, (20, 42, 84, 168)  # widths of the message of last_state
DATES, DATES_TABLE = "dates.npz", "dates-exact.json"
__all__ = [
    "load",
    "load_controls",
    "load_dates",
    "load_errors",
    "load_evidence",
    "load_head_pruning",
    "load_head_relations",
    "load_language",
    "load_language_table",
    "load_one_head",
    "load_reader",
    "load_relation_controls",
    "load_relations",
    "load_relations_table",
    "pronounce",
]


def load(kind, seed=0, folder=DATA, *, width=None):
    """Return a trained model of one kind.

    Parameters
    ----------
    kind : {"last_state", "bahdanau", "multihead", "transformer"}
    seed : int
        Only seed 0 is shipped.
    folder : Path or str
        Where the weights are.
    width : {20, 42, 84, 168}, optional
        Numbers that last_state passes on; 84, as the others have, if not given.

    Returns
    -------
    model of `mha_core.models`, its parameters in float32
    """
    if not isinstance(kind, str) or kind not in KINDS:
        raise ValueError(f"kind must be one of {', '.join(KINDS)}, not {told(kind)}.")
    seed = check_count("seed", seed, 0)
    if seed != 0:
        raise ValueError(
            f"Only seed 0 is shipped, not {seed}; {COMMAND} --kind {kind} "
            f"--seed {seed} trains that model."
        )
    name = weights_name(kind, _check_width(kind, width))
    content = io.BytesIO(read_shipped(name, Path(folder)))
    with np.load(content, allow_pickle=False) as saved:
        params = {name: saved[name].astype(np.float32) for name in saved}
    return _as_trained(KINDS[kind].model(params))


def weights_name(kind, width=None):
    """Return the file of a network, whose message has another width if one is given."""
    return f"pronunciation-{kind}{'' if width is None else f'-{width}'}.npz"


def _check_width(kind, width):
    """Return the width that a file's name tells: None for the one all kinds have."""
    if width is None:
        return None
    if kind != "last_state":
        raise ValueError(
            f"Only last_state is shipped with several widths; leave width out for "
            f"{kind}."
        )
    width = check_count("width", width)
    if width not in MESSAGES:
        raise ValueError(f"width must be one of 20, 42, 84 and 168, not {width}.")
    return None if width == MESSAGE else width


def load_relations(d_model, h, seed=0):
    """Return a trained layer of the four relations.

    Parameters
    ----------
    d_model : {16, 24, 32, 64}
    h : int
        Divides d_model.
    seed : int
        0 for every setting; a few others are shipped as examples.

    Returns
    -------
    FourRelations, its parameters in float32
    """
    check_heads(d_model, h)
    seed = check_count("seed", seed, None)
    content = io.BytesIO(read_shipped(RELATIONS))
    with np.load(content, allow_pickle=False) as saved:
        prefix = f"{d_model}-{h}-{seed} "
        names = [name for name in saved if name.startswith(prefix)]
        params = {n.removeprefix(prefix): saved[n].astype(np.float32) for n in names}
    if not params:
        raise ValueError(
            f"No layer with d_model={d_model}, h={h} and seed={seed} is shipped; those "
            "of widths 16, 24, 32 and 64 are, with every h that divides them, seed 0."
        )
    return FourRelations(params, int(h))


def load_dates():
    """Return the trained model that writes dates; it is of Bahdanau's kind."""
    content = io.BytesIO(read_shipped(DATES))
    with np.load(content, allow_pickle=False) as saved:
        params = {name: saved[name].astype(np.float32) for name in saved}
    return _as_trained(Bahdanau(params))


def load_language(causal=True):
    """Return the trained letter model.

    Parameters
    ----------
    causal : bool
        False for one that was trained, and reads, without its causal mask.

    Returns
    -------
    Language, its parameters in float32
    """
    content = io.BytesIO(read_shipped(language_name(causal)))
    with np.load(content, allow_pickle=False) as saved:
        params = {name: saved[name].astype(np.float32) for name in saved}
    return _as_trained(Language(params, causal=bool(causal)))


def language_name(causal=True):
    """Return the file of the letter model, or of the one without its mask."""
    return f"language{'' if causal else '-without-mask'}.npz"


def _as_trained(model):
    """Mark a model as one whose weights are as training left them."""
    model.trained = True
    return model


def pack(arrays):
    """Return arrays by name as the bytes of one file, in float16."""
    file = io.BytesIO()
    np.savez(file, **{name: _halved(name, a) for name, a in arrays.items()})
    return file.getvalue()


def save(model, folder=DATA):
    """Ship a model's parameters in float16; the file has the name of its kind."""
    command = f"{COMMAND} --kind {model.kind} --seed 0"
    ship(weights_name(model.kind), pack(model.params), command, Path(folder))


def _halved(name, array):
    with np.errstate(over="ignore"):
        half = array.astype(np.float16)
    if not np.isfinite(half).all():
        raise ValueError(
            f"{name} cannot be saved in float16, which holds finite numbers up to "
            f"65504: its largest is {np.abs(array).max():g}."
        )
    return half
