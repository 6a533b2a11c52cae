"""The encoder drawn: letters, states from both sides, and the message of its ends."""

import numpy as np

from mha_core.lab.drawing.parts import ACCENT, QUIET, Arrow, Route, Token, Words
from mha_core.lab.drawing.strips import Vector

HIGH = 520  # units
LETTERS, BACKWARD, FORWARD = 30, 98, 155  # heights of the middles
CENTRE, MIXED, STATE = 505, 312, 396
TALL, STRIP = 52, (64, 34)  # of one direction's state; of the decoder's states
APART, ROOM = 84, 730  # units from letter to letter, and for all of them
TOP = FORWARD + TALL / 2  # of the encoder


def across(count):
    """Return where letters or sounds stand, and how far the next one is."""
    step = min(APART, ROOM / count)
    return CENTRE + (np.arange(count) - (count - 1) / 2) * step, step


def encoder(writing, passed):
    """Yield letters, the states of both directions, and the arrows between them.

    Framed are the ends that are passed on, where nothing else is.
    """
    places, step = across(len(writing.letters))
    wide = min(28, 0.55 * step)
    yield from _letters(writing, places, step)
    for d, y, name in ((0, FORWARD, "forward"), (1, BACKWARD, "backward")):
        end = len(places) - 1 if d == 0 else 0
        for j, x in enumerate(places):
            strong = passed and j == end
            numbers = tuple(writing.states[j, d])
            yield Vector(x, y, wide, TALL, numbers, rows(numbers, 10), strong=strong)
        yield Words(places[0] - wide / 2 - 22, y, name, QUIET, "right")
    for x in places[:-1]:
        ends = x + wide / 2 + 1, x + step - wide / 2 - 1
        yield Arrow(ends[0], FORWARD, ends[1], FORWARD)
        yield Arrow(ends[1], BACKWARD, ends[0], BACKWARD)


def _letters(writing, places, step):
    for x, letter in zip(places, writing.letters, strict=True):
        yield Token(x, LETTERS, letter, wide=min(40, 0.9 * step))
        yield Arrow(x, LETTERS + 20, x, BACKWARD - TALL / 2 - 2)


def message(writing, *words):
    """Yield the two ends that are passed on, and nothing else."""
    places, step = across(len(writing.letters))
    line, half = {"colour": ACCENT, "thick": 3.4}, min(28, 0.55 * step) / 2
    below, side = MIXED - STRIP[1] / 2 - 3, places[0] - half - 11
    start = (places[0] - half - 1, BACKWARD), (side, BACKWARD), (side, TOP + 5)
    yield Route((*start, (CENTRE - 20, below)), **line)
    yield Route(((places[-1], TOP + 2), (CENTRE + 20, below)), **line)
    yield strip(CENTRE, MIXED, writing.message, strong=True)
    yield from beside_strip(*words)


def beside_strip(*words):
    """Yield lines of words beside the message or the context."""
    for y, line in zip((MIXED + 13, MIXED - 13), words, strict=True):
        yield Words(CENTRE + 46, y, line, ACCENT, "left")


def strip(x, y, numbers, **more):
    """Return a state, a message or a context."""
    return Vector(x, y, *STRIP, tuple(numbers), rows(numbers, 4), **more)


def rows(numbers, about):
    """Return into how many rows numbers are cut, so that the last one is full."""
    divisors = [n for n in range(1, len(numbers) + 1) if len(numbers) % n == 0]
    return min(divisors, key=lambda n: abs(n - about))
