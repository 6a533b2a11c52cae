"""Heat maps of attention: arrays in, pictures out."""

from mha_core.lab.drawing import map_checks, map_sentences
from mha_core.lab.drawing.canvas import SIZE
from mha_core.lab.drawing.checks import ends
from mha_core.lab.drawing.checks import tokens as check_tokens
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
    visible=None,
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
        Ends of the scale, stated on the bar; weights outside are refused. Ends such as
        (-2, 2) take colours that show the sign.
    visible : array_like of bool, broadcast to (T_q, T_k), optional
        True where a query may attend to a key, as in a mask; other keys are hatched.
    marks : array_like of bool, shape (T_q, T_k), optional
        Cells to outline, each region of them by one frame.

    Raises
    ------
    ValueError
        If there is nothing to show, a shape or a label is amiss, or a number is; if
        rows that are called attention weights do not sum to 1 and are not all 0.
    """
    queries, keys = check_tokens(queries, "queries"), check_tokens(keys, "keys")
    array = map_checks.table(weights, "weights", (len(queries), len(keys)), limits)
    hidden = map_checks.hidden_keys(visible, array.shape)
    map_checks.attention(array, value_name, hidden)
    marks = None if marks is None else map_checks.flags(marks, "marks", array.shape)
    page = {"hatched": hidden is not None, "size": size, "projector": projector}
    names = query_name, key_name, value_name, ends(limits)
    layout = Maps(queries, keys, *names, **page)
    shown = title or f"{value_name}, {len(queries)} × {len(keys)}"
    hidden = None if hidden is None else hidden[None]
    data = Cells(array[None], shown, marks, None, hidden)
    told = sentence or map_sentences.map_sentence(layout, title, data)
    return Picture(layout, data, array, told)


def head_grid(
    weights,
    queries,
    keys,
    *,
    title="",
    titles=None,
    short=None,
    query_name="query",
    key_name="key",
    value_name="attention weight",
    limits=(0, 1),
    visible=None,
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
    short : sequence of str, optional
        The same in fewer words, for small maps beside an enlarged one.
    visible : array_like of bool, broadcast to (h, T_q, T_k), optional
        True where a query may attend to a key, as in a mask; other keys are hatched.
    page : int
        Which 16 heads to show, counted from 0.
    enlarge : int, optional
        A head of this page to show large and labelled, the others beside it.

    Raises
    ------
    ValueError
        If there is nothing to show, a shape or a label is amiss, or a number is; if
        rows that are called attention weights do not sum to 1 and are not all 0.
    """
    queries, keys = check_tokens(queries, "queries"), check_tokens(keys, "keys")
    shape = "h", len(queries), len(keys)
    array = map_checks.table(weights, "weights", shape, limits)
    hidden = map_checks.hidden_keys(visible, array.shape)
    map_checks.attention(array, value_name, hidden)
    titles = map_checks.head_titles(titles, len(array))
    short = titles if short is None else map_checks.head_titles(short, len(array))
    heads = map_checks.page_of(len(array), page, HEADS_A_PAGE, enlarge)
    names = query_name, key_name, value_name, ends(limits)
    kind = titles[heads], enlarge is not None, hidden is not None
    about = {"size": size, "projector": projector, "short": short[heads]}
    layout = Maps(queries, keys, *names, *kind, **about)
    shown = title or f"{value_name}, {len(array)} × {len(queries)} × {len(keys)}"
    large = None if enlarge is None else enlarge - heads.start
    hidden = None if hidden is None else hidden[heads]
    data = Cells(array[heads], shown, None, large, hidden, heads.start)
    about = len(titles), page
    told = sentence or map_sentences.grid_sentence(layout, title, data, *about)
    return Picture(layout, data, array[heads], told)


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
    moved = map_checks.flags(moved, "moved")
    words = None if tokens is None else check_tokens(tokens, "tokens")
    shape = "T_out", "T_in" if words is None else len(words)
    T_out, T_in = map_checks.table(moved, "moved", shape, (0, 1)).shape
    words = words or tuple(str(j) for j in range(T_in))
    outputs = words if T_out == T_in else tuple(str(i) for i in range(T_out))
    axes = query_name, key_name, "moves", (0, 1)
    page = {"flags": map_sentences.MOVES, "size": size, "projector": projector}
    array = moved.astype(float)
    data = Cells(array[None], title or "Who can see whom")
    told = map_sentences.influence_sentence(title, moved)
    return Picture(Maps(outputs, words, *axes, **page), data, array, told)
