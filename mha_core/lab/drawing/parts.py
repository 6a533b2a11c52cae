"""The parts of a schematic: tokens, vectors, matrices, arrows, links and words.

Each stands at a place in the units of its `Scheme`, 900 wide and counted from the lower
left, and draws itself on axes of these units with a `Pen`.
"""

from typing import NamedTuple

from matplotlib.patches import FancyArrowPatch, FancyBboxPatch
from matplotlib.path import Path
from matplotlib.patheffects import withStroke

from mha_core.lab.drawing.colours import INK
from mha_core.lab.drawing.numerals import telling

QUIET, ACCENT, ASK = "#6e6e6e", "#b8430f", "#0b5fa5"
HALO = [withStroke(linewidth=3, foreground="white")]


class Pen(NamedTuple):
    """How large a scheme writes, in points, and how thick its lines are."""

    small: float
    name: float
    line: float
    cell: float  # a number in a cell, which has little room

    def write(self, axes, x, y, text, colour=INK, name=False, **more):
        """Write a text that has its middle at a place, if nothing else is said."""
        more = {"ha": "center", "va": "center"} | more
        more = {"fontsize": self.name if name else self.small} | more
        return axes.text(x, y, text, color=colour, **more)


class Words(NamedTuple):
    """A text, alone: `ha` and `va` say which side of it the place is."""

    x: float
    y: float
    text: str
    colour: str = INK
    ha: str = "center"
    va: str = "center"
    name: bool = False

    def draw(self, axes, pen):
        """Write the text."""
        sides = {"ha": self.ha, "va": self.va}
        pen.write(axes, self.x, self.y, self.text, self.colour, self.name, **sides)


class Token(NamedTuple):
    """A letter, a word or a sound in a box; a strong one is the one of now."""

    x: float
    y: float
    text: str
    strong: bool = False
    wide: float = 40
    colour: str = ACCENT

    def draw(self, axes, pen):
        """Draw the box and what stands in it."""
        colour, thick = (self.colour, 2.2) if self.strong else (QUIET, 1.2)
        high = 36
        corner = self.x - self.wide / 2 + 5, self.y - high / 2 + 5
        style = {"facecolor": "white", "edgecolor": colour, "zorder": 3}
        axes.add_patch(
            FancyBboxPatch(
                corner,
                self.wide - 10,
                high - 10,
                boxstyle="round,pad=5",
                linewidth=thick * pen.line,
                **style,
            )
        )
        weight = "bold" if self.strong else "normal"
        more = {"name": True, "zorder": 4, "fontweight": weight}
        pen.write(axes, self.x, self.y - 1, self.text, **more)


class Arrow(NamedTuple):
    """An arrow from a place to a place, with a text beside its middle."""

    x0: float
    y0: float
    x1: float
    y1: float
    text: str = ""
    colour: str = QUIET
    thick: float = 1.6
    bend: float = 0.0
    dashed: bool = False

    def draw(self, axes, pen):
        """Draw the arrow and its text."""
        axes.add_patch(
            FancyArrowPatch(
                (self.x0, self.y0),
                (self.x1, self.y1),
                arrowstyle="-|>",
                mutation_scale=12 * pen.line,
                linewidth=self.thick * pen.line,
                linestyle="--" if self.dashed else "-",
                connectionstyle=f"arc3,rad={self.bend}",
                color=self.colour,
                shrinkA=0,
                shrinkB=0,
                zorder=2,
            )
        )
        level = abs(self.y1 - self.y0) < abs(self.x1 - self.x0)
        x, y = (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2
        if level:
            pen.write(axes, x, y + 6, self.text, self.colour, va="bottom")
        else:
            pen.write(axes, x + 8, y, self.text, self.colour, ha="left")


class Route(NamedTuple):
    """A line from place to place, round corners, with an arrow at its end."""

    places: tuple  # of (x, y)
    colour: str = QUIET
    thick: float = 1.6
    dashed: bool = False
    arrow: bool = True

    def draw(self, axes, pen):
        """Draw the line."""
        axes.add_patch(
            FancyArrowPatch(
                path=Path(self.places),
                arrowstyle="-|>" if self.arrow else "-",
                mutation_scale=12 * pen.line,
                linewidth=self.thick * pen.line,
                linestyle="--" if self.dashed else "-",
                joinstyle="round",
                edgecolor=self.colour,
                facecolor=self.colour if self.arrow else "none",
                zorder=2,
            )
        )


class Link(NamedTuple):
    """A line as thick as a weight from 0 to 1, with the number where it is large.

    The number stands at a share of the way from the first place to the second.
    """

    x0: float
    y0: float
    x1: float
    y1: float
    weight: float
    colour: str = ACCENT
    least: float = 0.1
    at: float = 0.8
    widest: float = 14.0

    def draw(self, axes, pen):
        """Draw the line, if there is any weight, and its number."""
        if round(float(self.weight), 2) <= 0:
            return
        axes.plot(
            [self.x0, self.x1],
            [self.y0, self.y1],
            color=self.colour,
            linewidth=max(0.8, self.widest * self.weight) * pen.line,
            alpha=0.35 + 0.55 * min(self.weight, 1),
            solid_capstyle="round",
            zorder=1,
        )
        if self.weight >= self.least:
            x = self.x0 + self.at * (self.x1 - self.x0)
            y = self.y0 + self.at * (self.y1 - self.y0)
            text = telling(float(self.weight), 2)
            pen.write(axes, x, y, text, self.colour, zorder=6, path_effects=HALO)
