"""One look of additive attention in steps, and what readers do otherwise."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.catalogue.weighing import softmax
from mha_core.lab.exercises.stepwise import Formula, drawn, slip

STEPS = {
    "asked": lambda a: a.query @ a.W_a,
    "keys": lambda a: a.states @ a.U_a,
    "inside": lambda a: a.asked + a.keys,
    "curved": lambda a: np.tanh(a.inside),
    "scores": lambda a: a.curved @ a.v_a,
    "weights": lambda a: softmax(a.scores),
    "context": lambda a: a.weights @ a.states,
}

SCORING = (
    slip(
        sentence("tanh is missing: take it of the sum, before v_a"),
        {"curved": lambda a: a.inside},
    ),
    slip(
        sentence("tanh comes before the product with v_a, not after it"),
        curved=lambda a: a.inside,
        scores=lambda a: np.tanh(a.inside @ a.v_a),
    ),
    slip(
        sentence(
            "the query does not ask: it moves all scores alike, unless it is added "
            "before tanh"
        ),
        inside=lambda a: a.asked,
        curved=lambda a: np.tanh(a.asked) + np.tanh(a.keys),
    ),
    slip(
        sentence("another function stands where tanh belongs"),
        {"curved": lambda a: np.maximum(a.inside, 0)},
        {"curved": lambda a: 1 / (1 + np.exp(-a.inside))},
        {"curved": lambda a: np.sin(a.inside)},
        {"curved": lambda a: np.exp(a.inside)},
    ),
    slip(
        sentence("v_a is forgotten: weigh with it before you sum"),
        {"scores": lambda a: a.curved.sum(axis=-1)},
        {"scores": lambda a: a.curved.mean(axis=-1)},
    ),
    slip(
        sentence("query and keys are multiplied; add them"),
        inside=lambda a: a.asked * a.keys,
    ),
    slip(
        sentence("query and keys are taken away from one another; add them"),
        {"inside": lambda a: a.asked - a.keys},
        {"inside": lambda a: a.keys - a.asked},
    ),
    slip(
        sentence("that is a dot product; add, take tanh, weigh with v_a"),
        {"scores": lambda a: a.keys @ a.asked},
        {"scores": lambda a: a.keys @ a.asked / a.keys.shape[-1] ** 0.5},
        {"scores": lambda a: a.states @ a.query},
    ),
    slip(
        sentence("the query is not projected: query @ W_a"),
        asked=lambda a: a.query,
    ),
    slip(
        sentence("the states are not projected: states @ U_a makes the keys"),
        keys=lambda a: a.states,
    ),
    slip(
        sentence("W_a and U_a are exchanged: W_a is for the query"),
        asked=lambda a: a.query @ a.U_a,
        keys=lambda a: a.states @ a.W_a,
    ),
    slip(
        sentence("one matrix projects both; the query has W_a, the states U_a"),
        {"keys": lambda a: a.states @ a.W_a},
        {"asked": lambda a: a.query @ a.U_a},
    ),
    slip(
        sentence("a matrix is turned: query @ W_a and states @ U_a, without .T"),
        {"asked": lambda a: a.query @ a.W_a.T},
        {"keys": lambda a: a.states @ a.U_a.T},
        {
            "asked": lambda a: a.query @ a.W_a.T,
            "keys": lambda a: a.states @ a.U_a.T,
        },
    ),
    slip(
        sentence("additive scores have no scale: leave the root out"),
        {"weights": lambda a: softmax(a.scores / len(a.v_a) ** 0.5)},
        {"weights": lambda a: softmax(a.scores / a.states.shape[-1] ** 0.5)},
        {"weights": lambda a: softmax(a.scores / len(a.query) ** 0.5)},
        {"weights": lambda a: softmax(a.scores / len(a.v_a))},
    ),
    slip(
        sentence("softmax is missing: the scores themselves weigh the states"),
        weights=lambda a: a.scores,
    ),
    slip(
        sentence("softmax is taken before v_a; first the scores, then softmax"),
        {"scores": lambda a: softmax(a.curved) @ a.v_a},
        {"scores": lambda a: softmax(a.curved, 0) @ a.v_a},
        {"weights": lambda a: softmax(a.inside, 0) @ a.v_a},
        {"weights": lambda a: softmax(a.curved, 0) @ a.v_a},
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
        sentence("the strongest state takes all; weigh all of them"),
        {"weights": lambda a: (a.scores == a.scores.max()).astype(float)},
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
        sentence("the keys are mixed; mix the states themselves"),
        {"context": lambda a: a.weights @ a.keys},
        {"context": lambda a: a.weights @ a.curved},
    ),
    slip(
        sentence("the mean is taken; the weights sum to 1 already, so sum up"),
        context=lambda a: a.weights @ a.states / len(a.states),
    ),
    slip(
        sentence("each state is weighed; now add them up to one context"),
        {"context": lambda a: a.weights[:, None] * a.states},
    ),
    slip(
        sentence("these are the weights; go on: weights @ states"),
        context=lambda a: a.weights,
    ),
    slip(
        sentence("these are the scores; softmax and the context are still to come"),
        context=lambda a: a.scores,
    ),
    slip(
        sentence("the query is part of the result; return the context alone"),
        {"context": lambda a: np.concatenate([a.query, a.weights @ a.states])},
        {"context": lambda a: np.concatenate([a.weights @ a.states, a.query])},
        {"context": lambda a: a.query + a.weights @ a.states},
    ),
    slip(
        sentence("softmax is taken twice; once is enough"),
        weights=lambda a: softmax(softmax(a.scores)),
    ),
)

LOOK = Formula(
    inputs="query states W_a U_a v_a",
    steps=STEPS,
    slips=SCORING,
    draw=lambda T, d_q, d, d_a: drawn(d_q, (T, d), (d_q, d_a), (d, d_a), d_a),
    sizes=((4, 2, 3, 5), (3, 4, 2, 3), (5, 3, 3, 4), (4, 3, 3, 3), (3, 3, 3, 3)),
)
