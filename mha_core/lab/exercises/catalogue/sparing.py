"""Attention that spares: a sliding window, shared heads; what readers do otherwise."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.catalogue.comparing import turned, width
from mha_core.lab.exercises.catalogue.weighing import instead_of_softmax, softmax
from mha_core.lab.exercises.stepwise import Formula, drawn, slip


def behind(a):
    """Return how far each key lies behind each query, (T, T)."""
    T = len(a.key)
    return np.arange(T)[:, None] - np.arange(T)


NO_SCALE = slip(
    sentence("the scale is missing: divide the scores by the root of d_k"),
    scores=lambda a: a.query @ turned(a.key),
)
WINDOW = Formula(
    inputs="query key value w",
    steps={
        "scores": lambda a: a.query @ turned(a.key) / np.sqrt(width(a)),
        "seen": lambda a: (behind(a) >= 0) & (behind(a) < a.w),
        "hidden": lambda a: np.where(a.seen, a.scores, -np.inf),
        "weights": lambda a: softmax(a.hidden),
        "output": lambda a: a.weights @ a.value,
    },
    slips=(
        slip(
            sentence("that window is one token too long: itself and w - 1 before it"),
            seen=lambda a: (behind(a) >= 0) & (behind(a) <= a.w),
        ),
        slip(
            sentence("that window reaches ahead as well; nothing after it is seen"),
            {"seen": lambda a: np.abs(behind(a)) < a.w},
            {"seen": lambda a: np.abs(behind(a)) <= a.w},
        ),
        slip(
            sentence("that window is turned round: it looks ahead, not back"),
            seen=lambda a: (behind(a) <= 0) & (behind(a) > -a.w),
        ),
        slip(
            sentence("all of the past is seen: what lies w or more behind is not"),
            seen=lambda a: behind(a) >= 0,
        ),
        slip(
            sentence("nothing is hidden: only a window of w tokens is seen"),
            seen=lambda a: behind(a) < len(a.key),
        ),
        NO_SCALE,
        slip(
            sentence("hidden scores are 0, and exp(0) is 1: minus infinity is needed"),
            hidden=lambda a: np.where(a.seen, a.scores, 0),
        ),
        slip(
            sentence("hide before the softmax: these rows do not sum to 1"),
            weights=lambda a: softmax(a.scores) * a.seen,
        ),
        *instead_of_softmax("weights", "hidden"),
        slip(
            sentence("those are the weights; the output is weights @ value"),
            output=lambda a: a.weights,
        ),
    ),
    draw=lambda T, d_k, w: (*drawn((T, d_k), (T, d_k), (T, d_k)), w),
    sizes=((5, 3, 2), (6, 4, 3), (4, 4, 2)),
)


def each_of(a, array):
    """Return the heads of keys or values, each as often as it is shared."""
    return np.repeat(array, len(a.Q) // len(array), axis=0)


def in_turn(a, array):
    """Return the heads one after the other, and again: not in groups."""
    return np.tile(array, (len(a.Q) // len(array), 1, 1))


def first_of(a, array):
    """Return the first head for all."""
    return np.repeat(array[:1], len(a.Q), axis=0)


def mean_of(a, array):
    """Return the mean head for all."""
    return np.repeat(array.mean(axis=0, keepdims=True), len(a.Q), axis=0)


SHARED = Formula(
    inputs="Q K V",
    steps={
        "key": lambda a: each_of(a, a.K),
        "value": lambda a: each_of(a, a.V),
        "scores": lambda a: a.Q @ turned(a.key) / np.sqrt(width(a)),
        "weights": lambda a: softmax(a.scores),
        "output": lambda a: a.weights @ a.value,
    },
    slips=(
        slip(
            sentence(
                "the heads are dealt out in turn; heads beside each other share: "
                "np.repeat, not np.tile"
            ),
            key=lambda a: in_turn(a, a.K),
            value=lambda a: in_turn(a, a.V),
        ),
        slip(
            sentence("keys and values are shared differently: repeat both alike"),
            {"key": lambda a: in_turn(a, a.K)},
            {"value": lambda a: in_turn(a, a.V)},
        ),
        slip(
            sentence("all heads share the first; each group has its own"),
            key=lambda a: first_of(a, a.K),
            value=lambda a: first_of(a, a.V),
        ),
        slip(
            sentence("all heads share the mean; each group has its own"),
            key=lambda a: mean_of(a, a.K),
            value=lambda a: mean_of(a, a.V),
        ),
        slip(
            sentence("the scale is missing: divide the scores by the root of d_k"),
            scores=lambda a: a.Q @ turned(a.key),
        ),
        slip(
            sentence("the scale is the root of h times d_k; each head is d_k wide"),
            scores=lambda a: a.Q @ turned(a.key) / np.sqrt(width(a) * len(a.Q)),
        ),
        *instead_of_softmax("weights", "scores"),
        slip(
            sentence("those are the weights; the output is weights @ V"),
            output=lambda a: a.weights,
        ),
    ),
    draw=lambda g, each, T, d_k: drawn((g * each, T, d_k), (g, T, d_k), (g, T, d_k)),
    sizes=((2, 2, 3, 4), (2, 3, 4, 3), (3, 2, 5, 2)),
)
