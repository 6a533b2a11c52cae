"""Heat maps of attention: arrays in, pictures out."""

from mha_core.lab.drawing import checks, tellings
from mha_core.lab.drawing.canvas import SIZE
from mha_core.lab.drawing.maps import Cells, Maps
from mha_core.lab.drawing.picture import Picture

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
        Cells to outline, each region of them by one frame.

    Raises
    ------
    ValueError
        If there is nothing to show, a shape or a label is amiss, or a number is.
    """
    queries, keys = checks.tokens(queries, "queries"), checks.tokens(keys, "keys")
    array = checks.table(weights, "weights", (len(queries), len(keys)), limits)
    marks = None if marks is None else checks.flags(marks, "marks", array.shape)
    names = query_name, key_name, value_name, checks.ends(limits)
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
    names = query_name, key_name, value_name, checks.ends(limits)
    layout = Maps(queries, keys, *names, shown, enlarge is not None, size, projector)
    large = None if enlarge is None else enlarge - heads.start
    sentence = sentence or tellings.grid_sentence(
        layout, title, array, len(titles), page
    )
    return Picture(layout, Cells(array, title, None, large), array, sentence)


def influence_map(
    moved,
    tokens=None,
    *,
    title="",
    query_name="output",
    key_name="changed token",
    size=SIZE,
    projector=False,
):
    """Return a map of who can see whom: outputs in rows, changed tokens in columns.

    Parameters
    ----------
    moved : array_like of bool, shape (T_out, T_in)
        True where changing the token of the column moves the output of the row.
    tokens : sequence of str, of length T_in, optional
        0, 1, 2, … if not given; outputs are named alike.

    Raises
    ------
    ValueError
        If there is nothing to show, or a shape is amiss.
    """
    moved = checks.flags(moved, "moved")
    tokens = None if tokens is None else checks.tokens(tokens, "tokens")
    shape = "T_out", "T_in" if tokens is None else len(tokens)
    T_out, T_in = checks.table(moved, "moved", shape, (0, 1)).shape
    tokens = tokens or [str(j) for j in range(T_in)]
    outputs = tokens if T_out == T_in else [str(i) for i in range(T_out)]
    rows = ("".join(".#"[int(flag)] for flag in row) for row in moved)
    return heatmap(
        moved,
        outputs,
        tokens,
        title=title,
        query_name=query_name,
        key_name=key_name,
        value_name="moves",
        sentence=f"{title or 'Who can see whom'}, # is seen: {' '.join(rows)}.",
        size=size,
        projector=projector,
    )
