"""A recurrent encoder, letter by letter, and what readers write in place of it."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.stepwise import Formula, drawn, slip


def read(a, step=None, start=None, order=None):
    """Return the states of a network that reads inputs one after the other."""
    step = step or (lambda a, x, s: np.tanh(x @ a.W + s @ a.U + a.b))
    state = np.zeros(len(a.b)) if start is None else start
    states = []
    for t in order or range(len(a.inputs)):
        state = step(a, a.inputs[t], state)
        states.append(state)
    return np.stack(states)


def stepping(step):
    """Return the way to read with another step."""
    return {"states": lambda a: read(a, step)}


def sigmoid(x):
    """Return numbers squeezed between 0 and 1."""
    return 1 / (1 + np.exp(-x))


def _backwards(a):
    return range(len(a.inputs))[::-1]


def _zero(a):
    return np.zeros((1, len(a.b)))


READING = (
    slip(
        sentence("the state is not handed on: each step must read the one before"),
        stepping(lambda a, x, s: np.tanh(x @ a.W + a.b)),
    ),
    slip(
        sentence("tanh is missing"),
        stepping(lambda a, x, s: x @ a.W + s @ a.U + a.b),
    ),
    slip(
        sentence("the bias b is forgotten"),
        stepping(lambda a, x, s: np.tanh(x @ a.W + s @ a.U)),
    ),
    slip(
        sentence("b is added after tanh; add it inside"),
        stepping(lambda a, x, s: np.tanh(x @ a.W + s @ a.U) + a.b),
    ),
    slip(
        sentence("the inputs are forgotten: x @ W belongs into the sum"),
        stepping(lambda a, x, s: np.tanh(s @ a.U + a.b)),
    ),
    slip(
        sentence("U is forgotten: the state is multiplied by it"),
        stepping(lambda a, x, s: np.tanh(x @ a.W + s + a.b)),
    ),
    slip(
        sentence("W is forgotten: the input is multiplied by it"),
        stepping(lambda a, x, s: np.tanh(x + s @ a.U + a.b)),
    ),
    slip(
        sentence("W and U are exchanged: W is for the input, U for the state"),
        stepping(lambda a, x, s: np.tanh(x @ a.U + s @ a.W + a.b)),
    ),
    slip(
        sentence(
            "one matrix serves input and state; W is for the input, U for the state"
        ),
        stepping(lambda a, x, s: np.tanh(x @ a.W + s @ a.W + a.b)),
        stepping(lambda a, x, s: np.tanh(x @ a.U + s @ a.U + a.b)),
    ),
    slip(
        sentence("a matrix is turned: x @ W and state @ U, without .T"),
        stepping(lambda a, x, s: np.tanh(x @ a.W + s @ a.U.T + a.b)),
        stepping(lambda a, x, s: np.tanh(x @ a.W.T + s @ a.U.T + a.b)),
        stepping(lambda a, x, s: np.tanh(x @ a.W.T + s @ a.U + a.b)),
    ),
    slip(
        sentence("tanh is taken of input and state apart; of their sum, once"),
        stepping(lambda a, x, s: np.tanh(x @ a.W + a.b) + np.tanh(s @ a.U)),
        stepping(lambda a, x, s: np.tanh(x @ a.W) + np.tanh(s @ a.U) + a.b),
        stepping(lambda a, x, s: np.tanh(x @ a.W) + np.tanh(s @ a.U + a.b)),
    ),
    slip(
        sentence("another function stands where tanh belongs"),
        stepping(lambda a, x, s: sigmoid(x @ a.W + s @ a.U + a.b)),
        stepping(lambda a, x, s: np.maximum(x @ a.W + s @ a.U + a.b, 0)),
    ),
    slip(
        sentence("the old state is added to the new one; the new one replaces it"),
        stepping(lambda a, x, s: s + np.tanh(x @ a.W + s @ a.U + a.b)),
        stepping(lambda a, x, s: s + np.tanh(x @ a.W + a.b)),
    ),
    slip(
        sentence("input and state are multiplied; add them"),
        stepping(lambda a, x, s: np.tanh((x @ a.W) * (s @ a.U) + a.b)),
    ),
    slip(
        sentence("a part of the sum is taken away; add all three"),
        stepping(lambda a, x, s: np.tanh(x @ a.W - s @ a.U + a.b)),
        stepping(lambda a, x, s: np.tanh(x @ a.W + s @ a.U - a.b)),
    ),
    slip(
        sentence("the letters are read from the right; begin with the first"),
        {"states": lambda a: read(a, order=_backwards(a))},
        {"states": lambda a: read(a, order=_backwards(a))[::-1]},
    ),
    slip(
        sentence("the states come in the reverse order"),
        states=lambda a: read(a)[::-1],
    ),
    slip(
        sentence("the state before each letter is kept; keep the one after it"),
        states=lambda a: np.concatenate([_zero(a), read(a)[:-1]]),
    ),
    slip(
        sentence("the first row is the state before any letter; leave it out"),
        states=lambda a: np.concatenate([_zero(a), read(a)]),
    ),
    slip(
        sentence("one letter is not read: the loop runs over all of them"),
        {"states": lambda a: read(a)[:-1]},
        {"states": lambda a: read(a)[1:]},
        {"states": lambda a: read(a, order=range(1, len(a.inputs)))},
    ),
    slip(
        sentence("that is the last state alone; return the state after each letter"),
        {"states": lambda a: read(a)[-1]},
        {"states": lambda a: read(a)[-1:]},
    ),
    slip(
        sentence("every row is the last state: append a copy, or a new array"),
        states=lambda a: np.stack([read(a)[-1]] * len(a.inputs)),
    ),
    slip(
        sentence("the state starts as zeros, not as ones or as the bias"),
        {"states": lambda a: read(a, start=np.ones(len(a.b)))},
        {"states": lambda a: read(a, start=a.b)},
        {"states": lambda a: read(a, start=np.tanh(a.inputs[0] @ a.W + a.b))},
    ),
    slip(
        sentence("each step reads the same letter; step t reads inputs[t]"),
        {"states": lambda a: read(a, order=[0] * len(a.inputs))},
        {"states": lambda a: read(a, order=[-1] * len(a.inputs))},
    ),
    slip(
        sentence("the states are added up or averaged; return each of them"),
        {"states": lambda a: read(a).sum(axis=0)},
        {"states": lambda a: read(a).mean(axis=0)},
        {"states": lambda a: np.cumsum(read(a), axis=0)},
    ),
    slip(
        sentence("the result is turned: a row for each letter"),
        states=lambda a: read(a).T,
    ),
    slip(
        sentence("b is added twice; once is enough"),
        stepping(lambda a, x, s: np.tanh(x @ a.W + a.b + s @ a.U + a.b)),
    ),
)

ENCODER = Formula(
    inputs="inputs W U b",
    steps={"states": read},
    slips=READING,
    draw=lambda T, d, n: drawn((T, d), (d, n), (n, n), n),
    sizes=((4, 3, 2), (3, 2, 4), (4, 3, 3), (3, 3, 3)),
)
