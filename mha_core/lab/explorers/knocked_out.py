"""Heads on and off: what a network says without some of them, and how wrong it is."""

from functools import cache, partial

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.drawing.tellings import commas, joined
from mha_core.lab.explorers.knobs import choice, slider, switch, word_box
from mha_core.lab.explorers.own_models import several_heads
from mha_core.lab.explorers.transformer_heads import PLACES, read_part
from mha_core.lab.measure.held_out import held_out_error, some_held_out
from mha_core.lab.measure.knockout import without_heads
from mha_core.lab.pictures import head_grid
from mha_core.lab.pictures.alignments import check_said
from mha_core.lab.views import View
from mha_core.models import Transformer
from mha_core.pronouncing import pronounce
from mha_core.tasks import to_ipa

SAMPLE = 500  # held-out words; less than a second


def explore_knockout(word="knight", out=(), *, model=None, **on):
    """Take heads out of the trained network; see what it says, and how often wrongly.

    Parameters
    ----------
    word : str
        The first word.
    out : sequence of int
        Heads that are out at the start.
    model : MultiHead or Transformer, optional
        One of your own, or ``load("transformer")``.
    **on : bool
        ``head_0=False`` and such: what each box holds at the start.

    Returns
    -------
    View
        Controls ``word``, and ``head_0``, ``head_1``, ...; of a Transformer ``place``
        and ``layer`` too, whose heads these are. The error is that of 500 held-out
        words at equal distances in the alphabet. A head that is out is hatched.
    """
    given, model = ({"model": model} if model else {}), several_heads(model)
    names = [f"head_{head}" for head in range(model.h)]

    def compute(word, place=None, layer=None, **ticks):
        out = tuple(h for h, name in enumerate(names) if not ticks[name])
        part = place and _part(place, layer)
        left = without_heads(model, out, part)
        said = pronounce(left, word)
        check_said(said)
        maps = read_part(left, said, place, layer) if place else _maps(said)
        title = _title(said, out, place, layer)
        errors = error_of(part, out), error_of(None, ())
        return _picture(maps, out, title), _told(said, out, *errors)

    error_of = cache(partial(_error, model))
    first = {"word": word} | _where(model) | _ticks(model, out) | on
    more = {"presets": _presets(model), "called": ("explore_knockout", given)}
    return View(_controls(model), compute, first=first, **more)


def _error(model, part, out):
    return held_out_error(without_heads(model, out, part), some_held_out(SAMPLE))


def _where(model):
    """Return which attention of a Transformer is shown first: the last."""
    if not isinstance(model, Transformer):
        return {}
    return {"place": [*PLACES][-1], "layer": model.layers[-1]}


def _part(place, layer):
    """Return the name that the weights of an attention begin with."""
    side, _, kind = place.partition(" ")
    return f"{side} {layer} {kind or 'self'}"


def _maps(said):
    """Return the maps of a recurrent network as `read_part` returns a Transformer's."""
    names = {"query_name": "phoneme", "key_name": "letter", "visible": None}
    return said.weights, to_ipa(said.phonemes), said.letters, names


def _ticks(model, out):
    """Return the value of each head's box."""
    return {f"head_{head}": head not in out for head in range(model.h)}


def _presets(model):
    found = {sentence("all heads"): (), sentence("without head 0"): (0,)}
    if model.h > 2:
        found[sentence("two only")] = tuple(range(2, model.h))
    return {name: _ticks(model, out) for name, out in found.items()}


def _controls(model):
    what = sentence("Off: what this head hands back is replaced by zeros.")
    boxes = {
        f"head_{head}": switch(sentence("head {head}", head=head), what, on=True)
        for head in range(model.h)
    }
    if not isinstance(model, Transformer):
        return {"word": word_box()} | boxes
    where = sentence("Which attention loses heads, and is shown.")
    layer = sentence("Which layer of the encoder or decoder, the first is 0.")
    return {
        "word": word_box(),
        "place": choice(PLACES, sentence("place"), where),
        "layer": slider(model.layers, sentence("layer"), layer),
    } | boxes


def _picture(maps, out, title):
    weights, queries, keys, names = maps
    on = np.array([head not in out for head in range(len(weights))])
    if not on.all():
        visible = True if names["visible"] is None else names["visible"]
        names = names | {"visible": visible & on[:, None, None]}
    return head_grid(
        weights * on[:, None, None],
        queries,
        keys,
        title=title,
        titles=[_name(head, kept) for head, kept in enumerate(on)],
        **names,
    )


def _title(said, out, place, layer):
    word = "".join(said.letters)
    kept = [str(head) for head in range(len(said.weights)) if head not in out]
    heads = joined(kept, commas) if kept else ""
    told = sentence("“{word}”, heads that are on: {heads}", word=word, heads=heads)
    if not kept:
        told = sentence("“{word}”, no head at all", word=word)
    if place is None:
        return told
    where = {"place": PLACES[place], "layer": layer}
    return sentence("{told}; {place}, layer {layer}", told=told, **where)


def _name(head, kept):
    if kept:
        return sentence("head {head}", head=head)
    return sentence("head {head} is out", head=head)


def _told(said, out, error, whole):
    what = {"said": said.sentence, "error": error, "whole": whole, "words": SAMPLE}
    if not out:
        return sentence(
            "{said}. Phoneme error on {words} held-out words: {error:.3f}.", **what
        )
    return sentence(
        "{said}. Phoneme error on {words} held-out words: {error:.3f}; with all heads "
        "{whole:.3f}.",
        **what,
    )
