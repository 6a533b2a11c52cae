"""Taking a head out, and what it is worth; what readers do otherwise."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.stepwise import Formula, drawn, slip


def _rows(kept, a):
    """Return W_O times what is kept of each head, (h,)."""
    return np.repeat(kept, len(a.W_O) // a.h)[:, None] * a.W_O


def _flags(a, kept):
    return _rows(kept.astype(float), a)


def _only(a, out):
    """Return W_O without some rows."""
    kept = np.ones(len(a.W_O))
    kept[out] = 0
    return kept[:, None] * a.W_O


def _own(a):
    d_k = len(a.W_O) // a.h
    return slice(a.head * d_k, (a.head + 1) * d_k)


TAKE_OUT = Formula(
    inputs="W_O h head",
    steps={
        "kept": lambda a: np.arange(a.h) != a.head,
        "left": lambda a: _flags(a, a.kept),
    },
    slips=(
        slip(
            sentence("columns are zeros here; a head stands in rows of W_O"),
            left=lambda a: a.W_O * np.repeat(a.kept, len(a.W_O) // a.h),
        ),
        slip(
            sentence("one row is zeros here; a head has d_k rows"),
            left=lambda a: _only(a, a.head),
        ),
        slip(
            sentence("this head is kept and all others are out: turn it round"),
            kept=lambda a: np.arange(a.h) == a.head,
        ),
        slip(
            sentence("a head's rows lie side by side, not at every h-th place"),
            left=lambda a: _only(a, slice(a.head, None, a.h)),
        ),
        slip(
            sentence("heads count from 0: another one is out"),
            {"kept": lambda a: np.arange(a.h) != a.head - 1},
            {"kept": lambda a: np.arange(a.h) != a.head + 1},
        ),
        slip(
            sentence("the same head is out whatever head is asked for"),
            {"kept": lambda a: np.arange(a.h) > 0},
            {"kept": lambda a: np.arange(a.h) < a.h - 1},
        ),
        slip(
            sentence("from this head on all are out; the later ones stay"),
            {"kept": lambda a: np.arange(a.h) < a.head},
            {"kept": lambda a: np.arange(a.h) > a.head},
        ),
        slip(
            sentence("the rows are cut away; put zeros there, so that the rest fits"),
            left=lambda a: np.delete(a.W_O, _own(a), axis=0),
        ),
        slip(
            sentence("these are the head's own rows; all others are wanted, too"),
            left=lambda a: a.W_O[_own(a)],
        ),
        slip(
            sentence("a head has d_k = len(W_O) / h rows, not h of them"),
            left=lambda a: _only(a, slice(a.head * a.h, (a.head + 1) * a.h)),
        ),
        slip(
            sentence("nothing is out: give back the changed copy"),
            left=lambda a: a.W_O,
        ),
        slip(
            sentence("no head is left: only the rows of this one become zeros"),
            left=lambda a: 0 * a.W_O,
        ),
        slip(
            sentence("zeros take the place of the rows, not ones"),
            left=lambda a: np.where(_flags(a, a.kept) == 0, 1.0, a.W_O),
        ),
    ),
    draw=lambda h, d_k: (*drawn((h * d_k, h * d_k)), h, max(h - 2, 0)),
    sizes=((3, 4), (4, 3), (5, 2), (2, 2)),
)

IMPORTANCE = Formula(
    inputs="heads gradient",
    steps={
        "product": lambda a: a.heads * a.gradient,
        "gate": lambda a: a.product.sum(axis=(-2, -1)),  # (B, h)
        "size": lambda a: abs(a.gate),
        "worth": lambda a: a.size.mean(axis=0),
    },
    slips=(
        slip(
            sentence("sum first, then take the size: numbers of a head may cancel"),
            product=lambda a: abs(a.heads * a.gradient),
        ),
        slip(
            sentence("take the size of each example, then the mean: not after it"),
            size=lambda a: a.gate,
            worth=lambda a: abs(a.gate.mean(axis=0)),
        ),
        slip(
            sentence("abs is missing: up and down would cancel over the examples"),
            size=lambda a: a.gate,
        ),
        slip(
            sentence("the head's output is missing: multiply it with its gradient"),
            product=lambda a: a.gradient,
        ),
        slip(
            sentence("the gradient is missing: a large output need not matter"),
            product=lambda a: a.heads,
        ),
        slip(
            sentence("add up over positions and width, then average the examples"),
            {"gate": lambda a: a.product.mean(axis=(-2, -1))},
            {"gate": lambda a: a.product.mean(axis=-2).sum(axis=-1)},
            {"gate": lambda a: a.product.sum(axis=-2).mean(axis=-1)},
        ),
        slip(
            sentence("the examples are added up; take their mean"),
            worth=lambda a: a.size.sum(axis=0),
        ),
        slip(
            sentence("the mean runs over the heads; over the examples, axis 0"),
            worth=lambda a: a.size.mean(axis=1),
        ),
        slip(
            sentence("one number for each head: average the examples, too"),
            worth=lambda a: a.size,
        ),
        slip(
            sentence("that is one number for all heads; each has its own"),
            worth=lambda a: a.size.mean(),
        ),
        slip(
            sentence("squares are taken; the size of the sum is wanted"),
            {"size": lambda a: a.gate**2},
            {"product": lambda a: (a.heads * a.gradient) ** 2},
        ),
        slip(
            sentence(
                "the heads' shares of 1 are wanted nowhere: leave them as they are"
            ),
            worth=lambda a: a.size.mean(axis=0) / a.size.mean(axis=0).sum(),
        ),
    ),
    draw=lambda B, h, T, d_k: drawn((B, h, T, d_k), (B, h, T, d_k)),
    sizes=((3, 2, 4, 3), (2, 4, 3, 5), (4, 3, 2, 2)),
)
