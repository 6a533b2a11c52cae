"""Causal self-attention with positions, and what readers do otherwise."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.catalogue.attending import ATTEND, CAUSALLY, RETURNS
from mha_core.lab.exercises.catalogue.placing import TABLES, table
from mha_core.lab.exercises.catalogue.projected import PROJECT, PROJECTING
from mha_core.lab.exercises.catalogue.triangles import TRIANGLES, past
from mha_core.lab.exercises.stepwise import Formula, drawn, slip


def _with_mask(way):
    """Return the ways to hide by a wrong mask; a row without keys has three results."""

    def low(n):
        return {
            "hidden": lambda a: np.where(way(len(a.X)), a.scaled, n),
        }

    def zero(a):
        seen = way(len(a.X))
        exps = np.where(seen, np.exp(a.scaled), 0)
        return exps / np.maximum(exps.sum(axis=-1, keepdims=True), 1e-300)

    return low(-np.inf), low(-1e9), {"weights": zero}


def placed(way):
    """Return the step that puts the places of a table into the sequence."""
    return {"X": lambda a: a.tokens + way(*a.tokens.shape)}


PLACED = (
    slip(
        sentence("the positions are missing: add them to X first"),
        X=lambda a: a.tokens,
    ),
    slip(
        sentence("the positions are multiplied with X; add them"),
        X=lambda a: a.tokens * table(*a.tokens.shape),
    ),
    slip(
        sentence("the positions are added twice"),
        X=lambda a: a.tokens + 2 * table(*a.tokens.shape),
    ),
    slip(
        sentence("the positions are taken away; add them"),
        X=lambda a: a.tokens - table(*a.tokens.shape),
    ),
    slip(
        sentence("every token gets the same position"),
        {"X": lambda a: a.tokens + table(*a.tokens.shape)[:1]},
        {"X": lambda a: a.tokens + table(*a.tokens.shape)[-1:]},
    ),
    slip(
        sentence("the positions replace X; add them to it"),
        X=lambda a: table(*a.tokens.shape),
    ),
    slip(
        sentence("the number of the place is added; add its row of positions"),
        {"X": lambda a: a.tokens + np.arange(len(a.tokens))[:, None]},
        {"X": lambda a: a.tokens + np.arange(a.tokens.shape[1])},
    ),
    slip(
        sentence("X is scaled before the positions are added; leave that out here"),
        {"X": lambda a: a.tokens * a.tokens.shape[1] ** 0.5 + table(*a.tokens.shape)},
        {"X": lambda a: (a.tokens + table(*a.tokens.shape)) * a.tokens.shape[1] ** 0.5},
        {"X": lambda a: (a.tokens + table(*a.tokens.shape)) / 2},
    ),
    slip(
        sentence("the values have no positions; X has them before it is projected"),
        V=lambda a: a.tokens @ a.W_V,
    ),
    slip(
        sentence("queries or keys have no positions; add them before you project"),
        {"Q": lambda a: a.tokens @ a.W_Q, "K": lambda a: a.tokens @ a.W_K},
        {"Q": lambda a: a.tokens @ a.W_Q},
        {"K": lambda a: a.tokens @ a.W_K},
    ),
    slip(
        sentence("the positions are added after the projections; add them to X first"),
        {
            name: lambda a, name=name: (
                a.tokens @ getattr(a, f"W_{name}") + table(len(a.X), a.W_Q.shape[1])
            )
            for name in "QKV"
        },
        {
            name: lambda a, name=name: (
                a.tokens @ getattr(a, f"W_{name}") + table(len(a.X), a.W_Q.shape[1])
            )
            for name in "QK"
        },
    ),
    slip(
        sentence("the positions are added to the output; add them to X first"),
        X=lambda a: a.tokens,
        output=lambda a: a.kept @ a.value + table(*a.value.shape),
    ),
    slip(
        sentence("the input is added to the output; that belongs to the block"),
        {"output": lambda a: a.kept @ a.value + a.X},
        {"output": lambda a: a.kept @ a.value + a.tokens},
    ),
)


def projections(T, pairs, d_k):
    """Return X of an even width and three matrices, (d_model, 2 d_k)."""
    d = 2 * pairs
    return drawn((T, d), (d, 2 * d_k), (d, 2 * d_k), (d, 2 * d_k))


CAUSAL = Formula(
    inputs="tokens W_Q W_K W_V",
    steps={
        **placed(table),
        "mask": lambda a: past(len(a.X)),
        **PROJECT,
        "query": lambda a: a.Q,
        "key": lambda a: a.K,
        "value": lambda a: a.V,
        **ATTEND,
    },
    slips=(
        *(slip(said, *sum(map(_with_mask, ways), ())) for said, *ways in TRIANGLES),
        *PLACED,
        *PROJECTING,
        *CAUSALLY,
        *RETURNS,
    ),
    rare=tuple(slip(said, *map(placed, ways)) for said, *ways in TABLES[:-1]),
    draw=projections,
    sizes=((4, 3, 2), (5, 2, 3), (4, 2, 2), (3, 2, 2), (6, 3, 3)),
)
