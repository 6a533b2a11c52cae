"""Views that join a trained model, a picture and the controls that move them."""

import ipywidgets as widgets
import numpy as np

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
        passed = f"Letters: {len(said.letters)}; numbers passed on: {width}."
        return confidence(model, said), f"{said}. {passed}"

    return View({"word": _text_box("word")}, compute, first={"word": word})


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
        "word": _text_box("word"),
        "step": widgets.IntSlider(0, 0, LAST_STEP, description="decoder step"),
        "attention": widgets.Checkbox(True, description="learned weights"),
    }

    def compute(word, step, attention):
        said = pronounce(models[attention], word)
        marks, looked = _one_step(said, step)
        return alignment(said, marks=marks), f"{said}. {looked}"

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
        right = write_date(model, text)[0] == day.isoformat()
        said = "That is the day." if right else f"Wrong: the day is {day}."
        return date_alignment(model, text), said

    return View({"date": _text_box("date")}, compute, first={"date": date})


def _one_step(said, step):
    """Return the outline of one row of weights, and a sentence about it."""
    check_said(said)
    marks = np.zeros(said.weights.shape[1:], bool)
    if step >= len(said.phonemes):
        return marks, f"There is no step {step}; the last is {len(said.phonemes) - 1}."
    marks[step] = True
    row, phoneme = said.weights[0, step], to_ipa(said.phonemes)[step]
    alike = np.ptp(row) < 1e-6
    where = "every letter" if alike else f"{said.letters[row.argmax()]}, its strongest,"
    return marks, f"Step {step} writes {phoneme}; {where} weighs {row.max():.2f}."


def _text_box(name):
    return widgets.Text(description=name, continuous_update=False)
