"""Exercises of lesson 3: the scaled dot product."""

import numpy as np

from mha_core.attention import softmax
from mha_core.lab.exercises.compare import differs, not_chosen
from mha_core.lab.exercises.exercise import Exercise


def _check_spread(answer):
    return differs(
        answer,
        10,
        [
            (100, "that is the variance; the standard deviation is its root"),
            (1, "one product has that; a hundred of them are added"),
            (0.1, "the spread grows with the number of products"),
        ],
        rtol=0.005,
    )


def _check_scaled(function):
    return _scaled_of(function, 4) or _scaled_of(function, 9)


def _scaled_of(function, d_k):
    rng = np.random.default_rng(0)
    query, key = rng.standard_normal((3, d_k)), rng.standard_normal((5, d_k))
    product = query @ key.T
    right = product / d_k**0.5
    return differs(
        function(query, key),
        right,
        [
            (product, "these are not scaled yet"),
            (product / 2**0.5, "the root of 2 was the lesson's; use d_k of this key"),
            (product / d_k, "divide by the root of d_k, not by d_k"),
            (product / 2, "2 is the root of d_k = 4 alone; take d_k of this key"),
            (product / (d_k / 2), "divide by the root of d_k, not by its half"),
            (product / np.log2(d_k), "divide by the root of d_k, not its logarithm"),
            (product / 5**0.5, "divide by the root of d_k, not of the number of keys"),
            (product / 3**0.5, "divide by the root of d_k, not of the queries' number"),
            (right.T, "rows are queries: swap the two"),
            (softmax(right), "these are the weights; stop at the scores"),
        ],
    )


def _check_masked(answer):
    return differs(
        answer,
        1.5,
        [
            (4, "true means may attend here; you hid the first two"),
            (7 / 3, "the third key is hidden; its value does not count"),
            (1, "the two weights left add up to 1: they are halves, not thirds"),
            (3, "weigh the values; their weights add up to 1"),
        ],
        rtol=1e-2,
    )


def _check_role(answer):
    return not_chosen(
        answer,
        "value",
        {
            "query": "the query is compared with the keys: that gives the weights",
            "key": "the keys are compared with the query: that gives the weights",
        },
    )


EXERCISES = (
    Exercise(
        name="spread",
        check=_check_spread,
        hint="variances of independent numbers add up.",
        solution="answer = 100**0.5",
        right="the root of d_k.",
        wrong=((100, "variance"), (1, "a hundred"), (0.1, "grows")),
    ),
    Exercise(
        name="scaled",
        check=_check_scaled,
        hint="query @ key.T has the shape (T_q, T_k); what is d_k?",
        solution=(
            "def answer(query, key):\n    return query / key.shape[-1] ** 0.5 @ key.T"
        ),
        right="scaling the query or the product is the same.",
        wrong=(
            (lambda query, key: query @ key.T, "not scaled"),
            (lambda query, key: query @ key.T / 2**0.5, "of this key"),
            (lambda query, key: query @ key.T / key.shape[-1], "not by d_k"),
            (lambda query, key: query @ key.T / len(key) ** 0.5, "number of keys"),
            (lambda query, key: query @ key.T / len(query) ** 0.5, "queries"),
            (lambda query, key: query @ key.T / 2, "of d_k = 4 alone"),
            (lambda query, key: query @ key.T / (key.shape[-1] / 2), "its half"),
            (lambda query, key: query @ key.T / np.log2(key.shape[-1]), "logarithm"),
            (lambda query, key: key @ query.T / 2, "swap"),
            (lambda query, key: softmax(query @ key.T / 2), "stop at the scores"),
        ),
    ),
    Exercise(
        name="masked",
        check=_check_masked,
        hint="which values are left, and how do they share the weight?",
        solution="answer = (1 + 2) / 2",
        right="two keys with half of the weight each.",
        wrong=((4, "may attend"), (2.3333, "hidden"), (1, "halves"), (3, "weigh")),
    ),
    Exercise(
        name="role",
        check=_check_role,
        hint="softmax(Q K^T) V: what stands inside the softmax?",
        solution='answer = "value"',
        right="values are what the weights weigh.",
        wrong=(("query", "compared"), ("key", "compared")),
    ),
)
