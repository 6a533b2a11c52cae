"""Figures with a size, a style and pixels of their own, whoever draws them."""

import zlib
from contextlib import contextmanager
from threading import RLock

import numpy as np
from matplotlib import rc_context, rcParamsDefault
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from PIL import Image

from mha_core.lab.drawing.colours import INK
from mha_core.lab.drawing.fonts import ELLIPSIS, caption, families

DPI = 100
DRAWING = RLock()  # matplotlib's settings are the same in all threads
SIZE = (9.0, 5.4)
BACKENDS = ("backend", "backend_fallback")
DEFAULTS = {k: v for k, v in rcParamsDefault.items() if k not in BACKENDS}


def points(projector):
    """Return the sizes of text in points: labels, names, title."""
    return (18, 19, 21) if projector else (11.5, 12.5, 14)


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


def text_size(figure, texts, size):
    """Return the width of the widest and the height of the highest text, in pixels."""
    renderer = figure.canvas.get_renderer()
    font = FontProperties(family=families(), size=size)
    measure = renderer.get_text_width_height_descent
    sizes = [measure(text or " ", font, False)[:2] for text in texts or (" ",)]
    return tuple(np.max(sizes, axis=0))


def fitted(figure, text, size, room):
    """Return a text, cut with an ellipsis where it is wider than `room` pixels."""
    wide = text_size(figure, [text], size)[0]
    while wide > room and len(text) > 1:
        most = min(len(text) - 2, int(len(text) * room / wide))
        text = text[: max(most, 0)].rstrip(ELLIPSIS) + ELLIPSIS
        wide = text_size(figure, [text], size)[0]
    return text


def title_of(artist, text):
    """Return the title of a picture, cut where it is wider than the picture."""
    room = 0.96 * artist.figure.bbox.width
    return fitted(artist.figure, caption(text, 120), artist.get_fontsize(), room)


class Plate:
    """A figure whose fixed part is drawn once and its data over it, many times.

    Parameters
    ----------
    figure : Figure
        With everything that stays.
    moving : list of Artist
        What `update` changes, in the order of drawing: after all that stays.
    update : callable
        Takes the data and sets the moving artists.
    """

    def __init__(self, figure, moving, update, projector=False):
        self.figure, self._moving, self._update = figure, moving, update
        self._projector = projector
        for artist in moving:
            artist.set_animated(True)
        with own_style(projector):
            figure.canvas.draw()
        self._fixed = zlib.compress(figure.canvas.buffer_rgba(), 1)

    def paint(self, data):
        """Draw the data; return the pixels, uint8 of shape (height, width, 3)."""
        canvas = self.figure.canvas
        canvas.lend(self.figure)
        buffer = np.asarray(canvas.buffer_rgba())
        fixed = np.frombuffer(zlib.decompress(self._fixed), np.uint8)
        buffer[...] = fixed.reshape(buffer.shape)
        with own_style(self._projector):
            self._update(data)
            for artist in self._moving:
                artist.draw(canvas.get_renderer())
        return np.asarray(Image.fromarray(buffer).convert("RGB"))


class Plates:
    """The plates of the layouts seen last, all on one canvas of one size."""

    def __init__(self, size, most=6):
        self._canvas = Canvas(Figure(figsize=size, dpi=DPI))
        self._kept, self._most = {}, most

    def __len__(self):
        """Return how many plates are kept."""
        return len(self._kept)

    def paint(self, picture):
        """Return the pixels of a picture, its fixed part drawn before if it was."""
        layout = picture.layout
        plate = self._kept.pop(layout, None) or layout.plate(self._canvas)
        self._kept[layout] = plate
        if len(self._kept) > self._most:
            self._kept.pop(next(iter(self._kept)))
        return plate.paint(picture.data)

    def clear(self):
        """Forget all plates."""
        self._kept.clear()


def greyed(pixels):
    """Return the pixels pale and without colour: a picture that no longer holds."""
    total = pixels.sum(axis=-1, keepdims=True, dtype=np.uint16)
    grey = 166 + total * 7 // 60
    return np.repeat(grey.astype(np.uint8), 3, axis=-1)
