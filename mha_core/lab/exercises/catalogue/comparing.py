"""Scores in steps, compared and scaled, and what readers do otherwise."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.catalogue.weighing import softmax
from mha_core.lab.exercises.stepwise import Formula, drawn, slip


def turned(x):
    """Return arrays with rows and columns exchanged."""
    return np.swapaxes(x, -1, -2)


def width(a):
    """Return the width of one key."""
    return a.key.shape[-1]


def unit(x):
    """Return rows of length 1."""
    return x / np.sqrt((x * x).sum(axis=-1, keepdims=True))


OTHER_SCORES = (
    slip(
        sentence("the scores are turned round: rows are queries, query @ key.T"),
        scores=lambda a: a.key @ turned(a.query),
    ),
    slip(
        sentence("the keys are ignored: the query is multiplied by itself"),
        scores=lambda a: a.query @ turned(a.query),
    ),
    slip(
        sentence("the queries are ignored: the key is multiplied by itself"),
        scores=lambda a: a.key @ turned(a.key),
    ),
    slip(
        sentence(
            "the queries are compared with the values; compare them with the keys"
        ),
        scores=lambda a: a.query @ turned(a.value),
    ),
)
SCORES = (
    slip(
        sentence("the key is not turned: query @ key.T compares rows with rows"),
        {"scores": lambda a: turned(a.query) @ a.key},
        {"scores": lambda a: a.query @ a.key},
        {"scores": lambda a: a.query * a.key},
    ),
    slip(
        sentence("that is the cosine; the dot product keeps the lengths"),
        scores=lambda a: unit(a.query) @ turned(unit(a.key)),
    ),
    slip(
        sentence("that is a distance; a score is a dot product, large where alike"),
        {"scores": lambda a: _distances(a, 2)},
        {"scores": lambda a: -_distances(a, 2)},
        {"scores": lambda a: -np.sqrt(_distances(a, 2))},
    ),
    slip(
        sentence("these scores add query and key; a dot product multiplies them"),
        {"scores": lambda a: _sums(a).sum(axis=-1)},
        {"scores": lambda a: np.tanh(_sums(a)).sum(axis=-1)},
    ),
)


def _sums(a):
    return a.query[..., :, None, :] + a.key[..., None, :, :]


def _distances(a, power):
    apart = a.query[..., :, None, :] - a.key[..., None, :, :]
    return (np.abs(apart) ** power).sum(axis=-1)


def scaled_by(divisor):
    """Return a step that divides the scores by what a function of all gives."""
    return {"scaled": lambda a: a.scores / divisor(a)}


SCALES = (
    slip(
        sentence("the scores are not scaled: divide by the root of d_k"),
        scaled_by(lambda a: 1),
    ),
    slip(
        sentence("the scores are divided by d_k: once by its root is enough"),
        scaled_by(width),
    ),
    slip(
        sentence("the scores are multiplied by the root of d_k: divide by it"),
        scaled_by(lambda a: 1 / np.sqrt(width(a))),
        scaled_by(lambda a: 1 / width(a)),
    ),
    slip(
        sentence("divide by the root of d_k, not by its half: ** comes before /"),
        scaled_by(lambda a: width(a) * 2),
        scaled_by(lambda a: width(a) / 2),
    ),
    slip(
        sentence("divide by the root of the width of a key, not of the number of keys"),
        scaled_by(lambda a: np.sqrt(a.key.shape[-2])),
        scaled_by(lambda a: a.key.shape[-2]),
    ),
    slip(
        sentence("divide by the root of d_k, not by another power or a logarithm"),
        scaled_by(lambda a: width(a) ** 0.25),
        scaled_by(lambda a: width(a) ** 2),
        scaled_by(lambda a: np.log2(width(a))),
        scaled_by(lambda a: np.log(width(a))),
    ),
    slip(
        sentence("the scale is a fixed number; take the root of the width of this key"),
        *(scaled_by(lambda a, n=n: n) for n in (8, 64, 2, 4, 2**0.5, 3, 5)),
    ),
    slip(
        sentence("the weights are scaled; divide the scores, before the softmax"),
        scaled=lambda a: a.scores,
        kept=lambda a: a.weights / np.sqrt(width(a)),
    ),
)
OTHER_SCALES = (
    slip(
        sentence(
            "divide by the root of the width of a key, not of the number of queries"
        ),
        scaled_by(lambda a: np.sqrt(a.query.shape[-2])),
        scaled_by(lambda a: a.query.shape[-2]),
    ),
    slip(
        sentence("divide by the root of the width of a key, not of a value"),
        scaled_by(lambda a: np.sqrt(a.value.shape[-1])),
    ),
)

SCALED = Formula(
    inputs="query key",
    steps={
        "scores": lambda a: a.query @ turned(a.key),
        "scaled": lambda a: a.scores / np.sqrt(width(a)),
    },
    slips=(
        *SCALES[:-1],
        OTHER_SCALES[0],
        OTHER_SCORES[0],
        *OTHER_SCORES[1:3],
        *SCORES,
        slip(
            sentence("these are the weights; stop at the scores"),
            scaled=lambda a: softmax(a.scores / np.sqrt(width(a))),
        ),
    ),
    draw=lambda T_q, T_k, d_k: drawn((T_q, d_k), (T_k, d_k)),
    sizes=((3, 5, 4), (2, 6, 9), (4, 4, 5), (3, 3, 3)),
)
