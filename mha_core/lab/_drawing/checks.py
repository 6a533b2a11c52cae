"""What a picture accepts, and one sentence for what it does not."""

import numpy as np

from mha_core.lab._drawing.curves import MOST

MOST_SHOWN = 1e300


def tokens(labels, name):
    """Return labels as a tuple of strings, at least one."""
    if not np.iterable(labels):
        raise ValueError(f"{name} must be tokens, not {labels!r}; give one for each")
    labels = tuple(str(label) for label in labels)
    if not labels:
        raise ValueError(f"{name} is empty; a picture needs at least one token")
    return labels


def table(values, name, shape, limits):
    """Return values as floats of the given shape, finite and within the limits.

    A string in `shape` stands for any length from 1.
    """
    array = numbers(values, name)
    wanted = f"({', '.join(str(length) for length in shape)})"
    fits = len(array.shape) == len(shape) and all(
        got == length or (isinstance(length, str) and got)
        for got, length in zip(array.shape, shape, strict=True)
    )
    if not fits:
        raise ValueError(
            f"{name} has shape {array.shape}; expected {wanted}, "
            f"for {shape[-2]} queries (rows) by {shape[-1]} keys (columns)"
        )
    return within(array, name, limits)


def numbers(values, name):
    """Return values as a new array of finite floats."""
    if np.iscomplexobj(values):
        raise ValueError(f"{name} must be real numbers, not complex ones")
    try:
        array = np.array(values, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be numbers in rows of equal length") from None
    if not np.isfinite(array).all():
        count = int((~np.isfinite(array)).sum())
        raise ValueError(f"{name} holds NaN or infinity in {count} of {array.size}")
    array.flags.writeable = False
    return array


def within(array, name, limits):
    """Return the array if it lies between the limits, rounding aside."""
    low, high = limits
    if not low < high:
        raise ValueError(f"limits run from {low:g} to {high:g}; the first must be less")
    if abs(low) > MOST_SHOWN or abs(high) > MOST_SHOWN:
        raise ValueError(f"limits run from {low:g} to {high:g}; no scale is that wide")
    slack = 1e-6 * (high - low)
    if array.min() < low - slack or array.max() > high + slack:
        raise ValueError(
            f"{name} run from {array.min():.4g} to {array.max():.4g}, outside the "
            f"scale from {low:g} to {high:g}; give limits=(low, high) that hold them"
        )
    return array


def flags(values, name, shape):
    """Return values as booleans of a shape."""
    array = np.array(values, dtype=bool)
    if array.shape != shape:
        raise ValueError(f"{name} has shape {array.shape}; expected {shape}")
    return array


def head_titles(titles, h):
    """Return a title for each of h heads."""
    titles = [f"head {n}" for n in range(h)] if titles is None else titles
    if len(titles) != h:
        raise ValueError(f"{len(titles)} titles for {h} heads; expected {h}")
    return tuple(str(title) for title in titles)


def page_of(h, page, most, enlarge):
    """Return the slice of heads on a page."""
    pages = -(-h // most)
    if page not in range(pages):
        raise ValueError(f"page {page} does not exist; {h} heads fill 0 to {pages - 1}")
    heads = slice(page * most, min(h, page * most + most))
    if enlarge is not None and enlarge not in range(heads.start, heads.stop):
        raise ValueError(
            f"head {enlarge} is not on page {page}: {heads.start} to {heads.stop - 1}"
        )
    return heads


def positions(x):
    """Return what stands along the x axis as a tuple: all numbers or all strings."""
    x = tuple(x)
    if not x:
        raise ValueError("x is empty; a picture needs at least one place")
    if all(isinstance(value, str) for value in x):
        return x
    return tuple(numbers(x, "x").tolist())


def series(values, n):
    """Return a dict of name to n numbers as one array, shape (series, n)."""
    if not 1 <= len(values) <= MOST:
        raise ValueError(f"{len(values)} series; a picture shows 1 to {MOST}")
    return np.array([_of_length(y, str(name), n) for name, y in values.items()])


def spreads(values, names, n):
    """Return low and high of each series as arrays, or None and None."""
    if values is None:
        return None, None
    if set(values) != set(names):
        raise ValueError(
            f"spread is given for {', '.join(values) or 'nothing'}; "
            f"expected for {', '.join(names)}"
        )
    low = [_of_length(values[name][0], f"low of {name}", n) for name in names]
    high = [_of_length(values[name][1], f"high of {name}", n) for name in names]
    return np.array(low), np.array(high)


def _of_length(values, name, n):
    array = numbers(values, name)
    if array.shape != (n,):
        raise ValueError(f"{name} has shape {array.shape}; expected ({n},), one per x")
    return array


def counts(values, n):
    """Return whole numbers for the row below the ticks, or ()."""
    if values is None:
        return ()
    return tuple(int(count) for count in _of_length(values, "counts", n))


def chart_limits(arrays, limits, log, rounded):
    """Return the ends of the y axis: those given, or round ones around the arrays."""
    together = np.concatenate([array.ravel() for array in arrays])
    low, high = limits or (together.min(), together.max())
    if log and min(low, together.min()) <= 0:
        raise ValueError(f"a log axis needs numbers above 0; the least is {low:.4g}")
    low, high = limits or rounded(low, high, log)
    within(together, "values", (low, high))
    return float(low), float(high)
