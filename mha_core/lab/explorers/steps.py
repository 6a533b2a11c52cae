"""Which letters the attention looks at, step by step."""

from functools import lru_cache, partial

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.explorers.knobs import slider, switch, word_box
from mha_core.lab.explorers.own_models import attentive
from mha_core.lab.measure.probes import without_attention
from mha_core.lab.pictures.alignments import alignment, check_said
from mha_core.lab.playing import add_play
from mha_core.lab.views import View
from mha_core.models import Bahdanau
from mha_core.pronouncing import pronounce
from mha_core.tasks import to_ipa

PRESETS = {
    sentence("silent letters"): {"word": "knight", "step": 1, "attention": True},
    sentence("two letters, one sound"): {"word": "phone", "step": 0, "attention": True},
    sentence("without attention"): {"word": "knight", "step": 1, "attention": False},
}


def explore_alignment(word="knight", step=0, attention=True, head=0, *, model=None):
    """Type a word; watch which letters the attention looks at, step by step.

    Parameters
    ----------
    word : str
        The first word.
    step : int
        The decoder step that is outlined, from 0.
    attention : bool
        False puts uniform weights in place of the learned ones of Bahdanau's model.
    head : int
        Of a model that has several.
    model : model of `mha_core.models` with attention, optional
        One of your own; Bahdanau's is shipped.

    Returns
    -------
    View
        Controls ``word``, ``step`` and ``attention``; ``head`` where there are several.
        Buttons play the steps.
    """
    trained = attentive(model)
    said_of = _speaker(trained)

    def steps(values):
        said = said_of(values["word"], values.get("attention", attention))
        return range(max(len(said.phonemes), 1))

    def compute(word, step, attention, head):
        said = said_of(word, attention)
        check_said(said)
        picture = alignment(said, head=head, marks=_outline(said, step))
        return picture, _looked(said, step, head)

    controls, fixed = _controls(trained), {"attention": attention, "head": head}
    first = {"word": word, "step": step}
    first |= {name: fixed.pop(name) for name in (*fixed,) if name in controls}
    more = {"presets": PRESETS if "attention" in controls else None}
    more["called"] = "explore_alignment", {"model": model} if model else {}
    more |= {"offers": {"step": steps}, "first": first}
    return add_play(View(controls, partial(compute, **fixed), **more), "step")


def _speaker(trained):
    """Return what pronounces a word, with learned or with uniform weights."""

    @lru_cache(maxsize=8)
    def said_of(word, attention):
        return pronounce(trained if attention else without_attention(trained), word)

    return said_of


def _controls(model):
    what = {
        "step": sentence("Which sound is written; its row is outlined."),
        "attention": sentence("Off: every letter weighs alike."),
        "head": sentence("Which of the heads of the model is shown."),
    }
    found = {
        "word": word_box(),
        "step": slider([0], sentence("decoder step"), what["step"]),
    }
    if isinstance(model, Bahdanau):
        name = sentence("learned weights")
        found["attention"] = switch(name, what["attention"], on=True)
    if model.h > 1:
        found["head"] = slider(range(model.h), sentence("head"), what["head"])
    return found


def _outline(said, step):
    """Return which weights belong to a step, (phonemes, letters)."""
    rows = np.arange(len(said.phonemes)) == step
    return np.tile(rows[:, None], len(said.letters))


def _looked(said, step, head):
    """Return what was said of the word, and what this step looks at."""
    row = said.weights[head, step]
    what = {"said": said.sentence, "step": step, "sound": to_ipa(said.phonemes)[step]}
    what |= {"letter": said.letters[row.argmax()], "most": row.max()}
    if np.ptp(row) < 1e-6:
        return sentence(
            "{said}. Step {step} writes {sound}; every letter weighs {most:.2f}.",
            **what,
        )
    return sentence(
        "{said}. Step {step} writes {sound}; {letter}, its strongest, weighs "
        "{most:.2f}.",
        **what,
    )
