"""How often the right word is chosen, by a head or by a rule; what readers write."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.catalogue.losing import picked
from mha_core.lab.exercises.catalogue.weighing import softmax
from mha_core.lab.exercises.stepwise import Formula, drawn, slip

AWAY = (-3, -2, -1, 1, 2)
OFFSETS = (-1, -2, 1)

COUNTED = (
    slip(
        sentence("the share is wanted: divide by the number of cases"),
        share=lambda a: a.points.sum(),
    ),
    slip(
        sentence("one number is wanted: the mean over the cases"),
        share=lambda a: a.points.astype(float),
    ),
)

CHOSEN = Formula(
    inputs="weights right wrong",
    steps={
        "one": lambda a: picked(a.weights, a.right),
        "other": lambda a: picked(a.weights, a.wrong),
        "points": lambda a: (a.one > a.other).astype(float),
        "share": lambda a: a.points.mean(),
    },
    slips=(
        slip(
            sentence(
                "weights[:, right] takes every place for every case; each row has its "
                "own: [np.arange(len(right)), right]"
            ),
            {
                "one": lambda a: a.weights[:, a.right],
                "other": lambda a: a.weights[:, a.wrong],
            },
        ),
        slip(
            sentence("it is the wrong word that gets more here: turn the sign round"),
            points=lambda a: a.one < a.other,
        ),
        slip(
            sentence("a third word may weigh most; compare the two candidates alone"),
            points=lambda a: a.weights.argmax(axis=-1) == a.right,
        ),
        slip(
            sentence("that is the mean weight; count the cases where it is larger"),
            {"points": lambda a: a.one},
            {"points": lambda a: a.one - a.other},
            {"points": lambda a: a.one / (a.one + a.other)},
        ),
        slip(
            sentence("compare case by case, not the means of all cases"),
            {"points": lambda a: np.array([a.one.mean() > a.other.mean()])},
            {"points": lambda a: a.one > a.other.mean()},
        ),
        slip(
            sentence("it need not be half of the weight, only more than the wrong one"),
            points=lambda a: a.one > 0.5,
        ),
        slip(
            sentence("the place beside is taken: right and wrong count from 0"),
            {
                "one": lambda a: picked(a.weights, a.right - 1),
                "other": lambda a: picked(a.weights, a.wrong - 1),
            },
        ),
        *COUNTED,
    ),
    draw=lambda n, T: _weighed(n, T),
    sizes=((23, 6), (31, 9), (17, 7)),
)


def _weighed(n, T):
    """Return rows of weights, and two places in each of them."""
    if T < 2:
        raise ValueError("there are no two places")
    (scores,) = drawn((n, T))
    rng = np.random.default_rng(1)
    places = rng.permuted(np.tile(np.arange(T), (n, 1)), axis=1)[:, :2]
    scores[np.arange(n), places[:, 0]] += 0.7
    return softmax(2 * scores), places[:, 0], places[:, 1]


BY_OFFSET = Formula(
    inputs="query right wrong offset",
    steps={
        "there": lambda a: a.query + a.offset,
        "else_": lambda a: 0.5,
        "points": lambda a: np.where(
            a.right == a.there, 1.0, np.where(a.wrong == a.there, 0.0, a.else_)
        ),
        "share": lambda a: a.points.mean(),
    },
    slips=(
        slip(
            sentence("the sign is turned: the place is query + offset"),
            there=lambda a: a.query - a.offset,
        ),
        slip(
            sentence("where neither stands there the rule must guess: half counts"),
            {"else_": lambda a: 0.0},
            {"else_": lambda a: 1.0},
            {"share": lambda a: (a.right == a.there).mean()},
        ),
        slip(
            sentence("cases where neither stands there count too, by half"),
            share=lambda a: a.points[a.points != a.else_].mean(),
        ),
        slip(
            sentence("right and wrong are exchanged"),
            points=lambda a: np.where(
                a.wrong == a.there, 1.0, np.where(a.right == a.there, 0.0, a.else_)
            ),
        ),
        slip(
            sentence("offset alone is no place; start from the query"),
            there=lambda a: a.offset,
        ),
        slip(
            sentence("the same distance to the other side is another place"),
            points=lambda a: np.where(
                abs(a.right - a.query) == abs(a.offset),
                1.0,
                np.where(abs(a.wrong - a.query) == abs(a.offset), 0.0, a.else_),
            ),
        ),
        slip(
            sentence("the nearer one is another rule: take the one at the offset"),
            points=lambda a: abs(a.right - a.query) < abs(a.wrong - a.query),
        ),
        *COUNTED,
    ),
    draw=lambda n: _placed(n),
    sizes=((13,), (18,), (23,)),
)


def _placed(n):
    """Return places of n cases, and an offset that some of them have."""
    rng = np.random.default_rng(n)
    away = rng.permuted(np.tile(AWAY, (n, 1)), axis=1)
    query = 5 + np.arange(n) % 3
    return query, query + away[:, 0], query + away[:, 1], OFFSETS[n % 3]
