"""What a reader expected, and by how much and in which direction it was off."""

from decimal import Decimal

import numpy as np

from mha_core._checks.arguments import told
from mha_core._checks.sentences import counted, sentence

CLOSE = 0.05  # a share of the true number
TWICE = 2
MANY = 10_000  # from here on, digits behind the point are left out


def kept(name, expected):
    """Return the sentence that a prediction is kept."""
    what = {"name": name, "expected": _plain(expected)}
    return sentence("{name}: you expect {expected}. Now run the next cell.", **what)


def came_true(expected, true):
    """Tell whether a prediction came true, to the digits in which it was given."""
    mine, right = _array(expected), _array(true)
    if mine is None or right is None:
        return isinstance(expected, str) and _folded(expected) == _folded(true)
    if mine.shape != right.shape or (mine.dtype.kind == "b") != (
        right.dtype.kind == "b"
    ):
        return False
    pairs = zip(mine.ravel().tolist(), right.ravel().tolist(), strict=True)
    return all(_hit(*pair) for pair in pairs)


def _hit(mine, right):
    if not np.isfinite([mine, right]).all():
        return mine == right
    digits = -Decimal(f"{mine:.10g}").as_tuple().exponent
    near = abs(mine - right) <= CLOSE * abs(right)
    return mine == right or (near and round(right, digits) == round(mine, digits))


def comparison(name, expected, true):
    """Return a sentence on what was expected, and on what came."""
    what = {"name": name, "expected": _plain(expected), "true": _plain(true)}
    if came_true(expected, true):
        return sentence("{name}: you expected {expected}; it is {true}: right.", **what)
    how = _how_far(_array(expected), _array(true))
    if how is None:
        return sentence("{name}: you expected {expected}; it is {true}.", **what)
    return sentence(
        "{name}: you expected {expected}; it is {true}: {how}.", **what, how=how
    )


def _how_far(mine, right):
    """Return by how much and in which direction a number or a shape is off."""
    if mine is None or right is None or "b" in (mine.dtype.kind, right.dtype.kind):
        return None
    if not (np.isfinite(mine).all() and np.isfinite(right).all()):
        return None
    if mine.shape == right.shape == ():
        return _off(float(mine), float(right))
    if mine.ndim != 1 or right.ndim != 1:
        return None
    return _of_shape(mine, right)


def _off(mine, right):
    off = _real(abs(mine - right))
    high, close = mine > right, abs(mine - right) <= CLOSE * abs(right)
    if close:
        near = sentence("close, {off} too high", off=off)
        return near if high else sentence("close, {off} too low", off=off)
    low, large = sorted([mine, right])
    if low <= 0 or large / low < TWICE:
        far = sentence("{off} too high", off=off)
        return far if high else sentence("{off} too low", off=off)
    what = {"off": off, "times": f"{large / low:.3g}"}
    if high:
        return sentence("{off} too high, {times} times as much", **what)
    return sentence("{off} too low, by a factor of {times}", **what)


def _of_shape(mine, right):
    more = len(right) - len(mine)
    if more > 0:
        return counted("{n} number is missing", "{n} numbers are missing", n=more)
    if more < 0:
        return counted("{n} number too many", "{n} numbers too many", n=-more)
    if sorted(mine) == sorted(right):
        return sentence("the right numbers in another order")
    at = int(np.argwhere(mine != right)[0][0])
    off = _off(float(mine[at]), float(right[at]))
    return sentence("number {at}, counted from 0, is {off}", at=at, off=off)


def _array(value):
    """Return numbers as an array, None if it is something else."""
    try:
        array = np.asarray(value)
    except ValueError:
        return None
    return array if array.dtype.kind in "biuf" else None


def _plain(value):
    """Return a value as it stands in a sentence."""
    array = _array(value)
    if array is None:
        return value if isinstance(value, str) else told(value)
    if array.ndim:
        return str(tuple(array.round(4).tolist()))
    number = array.item()
    return _real(number) if isinstance(number, float) else _counted(number)


def _real(number):
    return f"{number:,.0f}" if abs(number) >= MANY else f"{number:.4g}"


def _counted(number):
    return str(number) if isinstance(number, bool) else f"{number:,}"


def _folded(text):
    return str(text).strip().casefold()
