"""Cells and the numbers in them, copied to the canvas pixel by pixel."""

import math

import numpy as np
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.image import AxesImage
from matplotlib.text import Text

MOST = 1024
MARGIN = 2


class Tiles(AxesImage):
    """An image with one tile of whole pixels per cell, filling its axes.

    Matplotlib would resample it: the same pixels, at ten times the cost.
    """

    def draw(self, renderer):
        """Draw the cells, as they are where the renderer is our canvas."""
        box = self.axes.bbox
        if not isinstance(renderer, RendererAgg) or renderer.dpi != self.figure.dpi:
            return super().draw(renderer)
        colours = self.to_rgba(self.get_array(), bytes=True)[::-1]
        up, across = np.divide((box.height, box.width), colours.shape[:2])
        pixels = colours.repeat(round(up), axis=0).repeat(round(across), axis=1)
        renderer.draw_image(renderer.new_gc(), round(box.x0), round(box.y0), pixels)


def draw_tiles(axes, shape, pixels, norm, colours):
    """Return an image on axes whose cells are centred on 0, 1, 2, ….

    Parameters
    ----------
    shape : (T_q, T_k)
    pixels : (int, int)
        The shape of the data: less than that of the cells where they are too many.
    """
    T_q, T_k = shape
    extent = -0.5, T_k - 0.5, T_q - 0.5, -0.5
    tiles = Tiles(axes, cmap=colours, norm=norm, extent=extent, origin="upper")
    tiles.set_interpolation("nearest")
    tiles.set_data(np.zeros(pixels))
    axes.add_image(tiles)
    axes.set(xlim=extent[:2], ylim=extent[2:])
    return tiles


class Stamp(Text):
    """A centred text that copies its pixels from those drawn before.

    Parameters
    ----------
    x, y : float
        The centre.
    seen : dict
        The pixels of each wording and colour, shared by all stamps of a figure.
    **properties
        Those of `matplotlib.text.Text`.
    """

    def __init__(self, x, y, seen, **properties):
        super().__init__(x, y, "", ha="center", va="center", **properties)
        self._seen = seen

    def draw(self, renderer):
        """Draw the text, as an image where the renderer is Agg."""
        if not isinstance(renderer, RendererAgg):
            super().draw(renderer)
        elif self.get_text() and self.get_visible():
            image = self._pixels(renderer)
            x, y = self.get_transform().transform(self.get_position())
            height, width = image.shape[:2]
            left, bottom = round(x - width / 2), round(y - height / 2)
            renderer.draw_image(renderer.new_gc(), left, bottom, image)

    def _pixels(self, renderer):
        key = self.get_text(), self.get_color(), renderer.dpi
        if len(self._seen) > MOST:
            self._seen.clear()
        if key not in self._seen:
            self._seen[key] = _rasterised(self, renderer)
        return self._seen[key]


def _rasterised(text, renderer):
    """Return the pixels of a text, lowest row first, as `draw_image` takes them."""
    wording, font = text.get_text(), text.get_fontproperties()
    size = renderer.get_text_width_height_descent(wording, font, False)
    width, height = (math.ceil(length) + MARGIN for length in size[:2])
    alone = RendererAgg(width, height, renderer.dpi)
    graphics = alone.new_gc()
    graphics.set_foreground(text.get_color())
    baseline = height - MARGIN / 2 - size[2]
    alone.draw_text(graphics, MARGIN / 2, baseline, wording, font, 0, False)
    return np.asarray(alone.buffer_rgba())[::-1].copy()
