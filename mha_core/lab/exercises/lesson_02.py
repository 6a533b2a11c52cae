"""Exercises of lesson 2: Bahdanau's attention."""

import numpy as np

from mha_core.attention import softmax
from mha_core.lab.exercises.compare import differs, not_chosen
from mha_core.lab.exercises.exercise import Exercise

SCORES = np.log([1.0, 2.0, 1.0])
STATES = np.array([[4.0, 0.0], [0.0, 2.0], [4.0, 4.0]])


def _check_weights(answer):
    exps = np.array([1.0, 2.0, 1.0])
    return differs(
        answer,
        exps / 4,
        [
            (exps, "these are the exponentials; divide them by their sum"),
            (SCORES / SCORES.sum(), "take exp of the scores before you divide"),
            (exps / 2, "divide by the sum of the exponentials, not by the largest"),
        ],
        rtol=1e-3,
    )


def _check_context(answer):
    weights = np.array([0.25, 0.5, 0.25])
    return differs(
        answer,
        weights @ STATES,
        [
            (STATES.mean(axis=0), "that is the plain mean; weigh the states"),
            (STATES.sum(axis=0), "that is the plain sum; weigh the states"),
            (STATES[1], "the second state alone; the others have weight too"),
            (SCORES @ STATES, "weigh with the weights, not with the scores"),
        ],
    )


def _check_scores(function):
    rng = np.random.default_rng(0)
    query, keys = rng.standard_normal(3), rng.standard_normal((4, 3))
    v_a = rng.standard_normal(3)
    inside = query + keys
    right = np.tanh(query + keys) @ v_a
    return differs(
        function(query, keys, v_a),
        right,
        [
            (inside @ v_a, "tanh is missing"),
            (np.tanh(inside).sum(axis=-1), "weigh with v_a before you sum"),
            (np.tanh(inside @ v_a), "tanh comes before the product with v_a"),
            (softmax(right), "these are the weights; stop at the scores"),
            (np.tanh(query) @ v_a + np.tanh(keys) @ v_a, "add before you take tanh"),
            (keys @ query, "that is a dot product; add, take tanh, weigh with v_a"),
        ],
    )


def _check_asks(answer):
    answer = "previous" if str(answer).strip() in ("s_{j-1}", "s_j-1") else answer
    return not_chosen(
        answer,
        "previous",
        {
            "current": "the current state needs the context, so it comes after it",
            "last encoder": "that starts the decoder; it does not ask at each step",
            "first": "the first state asks at the first step only",
        },
    )


EXERCISES = (
    Exercise(
        name="weights",
        check=_check_weights,
        hint="exp(log 2) is 2; three exponentials, divided by their sum.",
        solution="answer = [0.25, 0.5, 0.25]",
        right="a score that is larger by log 2 doubles the weight.",
        wrong=(
            ([1, 2, 1], "divide them by their sum"),
            ([0, 1, 0], "take exp"),
            ([0.5, 1, 0.5], "not by the largest"),
        ),
    ),
    Exercise(
        name="context",
        check=_check_context,
        hint="0.25 of the first state, 0.5 of the second, 0.25 of the third.",
        solution=(
            "import numpy as np\n\n"
            "states = np.array([[4.0, 0.0], [0.0, 2.0], [4.0, 4.0]])\n"
            "answer = np.array([0.25, 0.5, 0.25]) @ states"
        ),
        right="one vector as wide as a state, a weighted sum of all of them.",
        wrong=(
            (STATES.mean(axis=0), "plain mean"),
            (STATES.sum(axis=0), "plain sum"),
            (STATES[1], "second state alone"),
            (SCORES @ STATES, "not with the scores"),
        ),
    ),
    Exercise(
        name="scores",
        check=_check_scores,
        hint="query has shape (d,), keys (T, d), v_a (d,); the scores have shape (T,).",
        solution=(
            "import numpy as np\n\n\n"
            "def answer(query, keys, v_a):\n"
            "    return np.tanh(query + keys) @ v_a"
        ),
        right="one number for each key.",
        wrong=(
            (lambda query, keys, v_a: (query + keys) @ v_a, "tanh is missing"),
            (
                lambda query, keys, v_a: np.tanh((query + keys) @ v_a),
                "tanh comes before",
            ),
            (
                lambda query, keys, v_a: softmax(np.tanh(query + keys) @ v_a),
                "stop at the scores",
            ),
            (
                lambda query, keys, v_a: np.tanh(query) @ v_a + np.tanh(keys) @ v_a,
                "add before",
            ),
            (lambda query, keys, v_a: keys @ query, "dot product"),
            (lambda query, keys, v_a: np.tanh(query + keys).sum(axis=-1), "with v_a"),
        ),
    ),
    Exercise(
        name="asks",
        check=_check_asks,
        hint="which state exists before the context of this step is there?",
        solution='answer = "previous"',
        right="s_{j-1} asks, the context answers, then s_j is made.",
        wrong=(
            ("current", "comes after it"),
            ("last encoder", "starts the decoder"),
            ("first", "first step only"),
        ),
    ),
)
