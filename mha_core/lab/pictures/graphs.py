"""Curves and bars: series of numbers in, pictures out."""

import numpy as np

from mha_core.lab.drawing import chart_checks
from mha_core.lab.drawing.canvas import SIZE
from mha_core.lab.drawing.chart_tellings import chart_sentence
from mha_core.lab.drawing.charts import Chart, Curves, nice_limits
from mha_core.lab.drawing.checks import tokens
from mha_core.lab.drawing.picture import Picture


def lines(
    x,
    series,
    *,
    title="",
    x_name="x",
    y_name="y",
    spread=None,
    log=False,
    counts=None,
    counts_name="n",
    limits=None,
    tell=True,
    sentence=None,
    size=SIZE,
    projector=False,
):
    """Return curves over one axis, each named where it ends.

    Parameters
    ----------
    x : sequence of float or str, of length n
        In the order in which it is drawn; strings stand at equal distances.
    series : dict
        Name to n values, at most six.
    spread : dict, optional
        Name to (low, high), n values each, for all series or none.
    counts : sequence of int, optional
        What stands behind each x, written below it and called `counts_name`.
    limits : (low, high), optional
        Ends of the y axis; round numbers around the values if not given.
    tell : bool
        Put the values in words; not those of a training that differs by machine.

    Raises
    ------
    ValueError
        If there is nothing to show, or a length or a number is amiss.
    """
    axes = {"x_name": x_name, "y_name": y_name, "log": log, "tell": tell}
    page = {"counts_name": counts_name, "size": size, "projector": projector}
    given = title, spread, limits, sentence
    return _chart(x, series, *given, counts=counts, **axes, **page)


def bars(
    names,
    series,
    *,
    title="",
    x_name="",
    y_name="y",
    spread=None,
    log=False,
    limits=None,
    sentence=None,
    size=SIZE,
    projector=False,
):
    """Return bars in groups, one group per name, one hatch per series.

    Parameters
    ----------
    names : sequence of str, of length n
    series : dict
        Name to n values, at most six.
    spread : dict, optional
        Name to (low, high), n values each, for all series or none.
    limits : (low, high), optional
        Ends of the y axis; 0 and a round number if not given.

    Raises
    ------
    ValueError
        If there is nothing to show, or a length or a number is amiss.
    """
    names = tokens(names, "names")
    axes = {"x_name": x_name, "y_name": y_name, "log": log, "bars": True}
    page = {"size": size, "projector": projector}
    return _chart(names, series, title, spread, limits, sentence, **axes, **page)


def _chart(x, series, title, spread, limits, sentence, *, log, counts=None, **fixed):
    x = chart_checks.positions(x)
    values = chart_checks.series(series, len(x))
    low, high = chart_checks.spreads(spread, series, len(x))
    floor = np.zeros(1) if fixed.get("bars") and not log else None
    held = [array for array in (values, low, high, floor) if array is not None]
    kind = "values" if floor is None else "bars"
    limits = chart_checks.chart_limits(held, limits, log, nice_limits, kind)
    counts = chart_checks.counts(counts, len(x))
    names = tuple(map(str, series))
    layout = Chart(x, names, limits=limits, log=log, counts=counts, **fixed)
    over = f" over {layout.x_name}" if layout.x_name else ""
    data = Curves(values, title or f"{layout.y_name}{over}", low, high)
    sentence = sentence or chart_sentence(layout, title, data)
    return Picture(layout, data, values, sentence)
