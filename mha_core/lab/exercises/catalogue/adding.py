"""Additive scores in steps, and what readers do otherwise."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.catalogue.weighing import softmax
from mha_core.lab.exercises.stepwise import Formula, drawn, slip

SCORES = Formula(
    inputs="query keys v_a",
    steps={
        "inside": lambda a: a.query + a.keys,
        "curved": lambda a: np.tanh(a.inside),
        "scores": lambda a: a.curved @ a.v_a,
    },
    slips=(
        slip(
            sentence("tanh is missing"),
            curved=lambda a: a.inside,
        ),
        slip(
            sentence("weigh with v_a before you sum"),
            {"scores": lambda a: a.curved.sum(axis=-1)},
            {"scores": lambda a: a.curved.mean(axis=-1)},
        ),
        slip(
            sentence("sum over the width: one number for each key"),
            scores=lambda a: a.curved * a.v_a,
        ),
        slip(
            sentence("tanh comes before the product with v_a"),
            scores=lambda a: np.tanh(a.inside @ a.v_a),
        ),
        slip(
            sentence("these are the weights; stop at the scores"),
            scores=lambda a: softmax(a.curved @ a.v_a),
        ),
        slip(
            sentence("add before you take tanh"),
            curved=lambda a: np.tanh(a.query) + np.tanh(a.keys),
        ),
        slip(
            sentence("that is a dot product; add, take tanh, weigh with v_a"),
            {"scores": lambda a: a.keys @ a.query},
            {"scores": lambda a: np.tanh(a.keys @ a.query)},
            {"scores": lambda a: a.keys @ a.query / len(a.query) ** 0.5},
        ),
        slip(
            sentence("add query and keys; you take the keys away"),
            inside=lambda a: a.query - a.keys,
        ),
        slip(
            sentence("add query and keys; you take the query away"),
            inside=lambda a: a.keys - a.query,
        ),
        slip(
            sentence("add query and keys; you multiply them"),
            inside=lambda a: a.query * a.keys,
        ),
        slip(
            sentence("the query is missing in the sum"),
            inside=lambda a: a.keys,
        ),
        slip(
            sentence("another function stands where tanh belongs"),
            {"curved": lambda a: np.maximum(a.inside, 0)},
            {"curved": lambda a: 1 / (1 + np.exp(-a.inside))},
        ),
        slip(
            sentence("v_a is added; weigh with it: a product, then the sum"),
            scores=lambda a: (a.curved + a.v_a).sum(axis=-1),
        ),
        slip(
            sentence("the mean is taken; v_a weighs, and the sum is the score"),
            scores=lambda a: (a.curved * a.v_a).mean(axis=-1),
        ),
    ),
    draw=lambda T, d: drawn(d, (T, d), d),
    sizes=((4, 3), (2, 5), (3, 3), (2, 2)),
)
