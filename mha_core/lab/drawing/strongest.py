"""What each row of a heat map says: the key that gets the most, or what moves."""

import numpy as np

from mha_core._checks.sentences import counted, sentence
from mha_core.lab.drawing.labels import told_apart
from mha_core.lab.drawing.numerals import decimals, rounded


def words_of(layout):
    """Return each token as the texts spell it: whole, and none like another."""
    return told_apart(layout.queries + layout.keys)


def rows_told(layout, cells, n):
    """Return a sentence for each row of the n-th map."""
    words = words_of(layout)
    keys = [words[key] for key in layout.keys]
    hidden = np.zeros(cells.weights[n].shape, bool)
    hidden = hidden if cells.hidden is None else cells.hidden[n]
    tell = moved if layout.flags else strongest
    rows = zip(layout.queries, cells.weights[n], hidden, strict=True)
    return [
        sentence("{query} <- {key}", query=words[query], key=tell(row, keys, layout, h))
        for query, row, h in rows
    ]


def moved(row, keys, layout, hides):
    """Return the keys of a row of yes and no that are yes."""
    found = [key for key, flag in zip(keys, row, strict=True) if flag]
    if len(found) == len(keys):
        return counted("the only key", "all {n} keys", n=len(keys))
    return " ".join(found) if found else sentence("no key")


def strongest(row, keys, layout, hides):
    """Return the key with the most weight in words: ``n 0.880``.

    Where others weigh the same: ``n and 2 more 0.333``. What is the same, and how
    many decimals there are, depends on the limits of the scale. Hidden keys are left
    aside.
    """
    if hides.all():
        return sentence("every key is hidden")
    low, high = layout.limits
    row = np.where(hides, -np.inf, np.round(row / (high - low), 6))
    at, seen = int(row.argmax()), row[~hides]
    most = weight_told(row[at] * (high - low), layout.limits)
    if low == 0 and not seen.any():
        return sentence("no key {weight}", weight=most)
    if len(seen) > 1 and np.ptp(seen) < 5e-4:
        return _alike(len(seen), hides.any(), most)
    return _one(keys, at, int(np.sum(row == row[at])) - 1, most)


def weight_told(value, limits):
    """Return a number with as many decimals as its scale needs."""
    return rounded(value, max(3, 1 + decimals(limits)))


def _alike(n, some_hidden, weight):
    if some_hidden:
        return sentence("all {n} visible keys alike {weight}", n=n, weight=weight)
    return sentence("all {n} keys alike {weight}", n=n, weight=weight)


def _one(keys, at, ties, weight):
    key = keys[at]
    if keys.count(key) > 1:
        key = sentence("{key} [{place}]", key=key, place=at)
    if not ties:
        return sentence("{key} {weight}", key=key, weight=weight)
    return counted(
        "{key} and {n} more {weight}",
        "{key} and {n} more {weight}",
        n=ties,
        key=key,
        weight=weight,
    )
