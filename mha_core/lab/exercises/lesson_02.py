"""Exercises of lesson 2: Bahdanau's attention."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.attention import softmax
from mha_core.lab.exercises.exercise import Exercise, drawn, pairs

SCORES = np.log([1.0, 2.0, 1.0])
STATES = np.array([[4.0, 0.0], [0.0, 2.0], [4.0, 4.0]])
WEIGHTS = Exercise(
    name="weights",
    kind="array",
    right=(0.25, 0.5, 0.25),
    rtol=1e-3,
    mistakes=(
        ((1, 2, 1), sentence("these are the exponentials; divide them by their sum")),
        (SCORES, sentence("these are the scores; take exp, divide by the sum")),
        (SCORES / SCORES.sum(), sentence("take exp of the scores before you divide")),
        ((0.5, 1, 0.5), sentence("divide by the sum of them, not by the largest")),
        ((0.4, 0.2, 0.4), sentence("a larger score weighs more: mind the sign")),
    ),
    hints=(
        sentence("exp(log 2) is 2; three exponentials, divided by their sum."),
        sentence("exp(0) is 1; what do the three add up to?"),
    ),
    solution="answer = [1 / 4, 2 / 4, 1 / 4]",
    praise=sentence("a score that is larger by log 2 doubles the weight."),
)

CONTEXT = Exercise(
    name="context",
    kind="array",
    right=(2, 2),
    rtol=1e-3,
    mistakes=(
        (STATES.mean(axis=0), sentence("that is the plain mean; weigh the states")),
        (STATES.sum(axis=0), sentence("that is the plain sum; weigh the states")),
        (STATES[1], sentence("the second state alone; the others have weight too")),
        (SCORES @ STATES, sentence("weigh with the weights, not with the scores")),
    ),
    hints=(
        sentence("every state counts, but not every state counts the same."),
        sentence(
            "{first} of the first state, {second} of the second, {third} of the third.",
            **dict(zip(("first", "second", "third"), WEIGHTS.right, strict=True)),
        ),
    ),
    solution="""import numpy as np

states = np.array([[4.0, 0.0], [0.0, 2.0], [4.0, 4.0]])
answer = np.array([0.25, 0.5, 0.25]) @ states
""",
    praise=sentence("one vector as wide as a state, a weighted sum of all of them."),
)

SCORING = Exercise(
    name="scores",
    kind="function",
    right=lambda query, keys, v_a: np.tanh(query + keys) @ v_a,
    probes=(drawn(3, (4, 3), 3), drawn(5, (2, 5), 5)),
    mistakes=pairs(
        lambda query, keys, v_a: (query + keys) @ v_a,
        sentence("tanh is missing"),
        lambda query, keys, v_a: np.tanh(query + keys).sum(axis=-1),
        sentence("weigh with v_a before you sum"),
        lambda query, keys, v_a: np.tanh(query + keys) * v_a,
        sentence("sum over the width: one number for each key"),
        lambda query, keys, v_a: np.tanh((query + keys) @ v_a),
        sentence("tanh comes before the product with v_a"),
        lambda query, keys, v_a: softmax(np.tanh(query + keys) @ v_a),
        sentence("these are the weights; stop at the scores"),
        lambda query, keys, v_a: np.tanh(query) @ v_a + np.tanh(keys) @ v_a,
        sentence("add before you take tanh"),
        lambda query, keys, v_a: keys @ query,
        sentence("that is a dot product; add, take tanh, weigh with v_a"),
        lambda query, keys, v_a: np.tanh(query - keys) @ v_a,
        sentence("add query and keys; you take the keys away"),
        lambda query, keys, v_a: np.tanh(keys - query) @ v_a,
        sentence("add query and keys; you take the query away"),
        lambda query, keys, v_a: np.tanh(query * keys) @ v_a,
        sentence("add query and keys; you multiply them"),
    ),
    hints=(
        sentence(
            "query has shape (d,), keys (T, d), v_a (d,); scores have shape (T,)."
        ),
        sentence("the query is added to every key at once; then tanh, then v_a."),
    ),
    solution="""import numpy as np

def answer(query, keys, v_a):
    return np.tanh(query + keys) @ v_a
""",
    praise=sentence("one number for each key."),
)

ASKS = Exercise(
    name="asks",
    kind="choice",
    right="previous",
    also=(
        *((f"s_{step}-1", "previous") for step in "ij"),
        *((f"s_{step}", "current") for step in "ij"),
        *((f"{key} state", key) for key in ("previous", "current", "first")),
        *((f"the {key} state", key) for key in ("previous", "current", "first")),
        ("last encoder state", "last encoder"),
    ),
    mistakes=(
        ("current", sentence("the current state needs the context, so it comes later")),
        (
            "last encoder",
            sentence("that starts the decoder; it does not ask each time"),
        ),
        ("first", sentence("the first state asks at the first step only")),
    ),
    hints=(
        sentence("which state exists before the context of this step is there?"),
        sentence("the context of step i goes into s_i, so s_i cannot ask for it."),
    ),
    solution='answer = "previous"',
    praise=sentence("s_{{i-1}} asks, the context answers, then s_i is made."),
)
EXERCISES = (WEIGHTS, CONTEXT, SCORING, ASKS)
