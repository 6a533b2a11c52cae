"""Figures with a size, a style and pixels of their own, whoever draws them."""

import io
from contextlib import contextmanager

import numpy as np
from matplotlib import rc_context, rcParamsDefault
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from PIL import Image

from mha_core.lab.colours import INK
from mha_core.lab.fonts import families

DPI = 100
SIZE = (9.0, 5.4)
BACKENDS = ("backend", "backend_fallback")
DEFAULTS = {k: v for k, v in rcParamsDefault.items() if k not in BACKENDS}


def points(projector):
    """Return the sizes of text in points: labels, names, title."""
    return (18, 19, 21) if projector else (11.5, 12.5, 14)


@contextmanager
def own_style(projector=False):
    """Draw with our settings; those of the user are back afterwards."""
    small, name, title = points(projector)
    with rc_context(DEFAULTS):
        with rc_context(
            {
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
        ):
            yield


def new_figure(size=SIZE):
    """Return an empty figure on a canvas of its own, unknown to pyplot."""
    figure = Figure(figsize=size, dpi=DPI, facecolor="white")
    FigureCanvasAgg(figure)
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


class Plate:
    """A figure whose fixed part is drawn once and its data over it, many times.

    Parameters
    ----------
    figure : Figure
        With everything that stays.
    moving : list of Artist
        What `update` changes, in the order of drawing.
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
        self._fixed = figure.canvas.copy_from_bbox(figure.bbox)

    def paint(self, data):
        """Draw the data; return the pixels, uint8 of shape (height, width, 3)."""
        canvas = self.figure.canvas
        canvas.restore_region(self._fixed)
        with own_style(self._projector):
            self._update(data)
            for artist in self._moving:
                artist.draw(canvas.get_renderer())
        return np.asarray(canvas.buffer_rgba())[..., :3].copy()


def greyed(pixels):
    """Return the pixels pale and without colour: a picture that no longer holds."""
    grey = pixels.mean(axis=-1, keepdims=True) * 0.35 + 255 * 0.65
    return np.repeat(grey.astype(np.uint8), 3, axis=-1)


def png(pixels):
    """Return the pixels as the bytes of a PNG file."""
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "png", compress_level=1)
    return file.getvalue()
