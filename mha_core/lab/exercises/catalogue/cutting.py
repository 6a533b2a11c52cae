"""Splitting into heads, and what readers do otherwise."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.stepwise import Formula, drawn, slip


def cut(x, h):
    """Cut the features into h heads: (T, d_model) to (h, T, d_k)."""
    return x.reshape(len(x), h, -1).swapaxes(0, 1)


def by_reshape(x, h):
    """Cut the sequence into h pieces, which is wrong."""
    return x.reshape(h, len(x), -1)


def every_hth(x, h):
    """Deal the features out to the heads, one by one."""
    return x.reshape(len(x), -1, h).transpose(2, 0, 1)


def one_by_one(x, h):
    """Move on by one feature from head to head, not by the width of a head."""
    d_k = x.shape[-1] // h
    return np.stack([x[:, i : i + d_k] for i in range(h)])


CUTS = (
    (
        sentence(
            "the heads are split by reshape alone, which cuts the sequence: reshape to "
            "(T, h, d_k), then move the head axis to the front"
        ),
        by_reshape,
    ),
    (
        sentence(
            "the features are dealt out to the heads one by one; a head holds d_k "
            "neighbours: reshape to (T, h, d_k)"
        ),
        every_hth,
    ),
    (
        sentence("the slices overlap: head i begins at feature i * d_k"),
        one_by_one,
    ),
    (
        sentence("each head gets the features of head 0: move on with i"),
        lambda x, h: np.stack([cut(x, h)[0]] * h),
    ),
    (
        sentence("each head gets the features of the last head: mind the loop"),
        lambda x, h: np.stack([cut(x, h)[-1]] * h),
    ),
    (
        sentence("the heads come in the reverse order"),
        lambda x, h: cut(x, h)[::-1],
    ),
    (
        sentence(
            "positions and features are exchanged: turn before or after, not both"
        ),
        lambda x, h: x.T.reshape(h, len(x), -1),
        lambda x, h: x.reshape(-1, h, len(x)).swapaxes(0, 1),
        lambda x, h: x.reshape(h, -1, len(x)).swapaxes(1, 2),
    ),
)


def _split(way):
    return {"heads": lambda a: way(a.x, a.h)}


def with_h(T, h, d_k):
    """Return positions, of a width that h heads of width d_k share, and h."""
    return *drawn((T, h * d_k)), h


SPLIT = Formula(
    inputs="x h",
    steps=_split(cut),
    slips=(
        *(slip(said, *map(_split, ways)) for said, *ways in CUTS),
        slip(
            sentence("the head axis is still the second: move it to the front"),
            _split(lambda x, h: cut(x, h).swapaxes(0, 1)),
        ),
        slip(
            sentence("width and positions are exchanged: (h, T, d_k) is wanted"),
            _split(lambda x, h: cut(x, h).swapaxes(1, 2)),
        ),
        slip(
            sentence("these are d_k heads of width h; make h heads of width d_k"),
            _split(lambda x, h: cut(x, x.shape[-1] // h)),
        ),
        slip(
            sentence("only one head is there; return all of them"),
            _split(lambda x, h: cut(x, h)[0]),
            _split(lambda x, h: cut(x, h)[:1]),
        ),
        slip(
            sentence("the heads must not be merged again here: (h, T, d_k) is wanted"),
            _split(lambda x, h: x),
        ),
        slip(
            sentence("h is given; it is not always the same number"),
            *(_split(lambda x, h, n=n: cut(x, n)) for n in (2, 3, 4)),
        ),
    ),
    draw=with_h,
    sizes=((3, 2, 4), (5, 3, 2), (4, 4, 3), (6, 2, 3), (3, 3, 3)),
)
