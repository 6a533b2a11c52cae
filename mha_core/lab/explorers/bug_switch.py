"""Who can see whom: an explorer with a switch for each bug."""

import ipywidgets as widgets
import numpy as np

from mha_core.lab.measure.bugs import BUGS, buggy_attention
from mha_core.lab.measure.probes import influence
from mha_core.lab.pictures import influence_map
from mha_core.lab.views import View

T, WIDTH = 6, 8


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
    controls = {
        "bug": widgets.Dropdown(options=list(BUGS), description="bug"),
        "causal": widgets.Checkbox(False, description="causal mask"),
    }

    def compute(bug, causal):
        def f(x):
            return buggy_attention(x, weights, 2, bug=bug, causal=causal)[0]

        moved = influence(f, X)
        future = int(np.triu(moved, 1).sum())
        shape = f"The output has the right shape, {f(X).shape}"
        seen = f"{shape}; {future} of {T * (T - 1) // 2} future tokens can be seen."
        return influence_map(moved, title=BUGS[bug]), seen

    return View(controls, compute, first={"bug": bug, "causal": causal})
