"""The parts of a heat map: cells, labels, names, the bar of colours."""

from typing import NamedTuple

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.patches import Rectangle
from matplotlib.ticker import NullLocator

from mha_core.lab.drawing.canvas import axes_at, points
from mha_core.lab.drawing.colours import INK, colours_of, readable_on
from mha_core.lab.drawing.fitting import fitted, text_size
from mha_core.lab.drawing.hidden import draw_hatches, hatched
from mha_core.lab.drawing.maxima import largest
from mha_core.lab.drawing.numerals import decimals, number, telling
from mha_core.lab.drawing.outlines import draw_outlines, outlines
from mha_core.lab.drawing.tiles import Stamp, draw_tiles


class Panel(NamedTuple):
    """One heat map and the artists of it that move."""

    axes: Axes
    image: Artist
    values: list
    hatches: Artist
    marks: Artist
    title: Artist

    @property
    def moving(self):
        """The artists that change with the data, in the order of drawing."""
        return [self.image, self.hatches, *self.values, self.marks]

    @property
    def box(self):
        """Left, top, width and height in parts of the picture."""
        left, bottom, width, height = self.axes.get_position().bounds
        return left, 1 - bottom - height, width, height

    def show(self, weights, hidden, marks):
        """Set the cells, their numbers, the hatches and the frames of marked ones."""
        self.image.set_data(largest(weights, self.image.get_size()))
        if self.values:
            self._print(weights, hidden)
        self.hatches.set_path(hatched(hidden))
        self.hatches.set_visible(hidden is not None)
        self.marks.set_path(outlines(marks))
        self.marks.set_visible(marks is not None)

    def _print(self, weights, hidden):
        colours = self.image.to_rgba(weights).reshape(-1, 4)
        exact = max(2, decimals(self.image.get_clim()))
        hidden = np.zeros(weights.shape, bool) if hidden is None else hidden
        cells = zip(self.values, weights.flat, colours, hidden.flat, strict=True)
        for text, value, colour, hides in cells:
            text.set_text("" if hides else telling(value, exact))
            text.set_color(readable_on(colour))


def draw_panel(figure, place, maps, around):
    """Draw one heat map without data; return its moving artists."""
    T_q, T_k = len(maps.queries), len(maps.keys)
    width, height = place.cell[0] * T_k, place.cell[1] * T_q
    axes = axes_at(figure, place.left, place.bottom, width, height)
    pixels = min(T_q, round(height)), min(T_k, round(width))
    colours = colours_of(maps.limits)
    image = draw_tiles(axes, (T_q, T_k), pixels, Normalize(*maps.limits), colours)
    axes.spines[:].set_linewidth(2)
    axes.tick_params(length=0, pad=6)
    _label_rows(axes, place, around)
    _label_columns(axes, place, around)
    hatches, values = draw_hatches(axes), _values(axes, place, maps)
    marks = draw_outlines(axes, maps.projector)
    return Panel(axes, image, values, hatches, marks, axes.set_title(""))


def draw_title(figure, around, maps):
    """Return the title of the picture, still empty."""
    T_q, above = len(maps.queries), 2.0 if maps.titles else 0.7
    top = max(place.bottom + place.cell[1] * T_q for place in around.places)
    y = (top + above * around.line) / figure.bbox.height
    return figure.suptitle("", y=y, va="bottom")


def draw_titles(panels, maps):
    """Give the titles of the heads their sizes; their wording comes with the data."""
    for panel in panels:
        panel.title.set_size(points(maps.large_titles)[0])
    if maps.enlarge:
        panels[0].title.set_size(points(maps.projector)[0])


def draw_ring(figure, maps):
    """Return the frame of the small map that is shown enlarged, if any is."""
    if not maps.enlarge:
        return None
    ring = Rectangle((0, 0), 0, 0, transform=figure.transFigure, fill=False)
    ring.set(edgecolor=INK, linewidth=2.5)
    return figure.add_artist(ring)


def draw_names(figure, panels, around, maps):
    """Name both axes, once for all maps."""
    left, bottom, width, height = around.block
    across, up = figure.bbox.width, figure.bbox.height
    middle = (left + width / 2) / across, (bottom + height / 2) / up
    size = points(maps.projector)[1]
    rows, columns = (
        fitted(figure, role(name, kind), size, room)
        for name, kind, room in (
            (maps.query_name, "query", 2 * up * min(middle[1], 1 - middle[1])),
            (maps.key_name, "key", 2 * across * min(middle[0], 1 - middle[0])),
        )
    )
    if len(panels) == 1 or maps.enlarge:
        panels[0].axes.set_xlabel(columns, labelpad=6)
        panels[0].axes.set_ylabel(rows, labelpad=6)
        return
    low = (bottom - around.below - 0.5 * around.line) / up
    far = (left - around.beside - 0.5 * around.line) / across
    figure.supxlabel(columns, x=middle[0], y=low, va="top", size=size)
    figure.supylabel(rows, x=far, y=middle[1], ha="right", size=size)


def draw_notes(figure, around):
    """Write below the maps what the picture says of itself."""
    for n, note in enumerate(reversed(around.notes)):
        up = (0.3 + 1.1 * n) * around.line / figure.bbox.height
        figure.text(0.01, up, note, va="bottom")


def role(name, default):
    """Return the name of an axis with its role: ``letter (key)``."""
    return name if default in name else f"{name} ({default})"


def _label_rows(axes, place, around):
    if not place.row_labels:
        return axes.yaxis.set_major_locator(NullLocator())
    rows = range(0, len(around.rows), around.steps[0])
    axes.set_yticks(list(rows), [around.rows[n] for n in rows])


def _label_columns(axes, place, around):
    if not place.column_labels:
        return axes.xaxis.set_major_locator(NullLocator())
    columns = range(0, len(around.columns), around.steps[1])
    labels = [around.columns[n] for n in columns]
    axes.set_xticks(list(columns), labels, rotation=90 if around.turned else 0)


def _values(axes, place, maps):
    size, seen = points(maps.projector)[0], {}
    exact = max(2, decimals(maps.limits))
    widest = [number(limit, exact) for limit in maps.limits]
    width, height = text_size(axes.figure, widest, size)
    if maps.flags or width + 6 > place.cell[0] or height + 4 > place.cell[1]:
        return []
    corners = np.ndindex(len(maps.queries), len(maps.keys))
    return [axes.add_artist(Stamp(j, i, seen, size=size)) for i, j in corners]
