"""Presets: buttons that set several controls of a view at once."""

import ipywidgets as widgets

from mha_core._checks.sentences import sentence
from mha_core.lab.controls import figure


def with_preset(values, presets):
    """Return values with those of a preset, ``preset=``, put in where it is named.

    Raises
    ------
    ValueError
        If there is no such preset.
    """
    if "preset" not in values:
        return values
    rest = {name: value for name, value in values.items() if name != "preset"}
    if values["preset"] not in presets:
        raise ValueError(
            sentence(
                "there is no preset {preset!r}; there are {known}",
                preset=values["preset"],
                known="; ".join(presets) or sentence("none"),
            )
        )
    return presets[values["preset"]] | rest


class Pressed:
    """A view whose buttons set several controls."""

    def _press(self, label):
        try:
            self.set(preset=label)
        except ValueError:
            return  # the message says so


def add_buttons(box, presets, say, press):
    """Put a row of buttons above all else in a box; none where there is no preset."""
    if presets:
        box.children = (buttons(presets, say, press), *box.children)


def buttons(presets, say, press):
    """Return a row of buttons, one for each preset.

    Parameters
    ----------
    presets : dict of str to dict
        A label, and the values of controls by name.
    say, press : callable
        Take a text to write in the language of the view; and a label that is pressed.
    """
    row = [_button(label, values, say, press) for label, values in presets.items()]
    wrapped = widgets.Layout(flex_flow="row wrap")
    return widgets.HBox(row, layout=wrapped).add_class("mha-presets")


def _button(label, values, say, press):
    told = ", ".join(f"{name}={figure(value)}" for name, value in values.items())
    wide = widgets.Layout(width="auto", min_height="28px")
    button = widgets.Button(description=say(label), tooltip=told, layout=wide)
    button.on_click(lambda _: press(str(label)))
    return button
