"""Trying a reader's function on arguments, and comparing what comes of it."""

import inspect
from copy import deepcopy

import numpy as np

from mha_core.lab.exercises.compare import as_numbers, close, difference, without_ones
from mha_core.lab.exercises.naming import ROOM
from mha_core.lab.exercises.running import run


def named(exercise, probe):
    """Return arguments by the names that the right function gives them."""
    names = inspect.signature(exercise.right).parameters
    return dict(zip(names, probe, strict=True))


def right_result(exercise, probe):
    """Return what is right for some arguments, which stay as they are."""
    return exercise.right(*deepcopy([*probe]))


def attempt(function, arguments, right):
    """Return the numbers that a function makes of named arguments, and what failed."""
    result, fault = run(function, arguments)
    if fault is None:
        result, fault = as_numbers(_first_part(result, np.ndim(right)), right)
    if fault is None:
        result = without_ones(result, np.ndim(right))
    return result, fault


def _first_part(result, ndim):
    """Return the first of several results, as of an output with its weights."""
    if not isinstance(result, (tuple, list)) or len(result) < 2 or not ndim:
        return result
    arrays = all(isinstance(part, np.ndarray) for part in result)
    if arrays and all(part.ndim >= ndim for part in result):
        return result[0]
    return result


def fault_in(array, fault, right):
    """Return what is wrong with a result, or None."""
    if fault or close(array, right, ROOM, ROOM):
        return fault
    return difference(array, right, ROOM, ROOM)
