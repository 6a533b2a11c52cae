"""Heads on and off: what a network says without some of them, and how wrong it is."""

from functools import cache, partial

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.drawing.tellings import commas, joined
from mha_core.lab.explorers.knobs import switch, word_box
from mha_core.lab.explorers.own_models import several_heads
from mha_core.lab.measure.held_out import held_out_error, some_held_out
from mha_core.lab.measure.knockout import without_heads
from mha_core.lab.pictures import head_grid
from mha_core.lab.pictures.alignments import check_said
from mha_core.lab.views import View
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
    model : MultiHead, optional
        One of your own.
    **on : bool
        ``head_0=False`` and such: what each box holds at the start.

    Returns
    -------
    View
        Controls ``word``, and ``head_0``, ``head_1``, ... The error is that of 500
        held-out words at equal distances in the alphabet. What a head that is out
        would hand back is replaced by zeros; it is hatched.
    """
    given, model = ({"model": model} if model else {}), several_heads(model)
    names = [f"head_{head}" for head in range(model.h)]

    def compute(word, **ticks):
        out = tuple(h for h, name in enumerate(names) if not ticks[name])
        said = pronounce(without_heads(model, out), word)
        check_said(said)
        return _picture(said, out), _told(said, out, error_of(out), error_of(()))

    error_of = cache(partial(_error, model))
    first = {"word": word} | _ticks(model, out) | on
    more = {"presets": _presets(model), "called": ("explore_knockout", given)}
    return View(_controls(model), compute, first=first, **more)


def _error(model, out):
    return held_out_error(without_heads(model, out), some_held_out(SAMPLE))


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
    return {"word": word_box()} | boxes


def _picture(said, out):
    on = np.array([head not in out for head in range(len(said.weights))])
    word = "".join(said.letters)
    return head_grid(
        said.weights * on[:, None, None],
        to_ipa(said.phonemes),
        said.letters,
        title=_title(word, [head for head, kept in enumerate(on) if kept]),
        titles=[_name(head, kept) for head, kept in enumerate(on)],
        query_name="phoneme",
        key_name="letter",
        visible=None if on.all() else on[:, None, None],
    )


def _title(word, kept):
    if not kept:
        return sentence("“{word}”, no head at all", word=word)
    heads = joined([str(head) for head in kept], commas)
    return sentence("“{word}”, heads that are on: {heads}", word=word, heads=heads)


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
