"""How curves and bars are drawn: axes that stay, series that move over them."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from matplotlib.ticker import LogLocator, MaxNLocator

from mha_core.lab.drawing.bars import bar_series
from mha_core.lab.drawing.canvas import (
    SIZE,
    Plate,
    axes_at,
    new_figure,
    own_style,
    points,
)
from mha_core.lab.drawing.chart_tellings import chart_lines
from mha_core.lab.drawing.curves import line_series, series_names
from mha_core.lab.drawing.fitting import fitted, name_labels, text_size, title_of
from mha_core.lab.drawing.frames import line_height
from mha_core.lab.drawing.geometry import page_of
from mha_core.lab.drawing.numerals import ticks
from mha_core.lab.drawing.tellings import font_lines


class Curves(NamedTuple):
    """What moves: values (series, x), and low and high of the same shape or None."""

    values: np.ndarray
    title: str = ""
    low: np.ndarray | None = None
    high: np.ndarray | None = None


@dataclass(frozen=True)
class Chart:
    """What stays: the axes with their names and limits, the names of the series."""

    x: tuple
    names: tuple
    x_name: str
    y_name: str
    limits: tuple
    log: bool = False
    counts: tuple = ()
    counts_name: str = ""
    bars: bool = False
    tell: bool = True
    size: tuple = SIZE
    projector: bool = False
    density: int = 1
    least, upright, crowded = 0, 1.1, False  # pixels across; height by width on a phone

    @property
    def places(self):
        """Where values stand on the x axis: the numbers, or 0, 1, 2, … for words."""
        words = self.bars or any(isinstance(value, str) for value in self.x)
        return np.arange(len(self.x)) if words else np.array(self.x, dtype=float)

    @property
    def fixed(self):
        """What is drawn once: the whole layout."""
        return self

    def told(self, curves):
        """Return title, axes, limits and the values of each series, line by line."""
        places = () if not isinstance(self.x[0], str) else self.x
        texts = *places, *self.names, self.x_name, self.y_name, self.counts_name
        return [*chart_lines(self, curves), *font_lines((*texts, curves.title))]

    def plate(self, canvas=None):
        """Draw what stays and return the plate to paint series on."""
        with own_style(self.projector):
            figure = new_figure(self.size, canvas)
            axes = _axes(figure, self)
            series = bar_series(axes, self) if self.bars else line_series(axes, self)
            title = figure.suptitle("", y=0.98, va="top")
        moving = [artist for one in series for artist in one.moving]
        return Plate(figure, [*moving, title], _Update(title, series), self)


class _Update(NamedTuple):
    title: object
    series: list

    def geometry(self, curves, chart):
        return page_of(chart.size)

    def __call__(self, curves, chart):
        self.title.set_text(title_of(self.title, curves.title))
        for one in self.series:
            one.show(curves)


def nice_limits(low, high, log):
    """Return round limits that hold the values from low to high."""
    if low == high:
        low, high = (low / 10, high * 10) if log else (min(low, 0), max(high, 0) or 1)
    if log:
        return _one_digit(low, down=True), _one_digit(high, down=False)
    low = 0 if 0 <= low < 0.6 * high else low
    ends = MaxNLocator(nbins=6, steps=[1, 2, 5, 10]).tick_values(low, high)
    return float(ends[0]), float(ends[-1])


def _one_digit(value, down):
    power = 10.0 ** np.floor(np.log10(value))
    digit = np.floor(value / power) if down else np.ceil(value / power)
    return float(digit * power)


def _axes(figure, chart):
    small, line = points(chart.projector)[0], line_height(chart.projector)
    heights = _heights(chart)
    wide = text_size(figure, ticks(heights), small)[0]
    names = series_names(figure, chart)
    right = line if chart.bars else text_size(figure, names, small)[0] + 2.2 * line
    left, bottom = 2.6 * line + wide, (4.4 if chart.counts else 3.2) * line
    top = 4.2 * line if chart.bars and len(names) > 1 else 2.4 * line
    width, height = figure.bbox.width - left - right, figure.bbox.height - bottom - top
    axes = axes_at(figure, left, bottom, width, height)
    axes.set_yscale("log" if chart.log else "linear")
    axes.set_ylim(*chart.limits)
    axes.set_yticks(heights, ticks(heights))
    axes.set_yticks([], minor=True)
    _x_axis(figure, axes, chart, width)
    _dress(axes, chart)
    return axes


def _heights(chart):
    low, high = chart.limits
    if chart.log:
        few = LogLocator(subs=(1.0,), numticks=8).tick_values(low, high)
        more = LogLocator(subs=(1, 2, 5)).tick_values
        found = few if (few >= low).sum() > 2 else more(low, high)
    else:
        found = MaxNLocator(nbins=6, steps=[1, 2, 5, 10]).tick_values(low, high)
    slack = 1e-9 * (high - low)
    return [t for t in found if low - slack <= t <= high + slack]


def _x_axis(figure, axes, chart, width):
    places, small = chart.places, points(chart.projector)[0]
    margin = 0.5 if len(places) < 2 or chart.bars else 0.04 * np.ptp(places)
    axes.set_xlim(places.min() - margin, places.max() + margin)
    labels = _labels(figure, chart.x, small)
    if chart.counts:
        pairs = zip(labels, chart.counts, strict=True)
        labels = [f"{text}\n{count:,}" for text, count in pairs]
    words = [part for text in labels for part in text.split("\n")]
    room = text_size(figure, words, small)[0] + 0.5 * small
    least = room * np.ptp(axes.get_xlim()) / width
    kept = _apart(places, least)
    axes.set_xticks(places[kept], [labels[i] for i in kept])


def _apart(places, least):
    """Return which places to label so that labels do not touch, from the left on."""
    kept = []
    for i in np.argsort(places):
        if not kept or places[i] - places[kept[-1]] >= least:
            kept.append(i)
    return kept


def _labels(figure, x, size):
    if not isinstance(x[0], str):
        return ticks(x)
    labels = name_labels(figure, x, size, 12 * size)
    return [labels[name] for name in x]


def _dress(axes, chart):
    size, figure = points(chart.projector)[1], axes.figure
    across = fitted(figure, chart.x_name, size, axes.bbox.width)
    up = fitted(figure, chart.y_name, size, axes.bbox.height)
    axes.set_xlabel(across, labelpad=8)
    axes.set_ylabel(up, labelpad=8)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", color="#e4e4e4", linewidth=1)
    axes.set_axisbelow(True)
    axes.tick_params(length=4, color="#a0a0a0")
    if chart.counts:
        _name_counts(figure, axes, chart)


def _name_counts(figure, axes, chart):
    small, line = points(chart.projector)[0], line_height(chart.projector)
    room = 0.95 * (axes.bbox.x0 - 0.4 * line)
    axes.annotate(
        fitted(figure, f"{chart.counts_name}:", small, room),
        (0, 0),
        (-0.4 * line, -1.36 * line - 7),
        xycoords="axes fraction",
        textcoords="offset pixels",
        ha="right",
        va="top",
    )
