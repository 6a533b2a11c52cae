"""Vectors and matrices of a schematic: cells in colours, with or without numbers."""

from typing import NamedTuple

import numpy as np
from matplotlib.image import AxesImage
from matplotlib.patches import Rectangle

from mha_core.lab.drawing.colours import INK, even_blues, readable_on, signed_colours
from mha_core.lab.drawing.hidden import HATCH, PALE
from mha_core.lab.drawing.numerals import telling
from mha_core.lab.drawing.parts import ACCENT, QUIET


class Vector(NamedTuple):
    """A vector as a strip of coloured cells, dark below 0 and light above it.

    `rows` is how many rows the cells fill; they run along the rows.
    """

    x: float
    y: float
    width: float
    height: float
    numbers: tuple
    rows: int = 1
    limit: float = 1.0
    strong: bool = False
    colour: str = ACCENT

    def draw(self, axes, pen):
        """Draw the cells and a frame around them."""
        cells = np.asarray(self.numbers, dtype=float)
        cells = np.pad(cells, (0, -len(cells) % self.rows), constant_values=np.nan)
        box = boxed(self)
        paint(axes, box, signed_colours()(_share(cells.reshape(self.rows, -1), self)))
        frame(axes, box, self.colour if self.strong else INK, pen, self.strong)


class Matrix(NamedTuple):
    """A matrix as coloured cells with their numbers, rows and columns named.

    Cells of `hidden` are hatched. Weights are blue from 0 to 1; other numbers are
    coloured as those of a vector are.
    """

    x: float
    y: float
    width: float
    height: float
    cells: np.ndarray
    rows: tuple = ()
    columns: tuple = ()
    title: str = ""
    under: str = ""
    limit: float = 1.0
    weights: bool = False
    exact: int | None = None
    hidden: np.ndarray | None = None
    row_colours: tuple = ()
    colour: str = INK

    def draw(self, axes, pen):
        """Draw the cells, their numbers, and the names around them."""
        box, cells = boxed(self), np.asarray(self.cells, dtype=float)
        shown = even_blues()(cells) if self.weights else None
        shown = signed_colours()(_share(cells, self)) if shown is None else shown
        paint(axes, box, shown)
        self._numbers(axes, pen, shown)
        self._names(axes, pen)
        frame(axes, box, self.colour, pen, self.colour != INK)

    def _numbers(self, axes, pen, shown):
        count, wide = self.cells.shape
        for i in range(count):
            for j in range(wide):
                place = self.place(i, j)
                if self.hidden is not None and self.hidden[i, j]:
                    self._hatch(axes, i, j)
                elif self.exact is not None:
                    text = telling(self.cells[i, j], self.exact).replace("0.", ".")
                    style = {"zorder": 5, "fontsize": pen.cell}
                    pen.write(axes, *place, text, readable_on(shown[i, j]), **style)

    def _hatch(self, axes, i, j):
        x, y = self.place(i, j)
        wide = self.width / self.cells.shape[1]
        high = self.height / self.cells.shape[0]
        corner = x - wide / 2, y - high / 2
        style = {"facecolor": PALE, "edgecolor": HATCH, "linewidth": 0, "hatch": "////"}
        axes.add_patch(Rectangle(corner, wide, high, zorder=4, **style))

    def _names(self, axes, pen):
        left, right, bottom, top = boxed(self)
        names = zip(self.columns, range(len(self.columns)), strict=True)
        for text, j in names:
            pen.write(axes, self.place(0, j)[0], top + 5, text, va="bottom")
        colours = self.row_colours or [INK] * len(self.rows)
        for i, (text, colour) in enumerate(zip(self.rows, colours, strict=True)):
            place = left - 6, self.place(i, 0)[1]
            pen.write(axes, *place, text, colour, ha="right")
        above = top + (6 + 1.7 * pen.small if self.columns else 6)
        middle = (left + right) / 2
        pen.write(axes, middle, above, self.title, va="bottom", name=True)
        pen.write(axes, middle, bottom - 6, self.under, QUIET, va="top")

    def place(self, i, j):
        """Return the middle of a cell."""
        left, _, _, top = boxed(self)
        count, wide = self.cells.shape
        across = left + (j + 0.5) * self.width / wide
        return across, top - (i + 0.5) * self.height / count


def boxed(part):
    """Return left, right, bottom and top of what has its middle at x and y."""
    wide, high = part.width / 2, part.height / 2
    return part.x - wide, part.x + wide, part.y - high, part.y + high


def _share(numbers, part):
    """Return numbers from minus to plus a part's limit as shares from 0 to 1."""
    return np.clip(numbers / (2 * part.limit) + 0.5, 0, 1)


def paint(axes, box, colours):
    """Paint cells of these colours, (rows, columns, 4), into a box."""
    image = AxesImage(axes, interpolation="nearest", extent=box, zorder=3)
    image.set_data(colours)
    image.set_clip_on(False)
    axes.add_image(image)


def frame(axes, box, colour, pen, strong=False):
    """Draw a frame around a box."""
    left, right, bottom, top = box
    thick = (2.4 if strong else 1.0) * pen.line
    style = {"fill": False, "edgecolor": colour, "linewidth": thick, "zorder": 5}
    axes.add_patch(Rectangle((left, bottom), right - left, top - bottom, **style))
