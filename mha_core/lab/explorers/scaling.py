"""Why scores are scaled: an explorer of random queries and keys."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.explorers.knobs import slider, switch
from mha_core.lab.measure.random_scores import entropy, random_attention
from mha_core.lab.pictures import heatmap
from mha_core.lab.views import View

WIDTHS = (1, 4, 16, 64, 256, 1024)
T_Q, T_K = 6, 12
PRESETS = {
    sentence("one key takes all"): {"d_k": 256, "scaled": False, "length": T_K},
    sentence("divided again"): {"d_k": 256, "scaled": True, "length": T_K},
    sentence("every key hidden"): {"d_k": 256, "scaled": True, "length": 0},
}


def explore_scaling(d_k=64, scaled=True, length=T_K):
    """Slide d_k, switch the scale off, hide padding; see the weights sharpen.

    Parameters
    ----------
    d_k : int
        1, 4, 16, 64, 256 or 1024.
    scaled : bool
        Divide the scores by the square root of d_k.
    length : int
        Number of real keys, from 0 to 12; the others are padding.

    Returns
    -------
    View
        Controls ``d_k``, ``scaled`` and ``length``. Nothing here is trained.
    """

    def compute(d_k, scaled, length):
        weights = random_attention(d_k, scaled=scaled, T_q=T_Q, T_k=T_K, length=length)
        labels = [*map(str, range(T_Q))], [*map(str, range(T_K))]
        real = {"visible": np.arange(T_K) < length}
        picture = heatmap(weights, *labels, title=_title(d_k, scaled, length), **real)
        return picture, _describe(weights, length)

    first = {"d_k": d_k, "scaled": scaled, "length": length}
    called = "explore_scaling", {}
    return View(_controls(), compute, presets=PRESETS, called=called, first=first)


def _controls():
    return {
        "d_k": slider(WIDTHS, "d_k", sentence("The width of each query and key.")),
        "scaled": switch(
            sentence("divide by the root of d_k"),
            sentence("Divide the scores before the softmax."),
        ),
        "length": slider(
            range(T_K + 1),
            sentence("real keys"),
            sentence("How many keys are words; the others are padding and hidden."),
        ),
    }


def _title(d_k, scaled, length):
    what = {"d_k": d_k, "length": length, "most": T_K}
    if scaled:
        return sentence(
            "untrained, d_k {d_k}, divided by the root of d_k, {length} of {most} keys",
            **what,
        )
    return sentence(
        "untrained, d_k {d_k}, not divided, {length} of {most} keys", **what
    )


def _describe(weights, length):
    if length == 0:
        return sentence(
            "Untrained. Every key is hidden: all weights are 0, the output too."
        )
    return sentence(
        "Untrained. Largest weight of a row, on average: {largest:.2f}; entropy: "
        "{even:.2f} of its most.",
        largest=weights.max(axis=-1).mean(),
        even=entropy(weights).mean(),
    )
