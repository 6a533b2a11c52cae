"""Attention of one head in steps, and all that readers do otherwise.

The steps serve arrays with a head axis as well: rows are the axis before the last.
"""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.catalogue.comparing import (
    OTHER_SCALES,
    OTHER_SCORES,
    SCALES,
    SCORES,
    turned,
    width,
)
from mha_core.lab.exercises.catalogue.hiding import HOW, WHICH
from mha_core.lab.exercises.catalogue.mixing import MIXES, OTHER_VALUES, RETURNS
from mha_core.lab.exercises.catalogue.weighing import instead_of_softmax, softmax
from mha_core.lab.exercises.stepwise import Formula, drawn, slip

ATTEND = {
    "scores": lambda a: a.query @ turned(a.key),
    "scaled": lambda a: a.scores / np.sqrt(width(a)),
    "hidden": lambda a: np.where(a.mask, a.scaled, -np.inf),
    "weights": lambda a: softmax(a.hidden),
    "kept": lambda a: a.weights,
    "output": lambda a: a.kept @ a.value,
}

NO_SOFTMAX = slip(
    sentence("softmax is missing: the scores themselves weigh the values"),
    {"weights": lambda a: a.hidden},
    {"weights": lambda a: np.where(a.hidden == -np.inf, -1e9, a.hidden)},
    {"weights": lambda a: np.where(a.hidden == -np.inf, 0, a.hidden)},
)
WEIGHTS = (NO_SOFTMAX, *instead_of_softmax("weights", "hidden"))
ATTENDING = (*SCALES, *SCORES, *WHICH, *HOW, *WEIGHTS, *MIXES)
CAUSALLY = (*SCALES, *SCORES, *HOW, *WEIGHTS, *MIXES)
UNMASKED = (*SCALES, *SCORES, *WEIGHTS, *MIXES)


def some_visible(T_q, T_k):
    """Return a mask with something to see and something hidden in each row."""
    mask = (np.arange(T_k) + 2 * np.arange(T_q)[:, None]) % 3 != 1
    mask[:, 0] |= ~mask.any(axis=-1)
    return mask


def with_mask(T_q, T_k, d_k, d_v):
    """Return query, key, value and mask."""
    return *drawn((T_q, d_k), (T_k, d_k), (T_k, d_v)), some_visible(T_q, T_k)


ATTENTION = Formula(
    inputs="query key value mask",
    steps=ATTEND,
    slips=(*OTHER_SCORES, *OTHER_VALUES, *OTHER_SCALES, *ATTENDING, *RETURNS),
    draw=with_mask,
    sizes=((3, 4, 5, 2), (2, 5, 3, 4), (4, 4, 5, 5), (5, 3, 4, 4), (3, 3, 3, 3)),
)
