"""The times of a recurrent loop and of self-attention, shipped or measured now."""

import ipywidgets as widgets

from mha_core._checks.sentences import sentence
from mha_core.lab.pictures.costs import measure_again, timing_curve
from mha_core.lab.views import View


def explore_timing():
    """Show the shipped times of both layers; a switch measures them again, here.

    Returns
    -------
    View
        Control ``again``; measuring takes about three seconds.
    """
    again = widgets.Checkbox(False, description=sentence("measure on this machine"))

    def compute(again):
        if again:
            told = sentence("Measured now, on this machine.")
            return timing_curve(measure_again()), told
        return timing_curve(), sentence("Measured on the machine of the authors.")

    return View({"again": again}, compute)
