"""Figures with a size, a style and pixels of their own, whoever draws them."""

from contextlib import contextmanager
from threading import RLock

import numpy as np
from matplotlib import rc_context, rcParamsDefault
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from mha_core.lab.drawing.colours import INK
from mha_core.lab.drawing.fonts import families

DPI = 100
DRAWING = RLock()  # matplotlib's settings are the same in all threads
SIZE = (9.0, 5.4)
WHITE = np.uint32(0xFFFFFFFF)  # of four bytes: red, green, blue, opaque
BACKENDS = ("backend", "backend_fallback")
DEFAULTS = {k: v for k, v in rcParamsDefault.items() if k not in BACKENDS}


def points(projector):
    """Return the sizes of text in points: labels, names, title."""
    return (18, 19, 21) if projector else (12, 13, 14.5)


@contextmanager
def own_style(projector=False):
    """Draw with our settings, one thread at a time; the user's are back afterwards."""
    small, name, title = points(projector)
    ours = {
        "font.family": families(),
        "font.size": small,
        "axes.labelsize": name,
        "axes.titlesize": title,
        "figure.titlesize": title,
        "axes.edgecolor": "#a0a0a0",
        "text.color": INK,
        "axes.labelcolor": INK,
        "xtick.labelcolor": INK,
        "ytick.labelcolor": INK,
        "text.parse_math": False,
    }
    with DRAWING, rc_context({**DEFAULTS, **ours}):
        yield


class Canvas(FigureCanvasAgg):
    """Pixels that are lent to one figure of their size after another."""

    def lend(self, figure):
        """Let a figure draw here until another one does."""
        self.figure = figure
        figure.set_canvas(self)


def new_figure(size=SIZE, canvas=None):
    """Return an empty figure on a canvas, unknown to pyplot."""
    figure = Figure(figsize=size, dpi=DPI, facecolor="white")
    if canvas is None:
        Canvas(figure)
    else:
        canvas.lend(figure)
    return figure


def axes_at(figure, left, bottom, width, height):
    """Return new axes at a place given in pixels from the lower left."""
    across, up = figure.bbox.width, figure.bbox.height
    return figure.add_axes((left / across, bottom / up, width / across, height / up))


class Plate:
    """A figure whose fixed part is drawn once and its data over it, many times.

    Parameters
    ----------
    figure : Figure
        With everything that stays.
    moving : list of Artist
        What `update` changes, in the order of drawing: after all that stays.
    update : callable
        Takes the data and the whole layout, and sets the moving artists; has a
        method `geometry` that takes both too.
    layout : Maps or Chart
    """

    def __init__(self, figure, moving, update, layout):
        self.figure, self._moving, self._update = figure, moving, update
        self._projector = layout.projector
        figure.dpi = DPI * layout.density
        for artist in moving:
            artist.set_animated(True)
        with own_style(layout.projector):
            figure.canvas.draw()
        self._fixed = _inked(np.asarray(figure.canvas.buffer_rgba()))

    def paint(self, data, layout):
        """Draw the data; return the pixels, uint8 of shape (height, width, 3).

        The layout is the one that is told: its fixed part is that of this plate.
        """
        canvas = self.figure.canvas
        canvas.lend(self.figure)
        renderer = canvas.get_renderer()  # of the size of this figure
        buffer = np.asarray(renderer.buffer_rgba())
        _restore(buffer, *self._fixed)
        with own_style(self._projector):
            self._update(data, layout)
            for artist in self._moving:
                artist.draw(renderer)
        return _without_alpha(buffer)

    def whole(self):
        """Return the figure, which from now on draws by itself what was painted too."""
        for artist in self._moving:
            artist.set_animated(False)
        return self.figure

    def geometry(self, data, layout):
        """Return where the parts of the picture are, for a page."""
        return self._update.geometry(data, layout)


class Plates:
    """The plates of the layouts seen last, all on one canvas."""

    def __init__(self, most=6):
        self._canvas = Canvas(Figure())
        self._kept, self._most = {}, most

    def __len__(self):
        """Return how many plates are kept."""
        return len(self._kept)

    def paint(self, picture):
        """Return the pixels of a picture, its fixed part drawn before if it was."""
        fixed = picture.layout.fixed
        plate = self._kept.pop(fixed, None) or fixed.plate(self._canvas)
        self._kept[fixed] = plate
        if len(self._kept) > self._most:
            self._kept.pop(next(iter(self._kept)))
        return plate.paint(picture.data, picture.layout)

    def geometry(self, picture):
        """Return where the parts of a picture are that was painted just now."""
        plate = self._kept[picture.layout.fixed]
        return plate.geometry(picture.data, picture.layout)

    def clear(self):
        """Forget all plates."""
        self._kept.clear()


def _inked(buffer):
    """Return where a canvas is not white, and its pixels there: few, mostly."""
    pixels = buffer.reshape(-1, 4).view(np.uint32)[:, 0]
    places = np.flatnonzero(pixels != WHITE)
    return places, pixels[places]


def _restore(buffer, places, inks):
    """Put back what `_inked` returned."""
    pixels = buffer.reshape(-1, 4).view(np.uint32)[:, 0]
    pixels[:] = WHITE
    pixels[places] = inks


def _without_alpha(buffer):
    pixels = np.empty((*buffer.shape[:2], 3), np.uint8)
    for channel in range(3):  # three times as fast as all at once
        pixels[..., channel] = buffer[..., channel]
    return pixels


def greyed(pixels):
    """Return the pixels pale and without colour: a picture that no longer holds."""
    total = pixels.sum(axis=-1, keepdims=True, dtype=np.uint16)
    grey = 166 + total * 7 // 60
    return np.repeat(grey.astype(np.uint8), 3, axis=-1)
