"""Merging heads, and what readers do otherwise."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.stepwise import Formula, drawn, slip


def glued(x):
    """Put heads side by side: (h, T, d_k) to (T, h * d_k)."""
    return x.swapaxes(0, 1).reshape(x.shape[1], -1)


GLUES = (
    (
        sentence(
            "the heads are merged by reshape alone, while they are still the first "
            "axis: move it back before you reshape"
        ),
        lambda x: x.reshape(x.shape[1], -1),
    ),
    (
        sentence("keep the numbers of a head together: (T, h, d_k), then reshape"),
        lambda x: np.moveaxis(x, 0, 2).reshape(x.shape[1], -1),
    ),
    (
        sentence("put all heads side by side, do not take one of them"),
        lambda x: x[0],
        lambda x: x[-1],
    ),
    (
        sentence("put the heads side by side, do not average them"),
        lambda x: x.mean(axis=0),
    ),
    (
        sentence("put the heads side by side, do not add them up"),
        lambda x: x.sum(axis=0),
    ),
    (
        sentence("put the heads side by side, do not take the largest"),
        lambda x: x.max(axis=0),
    ),
    (
        sentence("the mean of the heads fills all places; each head has its own"),
        lambda x: glued(np.stack([x.mean(axis=0)] * len(x))),
        lambda x: glued(np.stack([x.sum(axis=0)] * len(x))),
    ),
    (
        sentence("only one head is filled in, the other places stay 0: mind the loop"),
        lambda x: glued(np.where(np.arange(len(x))[:, None, None] == 0, x, 0)),
        lambda x: glued(np.where(np.arange(len(x))[:, None, None] > len(x) - 2, x, 0)),
    ),
    (
        sentence("put the heads side by side, not below one another: axis -1"),
        lambda x: x.reshape(-1, x.shape[2]),
        lambda x: x.swapaxes(0, 1).reshape(-1, x.shape[2]),
    ),
    (
        sentence("the axis is where it belongs; now put the heads side by side"),
        lambda x: x.swapaxes(0, 1),
    ),
    (
        sentence("swap heads and positions, not the width"),
        lambda x: x.swapaxes(0, 2).reshape(x.shape[2], -1),
        lambda x: x.swapaxes(1, 2).reshape(x.shape[2], -1),
        lambda x: x.swapaxes(0, 2).reshape(x.shape[1], -1),
        lambda x: x.swapaxes(1, 2).reshape(x.shape[1], -1),
    ),
)
# The same as a fault of the split, where heads are split and merged.
REPEATED = (
    (
        sentence("the heads are put side by side in the reverse order"),
        lambda x: glued(x[::-1]),
    ),
    (
        sentence("one head fills all places; each head has a place of its own"),
        lambda x: glued(np.stack([x[0]] * len(x))),
        lambda x: glued(np.stack([x[-1]] * len(x))),
    ),
)


def _merged(way):
    return {"merged": lambda a: way(a.heads)}


MERGE = Formula(
    inputs="heads",
    steps=_merged(glued),
    slips=(
        *(slip(said, *map(_merged, ways)) for said, *ways in (*GLUES, *REPEATED)),
        slip(
            sentence("put all heads side by side, not always the same number of them"),
            *(_merged(lambda x, n=n: glued(x[:n])) for n in (2, 3)),
        ),
        slip(
            sentence("nothing is merged yet: (T, h * d_k) is wanted"),
            _merged(lambda x: x),
        ),
        slip(
            sentence("the result is turned: one row for each position"),
            _merged(lambda x: glued(x).T),
        ),
    ),
    draw=lambda h, T, d_k: drawn((h, T, d_k)),
    sizes=((2, 3, 4), (3, 5, 2), (4, 4, 3), (3, 3, 3)),
)
