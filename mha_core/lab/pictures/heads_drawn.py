"""Multi-head attention drawn: split, attend, merge, each head in its own colour."""

import numpy as np

from mha_core._checks.sentences import counted, sentence
from mha_core.lab.drawing.colours import HEADS
from mha_core.lab.drawing.parts import ACCENT, QUIET, Arrow, Words
from mha_core.lab.drawing.picture import Picture
from mha_core.lab.drawing.scheme import Drawing, Scheme
from mha_core.lab.drawing.strips import Matrix
from mha_core.models.four_relations import FourRelations, masses
from mha_core.multihead import split_heads
from mha_core.tasks.tagged_sentences import ROLES, name_tokens, sentences

HIGH, MIDDLE = 540, 255  # units; the height of the middle
INPUT, CUT, MAPS, FOUND, MERGED, OUTPUT = 85, 235, 385, 525, 665, 822
TALL, THIN = 312, 74  # of the matrices that are d_model wide
SIZES = {1: (180, 0), 2: (140, 190), 4: (84, 118)}  # of maps, and how far apart
MEAN = 256  # sentences over which a head's relation is found


def heads_drawn(layer, seed=0):
    """Return a trained layer of relations as a drawing: split, attend, merge.

    Parameters
    ----------
    layer : FourRelations
        Of one, two or four heads, from `mha_core.pretrained.load_relations`.
    seed : int
        Of the sentence of twelve words.

    Returns
    -------
    Picture
        Its array is the weights of all heads, (h, T, T). Each head is framed in its
        colour, and named by the relation that it puts most weight on.

    Raises
    ------
    ValueError
        If it is no such layer, or has another number of heads.
    """
    _check(layer)
    words, tags = sentences(np.random.default_rng(seed), 1)
    tokens = name_tokens(words[0], tags[0])
    p, h = layer.params, layer.h
    X = (p["E_word"][words] + p["E_tag"][tags] + p["E_place"])[0]  # (T, d_model)
    output, weights = (part[0] for part in layer.attend(words, tags))
    found = weights @ split_heads(X @ p["W_V"], h)  # (h, T, d_k)
    names = _names(layer)
    parts = [*_ends(X, output, tokens), *_merged(found), *_over(h)]
    queries = split_heads(X @ p["W_Q"], h)  # (h, T, d_k)
    for head, (role, mass) in enumerate(names):
        parts += _head(head, queries, weights, found, f"{role} {mass:.2f}")
    title = counted(
        "{n} head, d_model {d_model}, trained",
        "{n} heads, d_model {d_model}, trained",
        n=h,
        d_model=X.shape[1],
    )
    drawing = Drawing(tuple(parts), title, [_told(names, weights)])
    return Picture(Scheme(HIGH), drawing, weights, _sentence(names, X.shape[1]))


def _check(layer):
    if not isinstance(layer, FourRelations) or layer.h not in SIZES:
        heads = getattr(layer, "h", None)
        raise ValueError(
            sentence(
                "A layer of the four relations with 1, 2 or 4 heads is needed, such as "
                "load_relations(64, 4), not {given} with h={heads}.",
                given=type(layer).__name__,
                heads=heads,
            )
        )


def _names(layer):
    """Return for each head the relation that it weighs most, and how much."""
    mass = masses(layer, *sentences(np.random.default_rng(10**6), MEAN))  # (h, 4)
    return [(ROLES[row.argmax()], float(row.max())) for row in mass]


def _ends(X, output, tokens):
    """Yield what goes in and what comes out, both (T, d_model)."""
    size = MIDDLE, THIN, TALL
    text = {"rows": tuple(tokens), "title": "words X", "under": f"{X.shape}"}
    yield Matrix(INPUT, *size, X, limit=np.abs(X).max(), **text)
    limit = np.abs(output).max()
    yield Matrix(
        OUTPUT, *size, output, limit=limit, title="output", under=f"{output.shape}"
    )
    yield Arrow(OUTPUT - 110, MIDDLE, OUTPUT - 42, MIDDLE, "W_O", ACCENT, 2.6)


def _merged(found):
    """Yield the heads side by side, each framed in its colour."""
    h, T, d_k = found.shape
    wide, limit = 86 / h, np.abs(found).max()
    for head in range(h):
        x = MERGED + (head - (h - 1) / 2) * wide
        colour = {"limit": limit, "colour": HEADS[head]}
        yield Matrix(x, MIDDLE, wide, TALL, found[head], **colour)
    yield Words(MERGED, MIDDLE + TALL / 2 + 6, "merged", va="bottom", name=True)
    yield Words(MERGED, MIDDLE - TALL / 2 - 6, f"{(T, h * d_k)}", QUIET, va="top")


def _over(h):
    """Yield what the strips before and after the weights are, over the first head."""
    high, step = SIZES[h]
    y = MIDDLE - 8 + (h - 1) / 2 * step + high / 2 + 28  # clear of the head's name
    for x, text in ((CUT, "queries"), (FOUND, "found")):
        yield Words(x, y, text, va="bottom")


def _head(head, queries, weights, found, name):
    """Yield one head: its part of the queries, its weights, and what it finds."""
    h, _, d_k = queries.shape
    high, step = SIZES[h]
    y, thin = MIDDLE - 8 + ((h - 1) / 2 - head) * step, max(30, min(60, 1.4 * d_k))
    style = {"colour": HEADS[head]}
    limits = [{"limit": np.abs(part).max()} | style for part in (queries, found)]
    yield Matrix(CUT, y, thin, high, queries[head], **limits[0])
    yield Matrix(MAPS, y, high, high, weights[head], weights=True, **style)
    yield Matrix(FOUND, y, thin, high, found[head], **limits[1])
    text = f"head {head}: {name}".replace("0.", ".")
    yield Words(MAPS, y + high / 2 + 3, text, HEADS[head], va="bottom")
    yield from _arrows(y, thin / 2 + 3, high / 2 + 3, style)


def _arrows(y, beside, around, style):
    """Yield the way through one head, from the words to what is merged."""
    yield Arrow(INPUT + 40, MIDDLE, CUT - beside, y, **style)
    yield Arrow(CUT + beside, y, MAPS - around, y, **style)
    yield Arrow(MAPS + around, y, FOUND - beside, y, **style)
    yield Arrow(FOUND + beside, y, MERGED - 47, MIDDLE, **style)


def _told(names, weights):
    parts = [f"head {n} {role} {mass:.2f}" for n, (role, mass) in enumerate(names)]
    return sentence("Mean weight: {heads}.", heads=", ".join(parts))


def _sentence(names, d_model):
    return counted(
        "Twelve words of {d_model} numbers go through {n} head of {d_k}, and what it "
        "finds is mixed: {roles}.",
        "Twelve words of {d_model} numbers are cut into {n} heads of {d_k}; each looks "
        "with weights of its own, and what they find is put side by side and mixed: "
        "{roles}.",
        n=len(names),
        d_model=d_model,
        d_k=d_model // len(names),
        roles=", ".join(f"head {n}: {role}" for n, (role, _) in enumerate(names)),
    )
