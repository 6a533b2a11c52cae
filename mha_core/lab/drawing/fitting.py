"""Texts measured in the fonts that draw them, and fitted into their room."""

from functools import lru_cache

import numpy as np
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.font_manager import FontProperties

from mha_core.lab.drawing.characters import named, spaced, visible, wholes
from mha_core.lab.drawing.fonts import drawable, families, open_fonts
from mha_core.lab.drawing.labels import cut, unlike


def text_size(figure, texts, size):
    """Return the width of the widest and the height of the highest text, in pixels."""
    fonts, dpi = tuple(families()), figure.dpi
    sizes = [_size(text or " ", fonts, size, dpi) for text in texts or (" ",)]
    return tuple(np.max(sizes, axis=0))


@lru_cache(maxsize=4096)
def _size(text, fonts, size, dpi):
    """Return width and height of one text: each redraw measures the same ones."""
    measure = RendererAgg(1, 1, dpi).get_text_width_height_descent
    return measure(text, FontProperties(family=fonts, size=size), False)[:2]


def token_labels(figure, tokens, size, room):
    """Return a label of at most `room` pixels for each token: a dict, none alike."""
    return _labels(figure, tokens, size, room, visible)


def name_labels(figure, names, size, room):
    """Return the same for names, in which spaces between words stay spaces."""
    return _labels(figure, names, size, room, named)


def fitted(figure, text, size, room):
    """Return a title or a name, cut with an ellipsis where wider than `room` pixels."""
    pieces = wholes(text, drawable(spaced(text), open_fonts()))
    return cut(pieces, _fits(figure, size, room))


def title_of(artist, text):
    """Return the title of a picture, cut where it is wider than the picture."""
    room = 0.96 * artist.figure.bbox.width
    return fitted(artist.figure, text, artist.get_fontsize(), room)


def _labels(figure, words, size, room, show):
    fonts = open_fonts()

    def pieces(word):
        return wholes(word, drawable(show(word), fonts))

    return unlike(words, pieces, _fits(figure, size, room))


def _fits(figure, size, room):
    return lambda text: text_size(figure, [text], size)[0] <= room
