"""What surrounds heat maps: labels, titles, notes, and how much room they take."""

import math
from typing import NamedTuple

from mha_core.lab.drawing.canvas import DPI, points
from mha_core.lab.drawing.fitting import name_labels, text_size, token_labels
from mha_core.lab.drawing.maxima import most_cells
from mha_core.lab.drawing.places import Room, block_of, fill

LINE = 1.2  # height of a line, in sizes of its text
LABEL = 6  # width of the widest label, in lines
HEAD, NARROW = 6, 4.5  # width of the title of a head, in lines
MANY = 9  # thumbnails: more of them get more room


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
    steps: tuple  # each n-th row and column has a label
    blocks: tuple  # how many rows and columns of cells a pixel shows
    notes: list  # what the picture says of itself, line by line


class Words(NamedTuple):
    """The labels of one picture, and how wide those of its rows and columns are."""

    rows: list
    columns: list
    beside: float
    longest: float


def line_height(projector):
    """Return the height of a line of labels in pixels."""
    return points(projector)[0] * DPI / 72 * LINE


def frame(maps, figure):
    """Place the heat maps of a picture, with level column labels where they fit."""
    words, foot = _words(maps, figure), 0
    while True:
        found = _turned(words, maps, figure, foot)
        if len(found.notes) <= foot:
            return found
        foot = len(found.notes)


def _turned(words, maps, figure, foot):
    level = _frame(words, maps, figure, foot, turned=False)
    room = min(place.cell[0] for place in level.places if place.column_labels)
    fits = words.longest + 6 <= room
    return level if fits else _frame(words, maps, figure, foot, turned=True)


def upright(figure):
    """Tell whether a figure is higher than wide."""
    return figure.bbox.height > figure.bbox.width


def _frame(words, maps, figure, foot, turned):
    rows, columns, beside, longest = words
    line = line_height(maps.projector)
    below = longest if turned else line
    left, bottom = 2.2 * line + beside, (2.4 + 1.1 * foot) * line + below
    width = figure.bbox.width - left - _right(maps, figure, line)
    height = figure.bbox.height - bottom - 2.4 * line
    room = left, bottom, max(width, 1), max(height, 1)
    places = _places(room, foot, maps, figure)
    block = block_of(places[: maps.labelled], maps)
    bar = _bar(block if upright(figure) else block_of(places, maps), line)
    steps, blocks = _steps(places[0].cell, line, turned), _blocks(places, maps)
    about = rows, columns, turned, line, block, bar, beside, below
    notes = _in_lines(_notes(steps, blocks, maps), maps, figure)
    return Frame(places, *about, steps, blocks, notes)


def _words(maps, figure):
    size, line = points(maps.projector)[0], line_height(maps.projector)
    room = line * (LABEL if maps.labelled == 1 else LABEL - 2)
    label = token_labels(figure, maps.queries + maps.keys, size, room)
    rows = [label[token] for token in maps.queries]
    columns = [label[token] for token in maps.keys]
    wide = _widest(rows, maps, figure), _widest(columns, maps, figure)
    return Words(rows, columns, *wide)


def _widest(labels, maps, figure):
    return text_size(figure, labels, points(maps.projector)[0])[0]


def _right(maps, figure, line):
    return _widest(maps.flags, maps, figure) + 3 * line if maps.flags else 6 * line


def head_labels(maps, figure):
    """Return the titles of the heads as they stand above the maps, each in its room."""
    large, line = points(maps.large_titles)[0], line_height(maps.large_titles)
    titles = maps.short if maps.enlarge and maps.short else maps.titles
    room = HEAD * line
    if maps.beside_large:  # a column of thumbnails, as there are in a square of them
        column = 0.28 * figure.bbox.width / math.ceil(math.sqrt(len(titles)))
        room = min(max(column, NARROW * line), room)
    room = 0.5 * figure.bbox.width if len(titles) == 1 else room
    head = name_labels(figure, titles, large, room)
    return [head[title] for title in titles]


def title_room(maps, figure):
    """Return the width that titles of heads get: that of the widest, in whole steps.

    So layouts whose titles are about as wide are the same.
    """
    step = line_height(maps.large_titles) / 2
    wide = text_size(figure, head_labels(maps, figure), points(maps.large_titles)[0])[0]
    return math.ceil(wide / step) * step


def _places(room, foot, maps, figure):
    left, bottom, width, height = room
    line, count = line_height(maps.large_titles), len(maps.titles)
    if not count:
        return fill(Room(*room, 0, 0, 0), 1, maps, True)
    names = maps.title_room or title_room(maps, figure)
    high, step = line_height(maps.projector), names + 0.35 * line
    if not maps.enlarge:
        gap = 0.9 * high, max(1.5 * line, 1.3 * high), step
        return fill(Room(*room, *gap), count, maps, True)
    low, top = (1 + 1.1 * foot) * high, bottom + height
    gap = 0.9 * line, 1.5 * line, step
    wide, tall = (0.42, 0.58) if count > MANY else (0.52, 0.45)  # large; below it
    big = Room(left, bottom, wide * width, height, 0, 1.5 * high)
    at = wide + 0.04
    small = Room(left + at * width, low, (1 - at) * width, top - low, *gap)
    if upright(figure):  # a phone: the small maps stand below
        share = tall * (top - low)
        big = big._replace(bottom=bottom + share, width=width, height=height - share)
        small = Room(high, low, figure.bbox.width - 2 * high, share, *gap)
    return fill(big, 1, maps, True) + fill(small, count, maps, False)


def _bar(block, line):
    left, bottom, width, height = block
    tall = max(height, 10 * line)
    return left + width + line, bottom + (height - tall) / 2, 0.9 * line, tall


def _steps(cell, line, turned):
    return _every(cell[1], line), _every(cell[0], line) if turned else 1


def _every(cell, line):
    """Return n such that each n-th label has room on cells of `cell` pixels."""
    return max(1, math.ceil(line / LINE / cell))


def _blocks(places, maps):
    across, up = (min(p.cell[n] for p in places) for n in (0, 1))
    T_q, T_k = len(maps.queries), len(maps.keys)
    return (
        most_cells(T_q, min(T_q, round(up * T_q))),
        most_cells(T_k, min(T_k, round(across * T_k))),
    )


def _notes(steps, blocks, maps):
    pairs = zip(("query", "key"), steps, strict=True)
    thinned = [f"1 {name} in {step}" for name, step in pairs if step > 1]
    return [
        *([f"labels: {', '.join(thinned)}"] if thinned else []),
        *(
            [f"a pixel: the largest of up to {_size(blocks)}"]
            if max(blocks) > 1
            else []
        ),
        *(["hatched: hidden keys"] if maps.hatched else []),
    ]


def _in_lines(notes, maps, figure):
    """Return the notes as one line where it fits, else each on its own."""
    together = " · ".join(notes)
    fits = _widest([together], maps, figure) < 0.96 * figure.bbox.width
    return [together] if notes and fits else notes


def _size(blocks):
    return f"{blocks[0]} × {blocks[1]} cells"
