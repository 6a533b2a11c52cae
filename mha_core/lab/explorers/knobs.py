"""Controls with a name and a tooltip that says what they do."""

import ipywidgets as widgets

from mha_core._checks.sentences import sentence
from mha_core.lab.page import explained
from mha_core.lab.widgets import Slider


def slider(options, name, what):
    """Return a slider over values, which stand in a row."""
    return Slider(options=options, description=name, tooltip=what)


def switch(name, what, on=False):
    """Return a box to tick."""
    return explained(widgets.Checkbox(on, description=name), what)


def choice(labels, name, what):
    """Return a list to choose from: keys with the labels that a reader sees."""
    options = [(label, key) for key, label in labels.items()]
    return explained(widgets.Dropdown(options=options, description=name), what)


def text_box(name, what):
    """Return a box to type in, which answers to Enter."""
    return explained(widgets.Text(description=name, continuous_update=False), what)


def word_box():
    """Return a box for an English word."""
    return text_box(
        sentence("word"), sentence("An English word, letters a to z; then press Enter.")
    )
