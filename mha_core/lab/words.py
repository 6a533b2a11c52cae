"""What pictures say: the checks of their input, their numbers, their sentence."""

import numpy as np

from mha_core.lab.fonts import spoken
from mha_core.lab.panels import role

ROWS_TOLD = 6


def tokens(labels, name):
    """Return labels as a tuple of strings, at least one."""
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


def strongest(row, keys):
    """Return the key with the most weight in words: ``n 0.880``."""
    row = np.round(row, 6)
    at = int(row.argmax())
    if not row.any():
        return "no key 0.000"
    if len(row) > 1 and np.ptp(row) < 5e-4:
        return f"all {len(row)} keys alike {row[at]:.3f}"
    where = f" [{at}]" if keys.count(keys[at]) > 1 else ""
    return f"{spoken(keys[at])}{where} {row[at]:.3f}"


def _rows(layout, array):
    pairs = zip(layout.queries, array, strict=True)
    return [f"{spoken(query)} <- {strongest(row, layout.keys)}" for query, row in pairs]


def _heading(layout, title):
    low, high = layout.limits
    return [
        *([title] if title else []),
        f"rows: {role(layout.query_name, 'query')} {_listed(layout.queries)}",
        f"columns: {role(layout.key_name, 'key')} {_listed(layout.keys)}",
        f"colour: {layout.value_name}, {low:g} to {high:g}",
    ]


def _listed(labels):
    return " ".join(spoken(label) for label in labels)


def map_text(layout, title, array):
    """Return a heat map as text: title, axes, limits, strongest key per row."""
    rows = [f"  {row}" for row in _rows(layout, array)]
    return "\n".join([*_heading(layout, title), "strongest key per row:", *rows])


def grid_text(layout, title, array):
    """Return a grid of heat maps as text, one line per head."""
    heads = [
        f"  {name}: {', '.join(_rows(layout, head))}"
        for name, head in zip(layout.titles, array, strict=True)
    ]
    return "\n".join([*_heading(layout, title), "strongest key per row:", *heads])


def map_sentence(layout, title, array):
    """Return a heat map in one sentence."""
    T_q, T_k = array.shape
    rows = "; ".join(_rows(layout, array)[:ROWS_TOLD])
    more = f"; and {T_q - ROWS_TOLD} more rows" if T_q > ROWS_TOLD else ""
    about = f" {title}" if title else ""
    return f"Heat map{about}, {T_q} queries by {T_k} keys: {rows}{more}."


def grid_sentence(layout, title, array, h, page):
    """Return a grid of heat maps in one sentence, with the page if there are more."""
    count, T_q, T_k = array.shape
    about = f" {title}" if title else ""
    shown = f"{layout.titles[0]} to {layout.titles[-1]}" if count > 1 else "one head"
    part = f" of {h} heads (page {page})" if count < h else ""
    means = array.max(axis=-1).mean(axis=-1)
    sharp = int(np.round(means, 6).argmax())
    return (
        f"Heat maps{about}, {shown}{part}, {T_q} queries by {T_k} keys each; the "
        f"sharpest is {layout.titles[sharp]}, with {means[sharp]:.3f} on the "
        f"strongest key of a row on average."
    )
