"""Views that join a trained model, a picture and the controls that move them."""

import ipywidgets as widgets
import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.measure.probes import without_attention
from mha_core.lab.pictures.alignments import (
    alignment,
    check_said,
    confidence,
    date_alignment,
    write_date,
)
from mha_core.lab.views import View
from mha_core.pretrained import load, load_dates
from mha_core.pronouncing import MOST_LETTERS, pronounce
from mha_core.tasks import to_ipa
from mha_core.tasks.written_dates import read

LAST_STEP = MOST_LETTERS + 4  # a model writes at most five phonemes more than it reads


def explore_bottleneck(word="knight"):
    """Type a word; a model that passes on only its last states pronounces it.

    Parameters
    ----------
    word : str
        The first word.

    Returns
    -------
    View
        Control ``word``. The bars give the weight of each written phoneme.
    """
    model = load("last_state")
    width = len(model.params["b_start"])

    def compute(word):
        said = pronounce(model, word)
        told = sentence(
            "{said}. Letters: {letters}; numbers passed on: {width}.",
            said=said.sentence,
            letters=len(said.letters),
            width=width,
        )
        return confidence(model, said), told

    return View({"word": _text_box(sentence("word"))}, compute, first={"word": word})


def explore_alignment(word="knight", step=0):
    """Type a word; watch which letters the attention looks at, step by step.

    Parameters
    ----------
    word : str
        The first word.
    step : int
        The decoder step that is outlined, from 0.

    Returns
    -------
    View
        Controls ``word``, ``step`` and ``attention``; off puts uniform weights in
        place of the learned ones.
    """
    trained = load("bahdanau")
    models = {True: trained, False: without_attention(trained)}
    controls = {
        "word": _text_box(sentence("word")),
        "step": widgets.IntSlider(
            0, 0, LAST_STEP, description=sentence("decoder step")
        ),
        "attention": widgets.Checkbox(True, description=sentence("learned weights")),
    }

    def compute(word, step, attention):
        said = pronounce(models[attention], word)
        marks, looked = _one_step(said, step)
        told = sentence("{said}. {looked}", said=said.sentence, looked=looked)
        return alignment(said, marks=marks), told

    return View(controls, compute, first={"word": word, "step": step})


def explore_dates(date="9 May 2018"):
    """Type a date in English, French, German or Chinese; see its order turn round.

    Parameters
    ----------
    date : str
        The first date.

    Returns
    -------
    View
        Control ``date``. Rows are what the model writes, columns what it reads.
    """
    model = load_dates()

    def compute(date):
        text, day = read(date)
        picture = date_alignment(model, text)
        if write_date(model, text)[0] == day.isoformat():
            return picture, sentence("That is the day.")
        return picture, sentence("Wrong: the day is {day}.", day=day.isoformat())

    return View({"date": _text_box(sentence("date"))}, compute, first={"date": date})


def _one_step(said, step):
    """Return the outline of one row of weights, and a sentence about it."""
    check_said(said)
    marks = np.zeros(said.weights.shape[1:], bool)
    if step >= len(said.phonemes):
        last = len(said.phonemes) - 1
        return marks, sentence(
            "There is no step {step}; the last is {last}.", step=step, last=last
        )
    marks[step] = True
    return marks, _looked(said, step)


def _looked(said, step):
    row = said.weights[0, step]
    what = {"step": step, "sound": to_ipa(said.phonemes)[step]}
    what |= {"letter": said.letters[row.argmax()], "most": row.max()}
    if np.ptp(row) < 1e-6:
        return sentence(
            "Step {step} writes {sound}; every letter weighs {most:.2f}.", **what
        )
    return sentence(
        "Step {step} writes {sound}; {letter}, its strongest, weighs {most:.2f}.",
        **what,
    )


def _text_box(label):
    return widgets.Text(description=label, continuous_update=False)
