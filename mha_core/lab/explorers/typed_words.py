"""Views in which a word or a date is typed."""

from mha_core._checks.sentences import sentence
from mha_core.lab.explorers.knobs import text_box, word_box
from mha_core.lab.explorers.own_models import date_writer, last_state
from mha_core.lab.pictures.alignments import confidence, date_alignment, write_date
from mha_core.lab.views import View
from mha_core.pronouncing import pronounce
from mha_core.tasks.written_dates import read

WORDS = {
    sentence("a short word"): {"word": "knight"},
    sentence("a long word"): {"word": "congratulating"},
}
DATES = {
    sentence("the day first"): {"date": "9 May 2018"},
    sentence("the year first"): {"date": "2018年5月9日"},
}


def explore_bottleneck(word="knight", *, model=None):
    """Type a word; a model that passes on only its last states pronounces it.

    Parameters
    ----------
    word : str
        The first word.
    model : LastState, optional
        One of your own.

    Returns
    -------
    View
        Control ``word``. The bars give the weight of each written phoneme.
    """
    given = {"model": model} if model else {}
    model = last_state(model)
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

    more = {"presets": WORDS, "called": ("explore_bottleneck", given)}
    return View({"word": word_box()}, compute, first={"word": word}, **more)


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
