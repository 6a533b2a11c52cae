"""A letter model that goes on writing from where a reader begins."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.drawing.tellings import commas, joined
from mha_core.lab.explorers.knobs import slider, text_box
from mha_core.lab.explorers.own_models import letter_model
from mha_core.lab.measure.invented import as_letters, chances, known
from mha_core.lab.pictures import bars
from mha_core.lab.views import View
from mha_core.tasks import LETTERS

TEMPERATURES = (0.1, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0)
WORDS, SHOWN = 8, 10  # written at once; letters that have a bar
PRESETS = {
    sentence("after q"): {"start": "q", "temperature": 1.0},
    sentence("careful"): {"start": "", "temperature": 0.3},
    sentence("wild"): {"start": "", "temperature": 2.0},
}


def explore_writing(start="", temperature=1.0, *, model=None):
    """Begin a word; see which letter the model expects next, and how it goes on.

    Parameters
    ----------
    start : str
        Letters a to z, or none.
    temperature : {0.1, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0}
        Divides the scores before the softmax.
    model : Language, optional
        One of your own.

    Returns
    -------
    View
        Controls ``start`` and ``temperature``. The bars are the probabilities of the
        ten likeliest next letters, "end" ends the word; the same start and temperature
        always give the same eight words.
    """
    network = letter_model(model)

    def compute(start, temperature):
        found = chances(network, start, temperature)
        begun = as_letters(start)[0]
        first = "".join(LETTERS[i - 1] for i in begun)
        rng = np.random.default_rng(0)
        words = network.write(rng, WORDS, temperature=temperature, start=first)
        return _bars(found, first, temperature), _told(words)

    first = {"start": start, "temperature": temperature}
    more = {"presets": PRESETS, "first": first}
    more["called"] = "explore_writing", {"model": model} if model else {}
    return View(_controls(), compute, **more)


def _controls():
    what = sentence("Letters a to z that the words begin with; then press Enter.")
    how = sentence("Low: the likeliest letters only; high: nearly any letter.")
    return {
        "start": text_box(sentence("start"), what),
        "temperature": slider(TEMPERATURES, sentence("temperature"), how),
    }


def _bars(found, first, temperature):
    title = sentence(
        "The next letter after “{first}”, temperature {temperature}",
        first=first,
        temperature=temperature,
    )
    if not first:
        title = sentence(
            "The first letter of a word, temperature {temperature}",
            temperature=temperature,
        )
    likeliest = np.argsort(-found)[:SHOWN]
    return bars(
        [["end", *LETTERS][i] for i in likeliest],
        {sentence("probability"): found[likeliest]},
        title=title,
        x_name=sentence("next letter"),
        y_name=sentence("probability"),
        limits=(0, 1),
    )


def _told(words):
    shown = [word or sentence("nothing") for word in words]
    return sentence(
        "It writes: {words}. In training: {seen}; held out: {held}; new: {new}.",
        words=joined(shown, commas),
        seen=known(words)["seen"],
        held=known(words)["held out"],
        new=known(words)["new"],
    )
