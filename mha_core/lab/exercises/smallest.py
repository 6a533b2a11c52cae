"""The smallest input on which a function errs, with what came and what is right."""

from itertools import product

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.compare import close
from mha_core.lab.exercises.trying import attempt, named, right_result
from mha_core.lab.exercises.written import compared, in_full

MOST_TRIES = 300
LARGEST = 3
VISIBLE = 0.01  # a smaller difference is not seen in three digits


def example(exercise, function):
    """Return a sentence with the smallest input found on which a function errs.

    None if the exercise cannot draw smaller inputs, or if no small one shows it.
    """
    if exercise.formula is None:
        return None
    found = next(_differing(exercise, function), None)
    if found is None:
        return None
    probe = _shrunk(exercise, function, found)
    array, right = _results(exercise, function, probe)
    told = ", ".join(in_full(named(exercise, probe)))
    return sentence("with {what}: {fault}", what=told, fault=compared(array, right))


def _differing(exercise, function):
    """Yield small arguments on which a function gives other numbers."""
    count = len(exercise.formula.sizes[0])
    sizes = sorted(product(range(1, LARGEST + 1), repeat=count), key=sum)
    for size in sizes[:MOST_TRIES]:
        try:
            probe = exercise.formula.draw(*size)
        except ValueError:
            continue  # sizes that do not go together
        for digits in (0, 1):
            simple = tuple(_rounded(part, digits) for part in probe)
            if _errs(exercise, function, simple):
                yield simple


def _without(part, name):
    """Return weights by name, one of them all zeros."""
    return part | {name: 0 * part[name]} if isinstance(part, dict) else part


def _rounded(part, digits):
    if isinstance(part, dict):
        return {name: _rounded(value, digits) for name, value in part.items()}
    real = np.ndim(part) and part.dtype.kind == "f"
    return np.round(part, digits) + 0.0 if real else part


def _results(exercise, function, probe):
    right = np.asarray(right_result(exercise, probe), dtype=float)
    return attempt(function, named(exercise, probe), right)[0], right


def _errs(exercise, function, probe):
    """Tell whether a function gives numbers that are plainly other than the right."""
    with np.errstate(all="ignore"):
        array, right = _results(exercise, function, probe)
    if array is None or array.shape != right.shape or not np.isfinite(right).all():
        return False
    return not close(array, right, VISIBLE, VISIBLE)


def _shrunk(exercise, function, probe):
    """Return arguments with as many zeros as still show the difference."""
    for name in [k for part in probe if isinstance(part, dict) for k in part]:
        simpler = tuple(_without(part, name) for part in probe)
        probe = simpler if _errs(exercise, function, simpler) else probe
    places = [
        (n, at)
        for n, part in enumerate(probe)
        if np.ndim(part) and part.dtype.kind == "f"
        for at in np.ndindex(part.shape)
    ]
    for n, at in places[:MOST_TRIES]:
        part = probe[n].copy()
        part[at] = 0
        simpler = (*probe[:n], part, *probe[n + 1 :])
        if _errs(exercise, function, simpler):
            probe = simpler
    return probe
