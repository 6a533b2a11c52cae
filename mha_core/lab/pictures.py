"""Arrays in, pictures out: heat maps of attention, curves and bars.

Every picture is a figure, the array it shows and one sentence about it. A notebook
stores it as an image with the sentence as its alternative text, and as numbers.
"""

from base64 import b64encode
from dataclasses import replace
from functools import cached_property

from mha_core.lab import words
from mha_core.lab.canvas import SIZE, png
from mha_core.lab.maps import Cells, Maps

HEADS_A_PAGE = 16


class Picture:
    """What a notebook shows: a figure, its array, and a sentence.

    The figure is drawn when it is first looked at. `text` holds the numbers.

    Parameters
    ----------
    layout : Maps or Chart
        What does not depend on the data.
    data : Cells or Curves
        What does.
    array : ndarray
        The numbers shown.
    sentence, text : str
        The picture in one sentence, and as numbers.
    """

    def __init__(self, layout, data, array, sentence, text):
        self.layout, self.data = layout, data
        self.array = array
        self.sentence, self.text = sentence, text

    @property
    def figure(self):
        """The matplotlib figure, on a canvas of its own."""
        return self._drawn[0].figure

    @property
    def pixels(self):
        """What the figure looks like: uint8 of shape (height, width, 3)."""
        return self._drawn[1]

    @cached_property
    def _drawn(self):
        plate = self.layout.plate()
        return plate, plate.paint(self.data)

    def resized(self, size, projector):
        """Return the same picture on another canvas, or in larger print."""
        layout = replace(self.layout, size=size, projector=projector)
        return Picture(layout, self.data, self.array, self.sentence, self.text)

    def __repr__(self):
        """Return the numbers and the sentence."""
        return f"{self.text}\n{self.sentence}"

    def _repr_mimebundle_(self, include=None, exclude=None):
        image = b64encode(png(self.pixels)).decode("ascii")
        bundle = {"text/plain": repr(self), "image/png": image}
        return bundle, {"image/png": {"alt": self.sentence}}


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
    queries, keys = words.tokens(queries, "queries"), words.tokens(keys, "keys")
    array = words.table(weights, "weights", (len(queries), len(keys)), limits)
    marks = None if marks is None else words.flags(marks, "marks", array.shape)
    names = query_name, key_name, value_name, tuple(limits)
    layout = Maps(queries, keys, *names, size=size, projector=projector)
    text = words.map_text(layout, title, array)
    data = Cells(array[None], title, marks)
    sentence = sentence or words.map_sentence(layout, title, array)
    return Picture(layout, data, array, sentence, text)


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
    queries, keys = words.tokens(queries, "queries"), words.tokens(keys, "keys")
    array = words.table(weights, "weights", ("h", len(queries), len(keys)), limits)
    titles = words.head_titles(titles, len(array))
    heads = words.page_of(len(array), page, HEADS_A_PAGE, enlarge)
    array, shown = array[heads], titles[heads]
    names = query_name, key_name, value_name, tuple(limits)
    layout = Maps(queries, keys, *names, shown, enlarge is not None, size, projector)
    large = None if enlarge is None else enlarge - heads.start
    text = words.grid_text(layout, title, array)
    sentence = sentence or words.grid_sentence(layout, title, array, len(titles), page)
    return Picture(layout, Cells(array, title, None, large), array, sentence, text)
