"""The h and d_model explorer: every head of really trained layers."""

from functools import cache

import ipywidgets as widgets
import numpy as np

from mha_core import count_parameters
from mha_core._checks.projections import check_heads
from mha_core._checks.sentences import sentence
from mha_core.lab.pictures import head_grid
from mha_core.lab.pictures.heatmaps import HEADS_A_PAGE
from mha_core.lab.views import View
from mha_core.models.four_relations import untrained
from mha_core.pretrained import load_relations, load_relations_table
from mha_core.tasks.tagged_sentences import sentences

WIDTHS = (16, 24, 32, 48, 64)
LONG = 1024
LETTERS = "ABCDEFGHIJKLMNOP"


def explore_heads(d_model=64, h=4, *, sentence=0):
    """Slide h and d_model; see what every head of a trained layer looks at.

    Parameters
    ----------
    d_model, h : int
        The first setting. Layers are trained for widths 16, 24, 32 and 64 with every h
        that divides them; others are shown untrained, and say so.
    sentence : int
        Seed of the sentence of twelve words.

    Returns
    -------
    View
        Controls ``d_model``, ``h`` and ``head``, the one that is enlarged.
    """
    words, tags = sentences(np.random.default_rng(sentence), 1)
    tokens, layer_of = name_tokens(words[0], tags[0]), cache(_layer)

    def compute(d_model, h, head):
        check_heads(d_model, h)
        layer, accuracy = layer_of(d_model, h)
        weights = layer.attend(words, tags)[1][0]  # (h, T, T)
        told = _beyond(head, h, describe(d_model, h, accuracy))
        head = min(head, h - 1)
        page = {"page": head // HEADS_A_PAGE, "enlarge": head}
        names = {"query_name": "word", "key_name": "word"}
        names["title"] = _title(d_model, h, sentence, accuracy)
        return head_grid(weights, tokens, tokens, **page, **names), told

    return View(_controls(), compute, first={"d_model": d_model, "h": h})


def _controls():
    top = max(WIDTHS)
    return {
        "d_model": widgets.SelectionSlider(options=WIDTHS, description="d_model"),
        "h": widgets.IntSlider(1, 1, top, description="h"),
        "head": widgets.IntSlider(0, 0, top - 1, description=sentence("enlarged head")),
    }


def _title(d_model, h, number, accuracy):
    what = {"d_model": d_model, "h": h, "number": number}
    if accuracy is None:
        return sentence(
            "untrained, d_model {d_model}, h {h}, sentence {number}", **what
        )
    return sentence("trained, d_model {d_model}, h {h}, sentence {number}", **what)


def _beyond(head, h, told):
    if head < h:
        return told
    what = {"head": head, "last": h - 1, "told": told}
    return sentence("There is no head {head}; the last is {last}. {told}", **what)


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


def name_tokens(words, tags):
    """Return words with their tags as labels: a letter, and the tag as a number."""
    return [f"{LETTERS[w]}{t}" for w, t in zip(words, tags, strict=True)]


def _layer(d_model, h):
    for row in load_relations_table()["grid"]:
        if (row["d_model"], row["h"], row["seed"]) == (d_model, h, 0):
            return load_relations(d_model, h), row["accuracy"]
    return untrained(d_model, h, np.random.default_rng(0)), None
