"""What heat maps accept, and one sentence for what they do not."""

import numpy as np

from mha_core._checks.sentences import counted, sentence
from mha_core.lab.drawing.checks import numbers, within

WEIGHT = "attention weight"
SLACK = 2e-3  # in the sum of a row; weights rounded to 8 bits are within it


def table(values, name, shape, limits):
    """Return values as floats of the given shape, finite and within the limits.

    A string in `shape` stands for any length from 1.
    """
    array = numbers(values, name)
    wanted = f"({', '.join(str(length) for length in shape)})"
    fits = len(array.shape) == len(shape) and all(
        got == length or (isinstance(length, str) and got)
        for got, length in zip(array.shape, shape, strict=True)
    )
    if not fits:
        raise ValueError(
            sentence(
                "{name} has shape {shape}; expected {wanted}, for {rows} queries "
                "(rows) by {columns} keys (columns).",
                name=name,
                shape=array.shape,
                wanted=wanted,
                rows=shape[-2],
                columns=shape[-1],
            )
        )
    return within(array, name, limits)


def attention(array, value_name, hidden):
    """Refuse rows that are called attention weights and do not sum to 1 or to 0.

    Parameters
    ----------
    array : ndarray, shape (..., T_q, T_k)
    value_name : str
        Any other name is free.
    hidden : ndarray of bool, of the same shape, or None
    """
    if WEIGHT not in value_name.casefold():
        return
    sums = array.sum(axis=-1)
    wrong = (np.abs(sums - 1) > SLACK) & array.any(axis=-1)
    if wrong.any():
        _refuse_sum(np.argwhere(wrong)[0], sums)
    if array.min() < -SLACK:
        _refuse_weight(array.min())
    if hidden is not None and array[hidden].any():
        _refuse_seen(array, hidden)


def _refuse_sum(at, sums):
    raise ValueError(
        sentence(
            "weights{place} sums to {total:.4g}; a row of attention weights sums to 1, "
            "or is all 0. For other numbers pass value_name, such as "
            'value_name="score".',
            place=_index(at),
            total=sums[tuple(at)],
        )
    )


def _refuse_weight(least):
    raise ValueError(
        sentence(
            "weights hold {least:.4g}; attention weights are not below 0. For other "
            'numbers pass value_name, such as value_name="score".',
            least=least,
        )
    )


def _refuse_seen(array, hidden):
    at = np.argwhere(hidden & (array != 0))[0]
    raise ValueError(
        sentence(
            "weights{place} is {weight:.4g}, but visible hides that key; its weight "
            "is 0. In visible, True means that a query may attend to a key.",
            place=_index(at),
            weight=array[tuple(at)],
        )
    )


def _index(at):
    return f"[{', '.join(map(str, at))}]"


def hidden_keys(visible, shape):
    """Return which keys are hidden, of a shape, or None where all are visible."""
    if visible is None:
        return None
    array = _yes_or_no(visible)
    try:
        hidden = np.broadcast_to(array == 0, shape)
    except ValueError:
        raise ValueError(
            sentence(
                "visible has shape {shape}; expected {wanted}, or 1 in place of a "
                "length.",
                shape=array.shape,
                wanted=shape,
            )
        ) from None
    return hidden if hidden.any() else None


def _yes_or_no(visible):
    array = numbers(visible, "visible")
    if not np.isin(array, (0, 1)).all():
        raise ValueError(
            sentence(
                "visible must be True or False, True where a query may attend to a "
                "key, not {number:g}.",
                number=array[~np.isin(array, (0, 1))][0],
            )
        )
    return array


def flags(values, name, shape=None):
    """Return values as booleans, of a shape where one is given."""
    array = numbers(values, name).astype(bool)
    if shape not in (None, array.shape):
        raise ValueError(
            sentence(
                "{name} has shape {shape}; expected {wanted}.",
                name=name,
                shape=array.shape,
                wanted=shape,
            )
        )
    return array


def head_titles(titles, h):
    """Return a title for each of h heads."""
    titles = [f"head {n}" for n in range(h)] if titles is None else titles
    if len(titles) != h:
        raise ValueError(
            counted(
                "{n} title for {h} heads; give one for each.",
                "{n} titles for {h} heads; give one for each.",
                n=len(titles),
                h=h,
            )
        )
    return tuple(str(title) for title in titles)


def page_of(h, page, most, enlarge):
    """Return the slice of heads on a page."""
    pages = -(-h // most)
    if not _is_among(page, range(pages)):
        raise ValueError(
            sentence(
                "page {page} does not exist; {h} heads fill 0 to {last}.",
                page=page,
                h=h,
                last=pages - 1,
            )
        )
    heads = slice(page * most, min(h, page * most + most))
    _check_large(enlarge, heads, page)
    return heads


def _check_large(enlarge, heads, page):
    if enlarge is not None and not _is_among(enlarge, range(heads.start, heads.stop)):
        raise ValueError(
            sentence(
                "head {head} is not on page {page}: {first} to {last}.",
                head=enlarge,
                page=page,
                first=heads.start,
                last=heads.stop - 1,
            )
        )


def _is_among(number, offered):
    return hasattr(number, "__index__") and number in offered
