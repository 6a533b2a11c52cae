"""Comparing numbers, so that a wrong answer hears what is wrong with it."""

import numpy as np

from mha_core._checks.sentences import counted, sentence

LESS_THAN_HALF = 0.4  # however large a number is, the next integer is another one
MOST_DECIMALS = 9


def as_numbers(answer, expected):
    """Return an answer as an array, and why it is none: one of the two is None."""
    if callable(answer):
        return None, sentence(
            "a value is expected, not a function: call it, and hand in what it returns"
        )
    if isinstance(answer, (set, frozenset)) and len(answer) == 1:
        answer = list(answer)
    try:
        fault = _not_numbers(answer, np.asarray(expected))
        return (None, fault) if fault else (np.asarray(answer, dtype=float), None)
    except (TypeError, ValueError, OverflowError):
        return None, sentence(
            "{wanted} is expected; this cannot be read as numbers",
            wanted=_wanted(expected),
        )


def _not_numbers(answer, expected):
    kind, wanted = np.asarray(answer).dtype.kind, _wanted(expected)
    if kind in "US":
        return sentence("{wanted} is expected: without quotes", wanted=wanted)
    if kind == "c" or isinstance(answer, np.ma.MaskedArray):
        return sentence(
            "{wanted} is expected, neither masked nor complex", wanted=wanted
        )
    if kind == "b" and expected.dtype.kind != "b":
        return sentence("{wanted} is expected, neither true nor false", wanted=wanted)
    return None


def _wanted(expected):
    if np.ndim(expected) == 0:
        return sentence("a number")
    return sentence("an array of shape {shape}", shape=np.shape(expected))


def without_ones(array, ndim):
    """Return an array without leading axes of size one, down to ndim of them."""
    while array.ndim > ndim and len(array) == 1:
        array = array[0]
    return array


def close(array, expected, rtol, atol=1e-8, decimals=None):
    """Tell whether an array is the expected one, exact or rounded."""
    expected = np.asarray(expected, dtype=float)
    if array.shape != expected.shape:
        return False
    room = np.minimum(rtol * abs(expected) + atol, LESS_THAN_HALF)
    places = () if decimals is None else range(decimals, MOST_DECIMALS)
    forms = [expected, *(expected.round(n) for n in places)]
    return any(np.isclose(array, form, 0, room, equal_nan=True).all() for form in forms)


def difference(array, expected, rtol, atol=1e-8):
    """Return a sentence on how an array differs from the expected one."""
    expected = np.asarray(expected, dtype=float)
    if array.shape != expected.shape:
        return _other_shape(array, expected, rtol, atol)
    if not np.isfinite(array).all():
        return sentence("there is NaN or infinity in it")
    if close(-array, expected, rtol, atol):
        return sentence("it has the wrong sign: plus and minus are exchanged")
    if array.ndim == 0:
        return sentence("{value:.7g} is not the number", value=float(array))
    return _other_places(array, expected, rtol, atol)


def _other_places(array, expected, rtol, atol):
    far = ~np.isclose(array, expected, rtol, atol)
    at = [int(n) for n in np.argwhere(far)[0]]
    if close(np.sort(array, axis=None), np.sort(expected, axis=None), rtol, atol):
        return sentence(
            "these are the right numbers in wrong places, the first at {at}", at=at
        )
    return counted(
        "{n} of {all} numbers differs, the first at {at}",
        "{n} of {all} numbers differ, the first at {at}",
        n=int(far.sum()),
        all=far.size,
        at=at,
    )


def _other_shape(array, expected, rtol, atol):
    shapes = {"shape": array.shape, "expected": expected.shape}
    if expected.ndim == 0:
        return sentence(
            "one number is expected; the shape of this is {shape}", **shapes
        )
    if close(array.T, expected, rtol, atol):
        return sentence(
            "its shape is {shape}; expected {expected}: rows and columns are swapped",
            **shapes,
        )
    return sentence("its shape is {shape}; expected {expected}", **shapes)
