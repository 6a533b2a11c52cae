"""Judging a function by what it does on probes of several sizes."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.naming import alike, slips_of
from mha_core.lab.exercises.seeing import with_sight
from mha_core.lab.exercises.smallest import example
from mha_core.lab.exercises.trying import attempt, fault_in, named, right_result


def fault_of_function(exercise, function):
    """Return None if a function does what the right one does, else a sentence."""
    if not callable(function):
        return sentence(
            "hand in the function itself, without calling it; this is of type {type}",
            type=type(function).__name__,
        )
    probes = [named(exercise, probe) for probe in exercise.probes]
    rights = [right_result(exercise, probe) for probe in exercise.probes]
    tried = [attempt(function, *pair) for pair in zip(probes, rights, strict=True)]
    faults = [fault_in(*each, right) for each, right in zip(tried, rights, strict=True)]
    if not any(faults):
        return None
    results = [array for array, _ in tried]
    said = _to_turn(faults) or _known(exercise, results, faults)
    if not said:
        shown = _example(exercise, function, results, rights, faults)
        said = _unknown(probes, faults, shown)
    return with_sight(exercise, function, said)


def _to_turn(faults):
    """Return the first fault that names an argument which needs .T, or None."""
    return next(
        (f for f in faults if f and {"one", "two", "left"} <= {*f.fields}), None
    )


def _known(exercise, results, faults):
    """Return the sentence of the mistake that gives the same numbers, or None."""
    if exercise.formula and all(array is None for array in results):
        return _crash(exercise, faults)
    if exercise.formula:
        slips = slips_of(exercise.formula, exercise.probes, results, faults)
        return _both(*(slip.said for slip in slips)) if slips else None
    for wrong, said in exercise.mistakes:
        theirs = [_of_mistake(exercise, wrong, probe) for probe in exercise.probes]
        if _same(results, theirs, faults):
            return said
    return None


def _crash(exercise, faults):
    """Return the sentence of the mistake that raises the same errors, or None."""
    for slip in exercise.formula.crashes:
        for way in slip.ways:
            wrong = exercise.formula.with_steps(way)
            tried = (_fault_of(exercise, wrong, probe) for probe in exercise.probes)
            if all(mine == other for mine, other in zip(faults, tried, strict=True)):
                return slip.said
    return None


def _fault_of(exercise, wrong, probe):
    return attempt(wrong, named(exercise, probe), right_result(exercise, probe))[1]


def _both(one, two=None):
    if two is None:
        return one
    return sentence("two things. First: {one}. And: {two}", one=one, two=two)


def _of_mistake(exercise, wrong, probe):
    return attempt(wrong, named(exercise, probe), right_result(exercise, probe))[0]


def _same(results, theirs, faults):
    """Tell whether a function errs as another does, wherever it returns numbers."""
    shown = [n for n, mine in enumerate(results) if mine is not None]
    wrong = any(faults[n] for n in shown)
    return wrong and all(alike(results[n], theirs[n]) for n in shown)


def _example(exercise, function, results, rights, faults):
    """Return the smallest input that shows the first fault, if it is one of numbers."""
    at = next(n for n, fault in enumerate(faults) if fault)
    if results[at] is None or results[at].shape != np.shape(rights[at]):
        return None
    return example(exercise, function)


def _unknown(probes, faults, shown):
    """Return where a function that makes no known mistake goes wrong."""
    said = [_in_words(probe) for probe in probes]
    at = next(n for n, fault in enumerate(faults) if fault)
    good = [n for n, fault in enumerate(faults) if not fault]
    shown = shown or faults[at]
    if good:
        return sentence(
            "right for {before}, but not for {probe}: {fault}",
            before=", ".join(said[good[0]]),
            probe=", ".join(said[at]),
            fault=shown,
        )
    if shown is not faults[at] or all(part in shown for part in said[0]):
        return shown
    return sentence("for {probe}: {fault}", probe=", ".join(said[at]), fault=shown)


def _in_words(probe):
    """Return arguments as their names with shapes, or with values of numbers."""
    return [
        f"{name} {value.shape}" if np.ndim(value) else f"{name} = {value}"
        for name, value in probe.items()
        if not isinstance(value, dict)
    ]
