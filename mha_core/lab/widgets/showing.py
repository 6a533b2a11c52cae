"""The picture on a page: pixels, alternative text, message, and where it can be hit."""

from anywidget import AnyWidget
from ipywidgets import widget_serialization
from traitlets import Dict, Instance, Unicode

from mha_core.lab.widgets.scripts import read


class Message(AnyWidget):
    """A text, ``value``, that a screen reader reads whenever it changes."""

    _esm = read("message.js")
    value = Unicode().tag(sync=True)


class Pointer(AnyWidget):
    """What the page says of a picture: how large it is, and what was chosen in it.

    It is apart from the picture. What arrived from a page while the same widget
    sends a picture would lose that picture now and then.

    Attributes
    ----------
    screen : dict
        ``width`` and ``height``, the room for the picture in pixels of the page, and
        ``density``, how many pixels of the screen each of them has.
    chosen : dict
        ``control`` and ``value``: what a click or Enter would set, such as head 3.
    """

    _esm = "export default {}"
    screen = Dict().tag(sync=True)
    chosen = Dict().tag(sync=True)


class PictureWidget(AnyWidget):
    """A picture with its alternative text and a message; it can be pointed at.

    Attributes
    ----------
    shown : dict
        All that belongs together, sent as one: ``png`` (bytes), ``alt``, ``message``,
        ``large`` (for a projector), ``geometry`` (`mha_core.lab.drawing.geometry`),
        ``chooses``, the names of the controls that a click may set, ``code``, a
        line that makes the same state again, and ``least``, how narrow it may be.
    busy : str
        What to say while something takes long; empty if nothing does.
    words : dict
        The sentences that the page says itself.
    hints : dict
        What each control of the view does, by name.
    pointer : Pointer
    """

    _esm = read("pointing.js", "explaining.js", "picture.js")
    _css = read("picture.css", "controls.css")
    shown = Dict().tag(sync=True)
    busy = Unicode().tag(sync=True)
    words = Dict().tag(sync=True)
    hints = Dict().tag(sync=True)
    pointer = Instance(Pointer).tag(sync=True, **widget_serialization)

    def __init__(self, **values):
        super().__init__(**{"pointer": Pointer(), **values})
