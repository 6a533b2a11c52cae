"""A block drawn: what stays on the residual path, and what each part adds to it."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.blocks import layer_norm
from mha_core.lab.drawing.colours import HEADS, INK
from mha_core.lab.drawing.parts import ACCENT, QUIET, Arrow, Route, Token, Words
from mha_core.lab.drawing.picture import Picture
from mha_core.lab.drawing.scheme import Drawing, Scheme
from mha_core.lab.drawing.strips import Matrix, Vector
from mha_core.lab.measure.inside_blocks import inside_blocks
from mha_core.lab.pictures.every_word import check_among

HIGH = 490  # units
PATH, BRANCH, NAMES = 125, 312, 434  # heights: what stays, what is worked out, names
BEFORE, BETWEEN, AFTER = 45, 520, 858  # where states on the path are
NORMS, ADDED = (112, 586), (436, 786)  # where branches begin, and where they are added
MAP, INNER = (278, 190, 112), (686, 84)  # of the weights; of the inner numbers
SIDE, ROW = 60, 9  # of a state; letters that have room beside each other


def block_drawn(model, word, place=0, layer=0):
    """Return what a block of the encoder does to the state of one letter.

    Parameters
    ----------
    model : Transformer
    word : str
    place : int
        Which letter, from 0.
    layer : int
        Which block of the encoder, from 0.

    Returns
    -------
    Picture
        Its array is (5, d_model): the state before, what attention adds, the state
        between, what the feed-forward layer adds, and the state after. All five are
        coloured on one scale; a length is the root of the sum of squares.

    Raises
    ------
    ValueError
        If there is no such letter or block.
    """
    inside = inside_blocks(model, word)
    check_among("place", place, len(inside.letters))
    check_among("layer", layer, len(model.layers))
    start, names = f"encoder {layer} ", inside.letters
    states, p = inside.states, model.params
    before = states["encoder in" if layer == 0 else f"encoder {layer - 1} think"][place]
    between, after = (states[start + part][place] for part in ("self", "think"))
    array = np.stack([before, between - before, between, after - between, after])
    weights = inside.weights[start + "self"][:, place]  # (h, T)
    parts = [*_path(array, names[place]), *_look(weights, names)]
    parts += [*_norms(p, start, (before, between)), *_ways()]
    told = _lengths(array) | {"letter": names[place], "layer": layer}
    title = sentence("block {layer} of the encoder, at the letter {letter}", **told)
    facts = [_fact(told), *_rows(weights, names)]
    return Picture(
        Scheme(HIGH), Drawing(tuple(parts), title, tuple(facts)), array, _told(told)
    )


def _lengths(array):
    names = "before", "attention", "between", "feed_forward", "after"
    return dict(zip(names, np.linalg.norm(array, axis=1).tolist(), strict=True))


def _path(array, letter):
    """Yield the states on the path, and what is added to them."""
    limit = float(np.abs(array).max())
    yield Token(BEFORE, PATH + 64, letter, True, colour=INK)
    places = BEFORE, ADDED[0], BETWEEN, ADDED[1], AFTER
    for n, (x, numbers) in enumerate(zip(places, array, strict=True)):
        adds, length = n in (1, 3), np.linalg.norm(numbers)
        y = BRANCH if adds else PATH
        yield Vector(x, y, SIDE, SIDE, tuple(numbers), 8, limit, adds)
        if adds:
            yield Words(x - 8, PATH + 52, f"+ {length:.1f}", ACCENT, "right")
            yield Words(x, BRANCH + 50, "adds", ACCENT)
        else:
            yield Words(x, PATH - 46, "length")
            yield Words(x, PATH - 68, f"{length:.1f}")


def _look(weights, names):
    """Yield the weights of all heads for this letter."""
    x, wide, high = MAP
    h, T = weights.shape
    heads = {"rows": tuple(map(str, range(h))), "row_colours": HEADS[:h]}
    exact, numbered = (2 if T < 5 else None), list(enumerate(names))
    odd = T > ROW  # every other letter is raised, where they would touch
    heads["columns"] = tuple(n if j % 2 == 0 or not odd else "" for j, n in numbered)
    yield Matrix(x, BRANCH, wide, high, weights, weights=True, exact=exact, **heads)
    for j, name in numbered[1::2] if odd else ():
        place = x + (j + 0.5) * wide / T - wide / 2
        yield Words(place, BRANCH + high / 2 + 27, name, va="bottom")
    yield Words(x, NAMES, "attention", ACCENT, name=True)
    yield Words(x, BRANCH - high / 2 - 18, f"weights of {h} heads", QUIET)


def _norms(p, start, states):
    """Yield both normalised states, and the numbers inside the feed-forward layer."""
    for part, x, state in zip(("self", "think"), NORMS, states, strict=True):
        gain, shift = (p[f"{start}{part} {name}"] for name in ("gain", "shift"))
        normal = layer_norm(state, gain, shift)
        limit = float(np.abs(normal).max())
        yield Vector(x, BRANCH, SIDE, SIDE, tuple(normal), 8, limit)
        yield Words(x, BRANCH + 50, "norm")
    inner = np.maximum(normal @ p[f"{start}think W_1"] + p[f"{start}think b_1"], 0)
    x, wide = INNER
    yield Vector(x, BRANCH, wide, SIDE, tuple(inner), 8, float(inner.max()) or 1.0)
    yield Words(x, NAMES, "feed-forward", ACCENT, name=True)
    positive = f"{np.count_nonzero(inner)} of {len(inner)}"
    yield Words(x, BRANCH - 50, positive, QUIET)
    yield Words(x, BRANCH - 72, "are above 0", QUIET)


def _ways():
    """Yield the path, which stays, and the branches that leave it and come back."""
    edge, gap = SIDE / 2 + 3, 12
    works = (MAP[0], MAP[1] / 2 + 3), (INNER[0], INNER[1] / 2 + 3)
    ends = (BEFORE, BETWEEN), (BETWEEN, AFTER)
    for norm, added, (x, half), (a, b) in zip(NORMS, ADDED, works, ends, strict=True):
        yield Route(((a + edge, PATH), (added - gap, PATH)), INK, 4, arrow=False)
        yield Arrow(added + gap, PATH, b - edge, PATH, "", INK, 4)
        yield Words(added, PATH - 1, "+", ACCENT, name=True)
        yield Arrow(norm, PATH + 3, norm, BRANCH - edge)
        left = x - half - (18 if x == MAP[0] else 0)
        yield Arrow(norm + edge, BRANCH, left, BRANCH)
        yield Arrow(x + half, BRANCH, added - edge, BRANCH)
        yield Arrow(added, BRANCH - edge, added, PATH + 13, "", ACCENT, 2.6)
    yield Words(450, 20, "the residual path: what was there stays", INK)


def _fact(told):
    return sentence(
        "Lengths: before {before:.1f}, attention adds {attention:.1f}, between "
        "{between:.1f}, feed-forward adds {feed_forward:.1f}, after {after:.1f}",
        **told,
    )


def _rows(weights, names):
    """Yield a line of weights for each head."""
    for head, row in enumerate(weights):
        pairs = zip(names, row, strict=True)
        numbers = ", ".join(f"{name} {w:.2f}" for name, w in pairs if w >= 0.005)
        yield sentence("head {head}: {numbers}", head=head, numbers=numbers)


def _told(told):
    return sentence(
        "Block {layer} of the encoder takes the state of the letter {letter}, of "
        "length {before:.1f}; attention adds {attention:.1f}, the feed-forward layer "
        "{feed_forward:.1f}, each from the normalised state; it leaves with "
        "{after:.1f}.",
        **told,
    )
