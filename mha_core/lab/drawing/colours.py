"""Colours whose lightness can be trusted, and text that can be read on them."""

import re
from functools import cache

import numpy as np
from matplotlib import colormaps
from matplotlib.colors import ListedColormap

INK = "#202020"
LINES = ("#0b5fa5", "#c8501e", "#2f7d32", "#7b3294", "#806000", "#303030")


@cache
def even_blues():
    """Return white to dark blue in equal steps of lightness (CIE L*).

    Equal differences of weight look equally large, on paper without colour too.
    """
    rgb = colormaps["Blues"](np.arange(256))[:, :3]
    light = np.array([lightness(colour) for colour in rgb])
    steps = np.linspace(light[0], light[-1], 256)
    channels = [np.interp(steps, light[::-1], c) for c in rgb[::-1].T]
    return ListedColormap(np.transpose(channels), name="even blues")


def colours_of(limits):
    """Return the colours of a scale: even blues, or dark, grey and light around a 0.

    A scale that reaches as far below 0 as above it has signs. Cividis rises in
    lightness all the way, so that they survive print without colour.
    """
    signed = limits[0] == -limits[1]
    return colormaps["cividis"] if signed else even_blues()


def luminance(colour):
    """Return the relative luminance of an RGB colour, 0 to 1 (WCAG 2)."""
    rgb = np.asarray(colour)[:3]
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return float(linear @ (0.2126, 0.7152, 0.0722))


def lightness(colour):
    """Return the lightness L* of an RGB colour, 0 to 100."""
    return 116 * np.cbrt(max(luminance(colour), 0.00886)) - 16


def readable_on(colour):
    """Return black or white, whichever has more contrast on a colour."""
    return "black" if luminance(colour) > 0.179 else "white"


@cache
def signed_colours():
    """Return dark blue below 0, grey at 0, light yellow above it (cividis).

    Lightness rises all the way, so that the sign survives print without colour.
    """
    return colormaps["cividis"]


# One for each head, the same in every drawing; after the last they begin again.
HEADS = ("#0b5fa5", "#b8430f", "#2f7d32", "#8a2f7a", "#6b5300", "#303030")
HEAD = re.compile(r"^(?:head |头 )?(\d+)\b")


def head_colour(title, count):
    """Return the colour that a head keeps in all pictures, that of text for others.

    Parameters
    ----------
    title : str
        Such as ``head 0`` or ``0: previous``, in any language.
    count : int
        Maps of the picture; where there are more than colours, all titles are alike.
    """
    found = HEAD.match(title)
    head = int(found[1]) if found and 1 < count <= len(HEADS) else len(HEADS)
    return HEADS[head] if head < len(HEADS) else INK
