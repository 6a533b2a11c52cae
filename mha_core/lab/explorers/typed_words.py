"""Views in which a word or a date is typed."""

from functools import cache

from mha_core._checks.sentences import sentence
from mha_core.lab.explorers.knobs import slider, text_box, word_box
from mha_core.lab.explorers.own_models import date_writer, last_state
from mha_core.lab.pictures.alignments import confidence, date_alignment, write_date
from mha_core.lab.views import View
from mha_core.pretrained import MESSAGE, MESSAGES, load
from mha_core.pronouncing import pronounce
from mha_core.tasks.written_dates import read

SHORT = {sentence("a short word"): {"word": "knight"}}
LONG = {sentence("a long word"): {"word": "congratulating"}}
WIDER = {
    sentence("a narrow message"): {"word": "congratulating", "width": 20},
    sentence("a wide message"): {"word": "congratulating", "width": 168},
}
DATES = {
    sentence("the day first"): {"date": "9 May 2018"},
    sentence("the year first"): {"date": "2018年5月9日"},
}


def explore_bottleneck(word="knight", width=MESSAGE, *, model=None):
    """Type a word; a model that passes on only its last states pronounces it.

    Parameters
    ----------
    word : str
        The first word.
    width : {20, 42, 84, 168}
        How many numbers are passed on at first.
    model : LastState, optional
        One of your own, whose message has the width that it has.

    Returns
    -------
    View
        Controls ``word`` and ``width``. The bars give the weight of each written
        phoneme.
    """
    networks = _networks(model)

    def compute(word, width=None):
        network = networks(width)
        said = pronounce(network, word)
        told = sentence(
            "{said}. Letters: {letters}; numbers passed on: {width}.",
            said=said.sentence,
            letters=len(said.letters),
            width=len(network.params["b_start"]),
        )
        return confidence(network, said), told

    if model is None:
        controls = {"word": word_box(), "width": _width_slider()}
        more = {"presets": SHORT | WIDER, "first": {"word": word, "width": width}}
        return View(controls, compute, called=("explore_bottleneck", {}), **more)
    more = {"presets": SHORT | LONG, "first": {"word": word}}
    more["called"] = "explore_bottleneck", {"model": model}
    return View({"word": word_box()}, compute, **more)


def _width_slider():
    what = sentence("How many numbers are passed on; a network is trained for each.")
    return slider(MESSAGES, sentence("width of the message"), what)


def _networks(model):
    """Return what gives the network of a width: one of one's own, or a shipped one."""
    if model is None:
        return cache(lambda width: load("last_state", width=width))
    own = last_state(model)
    return lambda width: own


def explore_dates(date="9 May 2018", *, model=None):
    """Type a date in English, French, German or Chinese; see its order turn round.

    Parameters
    ----------
    date : str
        The first date.
    model : Bahdanau, optional
        One of your own that writes dates.

    Returns
    -------
    View
        Control ``date``. Rows are what the model writes, columns what it reads.
    """
    given = {"model": model} if model else {}
    model = date_writer(model)

    def compute(date):
        text, day = read(date)
        picture = date_alignment(model, text)
        if write_date(model, text)[0] == day.isoformat():
            return picture, sentence("That is the day.")
        return picture, sentence("Wrong: the day is {day}.", day=day.isoformat())

    what = sentence("A day in words or figures, then press Enter.")
    box = text_box(sentence("date"), what)
    more = {"presets": DATES, "called": ("explore_dates", given)}
    return View({"date": box}, compute, first={"date": date}, **more)
