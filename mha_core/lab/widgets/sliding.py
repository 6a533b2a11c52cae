"""A slider and the buttons that play it, both with names that are read aloud."""

from anywidget import AnyWidget
from ipywidgets import SelectionSlider, widget_serialization
from traitlets import Dict, Instance, Int, Unicode

from mha_core.lab.widgets.scripts import read


class Slider(AnyWidget, SelectionSlider):
    """A slider over some values, as `ipywidgets.SelectionSlider` has them.

    The page shows a native slider: it has a name, says the label of its value, and
    its keys stay its own.

    Parameters
    ----------
    options : sequence
        Values, or pairs of a label and a value; may be set anew.
    value : object
        One of the values; the first if not given.
    description, tooltip : str
        Its name, and what it does.
    """

    _esm = read("slider.js")
    _css = read("slider.css")
    tooltip = Unicode().tag(sync=True)  # ipywidgets has it from 8.0


class Play(AnyWidget):
    """Buttons that move a slider: a step back, play or pause, a step on.

    Parameters
    ----------
    slider : Slider
    interval : int
        Milliseconds from one step to the next.
    description, tooltip : str
        What is played, and what the buttons do.
    words : dict
        The names of the buttons: ``back``, ``play``, ``pause`` and ``on``.
    """

    _esm = read("play.js")
    _css = read("slider.css")
    slider = Instance(SelectionSlider).tag(sync=True, **widget_serialization)
    interval = Int(900).tag(sync=True)
    description = Unicode().tag(sync=True)
    tooltip = Unicode().tag(sync=True)
    words = Dict().tag(sync=True)
