"""Arrays in, pictures out: heat maps of attention, curves and bars.

A notebook stores each as an image with a sentence about it, and as numbers.
"""

import numpy as np

from mha_core.lab._drawing import checks, tellings
from mha_core.lab._drawing.canvas import SIZE
from mha_core.lab._drawing.charts import Chart, Curves, nice_limits
from mha_core.lab._drawing.maps import Cells, Maps
from mha_core.lab._drawing.picture import Picture

HEADS_A_PAGE = 16


def heatmap(
    weights,
    queries,
    keys,
    *,
    title="",
    query_name="query",
    key_name="key",
    value_name="attention weight",
    limits=(0, 1),
    marks=None,
    sentence=None,
    size=SIZE,
    projector=False,
):
    """Return a heat map of attention weights: queries in rows, keys in columns.

    Parameters
    ----------
    weights : array_like, shape (T_q, T_k)
    queries, keys : sequence of str, of lengths T_q and T_k
    limits : (low, high)
        Ends of the scale, stated on the bar; weights outside are refused.
    marks : array_like of bool, shape (T_q, T_k), optional
        Cells to outline.

    Raises
    ------
    ValueError
        If there is nothing to show, a shape or a label is amiss, or a number is.
    """
    queries, keys = checks.tokens(queries, "queries"), checks.tokens(keys, "keys")
    array = checks.table(weights, "weights", (len(queries), len(keys)), limits)
    marks = None if marks is None else checks.flags(marks, "marks", array.shape)
    names = query_name, key_name, value_name, tuple(limits)
    layout = Maps(queries, keys, *names, size=size, projector=projector)
    data = Cells(array[None], title, marks)
    sentence = sentence or tellings.map_sentence(layout, title, array)
    return Picture(layout, data, array, sentence)


def head_grid(
    weights,
    queries,
    keys,
    *,
    title="",
    titles=None,
    query_name="query",
    key_name="key",
    value_name="attention weight",
    limits=(0, 1),
    page=0,
    enlarge=None,
    sentence=None,
    size=SIZE,
    projector=False,
):
    """Return one heat map per head, all on one scale, at most 16 on a page.

    Parameters
    ----------
    weights : array_like, shape (h, T_q, T_k)
    queries, keys : sequence of str, of lengths T_q and T_k
    titles : sequence of str, optional
        One per head; "head 0", "head 1", … if not given.
    page : int
        Which 16 heads to show, counted from 0.
    enlarge : int, optional
        A head of this page to show large and labelled, the others beside it.

    Raises
    ------
    ValueError
        If there is nothing to show, a shape or a label is amiss, or a number is.
    """
    queries, keys = checks.tokens(queries, "queries"), checks.tokens(keys, "keys")
    array = checks.table(weights, "weights", ("h", len(queries), len(keys)), limits)
    titles = checks.head_titles(titles, len(array))
    heads = checks.page_of(len(array), page, HEADS_A_PAGE, enlarge)
    array, shown = array[heads], titles[heads]
    names = query_name, key_name, value_name, tuple(limits)
    layout = Maps(queries, keys, *names, shown, enlarge is not None, size, projector)
    large = None if enlarge is None else enlarge - heads.start
    sentence = sentence or tellings.grid_sentence(
        layout, title, array, len(titles), page
    )
    return Picture(layout, Cells(array, title, None, large), array, sentence)


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
    names = checks.tokens(names, "names")
    axes = {"x_name": x_name, "y_name": y_name, "log": log, "bars": True}
    page = {"size": size, "projector": projector}
    return _chart(names, series, title, spread, limits, sentence, **axes, **page)


def _chart(x, series, title, spread, limits, sentence, *, log, counts=None, **fixed):
    x = checks.positions(x)
    values = checks.series(series, len(x))
    low, high = checks.spreads(spread, series, len(x))
    floor = np.zeros(1) if fixed.get("bars") and not log else None
    held = [array for array in (values, low, high, floor) if array is not None]
    limits = checks.chart_limits(held, limits, log, nice_limits)
    counts = checks.counts(counts, len(x))
    layout = Chart(x, tuple(series), limits=limits, log=log, counts=counts, **fixed)
    data = Curves(values, title, low, high)
    sentence = sentence or tellings.chart_sentence(layout, data)
    return Picture(layout, data, values, sentence)
