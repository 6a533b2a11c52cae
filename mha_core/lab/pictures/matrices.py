"""Attention drawn as matrices: from queries and keys to what is handed back."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.attention import scaled_dot_product_attention
from mha_core.lab.drawing.numerals import rounded
from mha_core.lab.drawing.parts import ACCENT, ASK, QUIET, Arrow, Words
from mha_core.lab.drawing.picture import Picture
from mha_core.lab.drawing.scheme import Drawing, Scheme
from mha_core.lab.drawing.strips import Matrix

HIGH = 534  # units
LOW, TOP = 76, 362  # where the lower matrices begin; the middle of the upper ones
Q, SCORES, WEIGHTS, OUTPUT = 90, 275, 620, 816  # where their middles are
THIN, WIDE = 84, 262  # how wide vectors and scores are
ROW, DEEP, ROWS = 34, 186, 144  # heights: a query's row, keys and values, all rows
MOST = 6, 7  # sounds and letters that have room
SAID = "each row sums to 1;", "times V, it gives", "a row of output"


def attention_matrices(inside):
    """Return one head's work as a drawing: Q, K and V, scores, weights, output.

    What a matrix product makes stands where its row and its column meet: scores right
    of the queries and below the keys, the output right of the weights and below the
    values. Dark cells are below 0, light ones above; hidden keys are hatched.

    Parameters
    ----------
    inside : Inside
        From `lab.inside_head`.

    Returns
    -------
    Picture
        Its array is the weights, (T_q, T_k).

    Raises
    ------
    ValueError
        If there are more than 6 sounds or 7 letters, for which there is no room.
    """
    _check(inside)
    output, weights = scaled_dot_product_attention(*inside[:3], mask=inside.mask)
    scores = inside.query @ inside.key.T  # (T_q, T_k)
    parts = [*_compared(inside, scores), *_steps(inside)]
    parts += _mixed(inside, weights, output)
    words = {"sounds": " ".join(inside.sounds), "letters": _word(inside)}
    title = sentence("one head reads “{letters}” while {sounds} is written", **words)
    facts = *_rows("scores", scores, 0, inside), *_rows("weights", weights, 2, inside)
    drawing = Drawing(tuple(parts), title, facts)
    return Picture(Scheme(HIGH), drawing, weights, _told(inside, weights))


def _word(inside):
    return "".join(inside.letters).rstrip("·")


def _compared(inside, scores):
    """Yield the queries, the keys above the scores, and the scores."""
    sounds, letters = tuple(inside.sounds), tuple(inside.letters)
    same = {"limit": _limit(inside.query, inside.key)}
    colours = {"rows": sounds, "row_colours": (ASK,) * len(sounds)}
    yield _lower(Q, THIN, inside.query, "queries Q", **same, **colours)
    yield _upper(SCORES, WIDE, inside.key.T, "keys Kᵀ", columns=letters, **same)
    exact = 0 if scores.min() > -99 else None  # wider ones would not fit
    limit = np.abs(scores).max()
    yield _lower(SCORES, WIDE, scores, "scores Q Kᵀ", limit=limit, exact=exact)


def _lower(x, width, cells, name, **more):
    """Return a matrix with a row for each query."""
    high = _high(cells)
    under = f"{name}\n{cells.shape}"
    return Matrix(x, LOW + high / 2, width, high, cells, under=under, **more)


def _upper(x, width, cells, name, **more):
    """Return a matrix of keys or values."""
    return Matrix(
        x, TOP, width, DEEP, cells, title=name, under=f"{cells.shape}", **more
    )


def _steps(inside):
    """Yield what happens to the scores, in the order in which it happens."""
    first, last = SCORES + WIDE / 2 + 6, WEIGHTS - WIDE / 2 - 6
    level = LOW + _high(inside.sounds) / 2
    yield Arrow(first, level, last, level, colour=ACCENT, thick=2.6)
    middle = (first + last) / 2
    names = f"/ √{inside.query.shape[1]}", "mask", "softmax"
    for n, name in enumerate(names):
        yield Words(middle, LOW + _high(inside.sounds) + 72 - 25 * n, name, ACCENT)


def _mixed(inside, weights, output):
    """Yield the weights, the values above the output, and the output."""
    letters, same = tuple(inside.letters), {"limit": _limit(inside.value)}
    hidden = np.broadcast_to(~inside.mask.astype(bool), weights.shape)
    blue = {"weights": True, "exact": 2, "hidden": hidden}
    yield _lower(WEIGHTS, WIDE, weights, "weights", columns=letters, **blue)
    yield _upper(OUTPUT, THIN, inside.value, "values V", rows=letters, **same)
    yield _lower(OUTPUT, THIN, output, "output", **same)
    for n, words in enumerate(SAID):
        yield Words(WEIGHTS, TOP + 28 - 28 * n, words, QUIET)


def _high(rows):
    """Return how high the rows of all queries are together."""
    return min(ROW * len(rows), ROWS)


def _check(inside):
    counts = len(inside.sounds), len(inside.letters)
    if any(count > most for count, most in zip(counts, MOST, strict=True)):
        raise ValueError(
            sentence(
                "There is room for {sounds} sounds and {letters} letters, and “{word}” "
                "has {more} and {longer}; try a shorter word.",
                sounds=MOST[0],
                letters=MOST[1],
                word=_word(inside),
                more=counts[0],
                longer=counts[1],
            )
        )


def _limit(*arrays):
    return max(float(np.abs(array).max()) for array in arrays)


def _rows(name, numbers, exact, inside):
    """Yield a line of numbers for each sound."""
    for sound, row in zip(inside.sounds, numbers, strict=True):
        texts = ", ".join(rounded(value, exact) for value in row)
        yield sentence(
            "{name} of {sound}: {numbers}", name=name, sound=sound, numbers=texts
        )


def _told(inside, weights):
    best = weights.argmax(axis=1)
    pairs = zip(inside.sounds, best, weights.max(axis=1), strict=True)
    looks = [f"{sound} {inside.letters[j]} {weight:.2f}" for sound, j, weight in pairs]
    return sentence(
        "One head reads “{word}”: queries times keys give scores, a softmax gives "
        "weights, and these mix the values; strongest letter of each sound: {looks}.",
        word=_word(inside),
        looks=", ".join(looks),
    )
