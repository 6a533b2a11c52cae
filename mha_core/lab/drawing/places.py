"""Where heat maps stand on the canvas, in whole pixels from its lower left."""

import math
from typing import NamedTuple

LARGEST_CELL, LARGEST_PROJECTED = 120, 200
LONG_CELL = 12  # cells smaller than half of this may be longer than two to one


class Place(NamedTuple):
    """One heat map: its corner, its cells, the sides that carry labels."""

    left: int
    bottom: int
    cell: tuple
    row_labels: bool
    column_labels: bool


class Room(NamedTuple):
    """A part of the canvas to fill with maps, and what each map needs around it."""

    left: float
    bottom: float
    width: float
    height: float
    beside: float = 0  # gap between maps
    above: float = 0  # height of a map's title
    step: float = 0  # least distance of two maps, so that their titles stay apart


def fill(room, count, maps, labels):
    """Return the places of some maps in a room, in rows from the top."""
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
    across, up = _shaped(width / len(maps.keys), height / len(maps.queries), maps)
    return across * up


def _cell(width, height, maps):
    T_q, T_k = len(maps.queries), len(maps.keys)
    across, up = _shaped(_whole(width / T_k, T_k), _whole(height / T_q, T_q), maps)
    return _whole(across, T_k), _whole(up, T_q)


def _shaped(across, up, maps):
    """Return the size of a cell, made smaller where it is long or large."""
    most = LARGEST_PROJECTED if maps.projector else LARGEST_CELL
    across = min(across, max(2 * up, LONG_CELL), most)
    return across, min(up, max(2 * across, LONG_CELL), most)


def _whole(cell, count):
    """Return the size of a cell such that all of them fill whole pixels."""
    return int(cell) if cell >= 1 else max(1, int(cell * count)) / count


def block_of(places, maps):
    """Return left, bottom, width and height of some maps together."""
    left = min(place.left for place in places)
    bottom = min(place.bottom for place in places)
    right = max(p.left + p.cell[0] * len(maps.keys) for p in places)
    top = max(p.bottom + p.cell[1] * len(maps.queries) for p in places)
    return left, bottom, right - left, top - bottom
