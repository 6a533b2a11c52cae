"""The decoder at one step, drawn: letters, states, message or context, sound."""

import numpy as np

from mha_core._checks.arguments import check_count
from mha_core._checks.sentences import sentence
from mha_core.lab.drawing.numerals import telling
from mha_core.lab.drawing.parts import (
    ACCENT,
    ASK,
    INK,
    QUIET,
    Arrow,
    Link,
    Token,
    Words,
)
from mha_core.lab.drawing.picture import Picture
from mha_core.lab.drawing.scheme import Drawing, Scheme
from mha_core.lab.drawing.strips import Vector
from mha_core.lab.pictures.step_tellings import tell

HIGH = 520  # units
LETTERS, BACKWARD, FORWARD = 30, 103, 165  # heights of the middles
CENTRE, MIXED, STATE, SOUND = 450, 305, 392, 478
TALL, STRIP = 52, (64, 34)  # of one direction's state; of the decoder's states
NEAREST = 56  # units between two sounds
SHOWN = 0.05  # a smaller weight has no number
ALONG, NUMBER = (0.86, 0.6), 64  # where on lines numbers stand in turn; their width


def decoder_step(writing, step=0):
    """Return one step of a recurrent network as a drawing filled with its numbers.

    Parameters
    ----------
    writing : Writing
        From `lab.write_word`. Where the network looks back, lines are as thick as its
        weights (the mean of its heads); where it does not, it has the message alone.
    step : int
        Which sound is written, from 0.

    Returns
    -------
    Picture
        Its array is the weights of this step, (letters,); the message, (2 n,), where
        nothing looks back. Dark cells are below 0, light ones above.

    Raises
    ------
    ValueError
        If there is no such step.
    """
    step = _checked(step, len(writing.steps))
    now = writing.steps[step]
    weights = now.looked
    looks = weights is not None
    base = *_encoder(writing, not looks), *(() if looks else _message(writing))
    parts = [*_sounds(writing, step), *_decoder(now, step, looks)]
    parts += _look(writing, now) if looks else ()
    title, facts, told = tell(writing, step)
    array = writing.message if weights is None else weights
    return Picture(Scheme(HIGH, base), Drawing(tuple(parts), title, facts), array, told)


def _checked(step, count):
    if (step := check_count("step", step, 0)) < count:
        return step
    raise ValueError(
        sentence(
            "step must be from 0 to {last}, not {step}: the network writes {count} "
            "sounds.",
            last=count - 1,
            step=step,
            count=count,
        )
    )


def _across(writing):
    """Return where letters stand, how wide a state is, and how far the next is."""
    count = len(writing.letters)
    step = min(84, 840 / count)
    places = CENTRE + (np.arange(count) - (count - 1) / 2) * step
    return places, min(28, 0.55 * step), step


def _encoder(writing, passed):
    """Yield letters, the states of both directions, and the arrows between them.

    Framed are the ends that are passed on, where nothing else is.
    """
    places, wide, step = _across(writing)
    token = min(40, 0.9 * step)
    for j, (x, letter) in enumerate(zip(places, writing.letters, strict=True)):
        yield Token(x, LETTERS, letter, wide=token)
        for d, y in enumerate((FORWARD, BACKWARD)):
            end = len(writing.letters) - 1 if d == 0 else 0
            strong = passed and j == end
            numbers = tuple(writing.states[j, d])
            yield Vector(x, y, wide, TALL, numbers, _rows(numbers, 10), strong=strong)
        yield Arrow(x, LETTERS + 20, x, BACKWARD - TALL / 2 - 2)
    for x in places[:-1]:
        ends = x + wide / 2 + 1, x + step - wide / 2 - 1
        yield Arrow(ends[0], FORWARD, ends[1], FORWARD)
        yield Arrow(ends[1], BACKWARD, ends[0], BACKWARD)


