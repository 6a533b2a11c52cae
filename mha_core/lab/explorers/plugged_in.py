"""A reader's own functions inside the trained Transformer, which must still speak."""

import math
from functools import cache

import numpy as np

from mha_core._checks.sentences import counted, sentence
from mha_core.lab.drawing.tellings import commas, joined
from mha_core.lab.explorers.knobs import word_box
from mha_core.lab.explorers.own_models import transformer
from mha_core.lab.measure.held_out import held_out_error, some_held_out
from mha_core.lab.measure.plugging import check_names, not_written, plugged
from mha_core.lab.pictures import bars, head_grid
from mha_core.lab.views import View
from mha_core.pronouncing import pronounce
from mha_core.tasks import to_ipa

SAMPLE = 500  # held-out words; two seconds
FEW = 200  # for each bar


def plug(word="knight", *, model=None, **functions):
    """Let the trained Transformer speak with your own functions inside.

    Parameters
    ----------
    word : str
        The first word.
    model : Transformer, optional
        One of your own.
    **functions : function
        Such as ``masked_softmax=masked_softmax``; names and arguments are those of
        `mha_core.lab.plugged`. Where one fails, the view says so in a sentence and
        shows what the library's say.

    Returns
    -------
    View
        Control ``word``. The maps are of the last cross-attention; the error is that
        of 500 held-out words at equal distances in the alphabet.
    """
    check_names(functions)
    stubs, network = not_written(functions), transformer(model)
    mine = {name: f for name, f in functions.items() if name not in stubs}
    given = functions | ({"model": model} if model else {})
    more = {"first": {"word": word}, "called": ("plug", given)}
    return View({"word": word_box()}, _speaking(network, mine, stubs), **more)


def _speaking(network, mine, stubs):
    """Return what says a word with a reader's functions, and tells how well."""
    changed, missing = plugged(network, **mine), _missing(stubs)
    error_of = cache(lambda who: held_out_error(who, some_held_out(SAMPLE)))

    def compute(word):
        whole = pronounce(network, word)
        if not mine:
            return _maps(whole, ()), missing or whole.sentence
        try:
            said, error = pronounce(changed, word), error_of(changed)
        except ValueError as failed:
            return _maps(whole, ()), failed.args[0]
        if not said.phonemes:
            return _maps(whole, ()), _silent(word, mine)
        return _maps(said, mine), _told(said, error, error_of(network), missing)

    return compute


def plugged_bars(*, model=None, **functions):
    """Return the errors of the trained Transformer with other functions, as bars.

    Parameters
    ----------
    model : Transformer, optional
        One of your own.
    **functions : dict of str to function
        What each bar is called, and what is plugged in there; see `plugged`.

    Returns
    -------
    Picture
        Phoneme errors on 200 held-out words, in the order that is given.
    """
    network, pairs = transformer(model), some_held_out(FEW)
    found = {
        name.replace("_", " "): held_out_error(plugged(network, **parts), pairs)
        for name, parts in functions.items()
    }
    return bars(
        list(found),
        {sentence("phoneme error"): list(found.values())},
        title=sentence("The trained Transformer with other functions inside"),
        x_name=sentence("what is inside"),
        y_name=sentence("phoneme error"),
        limits=(0, max(1, math.ceil(max(found.values())))),
    )


def _maps(said, mine):
    word = "".join(said.letters)
    title = sentence("“{word}”, the Transformer as trained", word=word)
    if mine:
        names = joined(list(mine), commas)
        title = sentence("“{word}”, with your {names}", word=word, names=names)
    names = {"query_name": "phoneme", "key_name": "letter", "title": title}
    if _wrong_sum(said) is not None:
        names["value_name"] = sentence("weight; rows do not sum to 1")
    return head_grid(said.weights, to_ipa(said.phonemes), said.letters, **names)


def _wrong_sum(said):
    """Return what a row of weights sums to if it is neither 1 nor 0, else None."""
    sums = said.weights.sum(axis=-1)
    wrong = sums[(np.abs(sums - 1) > 1e-3) & (sums != 0)]
    return wrong[0] if len(wrong) else None


def _told(said, error, whole, missing):
    told = sentence(
        "{said}. Phoneme error on {words} held-out words: {error:.3f}; with the "
        "library's functions {whole:.3f}.",
        said=said.sentence,
        words=SAMPLE,
        error=error,
        whole=whole,
    )
    total = _wrong_sum(said)
    if total is not None:
        row = sentence("The first row that does not sum to 1: {total:.2f}", total=total)
        told = sentence("{told} {row}.", told=told, row=row)
    return sentence("{told} {missing}", told=told, missing=missing) if missing else told


def _silent(word, mine):
    return sentence(
        "With your {names} it says nothing at all of {word}; shown is the library's.",
        names=joined(list(mine), commas),
        word=word,
    )


def _missing(names):
    if not names:
        return ""
    return counted(
        "{names} is not written yet: it gives back ..., so the library's is inside.",
        "{names} are not written yet: they give back ..., so the library's are inside.",
        n=len(names),
        names=joined(names, commas),
    )
