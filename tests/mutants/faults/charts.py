"""Faults between the numbers of curves and bars and their pixels."""

from ..fault import Fault
from .panels import unseen

BARS, CURVES = "lab/drawing/bars.py", "lab/drawing/curves.py"
AXES = "lab/drawing/charts.py"

FAULTS = [
    unseen(
        "all bars those of the first series",
        BARS,
        "heights = curves.values[self.number]",
        "heights = curves.values[0]",
    ),
    unseen(
        "whiskers that start at 0",
        BARS,
        "[curves.low[self.number][n], tops[n]]",
        "[0, tops[n]]",
    ),
    unseen(
        "one band for all curves",
        CURVES,
        "curves.low[n], curves.high[n]",
        "curves.low[0], curves.high[0]",
    ),
    unseen(
        "names at the ends of other curves",
        CURVES,
        "    result[order] = placed",
        "    result = placed",
    ),
    unseen(
        "log axis drawn level",
        AXES,
        '"log" if chart.log else "linear"',
        '"linear"',
    ),
    unseen(
        "first labels on the ticks that are left",
        AXES,
        "[labels[i] for i in kept]",
        "labels[: len(kept)]",
    ),
    Fault(
        "log limits rounded to the inside",
        AXES,
        "np.floor(value / power) if down else np.ceil(value / power)",
        "np.ceil(value / power) if down else np.floor(value / power)",
        "test_timings",
        "05",
    ),
    unseen(
        "the highest seed above the bar",
        BARS,
        "text.set_text(number(value, self.decimals))",
        "text.set_text(number(top, self.decimals))",
        "test_drawn_places",
    ),
    unseen(
        "numbers above the bars beside them",
        BARS,
        "middles = lefts + width / 2",
        "middles = lefts + width",
        "test_drawn_places",
    ),
    unseen(
        "counts under the ticks before",
        AXES,
        "zip(labels, chart.counts, strict=True)",
        "zip(labels, chart.counts[1:] + chart.counts[:1], strict=True)",
        "test_drawn_places",
    ),
]
