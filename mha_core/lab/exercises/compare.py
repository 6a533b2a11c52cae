"""Comparing answers, so that a wrong one hears what is wrong with it."""

import numpy as np


def differs(answer, expected, mistakes=(), rtol=1e-6, atol=1e-8):
    """Return None if an answer is the expected number or array, else a sentence.

    Parameters
    ----------
    answer : object
    expected : array_like
    mistakes : sequence of (array_like, str)
        Answers known to be wrong, each with what to say about it.
    rtol, atol : float
        As for `numpy.isclose`.
    """
    expected = np.asarray(expected, dtype=float)
    array, fault = _as_numbers(answer, expected)
    if fault is None and _close(array, expected, rtol, atol):
        return None
    for wrong, sentence in mistakes:
        if fault is None and _close(array, wrong, rtol, atol):
            return sentence
    return fault or _difference(array, expected, rtol, atol)


def not_chosen(answer, right, others):
    """Return None if a text is the right choice, else what speaks against it.

    Parameters
    ----------
    answer : object
    right : str
    others : dict
        Each wrong choice to a sentence about it.
    """
    if not isinstance(answer, str):
        return f"choose one of the texts {_listed(right, others)}"
    choice = answer.strip().lower()
    if choice == right.lower():
        return None
    known = {wrong.lower(): sentence for wrong, sentence in others.items()}
    return known.get(choice, f"choose one of {_listed(right, others)}")


def _listed(right, others):
    return ", ".join(repr(choice) for choice in sorted([right, *others]))


def _as_numbers(answer, expected):
    kind = "a number" if expected.ndim == 0 else f"an array of shape {expected.shape}"
    if isinstance(answer, (str, bytes)) or callable(answer):
        return None, f"{kind} is expected; this is of type {type(answer).__name__}"
    try:
        if isinstance(answer, np.ma.MaskedArray) or np.iscomplexobj(answer):
            return None, f"{kind} is expected, neither masked nor complex"
        return np.asarray(answer, dtype=float), None
    except (TypeError, ValueError):
        return None, f"{kind} is expected; this cannot be read as numbers"


def _close(array, expected, rtol, atol):
    expected = np.asarray(expected, dtype=float)
    same = array.shape == expected.shape
    return same and bool(np.isclose(array, expected, rtol, atol).all())


def _difference(array, expected, rtol, atol):
    if array.shape != expected.shape:
        return _shape_fault(array, expected, rtol, atol)
    if not np.isfinite(array).all():
        return "there is NaN or infinity in it"
    if array.ndim == 0:
        return f"{array:.4g} is not the number"
    far = ~np.isclose(array, expected, rtol, atol)
    at = [int(n) for n in np.argwhere(far)[0]]
    return f"{int(far.sum())} of {far.size} numbers differ, the first at {at}"


def _shape_fault(array, expected, rtol, atol):
    fault = f"its shape is {array.shape}; expected {expected.shape}"
    turned = _close(array.T, expected, rtol, atol)
    return f"{fault}: rows and columns are swapped" if turned else fault
