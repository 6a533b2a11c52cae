"""Curves that move, told apart by marker, dash and the name where they end."""

from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon

from mha_core.lab.drawing.canvas import points
from mha_core.lab.drawing.colours import LINES
from mha_core.lab.drawing.fitting import name_labels

MARKERS = ("o", "s", "^", "D", "v", "P")
DASHES = ("-", (0, (5, 2)), (0, (1.2, 1.4)), (0, (7, 2, 1.5, 2)), (0, (9, 3)), "-")
MOST = len(MARKERS)


class Lines(NamedTuple):
    """All curves of a chart, their bands, and their names at the right end."""

    axes: Axes
    lines: list
    bands: list
    names: list
    leaders: list
    line_gap: float

    @property
    def moving(self):
        """The artists that change with the data, in the order of drawing."""
        return [*self.bands, *self.lines, *self.leaders, *self.names]

    def show(self, curves):
        """Set the curves, then put each name at the height where its curve ends."""
        for n, (line, band) in enumerate(zip(self.lines, self.bands, strict=True)):
            line.set_ydata(curves.values[n])
            band.set_visible(curves.low is not None)
            if curves.low is not None:
                band.set_xy(_outline(line.get_xdata(), curves.low[n], curves.high[n]))
        self._name(curves.values[:, -1])

    def _name(self, ends):
        last = [(self.lines[0].get_xdata()[-1], end) for end in ends]
        to_axes = self.axes.transData + self.axes.transAxes.inverted()
        points_at = to_axes.transform(last)
        heights = apart(points_at[:, 1], self.line_gap)
        for name, leader, start, height in zip(
            self.names, self.leaders, points_at, heights, strict=True
        ):
            name.set_y(height)
            leader.set_data([start[0], name.get_position()[0]], [start[1], height])


def apart(heights, gap):
    """Return heights in the same order at least a gap apart, all in 0 to 1."""
    order = np.argsort(heights, kind="stable")
    placed = np.clip(np.asarray(heights, dtype=float)[order], 0, 1)
    for n in range(1, len(placed)):
        placed[n] = max(placed[n], placed[n - 1] + gap)
    placed[-1] = min(placed[-1], 1)
    for n in reversed(range(len(placed) - 1)):
        placed[n] = min(placed[n], placed[n + 1] - gap)
    result = np.empty(len(placed))
    result[order] = placed
    return result


def line_series(axes, chart):
    """Return the curves of a chart, without data."""
    x, count = chart.places, len(chart.names)
    lines = [axes.add_line(_line(x, n, chart)) for n in range(count)]
    bands = [axes.add_patch(_band(n)) for n in range(count)]
    names = [
        _name(axes, text, n) for n, text in enumerate(series_names(axes.figure, chart))
    ]
    leaders = [axes.add_line(_leader(axes, n)) for n in range(count)]
    gap = 1.3 * names[0].get_fontsize() * axes.figure.dpi / 72 / axes.bbox.height
    return [Lines(axes, lines, bands, names, leaders, gap)]


def _line(x, n, chart):
    large = 1.6 if chart.projector else 1
    return Line2D(
        x,
        np.full(len(x), chart.limits[0]),
        color=LINES[n],
        linestyle=DASHES[n],
        linewidth=2.2 * large,
        marker=MARKERS[n],
        markersize=7 * large,
        markeredgecolor="white",
        markevery=max(1, len(x) // 20),
        clip_on=False,
    )


def _band(n):
    return Polygon([(0, 0)] * 3, closed=True, color=LINES[n], alpha=0.16, linewidth=0)


def series_names(figure, chart):
    """Return the names of the series as they are drawn."""
    size = points(chart.projector)[0]
    labels = name_labels(figure, chart.names, size, 16 * size)
    return [labels[name] for name in chart.names]


def _name(axes, text, n):
    across = 1 + 1.1 * points(False)[0] * axes.figure.dpi / 72 / axes.bbox.width
    return axes.text(
        across,
        0,
        f" {text}",
        color=LINES[n],
        va="center",
        transform=axes.transAxes,
    )


def _leader(axes, n):
    return Line2D(
        [], [], color=LINES[n], linewidth=1, transform=axes.transAxes, clip_on=False
    )


def _outline(x, low, high):
    return np.concatenate([np.column_stack([x, low]), np.column_stack([x, high])[::-1]])
