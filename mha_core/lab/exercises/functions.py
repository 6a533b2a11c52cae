"""Judging a function by what it does on probes of several sizes."""

import inspect
from copy import deepcopy

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.compare import as_numbers, close, difference, without_ones
from mha_core.lab.exercises.running import run

ROOM = 1e-5  # what results may differ by, so that float32 is as good as float64


def fault_of_function(exercise, function):
    """Return None if a function does what the right one does, else a sentence."""
    if not callable(function):
        return sentence(
            "hand in the function itself, without calling it; this is of type {type}",
            type=type(function).__name__,
        )
    names = inspect.signature(exercise.right).parameters
    probes = [dict(zip(names, probe, strict=True)) for probe in exercise.probes]
    rights = [exercise.right(*deepcopy(probe)) for probe in exercise.probes]
    tried = [_tried(function, *pair) for pair in zip(probes, rights, strict=True)]
    faults = [_fault(*each, right) for each, right in zip(tried, rights, strict=True)]
    if not any(faults):
        return None
    for wrong, said in exercise.mistakes:
        theirs = [_tried(wrong, *pair) for pair in zip(probes, rights, strict=True)]
        if _alike(tried, theirs, faults):
            return said
    return _first(faults, [_in_words(probe) for probe in probes])


def _tried(function, probe, right):
    """Return the numbers that a function makes of a probe, and what failed."""
    result, fault = run(function, probe)
    if fault is None:
        result, fault = as_numbers(result, right)
    if fault is None and np.ndim(right) == 0:
        result = without_ones(result, 0)
    return result, fault


def _fault(array, fault, right):
    if fault or close(array, right, ROOM, ROOM):
        return fault
    return difference(array, right, ROOM, ROOM)


def _alike(tried, theirs, faults):
    """Tell whether a function errs as another does, wherever it returns numbers."""
    pairs = [
        (mine, other, fault)
        for (mine, _), (other, _), fault in zip(tried, theirs, faults, strict=True)
        if mine is not None
    ]
    same = all(o is not None and close(mine, o, ROOM, ROOM) for mine, o, _ in pairs)
    return same and any(fault for _, _, fault in pairs)


def _first(faults, probes):
    """Return the first fault, and for which arguments it shows and does not."""
    at = next(n for n, fault in enumerate(faults) if fault)
    said, fault = ", ".join(probes[at]), faults[at]
    if at > 0:
        return sentence(
            "right for {before}, but not for {probe}: {fault}",
            before=", ".join(probes[0]),
            probe=said,
            fault=fault,
        )
    if all(part in fault for part in probes[0]):
        return fault
    return sentence("for {probe}: {fault}", probe=said, fault=fault)


def _in_words(probe):
    """Return arguments as their names with shapes, or with values of numbers."""
    return [
        f"{name} {value.shape}" if np.ndim(value) else f"{name} = {value}"
        for name, value in probe.items()
    ]
