"""What a view shows on a page: its picture, drawn at the size that the page has."""

import math

from mha_core._checks.sentences import sentence
from mha_core.lab.drawing.canvas import DPI, Plates, greyed
from mha_core.lab.drawing.png import png, stored
from mha_core.lab.widgets import PictureWidget, waiting

CHOSEN = ("head", "step")  # the controls that a click in a picture may set
WIDEST, NARROWEST, LOWEST = 1600, 200, 320  # pixels of a page
NARROW, SHRUNK = 600, 1.45
LARGE = 0.8  # height by width for a projector, whose letters need room
CROWDED, UPRIGHT = 760, 1.05  # below so many pixels many maps stand below the large
WORDS = {
    "row": sentence("{query} looks at {keys}", query="{query}", keys="{keys}"),
    "empty": sentence("{query} looks at nothing", query="{query}"),
    "keys": sentence(
        "Heat map: up and down point at rows, left and right at heads; "
        "Enter chooses, Escape ends."
    ),
    "code": sentence("a line that makes this state"),
}


class Screen:
    """The widget of a picture and the plates that it is drawn on.

    Parameters
    ----------
    standard : (float, float)
        The size of the picture in inches where there is no page, and its form.
    say : callable
        Translates what the page says.
    hints : dict of str to str
        What each control of the view does.
    """

    def __init__(self, standard, say, hints):
        self.standard, self._say = standard, say
        self.plates = Plates()
        words = {name: say(text) for name, text in WORDS.items()}
        self.widget = PictureWidget(words=words, hints=hints)
        self.picture = None

    @property
    def pointer(self):
        """The widget that tells what the page says."""
        return self.widget.pointer

    def page(self, layout):
        """Return size in inches and density that the page has for such a picture."""
        screen = self.pointer.screen
        if not screen:
            return self.standard, 1
        width, room = (
            min(max(int(screen["width"]), NARROWEST), WIDEST),
            screen["height"],
        )
        form = LARGE if layout.projector else self.standard[1] / self.standard[0]
        if width < NARROW:
            width, height = _narrow(width, room, form, layout)
        else:
            height = _within(form * width, room)
            if width < CROWDED and layout.crowded:
                height = UPRIGHT * width
        density = min(max(math.ceil(screen["density"]), 1), 2)
        return (width / DPI, round(height) / DPI), density

    def show(self, picture, message, refused, chosen, code=""):
        """Draw a picture for the page, pale where it was refused, and a message.

        `chosen` are the controls that a click may set, `code` makes the state again.
        """
        size, density = self.page(picture.layout)
        language, large = picture.language, picture.layout.projector
        self.picture = picture.resized(size, large, language, density)
        pixels = self.paint(self.picture, refused)
        self.widget.shown = {
            "png": png(pixels),
            "alt": picture.sentence,
            "message": message,
            "large": large,
            "geometry": self.plates.geometry(self.picture),
            "chooses": chosen,
            "code": code,
            "least": round(picture.layout.least / SHRUNK),
        }

    def stored(self, picture, refused):
        """Return the picture in base 64 as a notebook stores it, of standard size."""
        return stored(self.paint(picture, refused))

    def waiting(self):
        """Return a context that says so on the page when its block takes long."""
        return waiting(self.widget, self._say(sentence("drawing…")))

    def paint(self, picture, refused):
        """Return the pixels of a picture, pale where it was refused."""
        pixels = self.plates.paint(picture)
        return greyed(pixels) if refused else pixels

    def close(self):
        """Forget all that was drawn."""
        self.plates.clear()


def _narrow(width, room, form, layout):
    """Return the pixels of a picture that is shown smaller than it is drawn.

    Its letters still have 11 pixels there. What has a least width stays as wide.
    """
    drawn = max(round(width * SHRUNK), layout.least)
    if layout.least:
        return drawn, form * drawn
    if room > width:
        return drawn, layout.upright * drawn
    return drawn, _within(form * drawn, room * SHRUNK)


def _within(height, room):
    return min(max(height, LOWEST), max(room, LOWEST))
