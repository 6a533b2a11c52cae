"""Exercises of lesson 3: the scaled dot product."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.attention import softmax
from mha_core.lab.exercises.exercise import Exercise, drawn, pairs

SPREAD = Exercise(
    name="spread",
    kind="number",
    right=10,
    rtol=0.005,
    mistakes=(
        (100, sentence("that is the variance; the standard deviation is its root")),
        (50, sentence("take the root of the variance, not its half")),
        (1, sentence("one product has that; a hundred of them are added")),
        (0.1, sentence("the spread grows with the number of products")),
    ),
    hints=(
        sentence("variances of independent numbers add up."),
        sentence("each product has variance 1; from variance to spread is a root."),
    ),
    solution="answer = 100**0.5",
    praise=sentence("the root of d_k, here of {d_k}.", d_k=10**2),
)


def scaled(query, key):
    """Return the scaled scores, (T_q, T_k)."""
    return query @ key.T / key.shape[-1] ** 0.5


SCALED = Exercise(
    name="scaled",
    kind="function",
    right=scaled,
    probes=(drawn((3, 4), (5, 4)), drawn((2, 9), (6, 9))),
    mistakes=pairs(
        lambda query, key: query @ key.T,
        sentence("these are not scaled yet"),
        lambda query, key: query @ key.T / 2**0.5,
        sentence("the root of 2 was the lesson's; use d_k of this key"),
        lambda query, key: query @ key.T / key.shape[-1],
        sentence("divide by the root of d_k, not by d_k"),
        lambda query, key: query @ key.T * key.shape[-1] ** 0.5,
        sentence("divide by the root of d_k, do not multiply"),
        lambda query, key: query @ key.T / key.shape[-1] ** 1 / 2,
        sentence("** comes before /: write ** 0.5, or ** (1 / 2)"),
        lambda query, key: query @ key.T / 2,
        sentence("2 is the root of d_k = 4 alone; take d_k of this key"),
        lambda query, key: query @ key.T / (key.shape[-1] / 2),
        sentence("divide by the root of d_k, not by its half"),
        lambda query, key: query @ key.T / np.log2(key.shape[-1]),
        sentence("divide by the root of d_k, not its logarithm"),
        lambda query, key: query @ key.T / len(key) ** 0.5,
        sentence("divide by the root of d_k, not of the number of keys"),
        lambda query, key: query @ key.T / len(query) ** 0.5,
        sentence("divide by the root of d_k, not of the number of queries"),
        lambda query, key: scaled(query, key).T,
        sentence("rows are queries: swap the two"),
        lambda query, key: softmax(scaled(query, key)),
        sentence("these are the weights; stop at the scores"),
    ),
    hints=(
        sentence("query @ key.T has the shape (T_q, T_k); what is d_k?"),
        sentence("divide by the root of the width of one key."),
    ),
    solution="""def answer(query, key):
    return query / key.shape[-1] ** 0.5 @ key.T
""",
    praise=sentence("scaling the query or the product is the same."),
)

MASKED = Exercise(
    name="masked",
    kind="number",
    right=1.5,
    decimals=2,
    mistakes=(
        (4, sentence("true means may attend here; you hid the first two")),
        (7 / 3, sentence("the third key is hidden; its value does not count")),
        (1, sentence("the two weights left add up to 1: halves, not thirds")),
        (3, sentence("weigh the values; their weights add up to 1")),
        (7, sentence("leave the hidden value out, and weigh the others")),
    ),
    hints=(
        sentence("which values are left, and how do they share the weight?"),
        sentence("equal scores share the weight equally, hidden keys get none."),
    ),
    solution="answer = (1 + 2) / 2",
    praise=sentence("two keys with half of the weight each."),
)

ROLE = Exercise(
    name="role",
    kind="choice",
    right="value",
    also=(("v", "value"), ("k", "key"), ("q", "query")),
    mistakes=(
        ("query", sentence("the query is compared with the keys: weights come of it")),
        ("key", sentence("the keys are compared with the query: weights come of it")),
    ),
    hints=(
        sentence("softmax(Q K^T) V: what stands inside the softmax?"),
        sentence("what is still unused when the weights are there?"),
    ),
    solution='answer = "value"',
    praise=sentence("values are what the weights weigh."),
)
EXERCISES = (SPREAD, SCALED, MASKED, ROLE)
