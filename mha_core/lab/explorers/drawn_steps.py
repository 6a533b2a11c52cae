"""The decoder drawn, sound by sound: it looks back, or has the message alone."""

from functools import lru_cache

from mha_core._checks.sentences import sentence
from mha_core.lab.explorers.knobs import slider, switch, word_box
from mha_core.lab.explorers.own_models import recurrent
from mha_core.lab.measure.stepwise_writing import write_word
from mha_core.lab.pictures.alignments import check_said
from mha_core.lab.pictures.steps_drawn import decoder_step
from mha_core.lab.playing import add_play
from mha_core.lab.views import View
from mha_core.pretrained import load
from mha_core.pronouncing import pronounce

PRESETS = {
    sentence("two letters, one sound"): {"word": "phone", "step": 0},
    sentence("the middle of a long word"): {"word": "administration", "step": 6},
}


def explore_steps(word="phone", step=0, attention=True, *, model=None):
    """Watch the decoder write a word sound by sound, with or without attention.

    Parameters
    ----------
    word : str
        The first word.
    step : int
        Which sound is written, from 0.
    attention : bool
        Whether the network looks back; if not, it has the last states alone.
    model : recurrent model of `mha_core.models`, optional
        One of your own, in place of both.

    Returns
    -------
    View
        Controls ``word`` and ``step``, and ``attention`` if no model is given. Buttons
        play the steps. Lines are as thick as the weights.
    """
    networks, written = _networks(model), lru_cache(maxsize=8)(write_word)

    def steps(values):
        network = networks[values.get("attention", attention)]
        return range(max(len(written(network, values["word"]).steps), 1))

    def compute(word, step, attention=attention):
        said = pronounce(networks[attention], word)
        check_said(said)
        return decoder_step(written(networks[attention], word), step), said.sentence

    controls = {"word": word_box(), "step": _slider()}
    if model is None:
        what = sentence("Off: the decoder gets the last states alone, at every step.")
        controls["attention"] = switch(sentence("attention"), what, on=True)
    first = {"word": word, "step": step, "attention": attention}
    first = {name: first[name] for name in controls}
    called = "explore_steps", {"model": model} if model else {}
    more = {"offers": {"step": steps}, "first": first, "called": called}
    return add_play(View(controls, compute, presets=PRESETS, **more), "step")


def _networks(model):
    """Return the network with attention and the one without: the one given, if any."""
    if model is None:
        return {True: load("bahdanau"), False: load("last_state")}
    return dict.fromkeys((True, False), recurrent(model))


def _slider():
    return slider([0], sentence("decoder step"), sentence("Which sound is written."))
