"""Every attention of the trained Transformer, on a word that is typed."""

import ipywidgets as widgets
import numpy as np

from mha_core.lab.pictures import head_grid
from mha_core.lab.pictures.alignments import check_said
from mha_core.lab.views import View
from mha_core.pretrained import load
from mha_core.pronouncing import pronounce
from mha_core.tasks import number_phonemes, spell, to_ipa

PLACES = ("encoder", "decoder, looking at itself", "decoder, looking at the word")
START = "start"


def explore_blocks(word="knight", place=PLACES[2], layer=1, head=0):
    """Type a word; see all heads of each attention of the Transformer.

    Parameters
    ----------
    word : str
    place : str
        One of `PLACES`: letters look at letters, phonemes at earlier phonemes, or
        phonemes at letters.
    layer, head : int
        Of two layers and four heads, counted from 0; the head is enlarged.

    Returns
    -------
    View
        Controls ``word``, ``place``, ``layer`` and ``head``.
    """
    model = load("transformer")
    top = {"layer": len(model.layers) - 1, "head": model.h - 1}
    controls = {
        "word": widgets.Text(description="word", continuous_update=False),
        "place": widgets.Dropdown(options=PLACES, description="place"),
        "layer": widgets.IntSlider(0, 0, top["layer"], description="layer"),
        "head": widgets.IntSlider(0, 0, top["head"], description="enlarged head"),
    }

    def compute(word, place, layer, head):
        said = pronounce(model, word)
        check_said(said)
        weights = read_weights(model, said)[_name(place, layer)]  # (h, T_q, T_k)
        labels = _labels(place, said)
        return head_grid(weights, *labels, enlarge=head, **_names(place)), f"{said}."

    first = {"word": word, "place": place, "layer": layer, "head": head}
    return View(controls, compute, first=first)


def read_weights(model, said):
    """Return the weights of every attention, (h, T_q, T_k), as a word is written."""
    ids = number_phonemes([said.phonemes])  # (1, T_q + 1)
    target_in = np.pad(ids, [(0, 0), (1, 0)])[:, : len(said.phonemes)]
    found = model.attention(spell(["".join(said.letters)]), target_in)
    return {name: weights[0] for name, weights in found.items()}


def _name(place, layer):
    names = (f"encoder {layer}", f"decoder {layer} self", f"decoder {layer} cross")
    return names[PLACES.index(place)]


def _names(place):
    query = "letter" if place == PLACES[0] else "phoneme"
    key = "written before" if place == PLACES[1] else "letter"
    return {"query_name": query, "key_name": key}


def _labels(place, said):
    letters, phonemes = list(said.letters), to_ipa(said.phonemes)
    if place == PLACES[0]:
        return letters, letters
    earlier = [START, *phonemes[:-1]]
    return phonemes, earlier if place == PLACES[1] else letters
