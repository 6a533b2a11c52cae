"""The h and d_model explorer: every head of really trained layers."""

from functools import cache

from mha_core import count_parameters
from mha_core._checks.sentences import sentence
from mha_core.lab.explorers.knobs import slider
from mha_core.lab.explorers.measured import measure_own, shipped
from mha_core.lab.explorers.own_models import relations_layer
from mha_core.lab.explorers.tagged import read_sentence
from mha_core.lab.pictures import head_grid
from mha_core.lab.pictures.heatmaps import HEADS_A_PAGE
from mha_core.lab.views import View
from mha_core.tasks.tagged_sentences import name_tokens

WIDTHS = (16, 24, 32, 48, 64)
START = {"d_model": 64, "h": 4}
PRESETS = {
    sentence("one head cannot"): {"d_model": 64, "h": 1},
    sentence("four inspectors"): {"d_model": 64, "h": 4, "head": 1},
    sentence("24 heads of width 1"): {"d_model": 24, "h": 24, "head": 20},
}
LONG = 1024


def explore_heads(d_model=None, h=None, head=0, *, sentence=0, model=None):
    """Slide h and d_model; see what every head of a trained layer looks at.

    Parameters
    ----------
    d_model, h, head : int, optional
        The first setting; 64, 4 and 0. Layers are trained for widths 16, 24, 32 and 64
        with every h that divides them; others are untrained, and say so.
    sentence : int or list of str
        Seed of the sentence of twelve words, or twelve of your own, such as "A0":
        letters A to P with tags 0 to 5, each tag on two words.
    model : FourRelations, optional
        A layer of your own, which has its own d_model and h.

    Returns
    -------
    View
        Controls ``d_model``, ``h`` and ``head``, the one that is enlarged.
    """
    words, tags, name = read_sentence(sentence)
    tokens = name_tokens(words[0], tags[0])
    pairs, layer_of = _layers(model)

    def compute(d_model, h, head):
        found = layer_of(d_model, h)
        weights = found.layer.attend(words, tags)[1][0]  # (h, T, T)
        page = {"page": head // HEADS_A_PAGE, "enlarge": head if h > 1 else None}
        names = {"query_name": "word", "key_name": "word", "titles": found.titles}
        names["short"] = found.short
        names["title"] = _title(d_model, h, name, found, model)
        picture = head_grid(weights, tokens, tokens, **page, **names)
        return picture, _told(d_model, h, found)

    given = {"d_model": d_model, "h": h, "head": head}
    given = {name: value for name, value in given.items() if value is not None}
    first = START | given if model is None else given
    more = {"presets": PRESETS if model is None else None}
    more["called"] = "explore_heads", _given(sentence, model)
    return View(_controls(pairs), compute, offers=_offers(pairs), first=first, **more)


def _given(seed, model):
    """Return what the view was made with beside its controls."""
    given = {"sentence": seed, "model": model}
    return {k: v for k, v in given.items() if v is not None and v != 0}


def _layers(model):
    """Return the head counts that there are for each width, and what finds a layer."""
    if model is None:
        pairs = {d: [h for h in range(1, d + 1) if d % h == 0] for d in WIDTHS}
        return pairs, cache(shipped)
    own = measure_own(relations_layer(model))
    return {len(model.params["W_Q"]): [model.h]}, lambda d_model, h: own


def _offers(pairs):
    return {
        "h": lambda values: pairs[values["d_model"]],
        "head": lambda values: range(values["h"]),
    }


def _controls(pairs):
    what = {
        "d_model": sentence("The width of the layer: how many numbers each word has."),
        "h": sentence("How many heads share the width; each is d_model / h wide."),
        "head": sentence("The head that is shown large, beside all the others."),
    }
    return {
        "d_model": slider([*pairs], "d_model", what["d_model"]),
        "h": slider(next(iter(pairs.values())), "h", what["h"]),
        "head": slider([0], sentence("enlarged head"), what["head"]),
    }


def _title(d_model, h, name, found, model):
    what = {"d_model": d_model, "h": h, "name": name}
    if model is not None:
        return sentence("own weights, d_model {d_model}, h {h}, {name}", **what)
    if found.accuracy is None:
        return sentence("untrained, d_model {d_model}, h {h}, {name}", **what)
    return sentence("trained, d_model {d_model}, h {h}, {name}", **what)


def _told(d_model, h, found):
    numbers = describe(d_model, h, found.accuracy)
    return sentence("{plain} {numbers}", plain=found.sentence, numbers=numbers)


def describe(d_model, h, accuracy):
    """Return what h and d_model cost, and how well the layer does, in one line."""
    what = {"d_k": d_model // h, "parameters": count_parameters(d_model, h)}
    what |= {"words": LONG, "scores": h * LONG * LONG, "accuracy": accuracy}
    if accuracy is None:
        return sentence(
            "d_k = {d_k}, untrained; W_Q, W_K, W_V and W_O: {parameters:,} numbers for "
            "any h; scores for {words} words: {scores:,} numbers.",
            **what,
        )
    return sentence(
        "d_k = {d_k}, accuracy {accuracy:.2f}; W_Q, W_K, W_V and W_O: {parameters:,} "
        "numbers for any h; scores for {words} words: {scores:,} numbers.",
        **what,
    )
