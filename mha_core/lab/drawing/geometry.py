"""Where the heat maps of a picture are, for a page that points at them."""

import numpy as np

from mha_core.lab.drawing.colours import INK, head_colour
from mha_core.lab.drawing.numerals import decimals
from mha_core.lab.drawing.strongest import words_of

MOST_CELLS = 4096  # of one map whose rows can be pointed at


def page_of(size, panels=(), **more):
    """Return the size of a picture in pixels of a page, and its panels."""
    width, height = (round(100 * inches) for inches in size)
    return {"width": width, "height": height, "panels": list(panels), **more}


def map_geometry(maps, cells, boxes):
    """Return where each map is, what its rows weigh, and what all have in common.

    Parameters
    ----------
    maps : Maps
    cells : Cells
    boxes : list of (left, top, width, height)
        Of the maps as they are drawn, in parts of the picture: the enlarged one first.

    Returns
    -------
    dict
        Plain numbers, texts and lists. Weights are rounded; those of hidden keys
        are None. Small maps beside an enlarged one have none: they are chosen whole.
    """
    words = words_of(maps)
    heads = [*range(len(cells.weights))]
    order = [cells.enlarged, *heads] if maps.enlarge else heads
    exact = 0 if maps.flags else max(2, decimals(maps.limits))
    pairs = zip(order, boxes, strict=True)
    panels = [_panel(maps, cells, *pair, exact) for pair in pairs]
    if maps.enlarge:
        panels[1:] = [panel | {"weights": None} for panel in panels[1:]]
    return page_of(
        maps.size,
        panels,
        queries=[words[token] for token in maps.queries],
        keys=[words[token] for token in maps.keys],
        limits=[float(limit) for limit in maps.limits],
        exact=exact,
        enlarged=maps.enlarge,
    )


def _panel(maps, cells, head, box, exact):
    scale = np.array([*maps.size, *maps.size]) * 100
    many = cells.weights[head].size > MOST_CELLS
    return {
        "box": np.round(box * scale, 1).tolist(),
        "head": cells.first + head if maps.titles else None,
        "title": maps.titles[head] if maps.titles else "",
        "colour": _colour(maps, head),
        "weights": None if many else _weights(cells, head, max(exact, 2)),
    }


def _colour(maps, head):
    """Return the colour of a head's lines, or None for that of all others."""
    title = maps.titles[head] if maps.titles else ""
    colour = head_colour(title, len(maps.titles))
    return None if colour == INK else colour


def _weights(cells, head, exact):
    rows = np.round(cells.weights[head], exact).tolist()
    if cells.hidden is None:
        return rows
    return [
        [None if hides else weight for weight, hides in zip(row, hidden, strict=True)]
        for row, hidden in zip(rows, cells.hidden[head].tolist(), strict=True)
    ]
