"""Numbers in cells: rasterised once per wording and colour, then copied."""

import math

import numpy as np
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.text import Text

MOST = 1024


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
            image = self._pixels(renderer.dpi)
            x, y = self.get_transform().transform(self.get_position())
            height, width = image.shape[:2]
            graphics = renderer.new_gc()
            left, bottom = round(x - width / 2), round(y - height / 2)
            renderer.draw_image(graphics, left, bottom, image)

    def _pixels(self, dpi):
        key = self.get_text(), self.get_color(), dpi
        if len(self._seen) > MOST:
            self._seen.clear()
        if key not in self._seen:
            self._seen[key] = _rasterised(self, dpi)
        return self._seen[key]


def _rasterised(text, dpi):
    wording, font = text.get_text(), text.get_fontproperties()
    probe = RendererAgg(1, 1, dpi)
    width, height, below = probe.get_text_width_height_descent(wording, font, False)
    size = math.ceil(width) + 2, math.ceil(height) + 2
    renderer = RendererAgg(*size, dpi)
    graphics = renderer.new_gc()
    graphics.set_foreground(text.get_color())
    renderer.draw_text(graphics, 1, size[1] - 1 - below, wording, font, 0, False)
    return np.asarray(renderer.buffer_rgba())[::-1].copy()
