"""Bars that move, told apart by hatch and the legend above them."""

from typing import NamedTuple

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from mha_core.lab.drawing.canvas import points
from mha_core.lab.drawing.colours import INK, LINES
from mha_core.lab.drawing.curves import series_names
from mha_core.lab.drawing.fitting import text_size
from mha_core.lab.drawing.numerals import decimals, number

HATCHES = ("", "//", "..", "xx", "\\\\", "++")


class Bars(NamedTuple):
    """The bars of one series, their spread, and their values above them."""

    number: int
    bars: list
    spreads: list
    values: list
    decimals: int

    @property
    def moving(self):
        """The artists that change with the data, in the order of drawing."""
        return [*self.bars, *self.spreads, *self.values]

    def show(self, curves):
        """Set the heights, the spreads and the values above the bars."""
        heights = curves.values[self.number]
        for bar, value in zip(self.bars, heights, strict=True):
            bar.set_height(value - bar.get_y())
        tops = heights if curves.high is None else curves.high[self.number]
        for text, value, top in zip(self.values, heights, tops, strict=False):
            text.set_text(number(value, self.decimals))
            text.set_y(max(top, 0))
        for n, line in enumerate(self.spreads):
            line.set_visible(curves.low is not None)
            if curves.low is not None:
                line.set_ydata([curves.low[self.number][n], tops[n]])


def bar_series(axes, chart):
    """Return the bars of a chart without data, one group per name on the x axis."""
    series = [_bars(axes, chart, n) for n in range(len(chart.names))]
    if len(series) > 1:
        _legend(axes, chart, [one.bars[0] for one in series])
    return series


def _bars(axes, chart, n):
    width = 0.8 / len(chart.names)
    lefts = chart.places - 0.4 + n * width
    bars = [axes.add_patch(_bar(left, width, n, chart)) for left in lefts]
    middles = lefts + width / 2
    spreads = [axes.add_line(Line2D([x, x], [0, 0], color=INK)) for x in middles]
    small = points(chart.projector)[0]
    room = axes.bbox.width / np.ptp(axes.get_xlim()) * width
    exact = decimals(chart.limits)
    fits = text_size(axes.figure, [number(max(chart.limits), exact)], small)[0] < room
    values = [axes.text(x, 0, "", ha="center", va="bottom") for x in middles if fits]
    return Bars(n, bars, spreads, values, exact)


def _bar(left, width, n, chart):
    return Rectangle(
        (left, chart.limits[0] if chart.log else 0),
        0.94 * width,
        0,
        facecolor=LINES[n],
        edgecolor="white",
        hatch=HATCHES[n],
        linewidth=0,
    )


def _legend(axes, chart, bars):
    raised = points(chart.projector)[0] * axes.figure.dpi / 72 / axes.bbox.height
    axes.legend(
        bars,
        series_names(axes.figure, chart),
        loc="lower center",
        bbox_to_anchor=(0.5, 1 + raised),
        ncols=len(bars),
        frameon=False,
        handlelength=2.2,
        handleheight=1.1,
    )
