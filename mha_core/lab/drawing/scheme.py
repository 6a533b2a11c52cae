"""Schematics: the mechanism drawn with real numbers, part by part."""

from dataclasses import dataclass
from typing import NamedTuple

from mha_core.lab.drawing.canvas import (
    DPI,
    SIZE,
    Plate,
    axes_at,
    new_figure,
    own_style,
    points,
)
from mha_core.lab.drawing.fitting import title_of
from mha_core.lab.drawing.geometry import page_of
from mha_core.lab.drawing.parts import Pen
from mha_core.lab.drawing.tellings import font_lines

WIDE, TITLE = 900, 40  # units across a scheme; pixels above it
# Points of words, and of numbers in cells, where a unit is a pixel.
LARGEST, CELL = 18.3, 14
LEAST = 760  # pixels across, so that letters are not in each other's way


class Drawing(NamedTuple):
    """What moves: the parts, in the order in which they are drawn."""

    parts: tuple
    title: str = ""
    facts: tuple = ()  # the numbers drawn, line by line, for the text below


@dataclass(frozen=True)
class Scheme:
    """What stays: room for parts, 900 units wide and `high` units high, and the base.

    `base` are the parts that are the same in many drawings; they are drawn first.
    """

    high: float = 500.0
    base: tuple = ()
    size: tuple = SIZE
    projector: bool = False
    density: int = 1

    least, crowded = LEAST, False

    @property
    def fixed(self):
        """What is drawn once: the empty page."""
        return self

    def told(self, drawing):
        """Return the title and the numbers of a drawing, line by line."""
        parts = *self.base, *drawing.parts
        texts = [getattr(part, "text", "") for part in parts]
        return [drawing.title, *drawing.facts, *font_lines(texts)]

    def plate(self, canvas=None):
        """Return the plate to draw on, empty."""
        with own_style(self.projector):
            figure = new_figure(self.size, canvas)
            wide, high = figure.bbox.width, figure.bbox.height - TITLE
            below, axes = (_sheet(figure, wide, high, self) for _ in range(2))
            for part in self.base:
                part.draw(below, self.pen)
            title = figure.suptitle("", y=0.98, va="top")
        return Plate(figure, [axes, title], _Update(title, axes), self)

    @property
    def pen(self):
        """How large this scheme writes: smaller in less room, but not small."""
        small, name, _ = points(self.projector)
        room = min(self.size[0] * DPI / WIDE, (self.size[1] * DPI - TITLE) / self.high)
        share = min(1.0, max(LARGEST * room, 7) / small)
        line = (1.4 if self.projector else 1.0) * min(1.0, room / 0.9)
        return Pen(small * share, name * share, line, min(small * share, CELL * room))


class _Update(NamedTuple):
    title: object
    axes: object

    def geometry(self, drawing, scheme):
        return page_of(scheme.size)

    def __call__(self, drawing, scheme):
        self.title.set_text(title_of(self.title, drawing.title))
        axes = self.axes
        for artist in (*axes.patches, *axes.lines, *axes.images, *axes.texts):
            artist.remove()
        for part in drawing.parts:
            part.draw(axes, scheme.pen)


def _sheet(figure, wide, high, scheme):
    """Return axes that lie over the page and are not seen themselves."""
    axes = axes_at(figure, 0, 0, wide, high)
    axes.set_axis_off()
    axes.set(xlim=(0, WIDE), ylim=(0, scheme.high), autoscale_on=False)
    return axes
