"""Exercises of lesson 3: the scaled dot product."""

from mha_core._checks.sentences import sentence
from mha_core.attention import scaled_dot_product_attention, softmax
from mha_core.lab.exercises.asking_back import QUERY, SHARP
from mha_core.lab.exercises.catalogue.attending import ATTENTION
from mha_core.lab.exercises.catalogue.comparing import SCALED
from mha_core.lab.exercises.catalogue.weighing import SOFTMAX
from mha_core.lab.exercises.exercise import Exercise, made_of
from mha_core.lab.exercises.maps_to_read import AFTERWARDS

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
        sentence("a hundred variances of 1, and the root of their sum."),
    ),
    solution="answer = 100**0.5",
    praise=sentence("the root of d_k, here of {d_k}.", d_k=10**2),
)


SCALING = Exercise(
    name="scaled",
    right=lambda query, key: query @ key.T / key.shape[-1] ** 0.5,
    hints=(
        sentence("query @ key.T has the shape (T_q, T_k); what is d_k?"),
        sentence("divide by the root of the width of one key."),
        sentence("key.shape[-1] ** 0.5 is that root."),
    ),
    solution="""def answer(query, key):
    return query / key.shape[-1] ** 0.5 @ key.T
""",
    praise=sentence("scaling the query or the product is the same."),
    **made_of(SCALED),
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
        sentence("half of the first value and half of the second."),
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
        sentence("it stands outside, on the right of the weights."),
    ),
    solution='answer = "value"',
    praise=sentence("values are what the weights weigh."),
)

WEIGHING = Exercise(
    name="softmax",
    right=lambda scores: softmax(scores),
    hints=(
        sentence("exp of each score, divided by the sum of its row."),
        sentence("keepdims=True keeps the sums beside the rows they belong to."),
        sentence("take the largest score of each row away first: exp(710) overflows."),
    ),
    solution="""import numpy as np

def answer(scores):
    exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exps / exps.sum(axis=-1, keepdims=True)
""",
    praise=sentence("each row is positive and sums to 1, however large the scores."),
    **made_of(SOFTMAX),
)

ATTENDING = Exercise(
    name="attention",
    right=lambda query, key, value, mask: scaled_dot_product_attention(
        query, key, value, mask=mask
    )[0],
    hints=(
        sentence("scores of shape (T_q, T_k), divided by the root of d_k."),
        sentence("np.where(mask, scores, -np.inf) hides; softmax follows, by rows."),
        sentence("the output is weights @ value, (T_q, d_v)."),
    ),
    solution="""import numpy as np

def answer(query, key, value, mask):
    scores = query @ key.T / key.shape[-1] ** 0.5
    scores = np.where(mask, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ value
""",
    praise=sentence("four lines: scores, mask, softmax, weighted sum."),
    **made_of(ATTENTION, "key", "value"),
)
EXERCISES = (
    *(SPREAD, SCALING, MASKED, ROLE),
    *(WEIGHING, ATTENDING, QUERY, SHARP, AFTERWARDS),
)
