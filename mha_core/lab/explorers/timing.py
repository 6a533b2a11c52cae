"""The times of a recurrent loop and of self-attention, shipped or measured now."""

from mha_core._checks.sentences import sentence
from mha_core.lab.explorers.knobs import switch
from mha_core.lab.pictures.costs import measure_again, timing_curve
from mha_core.lab.views import View


def explore_timing(again=False):
    """Show the shipped times of both layers; a switch measures them again, here.

    Parameters
    ----------
    again : bool
        Measure now; that takes about three seconds.

    Returns
    -------
    View
        Control ``again``.
    """
    what = sentence("Time both layers here and now; it takes about three seconds.")
    controls = {"again": switch(sentence("measure on this machine"), what)}

    def compute(again):
        if again:
            told = sentence("Measured now, on this machine.")
            return timing_curve(measure_again()), told
        return timing_curve(), sentence("Measured on the machine of the authors.")

    return View(
        controls, compute, called=("explore_timing", {}), first={"again": again}
    )
