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
    Route,
    Token,
    Words,
)
from mha_core.lab.drawing.picture import Picture
from mha_core.lab.drawing.scheme import Drawing, Scheme
from mha_core.lab.pictures.encoder_drawn import (
    CENTRE,
    HIGH,
    MIXED,
    STATE,
    STRIP,
    TOP,
    across,
    beside_strip,
    encoder,
    message,
    strip,
)
from mha_core.lab.pictures.step_tellings import tell

ASKING, SOUND = 165, 480  # where the state that asks is; how high the sounds are
NEAREST = 56  # units between two sounds
SHOWN = 0.05  # a smaller weight has no number
ALONG, NUMBER = (0.76, 0.48), 64  # where on lines numbers stand in turn; their width


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
    many = f"the message: {len(writing.message)} numbers,", "the same at every step"
    base = *encoder(writing, not looks), *(() if looks else message(writing, *many))
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


def _look(writing, now):
    """Yield the question to all letters, the links to them, and the context."""
    places, step = across(len(writing.letters))
    top, below = TOP + 2, MIXED - STRIP[1] / 2
    weights = now.looked
    numbered = _numbered(weights, NUMBER / (ALONG[1] * step))
    yield from _question(places, top)
    for j, (x, weight) in enumerate(zip(places, weights, strict=True)):
        least = 0 if j in numbered else 2
        yield Link(CENTRE, below, x, top, weight, least=least, at=ALONG[j % 2])
    yield strip(CENTRE, MIXED, now.context, strong=True)
    yield from beside_strip(f"the context: {len(now.context)} numbers,", "mixed anew")


def _question(places, top):
    """Yield the way of the question: from the state that asks to every letter."""
    level, side = top + 13, 16
    first = (ASKING - STRIP[0] / 2 - 3, MIXED), (side, MIXED)
    line = {"colour": ASK, "dashed": True, "arrow": False}
    yield Route((*first, (side, level), (places[-1], level)), **line)
    for x in places:
        yield Arrow(x, level, x, top, colour=ASK)


def _numbered(weights, apart):
    """Return the letters whose weight is printed: the largest, not too near by."""
    found = []
    for j in np.argsort(-weights):
        near = [k for k in found if (j - k) % 2 == 0 and abs(j - k) < apart]
        if weights[j] >= SHOWN and not near:
            found.append(j)
    return found


def _decoder(now, step, looks):
    """Yield the decoder's state, what it comes from, and what is read from it."""
    name = "the state before asks" if looks else "the state before"
    colour = ASK if looks else INK
    yield strip(ASKING, MIXED, now.before, strong=looks, colour=ASK)
    yield Words(ASKING, MIXED - 24, name, colour, va="top")
    yield Arrow(ASKING + 38, MIXED + 10, CENTRE - 36, STATE - 6)
    yield strip(CENTRE, STATE, now.state)
    text = f"state of step {step}"
    yield Words(CENTRE - 44, STATE + 10, text, INK, "right")
    yield Arrow(CENTRE, MIXED + 20, CENTRE, STATE - 20, colour=ACCENT, thick=2.4)
    yield Arrow(CENTRE, STATE + 20, CENTRE, SOUND - 22)
    yield from _likeliest(now.likely)


def _likeliest(likely):
    """Yield the likeliest sounds and how likely they are, the written one first."""
    yield Words(CENTRE + 84, STATE + 46, "likeliest:", QUIET, "left")
    shown = [pair for pair in likely if pair[1] >= 0.005]
    for n, (sound, chance) in enumerate(shown):
        y = STATE + 18 - 27 * n
        yield Words(CENTRE + 96, y, sound)
        yield Words(CENTRE + 122, y, telling(chance, 2), INK, "left")


def _sounds(writing, step):
    """Yield the sounds that were written before, and the one of now."""
    room = int((CENTRE - 40) // NEAREST) - 1
    for n in range(max(0, step - room), step + 1):
        x = CENTRE - NEAREST * (step - n)
        yield Token(x, SOUND, writing.sounds[n], strong=n == step, wide=44)
