"""Weight that rests on the first sign, weights times values; what readers write."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.catalogue.weighing import softmax
from mha_core.lab.exercises.stepwise import Formula, drawn, slip


def _maps(h, T):
    if T < 3:
        raise ValueError("there is no word between the signs")
    (scores,) = drawn((h, T, T))
    return (softmax(2 * scores),)


SINK = Formula(
    inputs="weights",
    steps={
        "rows": lambda a: a.weights[:, 1:-1],
        "first": lambda a: a.rows[:, :, 0],
        "resting": lambda a: a.first.mean(axis=-1),
    },
    slips=(
        slip(
            sentence("the rows of both signs count here; only words should: 1:-1"),
            rows=lambda a: a.weights,
        ),
        slip(
            sentence("the row of [SEP] counts here; leave out the last one, too"),
            rows=lambda a: a.weights[:, 1:],
        ),
        slip(
            sentence("the row of [CLS] counts here; leave out the first one, too"),
            rows=lambda a: a.weights[:, :-1],
        ),
        slip(
            sentence("that is what [CLS] looks at; what looks at it is a column"),
            {"first": lambda a: a.weights[:, 0, 1:-1]},
            {"first": lambda a: a.weights[:, 0]},
        ),
        slip(
            sentence("that is the weight on [SEP]; [CLS] is column 0"),
            first=lambda a: a.rows[:, :, -1],
        ),
        slip(
            sentence("that is the first word; [CLS] is column 0"),
            first=lambda a: a.rows[:, :, 1],
        ),
        slip(
            sentence("the mean runs over the heads; over the words, the last axis"),
            resting=lambda a: a.first.mean(axis=0),
        ),
        slip(
            sentence("that is one number for all heads; each has its own"),
            resting=lambda a: a.first.mean(),
        ),
        slip(
            sentence("the weights are added up; take their mean over the words"),
            resting=lambda a: a.first.sum(axis=-1),
        ),
        slip(
            sentence("that is the largest weight on [CLS]; the mean is wanted"),
            resting=lambda a: a.first.max(axis=-1),
        ),
        slip(
            sentence("that is how often [CLS] is strongest; the mean is wanted"),
            resting=lambda a: (a.rows.argmax(axis=-1) == 0).mean(axis=-1),
        ),
        slip(
            sentence("each word has its number here; take the mean over the words"),
            resting=lambda a: a.first,
        ),
    ),
    draw=_maps,
    sizes=((2, 5), (3, 7), (4, 6), (5, 5)),
)

NORMS = Formula(
    inputs="weights value",
    steps={
        "size": lambda a: np.linalg.norm(a.value, axis=-1),
        "weighed": lambda a: a.weights * a.size,
    },
    slips=(
        slip(
            sentence("the sizes stand at the queries; a value belongs to its key"),
            weighed=lambda a: a.weights * a.size[:, None],
        ),
        slip(
            sentence("one size for each key: the norm runs over its numbers, axis -1"),
            {"size": lambda a: np.linalg.norm(a.value, axis=0)},
            {"size": lambda a: np.linalg.norm(a.value)},
        ),
        slip(
            sentence("the root is missing: that is the squared norm"),
            size=lambda a: (a.value**2).sum(axis=-1),
        ),
        slip(
            sentence("the norm is the root of the sum of squares"),
            {"size": lambda a: abs(a.value).sum(axis=-1)},
            {"size": lambda a: a.value.sum(axis=-1)},
            {"size": lambda a: abs(a.value).max(axis=-1)},
            {"size": lambda a: (a.value**2).mean(axis=-1) ** 0.5},
        ),
        slip(
            sentence("the rows are made to sum to 1; leave the products as they are"),
            weighed=lambda a: (
                a.weights * a.size / (a.weights * a.size).sum(axis=-1, keepdims=True)
            ),
        ),
        slip(
            sentence("the weights are missing: multiply with them"),
            weighed=lambda a: np.ones_like(a.weights) * a.size,
        ),
        slip(
            sentence("the sizes are missing: these are the weights as they were"),
            weighed=lambda a: a.weights,
        ),
        slip(
            sentence("that is the output of attention; keep query and key apart"),
            weighed=lambda a: a.weights @ a.value,
        ),
        slip(
            sentence("the products are added up over the keys; keep them apart"),
            weighed=lambda a: a.weights @ a.size,
        ),
        slip(
            sentence("the result is turned: rows are queries, columns are keys"),
            weighed=lambda a: (a.weights * a.size).T,
        ),
    ),
    draw=lambda T, d: (softmax(drawn((T, T))[0]), *drawn((T, d))),
    sizes=((3, 2), (5, 4), (4, 4)),
)
