"""Every attention of the trained Transformer, on a word that is typed."""

import ipywidgets as widgets
import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.pictures import head_grid
from mha_core.lab.pictures.alignments import check_said
from mha_core.lab.views import View
from mha_core.pretrained import load
from mha_core.pronouncing import pronounce
from mha_core.tasks import number_phonemes, spell, to_ipa

# Keys, as code names them, and labels, as readers see them.
PLACES = {
    "encoder": sentence("encoder self-attention"),
    "decoder self": sentence("decoder self-attention"),
    "decoder cross": sentence("decoder cross-attention"),
}
START = "start"


def explore_blocks(word="knight", place="decoder cross", layer=1, head=0):
    """Type a word; see all heads of each attention of the Transformer.

    Parameters
    ----------
    word : str
    place : str
        A key of `PLACES`: letters look at letters, phonemes at earlier phonemes, or
        phonemes at letters.
    layer, head : int
        Of two layers and four heads, counted from 0; the head is enlarged.

    Returns
    -------
    View
        Controls ``word``, ``place``, ``layer`` and ``head``.
    """
    model = load("transformer")

    def compute(word, place, layer, head):
        said = pronounce(model, word)
        check_said(said)
        weights = read_weights(model, said)[_name(place, layer)]  # (h, T_q, T_k)
        names = _names(place) | {"title": _title(said, place, layer)}
        names["visible"] = (
            np.tri(len(said.phonemes)) if place == "decoder self" else None
        )
        picture = head_grid(weights, *_labels(place, said), enlarge=head, **names)
        return picture, sentence("{said}.", said=said.sentence)

    first = {"word": word, "place": place, "layer": layer, "head": head}
    return View(_controls(model), compute, first=first)


def _controls(model):
    layers, heads = len(model.layers), model.h
    word, place = sentence("word"), sentence("place")
    layer, head = sentence("layer"), sentence("enlarged head")
    places = [(label, key) for key, label in PLACES.items()]
    return {
        "word": widgets.Text(description=word, continuous_update=False),
        "place": widgets.Dropdown(options=places, description=place),
        "layer": widgets.IntSlider(0, 0, layers - 1, description=layer),
        "head": widgets.IntSlider(0, 0, heads - 1, description=head),
    }


def read_weights(model, said):
    """Return the weights of every attention, (h, T_q, T_k), as a word is written."""
    ids = number_phonemes([said.phonemes])  # (1, T_q + 1)
    target_in = np.pad(ids, [(0, 0), (1, 0)])[:, : len(said.phonemes)]
    found = model.attention(spell(["".join(said.letters)]), target_in)
    return {name: weights[0] for name, weights in found.items()}


def _title(said, place, layer):
    return sentence(
        "“{word}”, trained Transformer, {place}, layer {layer}",
        word="".join(said.letters),
        place=PLACES[place],
        layer=layer,
    )


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
