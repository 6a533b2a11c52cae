"""Who can see whom: an explorer with a switch for each bug."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.explorers.knobs import choice, switch
from mha_core.lab.measure.bugs import BUGS, buggy_attention
from mha_core.lab.measure.probes import influence
from mha_core.lab.pictures import influence_map
from mha_core.lab.views import View

T, WIDTH, H = 6, 8, 2
PRESETS = {
    sentence("as it should be"): {"bug": "none", "causal": True},
    sentence("find the bug"): {"bug": "merge", "causal": True},
    sentence("the halves never meet"): {"bug": "split and merge", "causal": False},
}


def explore_influence(bug="none", causal=False):
    """Switch a bug on; see at once which outputs a changed token moves.

    Parameters
    ----------
    bug : str
        A key of `mha_core.lab.measure.bugs.BUGS`.
    causal : bool
        Hide the future with a mask.

    Returns
    -------
    View
        Controls ``bug`` and ``causal``. The weights are random, which is enough: the
        question is what can move, not what was learned.
    """
    rng = np.random.default_rng(0)
    X, weights = rng.standard_normal((T, WIDTH)), rng.standard_normal((4, WIDTH, WIDTH))

    def compute(bug, causal):
        def f(x):
            return buggy_attention(x, weights, H, bug=bug, causal=causal)[0]

        moved = influence(f, X)
        picture = influence_map(moved, title=_title(bug, causal))
        return picture, _describe(f(X).shape, int(np.triu(moved, 1).sum()))

    first, called = {"bug": bug, "causal": causal}, ("explore_influence", {})
    return View(_controls(), compute, presets=PRESETS, called=called, first=first)


def _controls():
    return {
        "bug": choice(
            BUGS,
            sentence("bug"),
            sentence("A fault to plant in the code; the shapes stay right."),
        ),
        "causal": switch(
            sentence("causal mask"), sentence("Hide what comes after each token.")
        ),
    }


def _title(bug, causal):
    what = {"h": H, "bug": BUGS[bug]}
    if causal:
        return sentence("untrained, h {h}, causal mask: {bug}", **what)
    return sentence("untrained, h {h}, no mask: {bug}", **what)


def _describe(shape, future):
    return sentence(
        "The output has the right shape, {shape}; {future} of {all} future tokens can "
        "be seen.",
        shape=shape,
        future=future,
        all=T * (T - 1) // 2,
    )
