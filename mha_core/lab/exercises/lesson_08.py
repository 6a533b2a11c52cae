"""Exercises of lesson 8: what heads learn."""

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.catalogue.choosing import BY_OFFSET, CHOSEN
from mha_core.lab.exercises.catalogue.parting import IMPORTANCE, TAKE_OUT
from mha_core.lab.exercises.catalogue.resting import NORMS, SINK
from mha_core.lab.exercises.exercise import Exercise, made_of
from mha_core.lab.exercises.pronouns_to_find import READ_MAP, WHO

CHOOSING = Exercise(
    name="chosen",
    right=lambda weights, right, wrong: CHOSEN.work((weights, right, wrong), {}),
    hints=(
        sentence("row i of weights is case i; right[i] and wrong[i] are its columns."),
        sentence("weights[np.arange(len(right)), right] picks one of each row."),
        sentence("compare the two, case by case; the mean of true and false."),
    ),
    solution="""import numpy as np

def answer(weights, right, wrong):
    cases = np.arange(len(weights))
    return np.mean(weights[cases, right] > weights[cases, wrong])
""",
    praise=sentence("one half is chance: each case has two candidates."),
    **made_of(CHOSEN),
)

OFFSET = Exercise(
    name="offset",
    right=lambda query, right, wrong, offset: BY_OFFSET.work(
        (query, right, wrong, offset), {}
    ),
    hints=(
        sentence("the rule points at the place query + offset, whatever the word."),
        sentence("1 where right stands there, 0 where wrong stands there."),
        sentence("half where neither does; then the mean."),
    ),
    solution="""import numpy as np

def answer(query, right, wrong, offset):
    there = query + offset
    return np.mean(0.5 + 0.5 * (right == there) - 0.5 * (wrong == there))
""",
    praise=sentence("what a rule without any network gets, a head must beat."),
    **made_of(BY_OFFSET),
)

TAKING_OUT = Exercise(
    name="take_out",
    right=lambda W_O, h, head: TAKE_OUT.work((W_O, h, head), {}),
    hints=(
        sentence("the heads stand side by side when they meet W_O: d_k rows each."),
        sentence("d_k is len(W_O) // h; copy W_O before you change it."),
        sentence("rows head * d_k to (head + 1) * d_k become zeros."),
    ),
    solution="""def answer(W_O, h, head):
    d_k = len(W_O) // h
    left = W_O.copy()
    left[head * d_k : (head + 1) * d_k] = 0
    return left
""",
    praise=sentence("the head still looks; what it hands on is nothing."),
    **made_of(TAKE_OUT),
)

WORTH = Exercise(
    name="importance",
    right=lambda heads, gradient: IMPORTANCE.work((heads, gradient), {}),
    hints=(
        sentence("a gate g in front of a head makes it g * head; g is 1."),
        sentence("the loss changes with g by the sum of head * gradient."),
        sentence("the size of that for each example, then the mean, (h,)."),
    ),
    solution="""import numpy as np

def answer(heads, gradient):
    gate = np.sum(heads * gradient, axis=(-2, -1))
    return np.abs(gate).mean(axis=0)
""",
    praise=sentence("how much the loss would feel the head fade, at first."),
    **made_of(IMPORTANCE),
)

RESTING = Exercise(
    name="sink",
    right=lambda weights: SINK.work((weights,), {}),
    hints=(
        sentence("[CLS] is looked at in column 0 of each head's map."),
        sentence("leave out the rows of [CLS] and [SEP]: weights[:, 1:-1, 0]."),
        sentence("then the mean over the words, one number for each head."),
    ),
    solution="""def answer(weights):
    return weights[:, 1:-1, 0].mean(axis=-1)
""",
    praise=sentence("a head that finds nothing must put its weight somewhere."),
    **made_of(SINK),
)

SIZES = Exercise(
    name="norms",
    right=lambda weights, value: NORMS.work((weights, value), {}),
    hints=(
        sentence("a large weight on a value near zero hands on nearly nothing."),
        sentence("np.linalg.norm(value, axis=-1) is one size for each key."),
        sentence("column j of the weights times the size of value j."),
    ),
    solution="""import numpy as np

def answer(weights, value):
    return weights * np.linalg.norm(value, axis=-1)
""",
    praise=sentence("this is what each key adds to the output, by its size."),
    **made_of(NORMS, "value"),
)

EXERCISES = (
    *(CHOOSING, READ_MAP, OFFSET, RESTING),
    *(WHO, TAKING_OUT, WORTH, SIZES),
)
