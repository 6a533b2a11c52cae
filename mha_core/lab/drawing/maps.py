"""How heat maps are drawn: the part that stays, and the cells that move."""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from matplotlib.artist import Artist

from mha_core.lab.drawing.canvas import SIZE, Plate, new_figure, own_style, points
from mha_core.lab.drawing.fitting import name_labels, title_of
from mha_core.lab.drawing.fonts import families
from mha_core.lab.drawing.frames import frame
from mha_core.lab.drawing.geometry import map_geometry
from mha_core.lab.drawing.map_tellings import grid_lines, map_lines, note_lines
from mha_core.lab.drawing.panels import (
    Panel,
    draw_names,
    draw_notes,
    draw_panel,
    draw_ring,
    draw_title,
    draw_titles,
)
from mha_core.lab.drawing.scales import draw_scale
from mha_core.lab.drawing.tellings import font_lines


class Cells(NamedTuple):
    """What moves: weights and hidden keys (maps, T_q, T_k), marks (T_q, T_k)."""

    weights: np.ndarray
    title: str = ""
    marks: np.ndarray | None = None
    enlarged: int | None = None
    hidden: np.ndarray | None = None
    first: int = 0  # the number of the first head that is shown


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
    hatched: bool = False  # some keys are hidden
    flags: tuple = ()  # the names of no and yes, where there is no other value
    size: tuple = SIZE
    projector: bool = False
    density: int = 1
    short: tuple = ()  # titles of small maps beside an enlarged one, if other ones

    @property
    def labelled(self):
        """How many maps may carry labels, counted from the first."""
        return 1 if self.enlarge else len(self.titles) or 1

    @property
    def large_titles(self):
        """Whether the titles of heads are enlarged too."""
        return self.projector and not self.enlarge and len(self.titles) <= 8

    @property
    def beside_large(self):
        """Whether the titles of heads stand beside an enlarged one and its labels."""
        return self.projector and self.enlarge

    def told(self, cells):
        """Return title, axes, limits and the strongest key per row, line by line."""
        lines = grid_lines if self.titles else map_lines
        return [*lines(self, cells), *self._left_out, *font_lines(self._texts(cells))]

    @property
    def _left_out(self):
        return _left_out(self, tuple(families()))

    def _texts(self, cells):
        tokens = *self.queries, *self.keys, *self.titles
        return *tokens, self.query_name, self.key_name, self.value_name, cells.title

    def plate(self, canvas=None):
        """Draw what stays and return the plate to paint cells on."""
        with own_style(self.projector):
            figure = new_figure(self.size, canvas)
            around = frame(self, figure)
            panels = [draw_panel(figure, p, self, around) for p in around.places]
            title, ring = draw_title(figure, around, self), draw_ring(figure, self)
            draw_titles(panels, around, self)
            draw_names(figure, panels, around, self)
            draw_scale(figure, around, self)
            draw_notes(figure, around)
            update = _Update(self, panels, title, ring, _large_titles(figure, self))
        return Plate(figure, update.moving, update, self)


class _Update(NamedTuple):
    maps: Maps
    panels: list[Panel]
    title: Artist
    ring: Artist | None
    heads: list  # titles of the enlarged map

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
            hidden = None if cells.hidden is None else cells.hidden[n]
            panel.show(cells.weights[n], hidden, cells.marks)
        if self.ring:
            self._enlarge(cells.enlarged)

    def geometry(self, cells):
        boxes = [panel.box for panel in self.panels]
        return map_geometry(self.maps, cells, boxes)

    def _enlarge(self, head):
        self.panels[0].title.set_text(self.heads[head])
        self.ring.set_bounds(self.panels[head + 1].axes.get_position().bounds)


@lru_cache(maxsize=64)
def _left_out(maps, fonts):
    """Return the notes of a layout in these fonts: each text of it asks for them."""
    with own_style(maps.projector):
        around = frame(maps, new_figure(maps.size))
    return note_lines(around.steps, around.blocks)


def _large_titles(figure, maps):
    if not maps.enlarge:
        return []
    size, room = points(maps.projector)[0], 0.5 * figure.bbox.width
    labels = name_labels(figure, maps.titles, size, room)
    return [labels[title] for title in maps.titles]
