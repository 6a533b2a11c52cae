"""Checks of ids: whole numbers that stand for letters, phonemes, words or tags."""

import numpy as np

from mha_core._checks.arrays import InputError


def check_numbers(name, ids, count, T=None):
    """Refuse what is not a table of whole numbers below ``count``, T in a row.

    Any T from 1 on is right where none is given.
    """
    ok = isinstance(ids, np.ndarray) and ids.ndim == 2 and ids.dtype.kind in "iu"
    if not ok or ids.size == 0 or T not in (None, ids.shape[1]):
        array = isinstance(ids, np.ndarray)
        told = f"{ids.dtype} of shape {ids.shape}" if array else type(ids).__name__
    elif ids.min() < 0 or ids.max() >= count:
        told = f"from {ids.min()} to {ids.max()}"
    else:
        return
    columns = "" if T is None else f" and {T} columns, one for each position"
    raise InputError(
        f"{name} must be a 2-D array of integers from 0 to {count - 1}, one row for "
        f"each word or sentence{columns}, but it is {told}."
    )


def check_rows(source, target_in, name="target_in", thing="word"):
    """Refuse a second table of ids that has not as many rows as the first."""
    if len(source) != len(target_in):
        raise InputError(
            f"{name} must have one row for each {thing}, but it has {len(target_in)} "
            f"rows for {len(source)} {thing}s."
        )


def check_letter_mask(mask, source):
    """Refuse a mask that does not tell of each letter whether it is one."""
    shape, dtype = np.shape(mask), np.asarray(mask).dtype
    if shape != source.shape or dtype.kind != "b":
        raise InputError(
            f"mask must hold True or False for each letter, in the shape "
            f"{source.shape} of source, but it is {dtype} of shape {shape}; "
            "source > 0 is the mask of what is no padding."
        )
