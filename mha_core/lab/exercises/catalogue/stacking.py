"""A block of a Transformer in steps, and what readers do otherwise."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.catalogue.feeding import THINKING, think
from mha_core.lab.exercises.catalogue.many_heads import MULTI_HEAD
from mha_core.lab.exercises.catalogue.normalising import LAYER_NORM
from mha_core.lab.exercises.stepwise import slip

MATRICES = ("W_Q", "W_K", "W_V", "W_O")


def norm(a, x, part, changes=()):
    """Return layer norm of x with the gain and shift of a part, or a wrong one."""
    probe = x, a.p[f"{part} gain"], a.p[f"{part} shift"]
    return LAYER_NORM.work(probe, dict(changes))


def attend(a, x, changes=()):
    """Return multi-head attention of x to itself, or a wrong one."""
    matrices = [a.p[f"self {name}"] for name in MATRICES]
    mask = getattr(a, "mask", np.True_)
    return MULTI_HEAD.work((x, *matrices, a.h, mask), dict(changes))


STEPS = {
    "normal": lambda a: norm(a, a.x, "self"),
    "seen": lambda a: attend(a, a.normal),
    "added": lambda a: a.x + a.seen,
    "again": lambda a: norm(a, a.added, "think"),
    "thought": lambda a: think(a, a.again),
    "result": lambda a: a.added + a.thought,
}

PIECES = (
    slip(
        sentence("x is not added after attention: x + what was seen"),
        added=lambda a: a.seen,
    ),
    slip(
        sentence("what attention left is not added at the end: keep it, then add"),
        result=lambda a: a.thought,
    ),
    slip(
        sentence("nothing is added: both parts need their residual connection"),
        added=lambda a: a.seen,
        result=lambda a: a.thought,
    ),
    slip(
        sentence(
            "the norm comes after the sum (post-norm); here it comes before each "
            "part, and never on the sum"
        ),
        {
            "normal": lambda a: a.x,
            "added": lambda a: norm(a, a.x + a.seen, "self"),
            "again": lambda a: a.added,
            "result": lambda a: norm(a, a.added + a.thought, "think"),
        },
        {
            "normal": lambda a: a.x,
            "added": lambda a: norm(a, a.x + a.seen, "self"),
            "again": lambda a: a.added,
        },
        {
            "again": lambda a: a.added,
            "result": lambda a: norm(a, a.added + a.thought, "think"),
        },
        {
            "normal": lambda a: a.x,
            "added": lambda a: a.x + norm(a, a.seen, "self"),
            "again": lambda a: a.added,
            "result": lambda a: a.added + norm(a, a.thought, "think"),
        },
    ),
    slip(
        sentence("the first norm is missing: normalise before attention"),
        normal=lambda a: a.x,
    ),
    slip(
        sentence("the second norm is missing: normalise before the feed-forward layer"),
        again=lambda a: a.added,
    ),
    slip(
        sentence(
            "no norm is there: one before attention, one before the feed-forward layer"
        ),
        normal=lambda a: a.x,
        again=lambda a: a.added,
    ),
    slip(
        sentence("what was normalised is added; add x itself"),
        {"added": lambda a: a.normal + a.seen},
        {"result": lambda a: a.again + a.thought},
        {
            "added": lambda a: a.normal + a.seen,
            "result": lambda a: a.again + a.thought,
        },
    ),
    slip(
        sentence("x is added at the end, without what attention found: add the sum"),
        result=lambda a: a.x + a.thought,
    ),
    slip(
        sentence("the feed-forward layer reads x, not what attention made of it"),
        {"again": lambda a: norm(a, a.x, "think")},
        {"again": lambda a: a.normal},
    ),
    slip(
        sentence("the feed-forward layer reads attention alone, without x added"),
        {"again": lambda a: norm(a, a.seen, "think")},
        {"again": lambda a: a.seen},
    ),
    slip(
        sentence("both norms use the same gain and shift; each part has its own"),
        {"again": lambda a: norm(a, a.added, "self")},
        {"normal": lambda a: norm(a, a.x, "think")},
    ),
    slip(
        sentence("gains and shifts of the two norms are exchanged"),
        normal=lambda a: norm(a, a.x, "think"),
        again=lambda a: norm(a, a.added, "self"),
    ),
    slip(
        sentence("the feed-forward layer comes first; attention comes first"),
        normal=lambda a: norm(a, a.x, "think"),
        seen=lambda a: think(a, a.normal),
        again=lambda a: norm(a, a.added, "self"),
        thought=lambda a: attend(a, a.again),
    ),
    slip(
        sentence("attention is missing"),
        {"added": lambda a: a.x},
        {"seen": lambda a: a.normal},
    ),
    slip(
        sentence("there is one norm too many at the end; the sum stays as it is"),
        {"result": lambda a: norm(a, a.added + a.thought, "think")},
        {"result": lambda a: norm(a, a.added + a.thought, "self")},
        {"added": lambda a: norm(a, a.x + a.seen, "self")},
    ),
    slip(
        sentence("a sum is taken twice; add each part once"),
        {"result": lambda a: a.x + a.added + a.thought},
        {"result": lambda a: 2 * a.added + a.thought},
        {"added": lambda a: 2 * a.x + a.seen},
        {"added": lambda a: a.x + 2 * a.seen},
        {"result": lambda a: a.added + 2 * a.thought},
    ),
    slip(
        sentence("the mean is taken; add, do not average"),
        {"added": lambda a: (a.x + a.seen) / 2},
        {"result": lambda a: (a.added + a.thought) / 2},
        {
            "added": lambda a: (a.x + a.seen) / 2,
            "result": lambda a: (a.added + a.thought) / 2,
        },
    ),
    slip(
        sentence("the parts are multiplied; add them"),
        {"added": lambda a: a.x * a.seen},
        {"result": lambda a: a.added * a.thought},
    ),
    slip(
        sentence("the parts are taken away; add them"),
        {"added": lambda a: a.x - a.seen},
        {"result": lambda a: a.added - a.thought},
    ),
    slip(
        sentence("keys and values are not normalised; attention reads one sequence"),
        seen=lambda a: attend(
            a,
            a.normal,
            {"K": lambda b: a.x @ b.W_K, "V": lambda b: a.x @ b.W_V},
        ),
    ),
    slip(
        sentence("the future is hidden; in this block every position sees all"),
        seen=lambda a: attend(
            a,
            a.normal,
            {
                "hidden": lambda b: np.where(
                    np.tri(len(a.x), dtype=bool), b.scaled, -np.inf
                )
            },
        ),
    ),
)
AROUND = (*PIECES, *THINKING)
