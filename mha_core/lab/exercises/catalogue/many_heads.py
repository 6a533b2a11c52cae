"""Multi-head attention in steps, and all that readers do otherwise."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.catalogue.attending import ATTEND, ATTENDING, some_visible
from mha_core.lab.exercises.catalogue.comparing import scaled_by
from mha_core.lab.exercises.catalogue.cutting import CUTS, cut
from mha_core.lab.exercises.catalogue.gluing import glued
from mha_core.lab.exercises.catalogue.merging import AFTER, merged_by
from mha_core.lab.exercises.catalogue.projected import PROJECT, PROJECTING
from mha_core.lab.exercises.catalogue.weighing import softmax
from mha_core.lab.exercises.stepwise import Formula, drawn, slip

NAMES = {"query": "Q", "key": "K", "value": "V"}


def heads_by(way, *names):
    """Return steps that cut queries, keys and values, or only some, in another way."""
    return {
        name: (lambda a, whole=NAMES[name]: way(getattr(a, whole), a.h))
        for name in names or NAMES
    }


MANY = {
    **PROJECT,
    **heads_by(cut),
    **ATTEND,
    "merged": lambda a: glued(a.output),
    "result": lambda a: a.merged @ a.W_O,
}


def own_rows(name):
    """Return a step that cuts before it projects, with a block of the matrix each."""

    def step(a):
        parts, matrix = cut(a.X, a.h), getattr(a, f"W_{name}")
        d_k = parts.shape[-1]
        slices = [slice(i * d_k, (i + 1) * d_k) for i in range(a.h)]
        return np.stack([parts[i] @ matrix[s, s] for i, s in enumerate(slices)])

    return step


def reshaped_matrix(name):
    """Return a step that makes h matrices of one by reshape alone."""
    return lambda a: a.X @ getattr(a, f"W_{name}").reshape(a.h, len(a.W_Q), -1)


def between_heads(name):
    """Return a step that leaves the head axis where attention expects positions."""
    return lambda a: getattr(a, name).reshape(len(a.X), a.h, -1)


EACH = {"query": "Q", "key": "K", "value": "V"}.items()
SPLITS = (
    *(slip(said, *map(heads_by, ways)) for said, *ways in CUTS),
    slip(
        sentence("only queries and keys are split by reshape to (T, h, d_k)"),
        heads_by(CUTS[0][1], "value"),
        heads_by(CUTS[0][1], "query"),
        heads_by(CUTS[0][1], "key"),
        heads_by(CUTS[0][1], "query", "key"),
    ),
    slip(
        sentence("there is one head of the full width: h is ignored"),
        heads_by(lambda x, h: x[None]),
    ),
    slip(
        sentence(
            "heads look at heads, each position by itself: move the head axis to the "
            "front before you multiply"
        ),
        {name: between_heads(whole) for name, whole in EACH}
        | {"merged": lambda a: a.output.reshape(len(a.X), -1)},
        {name: between_heads(whole) for name, whole in EACH}
        | {
            "merged": lambda a: a.output.reshape(len(a.X), -1),
            "hidden": lambda a: a.scaled,
        },
        {name: between_heads(whole) for name, whole in EACH},
    ),
    slip(
        sentence("X is cut before it is projected; project at full width, then cut"),
        {name: own_rows(whole) for name, whole in EACH},
    ),
    slip(
        sentence("the matrices are cut by reshape; cut their columns: W[:, part]"),
        {name: reshaped_matrix(whole) for name, whole in EACH},
    ),
)

INSIDE = (
    slip(
        sentence("divide by the root of d_k, the width of a head, not of d_model"),
        scaled_by(lambda a: np.sqrt(a.X.shape[-1])),
        scaled_by(lambda a: a.X.shape[-1]),
    ),
    slip(
        sentence("divide by the root of the width of a head, not of their number"),
        scaled_by(lambda a: np.sqrt(a.h)),
        scaled_by(lambda a: a.h),
    ),
    slip(
        sentence("the softmax runs over the heads; each row of a head must sum to 1"),
        {"weights": lambda a: softmax(a.hidden, axis=0)},
        {"weights": lambda a: np.nan_to_num(softmax(a.hidden, axis=0))},
    ),
    slip(
        sentence("the heads share their weights; each head has weights of its own"),
        {"kept": lambda a: a.weights.mean(axis=0, keepdims=True)},
        {"kept": lambda a: a.weights[:1]},
        {"kept": lambda a: a.weights[-1:]},
        {"kept": lambda a: a.weights.sum(axis=0, keepdims=True)},
        {"scaled": lambda a: (a.scores / a.key.shape[-1] ** 0.5).mean(0)[None]},
        {"scaled": lambda a: (a.scores / a.key.shape[-1] ** 0.5).sum(0)[None]},
    ),
    slip(
        sentence("of three axes .T turns all: exchange the last two, swapaxes(-1, -2)"),
        scores=lambda a: a.query @ a.key.T,
    ),
    slip(
        sentence("only one head gets the mask; all of them need it"),
        {"hidden": lambda a: np.where(_in_head(a, 0), a.scaled, -np.inf)},
        {"hidden": lambda a: np.where(_in_head(a, -1), a.scaled, -np.inf)},
    ),
)


def _in_head(a, head):
    mask = np.ones(a.scaled.shape, dtype=bool)
    mask[head] = a.mask
    return mask


CRASHES = (
    slip(
        sentence(
            "W_O needs the heads side by side, (T, d_model): do not average, add up, "
            "stack or pick them"
        ),
        merged_by(lambda x: x.mean(axis=0)),
    ),
)


def projections(T, h, d_k):
    """Return X, four matrices, h and a mask."""
    d = h * d_k
    X, *matrices = drawn((T, d), (d, d), (d, d), (d, d), (d, d))
    return X, *(W / d**0.5 for W in matrices), h, some_visible(T, T)


MULTI_HEAD = Formula(
    inputs="X W_Q W_K W_V W_O h mask",
    steps=MANY,
    slips=(*SPLITS, *INSIDE, *AFTER, *PROJECTING, *ATTENDING),
    crashes=CRASHES,
    draw=projections,
    sizes=((3, 2, 4), (5, 3, 2), (4, 4, 3), (6, 2, 3), (3, 3, 3), (2, 2, 2)),
)
