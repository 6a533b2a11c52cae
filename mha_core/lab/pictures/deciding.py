"""What decides a sound: gradients at the letters, beside the weights on them."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.pictures import bars
from mha_core.models import KINDS
from mha_core.pretrained import load_evidence


def weight_and_gradient():
    """Return the weight of the strongest letter and its share of the gradient, as bars.

    Returns
    -------
    Picture
        For the networks with attention, mean over heads, on held-out words of twelve
        letters and eleven sounds.
    """
    found = load_evidence()["gradients"]
    heads = {kind: row["strongest"] for kind, row in found["kinds"].items()}
    kinds = [kind for kind in heads if heads[kind]]
    weight, share = np.transpose([np.mean(heads[kind], axis=0) for kind in kinds])
    return bars(
        [KINDS[kind].label for kind in kinds],
        {sentence("its weight"): weight, sentence("its gradient"): share},
        title=sentence("The letter that a sound weighs most"),
        y_name=sentence("share of all letters"),
        limits=(0, 1),
        sentence=_weighed(found["words"], weight, share),
    )


def near_bars():
    """Return how much of a sound's gradient is near it, for each kind of network.

    Returns
    -------
    Picture
        The share on three letters: the one as far in the word as the sound, and its
        neighbours. Held-out words of twelve letters and eleven sounds.
    """
    found = load_evidence()["gradients"]
    near = {KINDS[k].label: row["near"] for k, row in found["kinds"].items()}
    return bars(
        [*near],
        {sentence("near letters"): [*near.values()]},
        title=sentence("Share of the gradient of a sound on three letters near it"),
        y_name=sentence("share of the gradient"),
        limits=(0, 1),
        sentence=_near(found["letters"], near),
    )


def _weighed(words, weight, share):
    return sentence(
        "On {words} held-out words the letter that is weighed most has {low:.2f} to "
        "{high:.2f} of the weight, and {least:.2f} to {most:.2f} of the gradient: what "
        "moves a sound comes mostly from other letters, through the states.",
        words=words,
        low=weight.min(),
        high=weight.max(),
        least=share.min(),
        most=share.max(),
    )


def _near(letters, near):
    return sentence(
        "Of all that moves a sound, the three letters near it hold {least:.2f} with "
        "{worst}, {most:.2f} with {best}; all {letters} letters alike would give "
        "{alike:.2f}.",
        least=min(near.values()),
        worst=min(near, key=near.get),
        most=max(near.values()),
        best=max(near, key=near.get),
        letters=letters,
        alike=3 / letters,
    )
