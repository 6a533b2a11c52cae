"""Read arguments as arrays of floats, or say in one sentence why they are none."""

import math

import numpy as np


class InputError(ValueError):
    """An argument that cannot give a right answer, said in one sentence."""


def as_array(name, value):
    """Return a value as an array; one that records its own gradient as it is."""
    if type(value) is np.ndarray or is_traced(value):
        return value
    if value is None:
        raise InputError(f"{name} must be an array, not None.")
    if isinstance(value, np.ma.MaskedArray):
        raise InputError(
            f"{name} is a masked array; pass a plain array, and what it hides by mask=."
        )
    try:
        return np.asarray(value)
    except ValueError:
        raise InputError(
            f"{name} is not an array: its rows differ in length or are not numbers."
        ) from None
    except Exception as error:
        raise InputError(
            f"{name} of type {type(value).__name__} is not an array: {error!r}."
        ) from error


def as_floats(name, value):
    """Return an array of floats: integers as float64, float16 as float32."""
    array = as_array(name, value)
    if is_traced(array):
        return array
    dtype = array.dtype
    if dtype.kind not in "biuf":
        raise InputError(
            f"{name} must hold real numbers, integers or floats, "
            f"but its dtype is {dtype}."
        )
    if array.size == 0:
        raise InputError(
            f"{name} is empty, of shape {array.shape}; it needs at least one entry "
            "along each axis."
        )
    if dtype.kind != "f":
        return array.astype(np.float64)
    if dtype.itemsize == 2:
        return array.astype(np.float32)
    return array if dtype.isnative else array.astype(dtype.newbyteorder("="))


def check_finite(name, array):
    """Refuse an array that holds NaN or infinity."""
    array = getattr(array, "value", array)  # of one that records its gradient
    if not all_finite(array):
        index = tuple(map(int, np.argwhere(~np.isfinite(array))[0]))
        raise InputError(
            f"{name} holds {array[index]!s} at index {index}; "
            "every number must be finite."
        )


def all_finite(array):
    """Tell whether all numbers are finite; the sum of their squares mostly knows."""
    if is_traced(array):
        return True
    return math.isfinite(np.vdot(array, array)) or bool(np.isfinite(array).all())


def is_float16(value):
    """Tell whether a value is an array of float16."""
    dtype = getattr(value, "dtype", None)
    return isinstance(dtype, np.dtype) and dtype.kind == "f" and dtype.itemsize == 2


def is_traced(value):
    """Tell whether a value is an array that records its own gradient."""
    return not isinstance(value, np.ndarray) and hasattr(value, "__array_function__")
