"""The times of a recurrent loop and of self-attention, shipped or measured now."""

from mha_core._checks.sentences import sentence
from mha_core.lab.explorers.knobs import slider, switch
from mha_core.lab.pictures.costs import load_timings, measure_again, timing_curve
from mha_core.lab.views import View

TIMED = {1: "layers", 32: "batch"}  # sequences at once, and what the file calls them


def explore_timing(again=False, batch=1):
    """Show the shipped times of both layers; a switch measures them again, here.

    Parameters
    ----------
    again : bool
        Measure now; that takes about three seconds.
    batch : {1, 32}
        Sequences that are read at once.

    Returns
    -------
    View
        Controls ``batch`` and ``again``.
    """

    def compute(batch, again):
        if again:
            told = sentence("Measured now, on this machine.")
            return timing_curve(measure_again(batch=batch)), told
        shipped = load_timings()[TIMED[batch]]
        return timing_curve(shipped), sentence(
            "Measured on the machine of the authors."
        )

    first = {"batch": batch, "again": again}
    return View(_controls(), compute, called=("explore_timing", {}), first=first)


def _controls():
    now = sentence("Time both layers here and now; it takes about three seconds.")
    many = sentence("How many sequences both layers read at once.")
    return {
        "batch": slider([*TIMED], sentence("sequences at once"), many),
        "again": switch(sentence("measure on this machine"), now),
    }
