"""What stands in a drawn figure: its texts, where they are, and whether they clash."""

from itertools import combinations

import numpy as np
from matplotlib.text import Text


def texts(figure):
    """Return the texts that are seen."""
    found = figure.findobj(Text)
    return [t for t in found if t.get_visible() and t.get_text().strip()]


def boxes(figure):
    """Return the box of each text in pixels, by its wording."""
    renderer = figure.canvas.get_renderer()
    return [(t.get_text(), t.get_window_extent(renderer)) for t in texts(figure)]


def clashes(figure, slack=1.0):
    """Return pairs of texts that overlap by more than some pixels both ways."""
    return [
        (one, two)
        for (one, a), (two, b) in combinations(boxes(figure), 2)
        if min(a.x1, b.x1) - max(a.x0, b.x0) > slack
        and min(a.y1, b.y1) - max(a.y0, b.y0) > slack
    ]


def outside(figure):
    """Return the texts that leave the canvas."""
    width, height = figure.bbox.size
    return [
        text
        for text, box in boxes(figure)
        if box.x0 < 0 or box.y0 < 0 or box.x1 > width or box.y1 > height
    ]


def tick_texts(axis):
    """Return the labels of an axis."""
    return [label.get_text() for label in axis.get_ticklabels()]


def contrast(one, two):
    """Return the contrast of two luminances, 1 to 21 (WCAG 2)."""
    low, high = sorted((one, two))
    return (high + 0.05) / (low + 0.05)


def softmax(scores):
    """Return rows that sum to 1."""
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)
