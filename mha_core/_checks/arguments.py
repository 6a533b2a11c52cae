"""Checks of the arguments that are not arrays: counts, flags and choices."""

import math
import operator
import reprlib
import sys

import numpy as np

from mha_core._checks.arrays import InputError, as_array

MOST_ENTRIES = 2**31
LARGEST_WHOLE = 10**100


def check_count(name, value, least=1):
    """Return a whole number of at least ``least`` as an int."""
    number = whole(value)
    if number is None or (least is not None and number < least):
        wanted = "an integer" if least is None else f"an integer of at least {least}"
        raise InputError(f"{name} must be {wanted}, not {told(value)}.")
    return number


def check_size(names, *sizes):
    """Refuse sizes whose array would not fit in memory."""
    if math.prod(sizes) > MOST_ENTRIES:
        received = " x ".join(map(str, sizes))
        raise InputError(
            f"An array of {received} entries, as asked for by {names}, does not fit in "
            f"memory; {MOST_ENTRIES} entries are the most."
        )


def check_axis(name, array, axis):
    """Return the axis as an int if the array has it."""
    number = whole(axis)
    if number is None or not -array.ndim <= number < array.ndim:
        raise InputError(
            f"axis must be one integer that counts an axis of {name} of shape "
            f"{array.shape}, not {told(axis)}."
        )
    return number


def check_flag(name, value):
    """Return True or False, whichever the value is."""
    if whole(value) not in (0, 1) and not isinstance(value, (bool, np.bool_)):
        raise InputError(f"{name} must be True or False, not {told(value)}.")
    return bool(value)


def check_number(name, value, most=sys.float_info.max):
    """Return one finite number as a Python float, which promotes no dtype."""
    number = _as_number(value)
    if not abs(number) <= most:
        limit = "" if most == sys.float_info.max else f" of at most {most:g}"
        raise InputError(f"{name} must be one finite number{limit}, not {told(value)}.")
    return number


def check_positive(name, value):
    """Return one positive number as a Python float."""
    number = check_number(name, value)
    if number <= 0:
        raise InputError(f"{name} must be one positive number, not {told(value)}.")
    return number


def random_state(seed):
    """Return the generator of random numbers that a seed stands for."""
    try:
        return np.random.RandomState(seed)
    except Exception:  # whatever an object of another's class raises
        raise InputError(
            f"seed must be an integer from 0 to 2**32 - 1, not {told(seed)}."
        ) from None


def check_projected(key, U_a, v_a):
    """Refuse keys that are not as wide as projected ones, where U_a is None."""
    if U_a is None and key.shape[-1] != v_a.shape[0]:
        raise InputError(
            f"U_a is None, so the keys must be projected already to d_a={v_a.shape[0]} "
            f"features, but their shape is {key.shape}; give U_a of shape (d_key, d_a)."
        )


def check_luong(score, query, key, W_a, v_a):
    """Refuse weights that do not belong to this one of Luong's scores."""
    d_q, d_key = query.shape[-1], key.shape[-1]
    d_a = "d_a" if v_a is None else v_a.shape[0]
    needed = {
        "dot": (None, None),
        "general": ((d_q, d_key), None),
        "concat": ((d_q + d_key, d_a), (d_a,)),
    }
    if not isinstance(score, str) or score not in needed:
        raise InputError(f"score must be dot, general or concat, not {told(score)}.")
    received = tuple(None if w is None else w.shape for w in (W_a, v_a))
    if received != needed[score] or (score == "dot" and d_q != d_key):
        raise InputError(
            f"score={score!r} for queries of width {d_q} and keys of width {d_key} "
            f"needs W_a and v_a of shapes {needed[score]}, but received {received}; "
            "dot takes neither, and needs equal widths."
        )


def whole(value):
    """Return the value as an int if it is a whole number and no bool, else None."""
    if isinstance(value, (bool, np.bool_)):
        return None
    try:
        number = operator.index(value)
    except TypeError:
        return None
    return number if abs(number) < LARGEST_WHOLE else None


def told(value):
    """Return a value as it stands in a sentence: short, in one line."""
    try:
        return " ".join(reprlib.repr(value).split())
    except ValueError:  # Python does not print integers of thousands of digits
        return "a number of thousands of digits"


def _as_number(value):
    """Return a real number as a Python float, NaN for anything else."""
    if isinstance(value, (bool, str, bytes)):
        return math.nan
    try:
        array = as_array("number", value)
        real = array.ndim == 0 and array.dtype.kind in "iufO"
        return float(value) if real else math.nan
    except (TypeError, ValueError, OverflowError):
        return math.nan
