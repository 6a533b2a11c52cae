"""What a picture says: its numbers as text, and itself in one sentence."""

import numpy as np

from mha_core.lab._drawing.fonts import spoken
from mha_core.lab._drawing.panels import role

ROWS_TOLD = 6
VALUES_TOLD = 64


def strongest(row, keys):
    """Return the key with the most weight in words: ``n 0.880``.

    Where others weigh the same: ``n and 2 more 0.333``.
    """
    row = np.round(row, 6)
    at = int(row.argmax())
    if not row.any():
        return "no key 0.000"
    if len(row) > 1 and np.ptp(row) < 5e-4:
        return f"all {len(row)} keys alike {row[at]:.3f}"
    where = f" [{at}]" if keys.count(keys[at]) > 1 else ""
    ties = int(np.sum(row == row[at])) - 1
    more = f" and {ties} more" if ties else ""
    return f"{spoken(keys[at])}{where}{more} {row[at]:.3f}"


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


def grid_text(layout, title, array, enlarged=None):
    """Return a grid of heat maps as text, one line per head."""
    sizes = [" (enlarged)" if n == enlarged else "" for n in range(len(array))]
    heads = [
        f"  {name}{size}: {', '.join(_rows(layout, head))}"
        for name, size, head in zip(layout.titles, sizes, array, strict=True)
    ]
    return "\n".join([*_heading(layout, title), "strongest key per row:", *heads])


def map_sentence(layout, title, array):
    """Return a heat map in one sentence."""
    T_q, T_k = array.shape
    rows = "; ".join(_rows(layout, array)[:ROWS_TOLD])
    left = T_q - ROWS_TOLD
    more = f"; and {left} more {'row' if left == 1 else 'rows'}" if left > 0 else ""
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


def told(value):
    """Return a number as the text under a picture gives it."""
    text = f"{value:.0f}" if abs(value) >= 1000 else f"{value:.3f}"
    small = 0 < abs(value) < 0.001
    return f"{value:.1e}" if small else text if float(text) else text.lstrip("-")


def _all(values, tell=told):
    return ", ".join(tell(value) for value in values[:: -(-len(values) // VALUES_TOLD)])


def _place(value):
    return value if isinstance(value, str) else f"{value:g}"


def chart_text(layout, data):
    """Return curves or bars as text: title, axes, limits, each series' values."""
    scale = ", log scale" if layout.log else ""
    low, high = layout.limits
    names = enumerate(layout.names)
    return "\n".join(
        [
            *([data.title] if data.title else []),
            f"x: {layout.x_name or 'names'}: {_all(layout.x, _place)}",
            *([_counts(layout)] if layout.counts else []),
            f"y: {layout.y_name}, {low:g} to {high:g}{scale}",
            *(line for n, name in names for line in _series(layout, data, n, name)),
        ]
    )


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
    ends = [
        f"{name} {told(values[0])} at {_place(layout.x[0])}"
        + (f", {told(values[-1])} at {_place(layout.x[-1])}" if len(values) > 1 else "")
        for name, values in zip(layout.names, data.values, strict=True)
    ]
    return f"{kind}{about}, {layout.y_name}{over}: {'; '.join(ends)}."
