"""Causal masks, and what readers write in place of them."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.stepwise import Formula, slip


def past(T, late=0):
    """Return the causal mask of T positions, moved by some steps into the future."""
    return np.tri(T, k=late, dtype=bool)


# Each takes T and returns who may attend to whom; what to say of it.
TRIANGLES = (
    (
        sentence("that hides the past: position i sees j if j <= i"),
        lambda T: past(T).T,
    ),
    (
        sentence("true means may attend: the mask is upside down"),
        lambda T: ~past(T),
    ),
    (
        sentence("one step of the future can be seen: j <= i, not j <= i + 1"),
        lambda T: past(T, 1),
    ),
    (
        sentence("a position may see itself: j <= i, not j < i"),
        lambda T: past(T, -1),
    ),
    (
        sentence("nothing is hidden: the future must be"),
        lambda T: np.ones((T, T), dtype=bool),
    ),
    (
        sentence("a position may see those before it, too, not itself alone"),
        lambda T: np.eye(T, dtype=bool),
    ),
    (
        sentence("a position may see all those before it, not the last one alone"),
        lambda T: past(T) & ~past(T, -2),
        lambda T: past(T) & ~past(T, -3),
    ),
    (
        sentence("the diagonal runs from the top left to the bottom right"),
        lambda T: past(T)[:, ::-1],
        lambda T: past(T)[::-1],
        lambda T: past(T).T[:, ::-1],
    ),
    (
        sentence("two steps of the future can be seen: j <= i"),
        lambda T: past(T, 2),
    ),
)


def _mask(way):
    return {"mask": lambda a: way(a.T)}


CAUSAL_MASK = Formula(
    inputs="T",
    steps=_mask(past),
    slips=(
        *(slip(said, *map(_mask, ways)) for said, *ways in TRIANGLES),
        slip(
            sentence("that is a bias; return true where a position may attend"),
            *(
                _mask(lambda T, k=k, low=low: np.where(past(T, k), 0, low))
                for k in (0, -1)
                for low in (-np.inf, -1e9)
            ),
        ),
        slip(
            sentence("these are weights; return true where a position may attend"),
            _mask(lambda T: past(T) / past(T).sum(axis=1)[:, None]),
        ),
        slip(
            sentence("the mask has T rows and T columns, not always the same number"),
            *(_mask(lambda T, n=n: past(n)) for n in (3, 4)),
        ),
        slip(
            sentence("that is one row; each position has a row of its own"),
            _mask(lambda T: np.ones(T)),
            _mask(lambda T: np.arange(T)),
        ),
        slip(
            sentence("these are distances; compare them: true where j <= i"),
            _mask(lambda T: np.arange(T)[:, None] - np.arange(T)),
            _mask(lambda T: np.arange(T) - np.arange(T)[:, None]),
        ),
    ),
    draw=lambda T: (T,),
    sizes=((5,), (3,), (4,), (2,), (1,)),
)
