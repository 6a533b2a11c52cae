"""The parts of a heat map: cells, labels, names, the bar of colours."""

import math
from typing import NamedTuple

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.patches import Rectangle
from matplotlib.ticker import NullLocator

from mha_core.lab.drawing.canvas import axes_at, fitted, points, text_size
from mha_core.lab.drawing.colours import INK, even_blues, readable_on
from mha_core.lab.drawing.fonts import MINUS, caption
from mha_core.lab.drawing.outlines import draw_outlines, outlines
from mha_core.lab.drawing.places import HEAD, every
from mha_core.lab.drawing.tiles import Stamp, draw_tiles


class Panel(NamedTuple):
    """One heat map and the artists of it that move."""

    axes: Axes
    image: Artist
    values: list
    marks: Artist
    title: Artist

    @property
    def moving(self):
        """The artists that change with the data, in the order of drawing."""
        return [self.image, *self.values, self.marks]

    def show(self, weights, marks):
        """Set the cells, their numbers and the frames around the marked ones."""
        self.image.set_data(weights)
        colours = self.image.to_rgba(weights).reshape(-1, 4) if self.values else ()
        cells = zip(self.values, weights.flat, colours, strict=False)
        exact = max(2, decimals(self.image.get_clim()))
        for text, value, colour in cells:
            text.set_text(number(value, exact))
            text.set_color(readable_on(colour))
        self.marks.set_path(outlines(marks))
        self.marks.set_visible(marks is not None)


def rounded(value, exact):
    """Return a number with so many decimals, without a minus before 0."""
    text = f"{value:.{exact}f}"
    return text if float(text) else text.lstrip("-")


def number(value, exact):
    """Return a number as cells and bars print it, with a minus that is seen."""
    return rounded(value, exact).replace("-", MINUS)


def decimals(limits):
    """Return how many decimals tell numbers on a scale apart: two from 0 to 1."""
    digits = math.floor(math.log10(max(abs(limit) for limit in limits)))
    return 1 - digits if digits < 0 else max(0, 2 - digits)


def figures(values):
    """Return numbers with six digits each, more only where two would look alike."""
    for digits in range(6, 18):
        texts = [f"{value:.{digits}g}" for value in values]
        if len(set(texts)) >= len(set(values)):
            break
    return texts


def ticks(values):
    """Return numbers as an axis prints them, with a minus that is seen."""
    return [text.replace("-", MINUS) for text in figures(values)]


def draw_panel(figure, place, maps, around):
    """Draw one heat map without data; return its moving artists."""
    T_q, T_k = len(maps.queries), len(maps.keys)
    width, height = place.cell[0] * T_k, place.cell[1] * T_q
    axes = axes_at(figure, place.left, place.bottom, width, height)
    image = draw_tiles(axes, (T_q, T_k), Normalize(*maps.limits), even_blues())
    axes.spines[:].set_linewidth(2)
    axes.tick_params(length=0, pad=5)
    _label_rows(axes, place, around)
    _label_columns(axes, place, around)
    marks = draw_outlines(axes, maps.projector)
    return Panel(axes, image, _values(axes, place, maps), marks, axes.set_title(""))


def draw_title(figure, around, maps):
    """Return the title of the picture, still empty."""
    left, bottom, width, height = around.block
    above = 2.0 if maps.titles else 0.7
    y = (bottom + height + above * around.line) / figure.bbox.height
    return figure.suptitle("", y=y, va="bottom")


def draw_titles(panels, maps):
    """Write above each map which head it is; the enlarged one is written later."""
    size = points(maps.large_titles)[0]
    small = panels[1:] if maps.enlarge else panels
    for panel, name in zip(small, maps.titles, strict=False):
        panel.axes.set_title(caption(name, HEAD), size=size)
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
        fitted(figure, caption(role(name, kind)), size, room)
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


def role(name, default):
    """Return the name of an axis with its role: ``letter (key)``."""
    return name if default in name else f"{name} ({default})"


def draw_bar(figure, around, maps):
    """Draw the bar that says what the colours mean."""
    left, bottom, width, height = around.bar
    axes = axes_at(figure, left, bottom, width, height)
    colours = ScalarMappable(Normalize(*maps.limits), even_blues())
    bar = figure.colorbar(colours, cax=axes)
    bar.outline.set_visible(False)
    bar.set_label(scale_name(maps), labelpad=8)
    places = np.linspace(*maps.limits, 5 if height > 8 * around.line else 3)
    bar.set_ticks(places, labels=ticks(places))


def scale_name(maps):
    """Return what the colours mean, with both ends of the scale."""
    low, high = ticks(maps.limits)
    between = "-" if maps.limits[0] >= 0 else " to "
    return f"{caption(maps.value_name, 30)} ({low}{between}{high})"


def _label_rows(axes, place, around):
    if not place.row_labels:
        return axes.yaxis.set_major_locator(NullLocator())
    rows = range(0, len(around.rows), every(place.cell[1], around.line))
    axes.set_yticks(list(rows), [around.rows[n] for n in rows])


def _label_columns(axes, place, around):
    if not place.column_labels:
        return axes.xaxis.set_major_locator(NullLocator())
    step = every(place.cell[0], around.line) if around.turned else 1
    columns = range(0, len(around.columns), step)
    labels = [around.columns[n] for n in columns]
    axes.set_xticks(list(columns), labels, rotation=90 if around.turned else 0)


def _values(axes, place, maps):
    size, seen = points(maps.projector)[0], {}
    exact = max(2, decimals(maps.limits))
    widest = [number(limit, exact) for limit in maps.limits]
    width, height = text_size(axes.figure, widest, size)
    if width + 6 > place.cell[0] or height + 4 > place.cell[1]:
        return []
    corners = np.ndindex(len(maps.queries), len(maps.keys))
    return [axes.add_artist(Stamp(j, i, seen, size=size)) for i, j in corners]
