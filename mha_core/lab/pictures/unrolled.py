"""A word from letters to sounds: the encoder, its message, and each decoder step."""

from difflib import SequenceMatcher
from itertools import pairwise, zip_longest

from mha_core._checks.sentences import sentence
from mha_core.lab.drawing.parts import ACCENT, INK, QUIET, Arrow, Route, Token, Words
from mha_core.lab.drawing.picture import Picture
from mha_core.lab.drawing.scheme import Drawing, Scheme
from mha_core.lab.drawing.strips import Vector
from mha_core.lab.pictures.alignments import check_written
from mha_core.lab.pictures.encoder_drawn import (
    CENTRE,
    HIGH,
    MIXED,
    STRIP,
    across,
    encoder,
    message,
    rows,
)
from mha_core.pronouncing import look_up
from mha_core.tasks import to_ipa

LEVEL, STATES, SAYS, RIGHT = 352, 396, 452, 500  # heights, from message to dictionary


def encoder_decoder(writing):
    """Return a network without attention, drawn from the letters to all the sounds.

    Parameters
    ----------
    writing : Writing
        From `lab.write_word`, of a network without attention. Sounds that differ from
        the dictionary's are framed.

    Returns
    -------
    Picture
        Its array is the message, (2 n,), all that the decoder gets of the word. Dark
        cells are below 0, light ones above.

    Raises
    ------
    ValueError
        If the network has attention, or writes nothing.
    """
    _check(writing)
    found, _ = look_up("".join(writing.letters))
    right = None if found is None else to_ipa(found)
    pairs = _side_by_side(writing.sounds, right)
    parts = *_decoder(writing, pairs, right), *_dictionary(pairs, right)
    many = f"the message: {len(writing.message)} numbers,", "all that is passed on"
    base = *encoder(writing, True), *message(writing, *many)
    title, facts, told = _tell(writing, right)
    drawing = Drawing(parts, title, facts)
    return Picture(Scheme(HIGH, base), drawing, writing.message, told)


def _check(writing):
    if any(step.looked is not None for step in writing.steps):
        raise ValueError(
            sentence(
                "encoder_decoder draws a network that passes on its last states alone, "
                "and {kind} looks back; try decoder_step.",
                kind=writing.kind,
            )
        )
    check_written(writing.letters, writing.sounds)


def _side_by_side(said, right):
    """Return pairs of what was said and what is right; None where there is none."""
    if right is None:
        return [(sound, None) for sound in said]
    pairs = []
    for _, i, j, k, m in SequenceMatcher(None, said, right, False).get_opcodes():
        pairs += zip_longest(said[i:j], right[k:m])
    return pairs


def _decoder(writing, pairs, right):
    """Yield the states from step to step, the message to each, and the sounds."""
    places, apart = across(len(pairs))
    there = [(x, *pair) for x, pair in zip(places, pairs, strict=True) if pair[0]]
    wide = min(STRIP[0], 0.62 * apart)
    yield from _fed([x for x, _, _ in there])
    for n, (x, sound, other) in enumerate(there):
        numbers = tuple(writing.steps[n].state)
        yield Vector(x, STATES, wide, STRIP[1], numbers, rows(numbers, 6))
        yield Arrow(x, STATES + 19, x, SAYS - 20)
        box = {"strong": bool(right) and other != sound, "colour": INK}
        yield Token(x, SAYS, sound, wide=min(44, 0.92 * apart), **box)
    for (x, *_), (next_x, *_) in pairwise(there):
        yield Arrow(x + wide / 2 + 1, STATES, next_x - wide / 2 - 1, STATES)


def _fed(places):
    """Yield the way of the message: the same one to every state."""
    line = {"colour": ACCENT, "thick": 2.4, "arrow": False}
    yield Route(((CENTRE, MIXED + STRIP[1] / 2 + 2), (CENTRE, LEVEL)), **line)
    yield Route(((min(places), LEVEL), (max(places), LEVEL)), **line)
    for x in places:
        yield Arrow(x, LEVEL, x, STATES - 19, colour=ACCENT, thick=2.4)


def _dictionary(pairs, right):
    """Yield the dictionary's sounds, each above the one said for it, and names."""
    places, apart = across(len(pairs))
    left = places[0] - apart / 2 - 8
    yield Words(left, SAYS, "it says", QUIET, "right")
    if right is None:
        return
    yield Words(left, RIGHT, "dictionary", QUIET, "right")
    for x, (_, sound) in zip(places, pairs, strict=True):
        if sound is not None:
            yield Words(x, RIGHT, sound, name=True)


def _tell(writing, right):
    """Return the title, the numbers line by line, and a sentence."""
    what = {"word": "".join(writing.letters), "count": len(writing.message)}
    what |= {"said": " ".join(writing.sounds), "right": " ".join(right or ())}
    what |= {"low": writing.message.min(), "high": writing.message.max()}
    title = sentence("“{word}” has to pass through {count} numbers", **what)
    numbers = sentence("Message: {count} numbers from {low:.2f} to {high:.2f}.", **what)
    told = sentence(
        "“{word}” is read from both ends; the last state of each direction, together "
        "{count} numbers, goes to every step of the decoder, which says {said}.",
        **what,
    )
    return title, (numbers, _judged(what)), told


def _judged(what):
    if what["right"]:
        return sentence("It says {said}; the dictionary has {right}.", **what)
    return sentence("It says {said}; the word is not in the dictionary.", **what)
