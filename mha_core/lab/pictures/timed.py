"""Recurrence against self-attention: what a batch changes, and what is counted."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.measure.clock import multiply_adds
from mha_core.lab.pictures import lines
from mha_core.lab.pictures.costs import crossings, load_timings

MILLION = 1e6


def batch_curves():
    """Return the time of both layers for each sequence, read alone and in a batch.

    Returns
    -------
    Picture
        The shipped times. Alone, most of a recurrent step is not its products.
    """
    found = load_timings()
    many = found["batch"]
    what = {"n": many["batch"], "d": many["d"]}
    return lines(
        [str(length) for length in many["T"]],
        _for_each(found["layers"], many),
        title=sentence(
            "Time for each sequence, alone and of {n} at once, d = {d}", **what
        ),
        x_name="length T",
        y_name="milliseconds",
        log=True,
        sentence=_cross(found),
    )


def operation_curves():
    """Return the millions of multiply-adds of one layer by length.

    Returns
    -------
    Picture
        A GRU, a simple recurrent layer, self-attention, and of it the projections
        ``W_Q``, ``W_K``, ``W_V`` and ``W_O``.
    """
    layers = load_timings()["layers"]
    T, d = np.array(layers["T"]), layers["d"]
    counts = {name: many / MILLION for name, many in multiply_adds(T, d).items()}
    return lines(
        [str(length) for length in T],
        {
            "GRU": counts["recurrent"],
            sentence("simple recurrent"): 2 * T * d**2 / MILLION,
            sentence("self-attention"): counts["attention"],
            sentence("its projections"): 4 * T * d**2 / MILLION,
        },
        title=sentence("Multiply-adds of one layer, d = {d}", d=d),
        x_name="length T",
        y_name="million multiply-adds",
        log=True,
        sentence=_counted(d),
    )


def _for_each(alone, many):
    """Return the times of one sequence by itself, and of one of a batch."""
    n, lengths = many["batch"], len(many["T"])
    return {
        sentence("recurrent, alone"): alone["recurrent"][:lengths],
        sentence("recurrent, of {n}", n=n): np.divide(many["recurrent"], n),
        sentence("attention, alone"): alone["attention"][:lengths],
        sentence("attention, of {n}", n=n): np.divide(many["attention"], n),
    }


def _cross(found):
    alone, many = found["layers"], found["batch"]
    step = found["one step"]
    return sentence(
        "One sequence at a time, self-attention takes longer from a length of about "
        "{alone:g}; {n} at once, from about {many:g}. Of the {step:.1f} "
        "microseconds of a recurrent step alone, its products take {products:.1f}.",
        alone=float(f"{crossings(alone)['measured']:.2g}"),
        many=float(f"{crossings(many)['measured']:.2g}"),
        n=many["batch"],
        **step,
    )


def _counted(d):
    return sentence(
        "Of self-attention 4 T d^2 are projections and 2 T^2 d scores and context: "
        "more than the 6 T d^2 of a GRU from T = d = {d}, and more than the 2 T d^2 of "
        "a simple recurrent layer at every length.",
        d=d,
    )
