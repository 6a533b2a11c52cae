"""Layer norm in steps, and what readers do otherwise."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.stepwise import Formula, drawn, slip

EPSILON = 1e-5


def mean(x, axis=-1):
    """Return means that stay beside what they are means of."""
    return np.mean(x, axis=axis, keepdims=True)


NORM = {
    "centre": lambda a: mean(a.x),
    "variance": lambda a: mean((a.x - mean(a.x)) ** 2),
    "spread": lambda a: np.sqrt(a.variance + EPSILON),
    "normal": lambda a: (a.x - a.centre) / a.spread,
    "result": lambda a: a.normal * a.gain + a.shift,
}


def _over(axis):
    return {
        "centre": lambda a: mean(a.x, axis),
        "variance": lambda a: mean((a.x - mean(a.x, axis)) ** 2, axis),
    }


NORMALISING = (
    slip(
        sentence(
            "the norm runs over the positions; each position is normalised by itself: "
            "axis -1"
        ),
        _over(-2),
    ),
    slip(
        sentence("one mean serves all positions; each has its own: axis -1"),
        _over(None),
    ),
    slip(
        sentence("mean and variance run over different axes; both over the width: -1"),
        {"centre": lambda a: mean(a.x, -2)},
        {"centre": lambda a: mean(a.x, None)},
        {"variance": lambda a: mean((a.x - mean(a.x, -2)) ** 2, -2)},
        {"variance": lambda a: mean((a.x - mean(a.x, None)) ** 2, None)},
    ),
    slip(
        sentence("these means stand beside the wrong numbers: add keepdims=True"),
        {
            "centre": lambda a: a.x.mean(axis=-1),
            "variance": lambda a: a.x.var(axis=-1),
        },
        {"centre": lambda a: a.x.mean(axis=-1)},
        {"variance": lambda a: a.x.var(axis=-1)},
    ),
    slip(
        sentence(
            "epsilon is missing or too small: add 1e-5 to the variance, under the root"
        ),
        {"spread": lambda a: np.sqrt(a.variance)},
        *(
            {"spread": lambda a, n=n: np.sqrt(a.variance + n)}
            for n in (1e-8, 1e-12, 1e-9, 1e-7)
        ),
    ),
    slip(
        sentence("epsilon belongs under the root: it is added to the variance"),
        {"spread": lambda a: np.sqrt(a.variance) + EPSILON},
        {"spread": lambda a: np.maximum(np.sqrt(a.variance), EPSILON)},
        {"spread": lambda a: np.sqrt(a.variance) + EPSILON**0.5},
    ),
    slip(
        sentence("epsilon is 1e-5 here, not another number"),
        *(
            {"spread": lambda a, n=n: np.sqrt(a.variance + n)}
            for n in (1e-6, 1e-3, 1e-4)
        ),
        *(
            {"spread": lambda a, n=n: np.sqrt(a.variance) + n}
            for n in (1e-6, 1e-8, 1e-3)
        ),
    ),
    slip(
        sentence("the mean is not taken away; that comes first"),
        {"centre": lambda a: 0, "variance": lambda a: mean(a.x**2)},
        {"centre": lambda a: 0},
    ),
    slip(
        sentence("the variance is about the mean: take the mean away, then square"),
        variance=lambda a: mean(a.x**2),
    ),
    slip(
        sentence("the variance divides by the width, not by one less: ddof is 0"),
        variance=lambda a: a.x.var(axis=-1, ddof=1, keepdims=True),
    ),
    slip(
        sentence("the squares are added up; the variance is their mean"),
        variance=lambda a: ((a.x - mean(a.x)) ** 2).sum(axis=-1, keepdims=True),
    ),
    slip(
        sentence("divide by the root of the variance, not by the variance"),
        spread=lambda a: a.variance + EPSILON,
    ),
    slip(
        sentence("the mean distance is no deviation: mean of squares, then the root"),
        spread=lambda a: mean(np.abs(a.x - mean(a.x))),
    ),
    slip(
        sentence("multiply nothing by the spread: divide by it"),
        normal=lambda a: (a.x - a.centre) * a.spread,
    ),
    slip(
        sentence("only the mean is taken away; divide by the spread as well"),
        normal=lambda a: a.x - a.centre,
    ),
    slip(
        sentence("the mean is taken away only above the spread: mind the brackets"),
        normal=lambda a: a.x - a.centre / a.spread,
    ),
    slip(
        sentence("that squeezes the numbers between the smallest and the largest"),
        {"normal": lambda a: _squeezed(a, a.x.min(axis=-1, keepdims=True))},
        {"normal": lambda a: _squeezed(a, a.centre)},
    ),
    slip(
        sentence("divide by the spread, not by the length of the vector"),
        {"normal": lambda a: a.x / np.linalg.norm(a.x, axis=-1, keepdims=True)},
    ),
    slip(
        sentence("gain and shift are forgotten"),
        result=lambda a: a.normal,
    ),
    slip(
        sentence("the gain is forgotten: multiply by it"),
        result=lambda a: a.normal + a.shift,
    ),
    slip(
        sentence("the shift is forgotten: add it at the end"),
        result=lambda a: a.normal * a.gain,
    ),
    slip(
        sentence("gain and shift are exchanged: the gain multiplies"),
        result=lambda a: a.normal * a.shift + a.gain,
    ),
    slip(
        sentence("the shift is added after the gain has multiplied, not before"),
        result=lambda a: (a.normal + a.shift) * a.gain,
    ),
    slip(
        sentence("the gain multiplies, the shift is added: neither plus 1 nor minus"),
        {"result": lambda a: a.normal * (1 + a.gain) + a.shift},
        {"result": lambda a: a.normal * a.gain - a.shift},
        {"result": lambda a: a.normal / a.gain + a.shift},
        {"result": lambda a: a.normal + a.gain + a.shift},
    ),
    slip(
        sentence("the input is added to the result; that belongs to the block"),
        result=lambda a: a.x + a.normal * a.gain + a.shift,
    ),
)


def _squeezed(a, low):
    wide = a.x.max(axis=-1, keepdims=True) - a.x.min(axis=-1, keepdims=True)
    return (a.x - low) / wide


def with_gains(T, d_model):
    """Return positions, the last one of small numbers, gain and shift."""
    x, gain, shift = drawn((T, d_model), d_model, d_model)
    x[-1] *= 0.003
    return x, gain, shift


LAYER_NORM = Formula(
    inputs="x gain shift",
    steps=NORM,
    slips=NORMALISING,
    draw=with_gains,
    sizes=((3, 4), (2, 5), (4, 3), (4, 4)),
)