def _message(writing):
    """Yield the two ends that are passed on, and nothing else."""
    places, wide, _ = _across(writing)
    below, line = MIXED - STRIP[1] / 2 - 4, {"colour": ACCENT, "thick": 4}
    forward = places[-1], FORWARD + TALL / 2 + 3, CENTRE + 18, below
    backward = places[0] - wide / 2 - 4, BACKWARD, CENTRE - 18, below
    yield _strip(CENTRE, MIXED, writing.message, strong=True)
    yield Arrow(*forward, **line, bend=0.1)
    yield Arrow(*backward, **line, bend=-0.2)
    many = f"the message: {len(writing.message)} numbers,"
    yield Words(CENTRE + 46, MIXED + 13, many, ACCENT, "left")
    yield Words(CENTRE + 46, MIXED - 13, "the same at every step", ACCENT, "left")


def _look(writing, now):
    """Yield the links to all letters, the context, and the state that asks."""
    places, _, step = _across(writing)
    top, below = FORWARD + TALL / 2 + 2, MIXED - STRIP[1] / 2
    weights = now.looked
    numbered = _numbered(weights, NUMBER / (ALONG[1] * step))
    for j, (x, weight) in enumerate(zip(places, weights, strict=True)):
        least = 0 if j in numbered else 2
        yield Link(CENTRE, below, x, top, weight, least=least, at=ALONG[j % 2])
    yield _strip(CENTRE, MIXED, now.context, strong=True)
    many = f"the context: {len(now.context)} numbers,"
    yield Words(CENTRE + 46, MIXED + 13, many, ACCENT, "left")
    yield Words(CENTRE + 46, MIXED - 13, "mixed anew", ACCENT, "left")
    yield Arrow(186, MIXED, CENTRE - 38, MIXED, colour=ASK, dashed=True)


def _numbered(weights, apart):
    """Return the letters whose weight is printed: the largest, not too near by."""
    found = []
    for j in np.argsort(-weights):
        near = [k for k in found if (j - k) % 2 == 0 and abs(j - k) < apart]
        if weights[j] >= SHOWN and not near:
            found.append(j)
    return found


def _strip(x, y, numbers, **more):
    """Return a state, a message or a context."""
    return Vector(x, y, *STRIP, tuple(numbers), _rows(numbers, 4), **more)


def _rows(numbers, about):
    """Return into how many rows numbers are cut, so that the last one is full."""
    divisors = [n for n in range(1, len(numbers) + 1) if len(numbers) % n == 0]
    return min(divisors, key=lambda n: abs(n - about))


def _decoder(now, step, looks):
    """Yield the decoder's state, what it comes from, and what is read from it."""
    name = "the state before asks" if looks else "the state before"
    colour = ASK if looks else INK
    yield _strip(150, MIXED, now.before, strong=looks, colour=ASK)
    yield Words(150, MIXED - 24, name, colour, va="top")
    yield Arrow(188, MIXED + 10, CENTRE - 36, STATE - 6)
    yield _strip(CENTRE, STATE, now.state)
    text = f"state of step {step}"
    yield Words(CENTRE - 44, STATE + 10, text, INK, "right")
    yield Arrow(CENTRE, MIXED + 20, CENTRE, STATE - 20, colour=ACCENT, thick=2.4)
    yield Arrow(CENTRE, STATE + 20, CENTRE, SOUND - 22)
    yield from _likeliest(now.likely)


def _likeliest(likely):
    """Yield the likeliest sounds and how likely they are, the written one first."""
    yield Words(CENTRE + 84, STATE + 46, "likeliest:", QUIET, "left")
    for n, (sound, chance) in enumerate(likely):
        y = STATE + 18 - 27 * n
        yield Words(CENTRE + 96, y, sound)
        yield Words(CENTRE + 122, y, telling(chance, 2), INK, "left")


def _sounds(writing, step):
    """Yield the sounds that were written before, and the one of now."""
    room = int((CENTRE - 40) // NEAREST) - 1
    for n in range(max(0, step - room), step + 1):
        x = CENTRE - NEAREST * (step - n)
        yield Token(x, SOUND, writing.sounds[n], strong=n == step, wide=44)
