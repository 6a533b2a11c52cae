"""One step of a decoder that looks back, and what readers do otherwise."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.catalogue.weighing import softmax
from mha_core.lab.exercises.stepwise import Formula, drawn, slip

STEPS = {
    "scores": lambda a: a.states @ a.state,
    "weights": lambda a: softmax(a.scores),
    "context": lambda a: a.weights @ a.states,
    "read": lambda a: np.concatenate([a.sound, a.context]),
    "inside": lambda a: a.read @ a.W + a.state @ a.U + a.b,
    "new": lambda a: np.tanh(a.inside),
}


def _without(part):
    """Return the way to read with zeros in place of a part."""
    return lambda a: np.concatenate(
        [
            0 * a.sound if part == "sound" else a.sound,
            0 * a.context if part == "context" else a.context,
        ]
    )


def _asked_with(state):
    """Return the context that another state asks for."""

    def step(a):
        return softmax(a.states @ state(a)) @ a.states

    return step


def _first_guess(a):
    """Return the new state that would come without any context."""
    read = np.concatenate([a.sound, 0 * a.state])
    return np.tanh(read @ a.W + a.state @ a.U + a.b)


WRITING = (
    slip(
        sentence("a new state asks; the state from before this step must ask"),
        context=_asked_with(_first_guess),
    ),
    slip(
        sentence("the last state of the encoder asks; the decoder's state must ask"),
        {"context": _asked_with(lambda a: a.states[-1])},
        {"context": _asked_with(lambda a: a.states[0])},
        {"context": _asked_with(lambda a: a.states.mean(axis=0))},
    ),
    slip(
        sentence("the context is not read: put it beside the sound"),
        read=_without("context"),
    ),
    slip(
        sentence("the sound is not read: put it beside the context"),
        read=_without("sound"),
    ),
    slip(
        sentence("sound and context are exchanged: the sound comes first"),
        read=lambda a: np.concatenate([a.context, a.sound]),
    ),
    slip(
        sentence("sound and context are added; put them side by side"),
        {
            "inside": lambda a: (
                (a.sound + a.context) @ a.W[: len(a.sound)] + a.state @ a.U + a.b
            )
        },
        {
            "inside": lambda a: (
                a.sound @ a.W[: len(a.sound)] + a.context + a.state @ a.U + a.b
            )
        },
    ),
    slip(
        sentence("the context is added at the end; it goes through W with the sound"),
        {"read": _without("context"), "new": lambda a: np.tanh(a.inside) + a.context},
        {"new": lambda a: np.tanh(a.inside) + a.context},
        {"read": _without("context"), "new": lambda a: np.tanh(a.inside + a.context)},
    ),
    slip(
        sentence("the state is not handed on: state @ U belongs into the sum"),
        inside=lambda a: a.read @ a.W + a.b,
    ),
    slip(
        sentence("U is forgotten: the state is multiplied by it"),
        inside=lambda a: a.read @ a.W + a.state + a.b,
    ),
    slip(
        sentence("U is turned: state @ U, without .T"),
        inside=lambda a: a.read @ a.W + a.state @ a.U.T + a.b,
    ),
    slip(
        sentence("the context takes the place of the state; both are needed"),
        {"inside": lambda a: a.read @ a.W + a.context @ a.U + a.b},
    ),
    slip(
        sentence("the bias b is forgotten"),
        inside=lambda a: a.read @ a.W + a.state @ a.U,
    ),
    slip(
        sentence("tanh is missing at the end"),
        new=lambda a: a.inside,
    ),
    slip(
        sentence("another function stands where tanh belongs"),
        {"new": lambda a: 1 / (1 + np.exp(-a.inside))},
        {"new": lambda a: np.maximum(a.inside, 0)},
        {"new": lambda a: softmax(a.inside)},
    ),
    slip(
        sentence("softmax is missing: the scores themselves weigh the states"),
        weights=lambda a: a.scores,
    ),
    slip(
        sentence("the exponentials are not divided by their sum"),
        {"weights": lambda a: np.exp(a.scores)},
        {"weights": lambda a: np.exp(a.scores - a.scores.max())},
    ),
    slip(
        sentence("exp is missing: shares of the scores themselves are no softmax"),
        weights=lambda a: a.scores / a.scores.sum(),
    ),
    slip(
        sentence("that is a sigmoid of each score; softmax shares 1 out"),
        weights=lambda a: 1 / (1 + np.exp(-a.scores)),
    ),
    slip(
        sentence("the scores are scaled; here they are plain dot products"),
        {"weights": lambda a: softmax(a.scores / len(a.state) ** 0.5)},
        {"weights": lambda a: softmax(a.scores / len(a.state))},
    ),
    slip(
        sentence("the strongest state takes all; weigh all of them"),
        weights=lambda a: (a.scores == a.scores.max()).astype(float),
    ),
    slip(
        sentence("the sign is turned: a larger score must get a larger weight"),
        weights=lambda a: softmax(-a.scores),
    ),
    slip(
        sentence("every state gets the same weight; the scores must decide"),
        weights=lambda a: np.full(len(a.states), 1 / len(a.states)),
    ),
    slip(
        sentence("the states are added up without weights"),
        weights=lambda a: np.ones(len(a.states)),
    ),
    slip(
        sentence("the mean is taken; the weights sum to 1 already, so sum up"),
        context=lambda a: a.weights @ a.states / len(a.states),
    ),
    slip(
        sentence("the last state of the encoder is read; read the weighted sum"),
        {"context": lambda a: a.states[-1]},
        {"context": lambda a: a.states[0]},
    ),
    slip(
        sentence("that is the context; go on: it makes the new state"),
        new=lambda a: a.context,
    ),
    slip(
        sentence("these are the weights; go on: context, then the new state"),
        new=lambda a: a.weights,
    ),
    slip(
        sentence("the old state is added to the new one; the new one replaces it"),
        {"new": lambda a: a.state + np.tanh(a.inside)},
        {"new": lambda a: (a.state + np.tanh(a.inside)) / 2},
    ),
)

DECODER = Formula(
    inputs="state sound states W U b",
    steps=STEPS,
    slips=WRITING,
    draw=lambda T, n, d: drawn(n, d, (T, n), (d + n, n), (n, n), n),
    sizes=((4, 3, 2), (3, 4, 5), (5, 2, 3), (3, 3, 3)),
)


def right_step(state, sound, states, W, U, b):
    """Return the next state of a decoder that looks back, (n,)."""
    return DECODER.work((state, sound, states, W, U, b), {})
