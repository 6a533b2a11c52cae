"""Where heat maps stand on the canvas, in whole pixels from its lower left."""

import math
from typing import NamedTuple

from mha_core.lab.drawing.canvas import DPI, fitted, points, text_size
from mha_core.lab.drawing.fonts import caption, label

LARGEST_CELL = 84
LINE = 1.2  # height of a line, in sizes of its text
LABEL = 6  # width of the widest label, in lines

HEAD = 16  # characters of the title of a head


class Place(NamedTuple):
    """One heat map: its corner, its cells, the sides that carry labels."""

    left: int
    bottom: int
    cell: tuple
    row_labels: bool
    column_labels: bool


class Frame(NamedTuple):
    """The heat maps of one picture and what surrounds them."""

    places: list
    rows: list  # labels of the rows
    columns: list  # labels of the columns
    turned: bool  # column labels stand upright
    line: float  # height of a line of labels
    block: tuple  # left, bottom, width, height of the labelled maps
    bar: tuple  # the same of the bar of colours
    beside: float  # width of the row labels
    below: float  # height of the column labels


class Room(NamedTuple):
    """A part of the canvas to fill with maps, and what each map needs around it."""

    left: float
    bottom: float
    width: float
    height: float
    beside: float  # gap between maps
    above: float  # height of a map's title
    step: float  # least distance of two maps, so that their titles stay apart


def line_height(projector):
    """Return the height of a line of labels in pixels."""
    return points(projector)[0] * DPI / 72 * LINE


def every(cell, line):
    """Return n such that each n-th label has room on cells of `cell` pixels."""
    return max(1, math.ceil(line / LINE / cell))


def frame(maps, figure):
    """Place the heat maps of a picture, with level column labels where they fit."""
    level = _frame(maps, figure, turned=False)
    widest = _widest(level.columns, maps, figure)
    room = min(place.cell[0] for place in level.places if place.column_labels)
    return level if widest + 6 <= room else _frame(maps, figure, turned=True)


def _frame(maps, figure, turned):
    line = line_height(maps.projector)
    rows, columns = (
        _labels(maps.queries, maps, figure),
        _labels(maps.keys, maps, figure),
    )
    beside = _widest(rows, maps, figure)
    below = _widest(columns, maps, figure) if turned else line
    left, bottom = 2.2 * line + beside, 2.4 * line + below
    width = figure.bbox.width - left - 5.6 * line
    height = figure.bbox.height - bottom - 2.4 * line
    places = _places((left, bottom, width, height), maps, figure)
    block = _block(places[: maps.labelled], maps)
    bar = _bar(_block(places, maps), line)
    return Frame(places, rows, columns, turned, line, block, bar, beside, below)


def _labels(tokens, maps, figure):
    size, line = points(maps.projector)[0], line_height(maps.projector)
    room = line * (LABEL if maps.labelled == 1 else LABEL - 2)
    return [fitted(figure, label(token), size, room) for token in tokens]


def _widest(labels, maps, figure):
    return text_size(figure, labels, points(maps.projector)[0])[0]


def _places(room, maps, figure):
    left, bottom, width, height = room
    line, count = line_height(maps.large_titles), len(maps.titles)
    if not count:
        return _fill(Room(*room, 0, 0, 0), 1, maps, True)
    names = text_size(figure, _titles(maps), points(maps.large_titles)[0])[0]
    gap = 0.9 * line, 1.5 * line, names + 0.5 * line
    if not maps.enlarge:
        return _fill(Room(*room, *gap), count, maps, True)
    high = line_height(maps.projector)
    big = Room(left, bottom, 0.52 * width, height, 0, 1.5 * high, 0)
    tall = bottom + height - high
    small = Room(left + 0.56 * width, high, 0.44 * width, tall, *gap)
    return _fill(big, 1, maps, True) + _fill(small, count, maps, False)


def _titles(maps):
    return [caption(title, HEAD) for title in maps.titles]


def _fill(room, count, maps, labels):
    columns = max(range(1, count + 1), key=lambda n: _area(room, count, n, maps))
    rows = math.ceil(count / columns)
    cell = _cell(*_panel(room, columns, rows), maps)
    step_x = int(max(cell[0] * len(maps.keys) + room.beside, room.step))
    step_y = int(cell[1] * len(maps.queries) + room.above)
    wide = (columns - 1) * step_x + cell[0] * len(maps.keys)
    start = int(room.left + (room.width - wide) / 2)
    high = int(room.bottom + (room.height + rows * step_y) / 2)
    return [
        Place(
            start + n % columns * step_x,
            high - (n // columns + 1) * step_y,
            cell,
            labels and n % columns == 0,
            labels and n + columns >= count,
        )
        for n in range(count)
    ]


def _panel(room, columns, rows):
    width = (room.width + room.beside) / columns - room.beside
    return width, room.height / rows - room.above


def _area(room, count, columns, maps):
    if columns > 1 and room.width / columns < room.step:
        return 0
    width, height = _panel(room, columns, math.ceil(count / columns))
    across, up = width / len(maps.keys), height / len(maps.queries)
    across = min(across, 2 * up, LARGEST_CELL)
    return across * min(up, 2 * across, LARGEST_CELL)


def _cell(width, height, maps):
    across, up = int(width // len(maps.keys)), int(height // len(maps.queries))
    across = min(across, 2 * up, LARGEST_CELL)
    up = min(up, 2 * across, LARGEST_CELL)
    if up < 1:
        raise ValueError(
            f"{len(maps.queries)} queries by {len(maps.keys)} keys in "
            f"{len(maps.titles) or 1} maps do not fit on the picture; show fewer"
        )
    return across, up


def _block(places, maps):
    left = min(place.left for place in places)
    bottom = min(place.bottom for place in places)
    right = max(p.left + p.cell[0] * len(maps.keys) for p in places)
    top = max(p.bottom + p.cell[1] * len(maps.queries) for p in places)
    return left, bottom, right - left, top - bottom


def _bar(block, line):
    left, bottom, width, height = block
    tall = max(height, 10 * line)
    return left + width + line, bottom + (height - tall) / 2, 0.9 * line, tall
