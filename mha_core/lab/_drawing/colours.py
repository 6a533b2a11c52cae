"""Colours whose lightness can be trusted, and text that can be read on them."""

import numpy as np
from matplotlib import colormaps
from matplotlib.colors import ListedColormap

INK = "#202020"
LINES = ("#0b5fa5", "#c8501e", "#2f7d32", "#7b3294", "#806000", "#303030")


def even_blues():
    """Return white to dark blue in equal steps of lightness (CIE L*).

    Equal differences of weight look equally large, on paper without colour too.
    """
    blues = colormaps["Blues"]
    steps = np.linspace(0, 1, 512)
    light = np.array([lightness(colour) for colour in blues(steps)])
    wanted = np.linspace(light[-1], light[0], 256)
    at = np.interp(wanted, light[::-1], steps[::-1])
    return ListedColormap(blues(at[::-1]), name="even blues")


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
