"""Softmax, and what is taken for it."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.stepwise import Formula, drawn, slip


def total(x, axis=-1):
    """Return sums that stay beside what they are sums of."""
    return np.sum(x, axis=axis, keepdims=True)


def highest(x, axis=-1):
    """Return the largest numbers, beside what they are the largest of."""
    return np.max(x, axis=axis, keepdims=True)


def hardest(x):
    """Return 1 for the largest number of each row, and 0 for the others."""
    return (x == highest(x)).astype(float)


def shares(x, axis=-1):
    """Return numbers as shares of their sum."""
    return x / total(x, axis)


def softmax(x, axis=-1):
    """Return the weights of scores, plainly."""
    return shares(np.exp(x - highest(x, axis)), axis)


# What any softmax may be replaced by: a name, what it makes of scores, what to say.
# The scores of hidden keys are minus infinity.
INSTEAD = (
    (
        sentence("the softmax runs over the queries; each row must sum to 1: axis -1"),
        lambda x: softmax(x, axis=-2),
        lambda x: shares(np.exp(x - highest(x)), -2),
    ),
    (
        sentence("the softmax runs over all numbers at once; take each row by itself"),
        lambda x: np.exp(x) / np.exp(x).sum(),
    ),
    (
        sentence("these sums stand beside the wrong rows: add keepdims=True"),
        lambda x: np.exp(x) / np.exp(x).sum(axis=-1),
    ),
    (
        sentence("exp is missing: shares of the scores themselves are no softmax"),
        lambda x: shares(np.where(np.isfinite(x), x, 0)),
        lambda x: shares(x),
    ),
    (
        sentence("the exponentials are not divided by the sum of their row"),
        lambda x: np.exp(x),
        lambda x: np.exp(x - highest(x)),
    ),
    (
        sentence("that is a sigmoid of each score; softmax shares 1 out in each row"),
        lambda x: 1 / (1 + np.exp(-x)),
    ),
    (
        sentence("the largest score takes all; softmax gives each key a share"),
        hardest,
    ),
    (
        sentence("that is 2 to the power of the scores; take exp"),
        lambda x: shares(2.0**x),
    ),
    (
        sentence("the sign is turned: a larger score must get a larger weight"),
        lambda x: softmax(np.where(np.isfinite(x), -x, x)),
        lambda x: softmax(-x),
    ),
    (
        sentence("softmax is taken twice; once is enough"),
        lambda x: softmax(softmax(x)),
    ),
    (
        sentence("divide by the sum of the exponentials, not by the root of squares"),
        lambda x: np.exp(x) / np.sqrt(total(np.exp(x) ** 2)),
    ),
    (
        sentence("divide by the sum of the exponentials, not by their number"),
        lambda x: np.exp(x) / x.shape[-1],
        lambda x: np.exp(x - highest(x)) / x.shape[-1],
    ),
    (
        sentence("negative scores are cut off or turned; exp makes all of them count"),
        lambda x: shares(np.maximum(x, 0)),
        lambda x: shares(np.abs(np.where(np.isfinite(x), x, 0))),
        lambda x: shares(np.where(np.isfinite(x), x, 0) ** 2),
    ),
    (
        sentence(
            "the largest score of each column is taken away; take that of the row"
        ),
        lambda x: shares(np.exp(x - highest(x, -2))),
    ),
    (
        sentence("below the line the largest is taken away, above it is not: do both"),
        lambda x: np.exp(x) / total(np.exp(x - highest(x))),
        lambda x: np.exp(x - highest(x)) / total(np.exp(x)),
    ),
    (
        sentence("every key gets the same weight here; the scores must decide"),
        lambda x: np.full(x.shape, 1 / x.shape[-1]),
        lambda x: shares(np.isfinite(x).astype(float)),
    ),
)


def instead_of_softmax(step, scores):
    """Return the slips of a softmax that is one step of a formula.

    Parameters
    ----------
    step, scores : str
        Names of the step and of what it takes.
    """
    return tuple(
        slip(said, *({step: _taking(scores, way)} for way in ways))
        for said, *ways in INSTEAD
    )


def _taking(name, way):
    return lambda a: way(getattr(a, name))


def two_rows(T_q, T_k):
    """Return scores, those of the last row so large that exp of them overflows."""
    (scores,) = drawn((T_q, T_k))
    return (np.concatenate([scores[:-1], 500 * (3 + scores[-1:])]),)


SOFTMAX = Formula(
    inputs="scores",
    steps={"weights": lambda a: softmax(a.scores)},
    slips=(
        *instead_of_softmax("weights", "scores"),
        slip(
            sentence("that is the logarithm of the softmax; leave the log out"),
            weights=lambda a: np.log(softmax(a.scores)),
        ),
        slip(
            sentence("large scores overflow in exp: take the largest of the row away"),
            weights=lambda a: shares(np.exp(a.scores)),
        ),
        slip(
            sentence("that is the place of the largest score; weights are shares"),
            weights=lambda a: a.scores.argmax(axis=-1),
        ),
        slip(
            sentence(
                "this divides by the sum of the scores, not of their exponentials"
            ),
            weights=lambda a: np.exp(a.scores) / total(a.scores),
        ),
        slip(
            sentence("the smallest is taken away; take the largest, then exp is safe"),
            weights=lambda a: shares(np.exp(a.scores - a.scores.min(-1)[:, None])),
        ),
        slip(
            sentence("divide after exp: exp of shares or of parts is no softmax"),
            {"weights": lambda a: np.exp(shares(a.scores))},
            {"weights": lambda a: np.exp(a.scores / highest(a.scores))},
            {"weights": lambda a: softmax(a.scores / highest(a.scores))},
        ),
    ),
    draw=two_rows,
    sizes=((3, 4), (2, 5), (3, 3), (1, 2)),
)
