"""The Transformer drawn: encoder, decoder, and the cross-attention between them."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.drawing.numerals import telling
from mha_core.lab.drawing.parts import ACCENT, ASK, QUIET, Arrow, Link, Token, Words
from mha_core.lab.drawing.picture import Picture
from mha_core.lab.drawing.scheme import Drawing, Scheme
from mha_core.lab.drawing.strips import Vector
from mha_core.lab.measure.inside_blocks import inside_blocks
from mha_core.lab.pictures.every_word import across, check_among

HIGH = 540  # units
NAMES, TOKENS = 14, 54  # heights of the middles
ENCODER, DECODER = (108, 194, 280), (108, 210, 446)  # of states: in, and each block
SOUND, TALL = 514, 42
LEFT, RIGHT = (270, 350), (708, 330)  # the middle of each side, and its room
SHOWN, NUMBER = 0.08, 46  # the least weight that is drawn; units between numbers


def transformer_drawn(model, word, step=0):
    """Return the whole network at the step at which it writes one sound.

    Parameters
    ----------
    model : Transformer
        Of two blocks on each side.
    word : str
    step : int
        Which sound is written, from 0.

    Returns
    -------
    Picture
        Its array is the weights of the last cross-attention at this step, the mean
        of its heads, (letters,). All lines are as thick as such means; those of
        less than 0.08 are left out.

    Raises
    ------
    ValueError
        If there is no such step.
    """
    inside = inside_blocks(model, word)
    check_among("step", step, len(inside.sounds))
    mean = {name: w.mean(axis=0) for name, w in inside.weights.items()}
    weights = mean["decoder 1 cross"][step]  # (letters,)
    read = inside.read[: step + 1]
    parts = [*_encoder(inside, mean), *_decoder(inside, mean, read)]
    parts += [*_cross(weights, len(read), model.h), *_sound(inside, step, len(read))]
    said = {"word": word, "sound": inside.sounds[step], "step": step}
    title = sentence("the Transformer reads “{word}” and writes {sound}", **said)
    pairs = list(zip(inside.letters, weights, strict=True))
    facts = [_line(said, pairs), *_chances(inside, step)]
    drawing = Drawing(tuple(parts), title, tuple(facts))
    return Picture(Scheme(HIGH), drawing, weights, _told(said, pairs))


def _column(states, places, step, y):
    """Yield a strip for each state of one row."""
    limit = float(np.abs(states).max())
    for x, numbers in zip(places, states, strict=False):
        yield Vector(x, y, min(28, 0.55 * step), TALL, tuple(numbers), 16, limit)


def _side(names, inside, levels, where, heights):
    """Yield tokens, and a row of states for each level."""
    places, step = across(len(names), *where)
    for x, text in zip(places, names, strict=True):
        yield Token(x, TOKENS, text, wide=min(40, 0.9 * step))
    for name, y in zip(levels, heights, strict=True):
        yield from _column(inside.states[name], places, step, y)


def _mesh(weights, places, below, above, colour=QUIET):
    """Yield a line from each query above, the last ones, to each key below."""
    asking = places[-len(weights) :]
    for i, j in np.ndindex(weights.shape):
        ends = asking[i], above - TALL / 2, places[j], below + TALL / 2
        if weights[i, j] >= SHOWN:
            yield Link(*ends, weights[i, j], colour, 2, widest=8)


def _encoder(inside, mean):
    """Yield letters, two blocks of self-attention, and what they leave."""
    levels = "encoder in", "encoder 0 think", "memory"
    places, _ = across(len(inside.letters), *LEFT)
    yield from _side(inside.letters, inside, levels, LEFT, ENCODER)
    for i in (0, 1):
        below, above = ENCODER[i], ENCODER[i + 1]
        yield from _mesh(mean[f"encoder {i} self"], places, below, above)
        yield Words(2, (below + above) / 2, f"block {i}", QUIET, "left")
    yield Words(LEFT[0], NAMES, "encoder: letters read letters")


def _decoder(inside, mean, read):
    """Yield the sounds read so far, and two blocks that look at the past."""
    levels, n = ("decoder in", "decoder 0 think"), len(read)
    places, step = across(n, *RIGHT)
    yield from _side(read, inside, levels, RIGHT, DECODER[:2])
    below, own = DECODER[:2], mean["decoder 0 self"][:n, :n]
    yield from _mesh(own, places, *below, ASK)
    last = mean["decoder 1 self"][[n - 1], :n]
    yield from _mesh(last, places, DECODER[1], DECODER[2], ASK)
    state = inside.states["decoder 1 think"][[n - 1]]
    yield from _column(state, places[-1:], step, DECODER[2])
    yield Words(RIGHT[0], NAMES, "decoder: sounds read the past", ASK)


def _cross(weights, n, h):
    """Yield the lines from the state that writes to what the encoder left."""
    places, step = across(len(weights), *LEFT)
    mine, apart = across(n, *RIGHT)
    side = min(28, 0.55 * apart) / 2
    top, numbered = ENCODER[2] + TALL / 2, _numbered(weights, step)
    for j, (x, weight) in enumerate(zip(places, weights, strict=True)):
        if weight >= SHOWN:
            yield Link(mine[-1] - side, DECODER[2], x, top + 31, weight, ACCENT, 2)
        if j in numbered:
            yield Words(x, top + 13, f"{weight:.2f}".replace("0.", "."), ACCENT)
    start, end = places[-1] + min(28, 0.55 * step) / 2 + 4, mine[0] - side - 4
    yield Arrow(start, ENCODER[2] - 14, end, DECODER[1] + 6, "", ACCENT, dashed=True)
    yield Words(4, 508, "cross-attention", ACCENT, "left", name=True)
    yield Words(4, 480, f"of block 1, mean of {h} heads;", ACCENT, "left")
    yield Words(4, 456, "dashed: block 0 does the same", ACCENT, "left")


def _numbered(weights, step):
    """Return the letters whose weight is printed: the largest, not too near by."""
    found = []
    for j in np.argsort(-weights):
        near = any(abs(j - k) * step < NUMBER for k in found)
        if weights[j] >= SHOWN and not near:
            found.append(j)
    return found


def _sound(inside, step, n):
    """Yield the sound that is written, and how likely it was."""
    x = across(n, *RIGHT)[0][-1]
    yield Arrow(x, DECODER[2] + TALL / 2 + 2, x, SOUND - 20)
    yield Token(x, SOUND, inside.sounds[step], True, 44)
    chance = telling(float(inside.chances[step]), 2)
    yield Words(x - 30, SOUND, chance, ACCENT, "right")


def _line(said, pairs):
    numbers = ", ".join(f"{letter} {w:.2f}" for letter, w in pairs if w >= 0.005)
    return sentence(
        "Cross-attention at {sound}: {numbers}", sound=said["sound"], numbers=numbers
    )


def _chances(inside, step):
    """Yield how likely each sound was that is written so far."""
    pairs = list(zip(inside.sounds, inside.chances, strict=True))[: step + 1]
    numbers = ", ".join(f"{sound} {chance:.2f}" for sound, chance in pairs)
    yield sentence("Written so far, with its probability: {numbers}", numbers=numbers)


def _told(said, pairs):
    letter, weight = max(pairs, key=lambda pair: pair[1])
    return sentence(
        "The Transformer writes {sound} of “{word}”: letters look at letters in two "
        "blocks, sounds look at earlier sounds, and the cross-attention of the last "
        "block looks most at {letter} ({weight:.2f}).",
        letter=letter,
        weight=float(weight),
        **said,
    )
