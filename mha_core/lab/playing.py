"""Play: buttons that move a slider of a view, step by step or by themselves."""

from mha_core._checks.sentences import sentence
from mha_core.lab.widgets import Play


def add_play(view, name):
    """Put buttons that play a slider above the picture of a view; return the view.

    Parameters
    ----------
    view : View
    name : str
        Of the control that is played.
    """
    slider, say, box = view.controls[name], view._say, view._box
    words = {
        "back": sentence("one step back"),
        "play": sentence("play"),
        "pause": sentence("pause"),
        "on": sentence("one step on"),
    }
    play = Play(
        slider=slider,
        description=slider.description,
        tooltip=say(sentence("Go step by step, or let it play.")),
        words={name: str(say(word)) for name, word in words.items()},
    )
    box.children = (*box.children[:-1], play, box.children[-1])  # the picture is last
    return view
