"""Masks, and what readers do with them."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.catalogue.comparing import turned
from mha_core.lab.exercises.catalogue.weighing import shares, softmax
from mha_core.lab.exercises.stepwise import slip


def _upside_down(a):
    return softmax(np.where(a.mask, -np.inf, a.scaled))


WHICH = (
    slip(
        sentence("the mask is ignored: hidden keys still get weight"),
        hidden=lambda a: a.scaled,
    ),
    slip(
        sentence("the mask is upside down: true means may attend"),
        {"hidden": lambda a: np.where(a.mask, -np.inf, a.scaled)},
        {"hidden": lambda a: np.where(a.mask, -1e9, a.scaled)},
        {"weights": lambda a: np.nan_to_num(_upside_down(a))},
    ),
    slip(
        sentence("the mask is turned: its rows are queries, its columns keys"),
        hidden=lambda a: np.where(turned(a.mask), a.scaled, -np.inf),
    ),
    slip(
        sentence("one row of the mask serves all queries; each has a row of its own"),
        {"hidden": lambda a: np.where(a.mask[:1], a.scaled, -np.inf)},
        {"hidden": lambda a: np.where(a.mask[-1:], a.scaled, -np.inf)},
        {"hidden": lambda a: np.where(a.mask[:, :1], a.scaled, -np.inf)},
    ),
)
HOW = (
    slip(
        sentence("hidden scores are 0, and exp(0) is 1: make them minus infinity"),
        {"hidden": lambda a: np.where(a.mask, a.scaled, 0)},
        {"weights": lambda a: softmax(a.scores * a.mask)},
    ),
    slip(
        sentence(
            "the mask is added to the scores as 0 and 1; hide with minus infinity"
        ),
        {"hidden": lambda a: a.scaled + a.mask},
        {"hidden": lambda a: a.scaled - ~(a.mask.astype(bool))},
    ),
    slip(
        sentence("hidden scores are not low enough: minus infinity, or -1e9"),
        *(
            {"hidden": lambda a, n=n: np.where(a.mask, a.scaled, n)}
            for n in (-1, -10, -5, -2)
        ),
        {"hidden": lambda a: np.where(a.mask, a.scaled, a.scaled - 10)},
    ),
    slip(
        sentence("hidden scores are high, not low: mind the sign of infinity"),
        {"hidden": lambda a: np.where(a.mask, a.scaled, 1e9)},
    ),
    slip(
        sentence(
            "this gives NaN, as 0 times infinity does: np.where(mask, scores, -np.inf)"
        ),
        {"hidden": lambda a: a.scaled - np.inf * (1 - a.mask.astype(float))},
        {"hidden": lambda a: np.where(a.mask, a.scaled, np.inf)},
    ),
    slip(
        sentence("the mask comes after the softmax: the rows no longer sum to 1"),
        hidden=lambda a: a.scaled,
        kept=lambda a: a.weights * a.mask,
    ),
    slip(
        sentence(
            "after the mask the weights are shared out over the queries; over keys"
        ),
        hidden=lambda a: a.scaled,
        kept=lambda a: shares(a.weights * a.mask, -2),
    ),
)
