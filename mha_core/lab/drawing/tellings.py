"""What a picture says: its numbers as text, and itself in one sentence."""

import numpy as np

from mha_core.lab.drawing.fonts import spoken
from mha_core.lab.drawing.panels import decimals, figures, role, rounded

ROWS_TOLD = 6
VALUES_TOLD = 64


def strongest(row, keys, limits):
    """Return the key with the most weight in words: ``n 0.880``.

    Where others weigh the same: ``n and 2 more 0.333``. What is the same, and how
    many decimals there are, depends on the limits of the scale.
    """
    span = limits[1] - limits[0]
    row = np.round(row / span, 6)
    at = int(row.argmax())
    most = _weight(row[at] * span, limits)
    if limits[0] == 0 and not row.any():
        return f"no key {most}"
    if len(row) > 1 and np.ptp(row) < 5e-4:
        return f"all {len(row)} keys alike {most}"
    where = f" [{at}]" if keys.count(keys[at]) > 1 else ""
    ties = int(np.sum(row == row[at])) - 1
    more = f" and {ties} more" if ties else ""
    return f"{spoken(keys[at])}{where}{more} {most}"


def _weight(value, limits):
    return rounded(value, max(3, 1 + decimals(limits)))


def _rows(layout, array):
    pairs = zip(layout.queries, array, strict=True)
    return [
        f"{spoken(query)} <- {strongest(row, layout.keys, layout.limits)}"
        for query, row in pairs
    ]


def _heading(layout, title):
    return [
        *([title] if title else []),
        f"rows: {role(layout.query_name, 'query')} {_listed(layout.queries)}",
        f"columns: {role(layout.key_name, 'key')} {_listed(layout.keys)}",
        f"colour: {layout.value_name}, {_ends(layout)}",
    ]


def _ends(layout):
    return " to ".join(figures(layout.limits))


def _listed(labels):
    return " ".join(spoken(label) for label in labels)


def map_lines(layout, title, array):
    """Return a heat map in lines: title, axes, limits, strongest key per row."""
    rows = [f"  {row}" for row in _rows(layout, array)]
    return [*_heading(layout, title), "strongest key per row:", *rows]


def grid_lines(layout, title, array, enlarged=None):
    """Return a grid of heat maps in lines, one per head."""
    sizes = [" (enlarged)" if n == enlarged else "" for n in range(len(array))]
    heads = [
        f"  {name}{size}: {', '.join(_rows(layout, head))}"
        for name, size, head in zip(layout.titles, sizes, array, strict=True)
    ]
    return [*_heading(layout, title), "strongest key per row:", *heads]


def map_sentence(layout, title, array):
    """Return a heat map in one sentence."""
    T_q, T_k = array.shape
    rows = "; ".join(_rows(layout, array)[:ROWS_TOLD])
    left = T_q - ROWS_TOLD
    more = f"; and {left} more {'row' if left == 1 else 'rows'}" if left > 0 else ""
    about = f" {title}" if title else ""
    return f"Heat map{about}, {_size(T_q, T_k)}: {rows}{more}."


def _size(T_q, T_k):
    rows = "1 query" if T_q == 1 else f"{T_q} queries"
    return f"{rows} by {T_k} {'key' if T_k == 1 else 'keys'}"


def grid_sentence(layout, title, array, h, page):
    """Return a grid of heat maps in one sentence, with the page if there are more."""
    count, T_q, T_k = array.shape
    about = f" {title}" if title else ""
    shown = f"{layout.titles[0]} to {layout.titles[-1]}" if count > 1 else "one head"
    part = f" of {h} heads (page {page})" if count < h else ""
    means = array.max(axis=-1).mean(axis=-1)
    span = layout.limits[1] - layout.limits[0]
    sharp = int(np.round(means / span, 6).argmax())
    weight = _weight(means[sharp], layout.limits)
    return (
        f"Heat maps{about}, {shown}{part}, {_size(T_q, T_k)} each; the "
        f"sharpest is {layout.titles[sharp]}, with {weight} on the "
        f"strongest key of a row on average."
    )


def told(value):
    """Return a number as the text under a picture gives it."""
    small = 0 < abs(value) < 0.001
    return f"{value:.1e}" if small else rounded(value, 0 if abs(value) >= 1000 else 3)


def _all(values, tell=told):
    return ", ".join(tell(value) for value in values[:: -(-len(values) // VALUES_TOLD)])


def _named(name):
    return name if name.strip() else spoken(name)


def _places(x):
    return [_named(name) for name in x] if isinstance(x[0], str) else figures(x)


def chart_lines(layout, data):
    """Return curves or bars in lines: title, axes, limits, each series' values."""
    scale = ", log scale" if layout.log else ""
    names = enumerate(layout.names)
    return [
        *([data.title] if data.title else []),
        f"x: {layout.x_name or 'names'}: {_all(_places(layout.x), str)}",
        *([_counts(layout)] if layout.counts else []),
        f"y: {layout.y_name}, {_ends(layout)}{scale}",
        *(line for n, name in names for line in _series(layout, data, n, _named(name))),
    ]


def _counts(layout):
    return f"{layout.counts_name}: {_all(layout.counts, str)}"


def _series(layout, data, n, name):
    if not layout.tell:
        return [f"  {name}: differs from machine to machine"]
    lines = [f"  {name}: {_all(data.values[n])}"]
    if data.low is not None:
        lines.append(f"    lowest: {_all(data.low[n])}")
        lines.append(f"    highest: {_all(data.high[n])}")
    return lines


def chart_sentence(layout, data):
    """Return curves or bars in one sentence."""
    kind = "Bars" if layout.bars else "Curves"
    about = f" {data.title}" if data.title else ""
    over = f" over {layout.x_name}" if layout.x_name else ""
    if not layout.tell:
        return f"{kind}{about}, {layout.y_name}{over}: {', '.join(layout.names)}."
    places = _places(layout.x)
    ends = [
        f"{_named(name)} {told(values[0])} at {places[0]}"
        + (f", {told(values[-1])} at {places[-1]}" if len(values) > 1 else "")
        for name, values in zip(layout.names, data.values, strict=True)
    ]
    return f"{kind}{about}, {layout.y_name}{over}: {'; '.join(ends)}."
