"""Checks of what is laid over the scores: masks hide keys, a bias is added."""

import numpy as np

from mha_core._checks.arguments import check_count, check_size
from mha_core._checks.arrays import InputError, all_finite, as_array, is_traced


def as_mask(mask, shape, onto="the scores", name="mask"):
    """Return a mask as booleans that broadcast onto scores of this shape."""
    array = as_array(name, mask)
    fit_scores(name, array, shape, onto)
    return array if array.dtype == bool else _numbers_as_mask(array)


def as_bias(bias, shape, dtype):
    """Return a bias in the dtype of the scores; minus infinity hides a key."""
    array = as_array("bias", bias)
    fit_scores("bias", array, shape)
    if is_traced(array):
        return array
    if array.dtype.kind != "f":
        raise InputError(
            "bias must hold floats, which are added to the scores, but its dtype is "
            f"{array.dtype}; what hides keys is given as mask=."
        )
    cast = array.astype(dtype)
    if not (np.isfinite(cast) | (array == -np.inf)).all():
        raise InputError(
            f"bias holds NaN, infinity or a number too large for {np.dtype(dtype)}; "
            "only finite numbers and minus infinity can be added to scores."
        )
    return cast


def check_scores(scores, visible):
    """Refuse scores that overflowed at a key that is seen, and masks that do not fit.

    Minus infinity would seem to hide the key.
    """
    if visible is not None:
        visible = as_mask(visible, scores.shape, name="visible")
    if all_finite(scores):
        return
    lost = ~np.isfinite(scores)
    if np.any(lost if visible is None else lost & visible):
        raise InputError(
            f"The scores overflow {scores.dtype}: make what is multiplied or added to "
            "get them (query, key, scale, bias or the weights) smaller."
        )


def check_lengths(lengths, T_k):
    """Return lengths as a 1-D array of whole numbers from 0 to T_k, and T_k as int."""
    T_k = check_count("T_k", T_k)
    array = as_array("lengths", lengths)
    if array.ndim != 1 or array.size == 0 or array.dtype.kind not in "iu":
        raise InputError(
            "lengths must be a list of whole numbers, one for each sequence, "
            f"but its shape is {array.shape} and its dtype {array.dtype}."
        )
    if array.min() < 0 or array.max() > T_k:
        raise InputError(
            f"lengths must lie between 0 and T_k={T_k}, but they reach from "
            f"{array.min()} to {array.max()}."
        )
    check_size("lengths and T_k", len(array), T_k)
    return array, T_k


def check_inputs(inputs, mask):
    """Return a sequence, (..., T, d_in), and a mask of its steps, (..., T)."""
    inputs = as_array("inputs", inputs)
    if inputs.ndim < 2 or 0 in inputs.shape:
        raise InputError(
            "inputs must have the shape (..., T, d_in) and at least one step, "
            f"but the shape is {inputs.shape}."
        )
    if mask is None:
        return inputs, None
    mask = as_mask(mask, inputs.shape[:-1], "the steps")
    return inputs, np.broadcast_to(mask, inputs.shape[:-1])


def fit_scores(name, array, shape, onto="the scores"):
    """Refuse an array that does not broadcast onto scores of this shape."""
    if not _broadcasts(array.shape, shape):
        raise InputError(
            f"{name} has shape {array.shape}, which does not broadcast onto {onto} "
            f"of shape {shape}."
        )


def fit_heads(name, value, Q, K):
    """Return a mask or bias of multi-head attention in the axes of its scores.

    Queries Q are (h, T_q, d_k), or (B, h, T_q, d_k) with a batch axis.
    """
    if value is None:
        return None
    array = as_array(name, value)
    (h, T_q), T_k = Q.shape[-3:-1], K.shape[-2]
    batch = Q.shape[0] if Q.ndim == 4 else None
    if not _fits(array.shape, batch, h, T_q, T_k):
        per_batch = "for X without a batch axis" if batch is None else f"B={batch},"
        raise InputError(
            f"{name} has shape {array.shape}, but {per_batch} h={h}, T_q={T_q}, "
            f"T_k={T_k} it must be (T_q or 1, T_k), (B, T_q or 1, T_k) with a batch "
            "axis, or (B or 1, h or 1, T_q or 1, T_k)."
        )
    if array.ndim == 3:
        return array[:, None]  # (B, 1, T_q, T_k)
    return array[0] if array.ndim == 4 and batch is None else array


def _fits(shape, batch, h, T_q, T_k):
    if len(shape) not in (2, 3, 4) or shape[-1] != T_k or shape[-2] not in (1, T_q):
        return False
    if len(shape) == 3:
        return shape[0] == batch
    return len(shape) == 2 or (shape[0] in (1, batch) and shape[1] in (1, h))


def _numbers_as_mask(array):
    if array.dtype.kind not in "iuf" or not ((array == 0) | (array == 1)).all():
        raise InputError(
            "mask must be boolean or hold only 0 and 1 (true = may attend), but it "
            f"holds other values, of dtype {array.dtype}; numbers to add to the scores "
            "are given as bias=."
        )
    if not array.any():
        raise InputError(
            "mask holds only zeros, which would hide every key; a mask whose zeros "
            "hide nothing is added to the scores and is given as bias= in floats, and "
            "one that hides every key holds False."
        )
    return array.astype(bool)


def _broadcasts(shape, onto):
    if len(shape) > len(onto):
        return False
    ends = zip(reversed(shape), reversed(onto), strict=False)
    return all(size in (1, wanted) for size, wanted in ends)
