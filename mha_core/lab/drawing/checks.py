"""What a picture accepts, and one sentence for what it does not."""

import numpy as np

from mha_core.lab.drawing.curves import MOST

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
    low, high = ends(limits)
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


def ends(limits):
    """Return the ends of a scale as two floats."""
    try:
        low, high = map(float, limits)
    except (TypeError, ValueError):
        raise ValueError(
            f"limits must be two numbers, (low, high), not {limits!r}."
        ) from None
    return low, high


def flags(values, name, shape=None):
    """Return values as booleans, of a shape where one is given."""
    array = numbers(values, name).astype(bool)
    if shape not in (None, array.shape):
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
    if not _is_among(page, range(pages)):
        raise ValueError(f"page {page} does not exist; {h} heads fill 0 to {pages - 1}")
    heads = slice(page * most, min(h, page * most + most))
    if enlarge is not None and not _is_among(enlarge, range(heads.start, heads.stop)):
        raise ValueError(
            f"head {enlarge} is not on page {page}: {heads.start} to {heads.stop - 1}"
        )
    return heads


def _is_among(number, offered):
    return hasattr(number, "__index__") and number in offered


def positions(x):
    """Return what stands along the x axis as a tuple: all numbers or all strings."""
    x = tuple(x if np.iterable(x) else [x])
    if not x:
        raise ValueError("x is empty; a picture needs at least one place")
    if all(isinstance(value, str) for value in x):
        return x
    x = tuple(numbers(x, "x").tolist())
    found, times = np.unique(x, return_counts=True)
    if times.max() > 1:
        twice = found[times.argmax()]
        raise ValueError(f"x holds {twice:g} more than once; give each number once.")
    return x


def series(values, n):
    """Return a dict of name to n numbers as one array, shape (series, n)."""
    if not hasattr(values, "items"):
        raise ValueError(f"series must be a dict of name to values, not {values!r}.")
    if not 1 <= len(values) <= MOST:
        raise ValueError(f"{len(values)} series; a picture shows 1 to {MOST}")
    return np.array([_of_length(y, str(name), n) for name, y in values.items()])


def spreads(values, names, n):
    """Return low and high of each series as arrays, or None and None."""
    if values is None:
        return None, None
    if set(values) != set(names):
        raise ValueError(
            f"spread is given for {', '.join(map(str, values)) or 'nothing'}; "
            f"expected for {', '.join(map(str, names))}"
        )
    low = [_of_length(values[name][0], f"low of {name}", n) for name in names]
    high = [_of_length(values[name][1], f"high of {name}", n) for name in names]
    if np.greater(low, high).any():
        raise ValueError("spread has a low above its high; give (low, high) for each.")
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
    array = _of_length(values, "counts", n)
    if (array % 1).any():
        part = array[array % 1 > 0][0]
        raise ValueError(f"counts must be whole numbers, but {part:g} is among them.")
    return tuple(int(count) for count in array)


def chart_limits(arrays, limits, log, rounded, name="values"):
    """Return the ends of the y axis: those given, or round ones around the arrays."""
    together = np.concatenate([array.ravel() for array in arrays])
    limits = None if limits is None else ends(limits)
    low, high = limits or (together.min(), together.max())
    least = min(low, together.min())
    if log and least <= 0:
        raise ValueError(f"a log axis needs numbers above 0; the least is {least:.4g}")
    low, high = limits or rounded(low, high, log)
    within(together, name, (low, high))
    return float(low), float(high)
