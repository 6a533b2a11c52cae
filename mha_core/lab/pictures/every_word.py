"""Self-attention drawn: every letter or sound looks at every one."""

import numpy as np

from mha_core._checks.arguments import told, whole
from mha_core._checks.sentences import sentence
from mha_core.lab.drawing.colours import HEADS
from mha_core.lab.drawing.parts import QUIET, Link, Token, Words
from mha_core.lab.drawing.picture import Picture
from mha_core.lab.drawing.scheme import Drawing, Scheme
from mha_core.lab.drawing.strips import Vector
from mha_core.lab.measure.inside_blocks import inside_blocks

HIGH = 500  # units
BELOW, KEYS, QUERIES, ABOVE = 34, 92, 408, 466  # heights of the middles
CENTRE, ROOM, APART = 512, 740, 84  # where tokens stand; most between two
TALL = 56  # of a state
ALONG = 0.9, 0.72  # where on the lines of one row numbers stand in turn
SHOWN = 0.05, 0.3  # a smaller weight has no number: of one row, of all rows
SIDES = "encoder", "decoder"


def self_attention_drawn(model, word, side="encoder", layer=0, head=0, *, row=None):
    """Return one head's self-attention as lines from every query to every key.

    Parameters
    ----------
    model : Transformer
    word : str
    side : str
        ``encoder``, where letters look at all letters, or ``decoder``, where a sound
        looks at itself and at what was written before it.
    layer, head : int
    row : int, optional
        The one query whose lines are drawn; those of all if not given.

    Returns
    -------
    Picture
        Its array is the head's weights, (T, T): lines are as thick as these.

    Raises
    ------
    ValueError
        If there is no such side, layer, head or row.
    """
    inside = inside_blocks(model, word)
    _check_side(side)
    check_among("layer", layer, len(model.layers))
    check_among("head", head, model.h)
    names = inside.letters if side == "encoder" else inside.read
    if row is not None:
        check_among("row", row, len(names))
    weights = inside.weights[f"{side} {layer} self"][head]
    colour = HEADS[head % len(HEADS)]
    parts = [*_tokens(inside, names, (side, layer), row, colour)]
    parts += [*_words(side), *_links(weights, colour, row)]
    where = {"side": side, "layer": layer, "head": head}
    title = sentence("{side}, layer {layer}, head {head}: who looks at whom", **where)
    drawing = Drawing(tuple(parts), title, tuple(_facts(names, weights, row)))
    return Picture(Scheme(HIGH), drawing, weights, _told(word, names, weights, where))


def _check_side(side):
    if side not in SIDES:
        raise ValueError(
            sentence("side must be encoder or decoder, not {side}.", side=told(side))
        )


def check_among(name, value, count):
    """Raise ValueError unless a value is a whole number from 0 to below a count."""
    if whole(value) not in range(count):
        raise ValueError(
            sentence(
                "{name} must be an integer from 0 to {last}, not {value}.",
                name=name,
                last=count - 1,
                value=told(value),
            )
        )


def across(count, centre=CENTRE, room=ROOM):
    """Return where tokens stand, and how far the next one is."""
    step = min(APART, room / count)
    return centre + (np.arange(count) - (count - 1) / 2) * step, step


def _tokens(inside, names, where, row, colour):
    """Yield the tokens twice, as keys below and as queries above, and their states."""
    places, step = across(len(names))
    side, layer = where
    before = f"{side} in" if layer == 0 else f"{side} {layer - 1} think"
    wide, token = min(30, 0.55 * step), min(40, 0.9 * step)
    rows = (KEYS, BELOW, before), (QUERIES, ABOVE, f"{side} {layer} self")
    for height, beside, name in rows:
        states = inside.states[name]
        limit = float(np.abs(states).max())
        for i, (x, text) in enumerate(zip(places, names, strict=True)):
            asks = height == QUERIES and i == row
            yield Vector(
                x, height, wide, TALL, tuple(states[i]), 16, limit, asks, colour
            )
            yield Token(x, beside, text, asks, token, colour)


def _words(side):
    """Yield what the rows are, at the left."""
    told = (ABOVE, "queries"), (QUERIES, "after"), (KEYS, "before"), (BELOW, "keys")
    for y, text in told:
        yield Words(14, y, text, QUIET, "left")
    if side == "decoder":
        yield Words(14, 270, "no line leads", QUIET, "left")
        yield Words(14, 244, "to a later sound", QUIET, "left")


def _links(weights, colour, row):
    """Yield a line for each weight, and numbers where they have room."""
    places, _ = across(len(weights))
    top, below = KEYS + TALL / 2, QUERIES - TALL / 2
    for i, j in np.ndindex(weights.shape):
        if row in (None, i):
            alone = row is not None
            least = SHOWN[0] if alone else max(SHOWN[1], weights[i].max())
            at = ALONG[j % 2] if alone else 0.1
            ends = places[i], below, places[j], top
            widest = 14 if alone else 9
            yield Link(*ends, weights[i, j], colour, least, at, widest)


def _facts(names, weights, row):
    """Yield a line of weights for each query that is drawn."""
    for i in range(len(names)) if row is None else [row]:
        pairs = zip(names, weights[i], strict=True)
        numbers = ", ".join(f"{name} {w:.2f}" for name, w in pairs if w >= 0.005)
        yield sentence("{query} looks at {numbers}", query=names[i], numbers=numbers)


def _told(word, names, weights, where):
    best = weights.argmax(axis=1)
    pairs = [f"{names[i]}–{names[j]} {weights[i, j]:.2f}" for i, j in enumerate(best)]
    return sentence(
        "Self-attention of head {head} in layer {layer} of the {side} on “{word}”; "
        "each one and what it weighs most: {pairs}.",
        word=word,
        pairs=", ".join(pairs),
        **where,
    )
