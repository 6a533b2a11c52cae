"""How heat maps are drawn: the part that stays, and the cells that move."""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from matplotlib.artist import Artist

from mha_core.lab.drawing.canvas import SIZE, Plate, new_figure, own_style, points
from mha_core.lab.drawing.colours import head_colour
from mha_core.lab.drawing.fitting import name_labels, title_of
from mha_core.lab.drawing.fonts import families
from mha_core.lab.drawing.frames import MANY, frame, head_labels, title_room
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
    title_room: float = 0.0  # pixels for the title of a head; 0: as its titles need
    least = 0  # pixels across

    @property
    def upright(self):
        """Height by width on a phone."""
        return 1.6 if self.titles else 1.1

    @property
    def crowded(self):
        """Whether the maps would be flat beside the large one on half a page."""
        return len(self.titles) > MANY

    @property
    def fixed(self):
        """What is drawn once: all but the wording of the titles of heads."""
        blank = {"titles": ("",) * len(self.titles), "short": ()}
        return replace(self, title_room=_title_room(self, tuple(families())), **blank)

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
            draw_titles(panels, self)
            draw_names(figure, panels, around, self)
            draw_scale(figure, around, self)
            draw_notes(figure, around)
        update = _Update(panels, title, ring)
        return Plate(figure, update.moving, update, self)


class _Update(NamedTuple):
    panels: list[Panel]
    title: Artist
    ring: Artist | None

    @property
    def moving(self):
        cells = [artist for panel in self.panels for artist in panel.moving]
        ring = [self.ring] if self.ring else []
        return cells + [self.title] + ring + [panel.title for panel in self.panels]

    def __call__(self, cells, maps):
        self.title.set_text(title_of(self.title, cells.title))
        heads = list(range(len(cells.weights)))
        order = [cells.enlarged, *heads] if self.ring else heads
        for n, panel in zip(order, self.panels, strict=True):
            hidden = None if cells.hidden is None else cells.hidden[n]
            panel.show(cells.weights[n], hidden, cells.marks)
        small, large = _head_titles(maps, tuple(families()))
        if self.ring:
            small = large[cells.enlarged], *small
            self._surround(self.panels[cells.enlarged + 1])
        for panel, name in zip(self.panels, small, strict=False):
            panel.title.set(text=name, color=head_colour(name, len(heads)))

    def geometry(self, cells, maps):
        boxes = [panel.box for panel in self.panels]
        return map_geometry(maps, cells, boxes)

    def _surround(self, panel):
        self.ring.set_bounds(panel.axes.get_position().bounds)


@lru_cache(maxsize=64)
def _left_out(maps, fonts):
    """Return the notes of a layout in these fonts: each text of it asks for them."""
    with own_style(maps.projector):
        around = frame(maps, new_figure(maps.size))
    return note_lines(around.steps, around.blocks)


@lru_cache(maxsize=64)
def _title_room(maps, fonts):
    """Return the width for the title of a head, 0 if there are no heads."""
    if not maps.titles:
        return 0.0
    with own_style(maps.projector):
        return title_room(maps, new_figure(maps.size))


@lru_cache(maxsize=64)
def _head_titles(maps, fonts):
    """Return the titles of small maps and of the enlarged one, fitted into room."""
    with own_style(maps.projector):
        figure = new_figure(maps.size)
        small, large = head_labels(maps, figure), ()
        if maps.enlarge:
            size, room = points(maps.projector)[0], 0.5 * figure.bbox.width
            labels = name_labels(figure, maps.titles, size, room)
            large = [labels[title] for title in maps.titles]
    return small, large
