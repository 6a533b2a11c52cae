"""What the colours of a heat map mean: a bar, or two colours with their names."""

import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.patches import Patch

from mha_core.lab.drawing.canvas import axes_at, points
from mha_core.lab.drawing.colours import colours_of, even_blues
from mha_core.lab.drawing.fitting import fitted
from mha_core.lab.drawing.numerals import ticks


def draw_scale(figure, around, maps):
    """Draw what says what the colours mean."""
    (_draw_legend if maps.flags else _draw_bar)(figure, around, maps)


def _draw_bar(figure, around, maps):
    left, bottom, width, height = around.bar
    axes = axes_at(figure, left, bottom, width, height)
    colours = ScalarMappable(Normalize(*maps.limits), colours_of(maps.limits))
    bar = figure.colorbar(colours, cax=axes)
    bar.outline.set_visible(False)
    middle, size = bottom + height / 2, points(maps.projector)[1]
    room = 2 * min(middle, figure.bbox.height - middle)
    bar.set_label(fitted(figure, scale_name(maps), size, room), labelpad=8)
    places = np.linspace(*maps.limits, 5 if height > 8 * around.line else 3)
    bar.set_ticks(places, labels=ticks(places))


def _draw_legend(figure, around, maps):
    left, bottom, _, height = around.bar
    up = (bottom + height / 2) / figure.bbox.height
    colours = even_blues()(np.array([1.0, 0.0]))
    figure.legend(
        [Patch(facecolor=c, edgecolor="#606060") for c in colours],
        maps.flags[::-1],
        loc="center left",
        bbox_to_anchor=(left / figure.bbox.width, up),
        borderaxespad=0,
        frameon=False,
        handlelength=1,
        handleheight=1,
    )


def scale_name(maps):
    """Return what the colours mean, with both ends of the scale."""
    low, high = ticks(maps.limits)
    between = "-" if maps.limits[0] >= 0 else " to "
    return f"{maps.value_name} ({low}{between}{high})"
