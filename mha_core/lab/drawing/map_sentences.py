"""What heat maps say in one sentence: the alternative text of the picture."""

import numpy as np

from mha_core._checks.sentences import counted, sentence
from mha_core.lab.drawing.strongest import rows_told, weight_told
from mha_core.lab.drawing.tellings import joined, one_line, semicolons

ROWS_TOLD = 6
MOVES = sentence("does not move"), sentence("moves")


def map_sentence(layout, title, cells):
    """Return a heat map in one sentence; a title is named where there is one."""
    rows = rows_told(layout, cells, 0)
    told, left = joined(rows[:ROWS_TOLD], semicolons), len(rows) - ROWS_TOLD
    if left > 0:
        more = counted("{n} more row", "{n} more rows", n=left)
        told = sentence("{rows}; and {more}", rows=told, more=more)
    fields = {"size": _size(cells), "rows": told}
    if title:
        fields["title"] = one_line(title)
        return _with_hidden(
            sentence("Heat map {title}, {size}: {rows}", **fields), cells
        )
    return _with_hidden(sentence("Heat map, {size}: {rows}", **fields), cells)


def influence_sentence(title, moved):
    """Return who can see whom in one sentence, a sign for each cell."""
    rows = " ".join("".join(".#"[int(flag)] for flag in row) for row in moved)
    if title:
        return sentence("{title}, # is seen: {rows}.", title=one_line(title), rows=rows)
    return sentence("Who can see whom, # is seen: {rows}.", rows=rows)


def grid_sentence(layout, title, cells, h, page):
    """Return a grid of heat maps in one sentence, with the page if there are more."""
    shown = _shown(layout.titles, h, page)
    if title:
        maps = sentence(
            "Heat maps {title}, {heads}", title=one_line(title), heads=shown
        )
    else:
        maps = sentence("Heat maps, {heads}", heads=shown)
    sharp, weight = _sharpest(layout, cells)
    told = sentence(
        "{maps}, {size} each; the sharpest is {head}, with {weight} on the strongest "
        "key of a row on average",
        maps=maps,
        size=_size(cells),
        head=one_line(layout.titles[sharp]),
        weight=weight,
    )
    return _with_hidden(told, cells)


def _with_hidden(told, cells):
    n = 0 if cells.hidden is None else int(cells.hidden.sum())
    if not n:
        return sentence("{told}.", told=told)
    return counted(
        "{told}. {n} cell is hidden.", "{told}. {n} cells are hidden.", n=n, told=told
    )


def _shown(titles, h, page):
    first, last = one_line(titles[0]), one_line(titles[-1])
    shown = sentence("one head")
    if len(titles) > 1:
        shown = sentence("{first} to {last}", first=first, last=last)
    if len(titles) == h:
        return shown
    return sentence("{heads} of {h} heads (page {page})", heads=shown, h=h, page=page)


def _sharpest(layout, cells):
    low, high = layout.limits
    seen = cells.weights
    if cells.hidden is not None:
        seen = np.where(cells.hidden, low, seen)
    means = seen.max(axis=-1).mean(axis=-1)
    sharp = int(np.round(means / (high - low), 6).argmax())
    return sharp, weight_told(means[sharp], layout.limits)


def _size(cells):
    _, T_q, T_k = cells.weights.shape
    return sentence(
        "{queries} by {keys}",
        queries=counted("{n} query", "{n} queries", n=T_q),
        keys=counted("{n} key", "{n} keys", n=T_k),
    )
