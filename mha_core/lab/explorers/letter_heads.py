"""All heads of the letter model on letters that are typed."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.drawing.tellings import commas, joined
from mha_core.lab.explorers.knobs import slider, text_box
from mha_core.lab.explorers.own_models import letter_model
from mha_core.lab.measure.invented import as_letters, chances
from mha_core.lab.pictures import head_grid
from mha_core.lab.views import View
from mha_core.tasks import LETTERS

LIKELIEST = 4  # letters that the message names
PRESETS = {
    sentence("a word with repeats"): {"letters": "banana", "head": 5},
    sentence("a beginning"): {"letters": "str", "head": 0},
}


def explore_letters(letters="banana", head=0, *, model=None):
    """Type letters; see all heads of the letter model, and what it expects next.

    Parameters
    ----------
    letters : str
        a to z, at most 19.
    head : int
        Heads of all blocks, counted through from 0; it is enlarged.
    model : Language, optional
        One of your own.

    Returns
    -------
    View
        Controls ``letters`` and ``head``.
    """
    network = letter_model(model)
    heads = range(network.h * len([*network.blocks()]))

    def compute(letters, head):
        return _maps(network, letters, head), _told(chances(network, letters))

    first = {"letters": letters, "head": head}
    more = {"called": ("explore_letters", {"model": model} if model else {})}
    more["presets"] = PRESETS if model is None else None
    return View(_controls(heads), compute, first=first, **more)


def _controls(heads):
    what = sentence("Letters a to z; then press Enter.")
    which = sentence("The head that is shown large, beside all the others.")
    return {
        "letters": text_box(sentence("letters"), what),
        "head": slider(heads, sentence("enlarged head"), which),
    }


def _maps(network, word, head):
    ids = np.pad(as_letters(word), [(0, 0), (1, 0)])  # (1, T + 1)
    weights = network.attention(ids)[:, 0]  # (blocks, h, T, T)
    weights = weights.reshape(-1, *weights.shape[-2:])  # (blocks * h, T, T)
    tokens = ["start", *(LETTERS[i - 1] for i in ids[0, 1:])]
    return head_grid(
        weights,
        tokens,
        tokens,
        visible=np.tri(len(tokens)) > 0 if network.causal else None,
        titles=_names(network, len(weights)),
        title=sentence("Heads of the letter model on “{word}”", word=word),
        query_name="letter that looks",
        key_name="letter",
        enlarge=head,
    )


def _names(network, count):
    return [
        sentence("block {block}, head {head}", block=i // network.h, head=i % network.h)
        for i in range(count)
    ]


def _told(found):
    likeliest = np.argsort(-found)[:LIKELIEST]
    names = [["end", *LETTERS][i] for i in likeliest]
    shares = [
        f"{name} {found[i]:.2f}" for name, i in zip(names, likeliest, strict=True)
    ]
    return sentence("Next it expects {letters}.", letters=joined(shares, commas))
