"""What all pictures accept, and one sentence for what they do not."""

import numpy as np

from mha_core._checks.sentences import sentence

MOST_SHOWN = 1e300


def tokens(labels, name):
    """Return labels as a tuple of strings, at least one."""
    if not np.iterable(labels):
        raise ValueError(
            sentence(
                "{name} must be tokens, not {given!r}; give one for each.",
                name=name,
                given=labels,
            )
        )
    labels = tuple(str(label) for label in labels)
    if not labels:
        raise ValueError(
            sentence("{name} is empty; a picture needs at least one token.", name=name)
        )
    return labels


def numbers(values, name):
    """Return values as a new array of finite floats."""
    if np.iscomplexobj(values):
        raise ValueError(
            sentence("{name} must be real numbers, not complex ones.", name=name)
        )
    try:
        array = np.array(values, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(
            sentence("{name} must be numbers in rows of equal length.", name=name)
        ) from None
    _check_finite(array, name)
    array.flags.writeable = False
    return array


def _check_finite(array, name):
    count = int((~np.isfinite(array)).sum())
    if count:
        raise ValueError(
            sentence(
                "{name} holds NaN or infinity in {count} of {size} places.",
                name=name,
                count=count,
                size=array.size,
            )
        )


def within(array, name, limits):
    """Return the array if it lies between the limits, rounding aside."""
    low, high = ends(limits)
    _check_ends(low, high)
    slack = 1e-6 * (high - low)
    if array.min() < low - slack or array.max() > high + slack:
        raise ValueError(
            sentence(
                "{name} run from {least:.4g} to {most:.4g}, outside the scale from "
                "{low:g} to {high:g}; give limits=(low, high) that hold them.",
                name=name,
                least=array.min(),
                most=array.max(),
                low=low,
                high=high,
            )
        )
    return array


def _check_ends(low, high):
    if not low < high:
        raise ValueError(
            sentence(
                "limits run from {low:g} to {high:g}; the first must be less.",
                low=low,
                high=high,
            )
        )
    if abs(low) > MOST_SHOWN or abs(high) > MOST_SHOWN:
        raise ValueError(
            sentence(
                "limits run from {low:g} to {high:g}; no scale is that wide.",
                low=low,
                high=high,
            )
        )


def ends(limits):
    """Return the ends of a scale as two floats."""
    try:
        low, high = map(float, limits)
    except (TypeError, ValueError):
        raise ValueError(
            sentence(
                "limits must be two numbers, (low, high), not {given!r}.", given=limits
            )
        ) from None
    return low, high
