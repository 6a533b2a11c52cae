"""What curves and bars accept, and one sentence for what they do not."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.drawing.checks import ends, numbers, within
from mha_core.lab.drawing.curves import MOST


def positions(x):
    """Return what stands along the x axis as a tuple: all numbers or all strings."""
    x = tuple(x if np.iterable(x) else [x])
    if not x:
        raise ValueError(sentence("x is empty; a picture needs at least one place."))
    if all(isinstance(value, str) for value in x):
        return x
    x = tuple(numbers(x, "x").tolist())
    found, times = np.unique(x, return_counts=True)
    if times.max() > 1:
        twice = found[times.argmax()]
        raise ValueError(
            sentence(
                "x holds {number:g} more than once; give each number once.",
                number=twice,
            )
        )
    return x


def series(values, n):
    """Return a dict of name to n numbers as one array, shape (series, n)."""
    if not hasattr(values, "items"):
        raise ValueError(
            sentence(
                "series must be a dict of name to values, not {given!r}.", given=values
            )
        )
    if not 1 <= len(values) <= MOST:
        raise ValueError(
            sentence(
                "{count} series; a picture shows 1 to {most}.",
                count=len(values),
                most=MOST,
            )
        )
    return np.array([_of_length(y, str(name), n) for name, y in values.items()])


def spreads(values, names, n):
    """Return low and high of each series as arrays, or None and None."""
    if values is None:
        return None, None
    if set(values) != set(names):
        raise ValueError(
            sentence(
                "spread is given for {given}; expected for {names}.",
                given=", ".join(map(str, values)) or sentence("nothing"),
                names=", ".join(map(str, names)),
            )
        )
    low = [_of_length(values[name][0], f"low of {name}", n) for name in names]
    high = [_of_length(values[name][1], f"high of {name}", n) for name in names]
    if np.greater(low, high).any():
        raise ValueError(
            sentence("spread has a low above its high; give (low, high) for each.")
        )
    return np.array(low), np.array(high)


def _of_length(values, name, n):
    array = numbers(values, name)
    if array.shape != (n,):
        raise ValueError(
            sentence(
                "{name} has shape {shape}; expected ({count},), one per x.",
                name=name,
                shape=array.shape,
                count=n,
            )
        )
    return array


def counts(values, n):
    """Return whole numbers for the row below the ticks, or ()."""
    if values is None:
        return ()
    array = _of_length(values, "counts", n)
    if (array % 1).any():
        part = array[array % 1 > 0][0]
        raise ValueError(
            sentence(
                "counts must be whole numbers, but {number:g} is among them.",
                number=part,
            )
        )
    return tuple(int(count) for count in array)


def chart_limits(arrays, limits, log, rounded, name="values"):
    """Return the ends of the y axis: those given, or round ones around the arrays."""
    together = np.concatenate([array.ravel() for array in arrays])
    limits = None if limits is None else ends(limits)
    low, high = limits or (together.min(), together.max())
    least = min(low, together.min())
    if log and least <= 0:
        raise ValueError(
            sentence(
                "a log axis needs numbers above 0; the least is {least:.4g}.",
                least=least,
            )
        )
    low, high = limits or rounded(low, high, log)
    within(together, name, (low, high))
    return float(low), float(high)
