"""How heat maps are drawn: the part that stays, and the cells that move."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from matplotlib.artist import Artist

from mha_core.lab.drawing.canvas import SIZE, Plate, new_figure, own_style, title_of
from mha_core.lab.drawing.fonts import caption
from mha_core.lab.drawing.panels import (
    Panel,
    draw_bar,
    draw_names,
    draw_panel,
    draw_ring,
    draw_title,
    draw_titles,
)
from mha_core.lab.drawing.places import HEAD, frame
from mha_core.lab.drawing.tellings import grid_lines, map_lines


class Cells(NamedTuple):
    """What moves: weights (maps, T_q, T_k), marks (T_q, T_k) or None."""

    weights: np.ndarray
    title: str = ""
    marks: np.ndarray | None = None
    enlarged: int | None = None


@dataclass(frozen=True)
class Maps:
    """What stays: the labels, the names, the scale and the size."""

    queries: tuple
    keys: tuple
    query_name: str
    key_name: str
    value_name: str
    limits: tuple
    titles: tuple = ()
    enlarge: bool = False
    size: tuple = SIZE
    projector: bool = False

    @property
    def labelled(self):
        """How many maps may carry labels, counted from the first."""
        return 1 if self.enlarge else len(self.titles) or 1

    @property
    def large_titles(self):
        """Whether the titles of heads are enlarged too."""
        return self.projector and not self.enlarge and len(self.titles) <= 8

    def told(self, cells):
        """Return title, axes, limits and the strongest key per row, line by line."""
        if self.titles:
            return grid_lines(self, cells.title, cells.weights, cells.enlarged)
        return map_lines(self, cells.title, cells.weights[0])

    def plate(self, canvas=None):
        """Draw what stays and return the plate to paint cells on."""
        with own_style(self.projector):
            figure = new_figure(self.size, canvas)
            around = frame(self, figure)
            panels = [draw_panel(figure, p, self, around) for p in around.places]
            title, ring = draw_title(figure, around, self), draw_ring(figure, self)
            draw_titles(panels, self)
            draw_names(figure, panels, around, self)
            draw_bar(figure, around, self)
        update = _Update(panels, title, ring, self)
        return Plate(figure, update.moving, update, self.projector)


class _Update(NamedTuple):
    panels: list[Panel]
    title: Artist
    ring: Artist | None
    maps: Maps

    @property
    def moving(self):
        cells = [artist for panel in self.panels for artist in panel.moving]
        return cells + [self.title] + self._large

    @property
    def _large(self):
        return [self.ring, self.panels[0].title] if self.ring else []

    def __call__(self, cells):
        self.title.set_text(title_of(self.title, cells.title))
        heads = list(range(len(cells.weights)))
        order = [cells.enlarged, *heads] if self.ring else heads
        for n, panel in zip(order, self.panels, strict=True):
            panel.show(cells.weights[n], cells.marks)
        if self.ring:
            self._enlarge(cells.enlarged)

    def _enlarge(self, head):
        self.panels[0].title.set_text(caption(self.maps.titles[head], HEAD))
        self.ring.set_bounds(self.panels[head + 1].axes.get_position().bounds)
