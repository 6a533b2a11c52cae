"""Every attention of the trained Transformer, on a word that is typed."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.explorers.knobs import choice, slider, word_box
from mha_core.lab.explorers.own_models import transformer
from mha_core.lab.pictures import head_grid
from mha_core.lab.pictures.alignments import check_said
from mha_core.lab.views import View
from mha_core.pronouncing import pronounce
from mha_core.tasks import number_phonemes, spell, to_ipa

# Keys, as code names them, and labels, as readers see them.
PLACES = {
    "encoder": sentence("encoder self-attention"),
    "decoder self": sentence("decoder self-attention"),
    "decoder cross": sentence("decoder cross-attention"),
}
START = "start"
PRESETS = {
    sentence("letters look at letters"): {"place": "encoder", "layer": 0},
    sentence("the future is hidden"): {"place": "decoder self", "layer": 0},
    sentence("sounds look at letters"): {"place": "decoder cross", "layer": 1},
}


def explore_blocks(
    word="knight", place="decoder cross", layer=1, head=0, *, model=None
):
    """Type a word; see all heads of each attention of the Transformer.

    Parameters
    ----------
    word : str
    place : str
        A key of `PLACES`: letters look at letters, phonemes at earlier phonemes, or
        phonemes at letters.
    layer, head : int
        Counted from 0; the shipped model has two layers and four heads. The head is
        enlarged.
    model : Transformer, optional
        One of your own.

    Returns
    -------
    View
        Controls ``word``, ``place``, ``layer`` and ``head``.
    """
    own, model = model, transformer(model)

    def compute(word, place, layer, head):
        said = pronounce(model, word)
        check_said(said)
        weights, queries, keys, names = read_part(model, said, place, layer)
        names |= {"title": _title(said, place, layer)}
        names["enlarge"] = head if model.h > 1 else None
        picture = head_grid(weights, queries, keys, **names)
        return picture, sentence("{said}.", said=said.sentence)

    first = {"word": word, "place": place, "layer": layer, "head": head}
    more = {"presets": PRESETS if own is None else None}
    more["called"] = "explore_blocks", {"model": own} if own else {}
    return View(_controls(model), compute, first=first, **more)


def _controls(model):
    layers, heads = range(len(model.layers)), range(model.h)
    what = {
        "place": sentence("Which attention: who looks at what."),
        "layer": sentence("Which layer of the encoder or decoder, the first is 0."),
        "head": sentence("The head that is shown large, beside all the others."),
    }
    return {
        "word": word_box(),
        "place": choice(PLACES, sentence("place"), what["place"]),
        "layer": slider(layers, sentence("layer"), what["layer"]),
        "head": slider(heads, sentence("enlarged head"), what["head"]),
    }


def read_part(model, said, place, layer):
    """Return the heads of one attention as a word is written, and how to draw them.

    Parameters
    ----------
    model : Transformer
    said : Pronunciation
    place : str
        A key of `PLACES`.
    layer : int

    Returns
    -------
    weights, queries, keys, names
        (h, T_q, T_k); the labels of rows and columns; names of the axes, and which
        cells are visible.
    """
    weights = read_weights(model, said)[_name(place, layer)]
    names = _names(place) | {"visible": None}
    if place == "decoder self":
        names["visible"] = np.tri(len(said.phonemes)) > 0
    return weights, *_labels(place, said), names


def read_weights(model, said):
    """Return the weights of every attention, (h, T_q, T_k), as a word is written."""
    ids = number_phonemes([said.phonemes])  # (1, T_q + 1)
    target_in = np.pad(ids, [(0, 0), (1, 0)])[:, : len(said.phonemes)]
    found = model.attention(spell(["".join(said.letters)]), target_in)
    return {name: weights[0] for name, weights in found.items()}


def _title(said, place, layer):
    what = {"word": "".join(said.letters), "place": PLACES[place], "layer": layer}
    if said.trained:
        return sentence("“{word}”, trained Transformer, {place}, layer {layer}", **what)
    return sentence("“{word}”, untrained Transformer, {place}, layer {layer}", **what)


def _name(place, layer):
    block, _, part = place.partition(" ")
    return f"{block} {layer} {part}".strip()


def _names(place):
    query = "letter" if place == "encoder" else "phoneme"
    key = "written before" if place == "decoder self" else "letter"
    return {"query_name": query, "key_name": key}


def _labels(place, said):
    letters, phonemes = list(said.letters), to_ipa(said.phonemes)
    if place == "encoder":
        return letters, letters
    earlier = [START, *phonemes[:-1]]
    return phonemes, earlier if place == "decoder self" else letters
