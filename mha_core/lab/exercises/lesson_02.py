"""Exercises of lesson 2: Bahdanau's attention."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.catalogue.adding import SCORES
from mha_core.lab.exercises.catalogue.scoring import LOOK
from mha_core.lab.exercises.catalogue.writing import DECODER, right_step
from mha_core.lab.exercises.exercise import Exercise, made_of
from mha_core.lab.exercises.letters_to_find import FAINT_E, SILENT
from mha_core.lab.exercises.lost_words import BETTER

LOGS = np.log([1.0, 2.0, 1.0])
STATES = np.array([[4.0, 0.0], [0.0, 2.0], [4.0, 4.0]])
WEIGHTS = Exercise(
    name="weights",
    kind="array",
    right=(0.25, 0.5, 0.25),
    rtol=1e-3,
    mistakes=(
        ((1, 2, 1), sentence("these are the exponentials; divide them by their sum")),
        (LOGS, sentence("these are the scores; take exp, divide by the sum")),
        (LOGS / LOGS.sum(), sentence("take exp of the scores before you divide")),
        ((0.5, 1, 0.5), sentence("divide by the sum of them, not by the largest")),
        ((0.4, 0.2, 0.4), sentence("a larger score weighs more: mind the sign")),
    ),
    hints=(
        sentence("exp(log 2) is 2; three exponentials, divided by their sum."),
        sentence("exp(0) is 1; what do the three add up to?"),
        sentence("1, 2 and 1, each divided by 4."),
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
        (LOGS @ STATES, sentence("weigh with the weights, not with the scores")),
    ),
    hints=(
        sentence("every state counts, but not every state counts the same."),
        sentence(
            "{first} of the first state, {second} of the second, {third} of the third.",
            **dict(zip(("first", "second", "third"), WEIGHTS.right, strict=True)),
        ),
        sentence("weights @ states: the first number is a quarter of 4, and so on."),
    ),
    solution="""import numpy as np

states = np.array([[4.0, 0.0], [0.0, 2.0], [4.0, 4.0]])
answer = np.array([0.25, 0.5, 0.25]) @ states
""",
    praise=sentence("one vector as wide as a state, a weighted sum of all of them."),
)

SCORING = Exercise(
    name="scores",
    right=lambda query, keys, v_a: np.tanh(query + keys) @ v_a,
    hints=(
        sentence(
            "query has shape (d,), keys (T, d), v_a (d,); scores have shape (T,)."
        ),
        sentence("the query is added to every key at once; then tanh, then v_a."),
        sentence("np.tanh(query + keys) has a row for each key; @ v_a sums it up."),
    ),
    solution="""import numpy as np

def answer(query, keys, v_a):
    return np.tanh(query + keys) @ v_a
""",
    praise=sentence("one number for each key."),
    **made_of(SCORES),
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
        sentence("it is the one that the step before has left."),
    ),
    solution='answer = "previous"',
    praise=sentence("s_{{i-1}} asks, the context answers, then s_i is made."),
)

LOOKING = Exercise(
    name="look",
    right=lambda query, states, W_a, U_a, v_a: LOOK.work(
        (query, states, W_a, U_a, v_a), {}
    ),
    hints=(
        sentence("query @ W_a is one vector, states @ U_a a row for each state."),
        sentence("scores: tanh of their sum, then v_a; weights: softmax of them."),
        sentence("the context is weights @ states, as wide as one state."),
    ),
    solution="""import numpy as np

def answer(query, states, W_a, U_a, v_a):
    scores = np.tanh(query @ W_a + states @ U_a) @ v_a
    weights = np.exp(scores - scores.max())
    return weights / weights.sum() @ states
""",
    praise=sentence("scores, softmax, weighted sum: that is attention."),
    **made_of(LOOK, "states"),
)

STEPPING = Exercise(
    name="step",
    right=right_step,
    hints=(
        sentence("the old state asks: scores = states @ state."),
        sentence("softmax, then context = weights @ states; the sound comes first."),
        sentence("tanh of [sound, context] @ W + state @ U + b is the new state."),
    ),
    solution="""import numpy as np

def answer(state, sound, states, W, U, b):
    scores = states @ state
    weights = np.exp(scores - scores.max())
    context = weights / weights.sum() @ states
    return np.tanh(np.concatenate([sound, context]) @ W + state @ U + b)
""",
    praise=sentence("the old state asks, the context answers, the new state is made."),
    **made_of(DECODER),
)
EXERCISES = (
    *(WEIGHTS, CONTEXT, SCORING, ASKS),
    *(LOOKING, STEPPING, BETTER, FAINT_E, SILENT),
)
