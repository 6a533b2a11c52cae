"""Frames around marked cells of a heat map, one around each region."""

import numpy as np
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.patheffects import withStroke

from mha_core.lab.drawing.colours import INK


def draw_outlines(axes, projector):
    """Return what frames the marked cells of axes, still without any."""
    width = 3.0 if projector else 2.0
    halo = [withStroke(linewidth=width + 2, foreground="white")]
    frames = PathPatch(outlines(None), fill=False, edgecolor=INK, linewidth=width)
    frames.set(clip_on=False, capstyle="projecting", snap=False, path_effects=halo)
    return axes.add_artist(frames)


def outlines(marks):
    """Return the lines that part marked cells from the others, as one path.

    Parameters
    ----------
    marks : ndarray of bool, shape (T_q, T_k), or None
        Cell (i, j) is centred on x = j, y = i.
    """
    if marks is None:
        return Path(np.empty((0, 2)))
    across, down = _level(marks), _level(marks.T)[..., ::-1]
    corners = np.concatenate([across, down]).reshape(-1, 2)
    return Path(corners, [Path.MOVETO, Path.LINETO] * (len(corners) // 2))


def _level(marks):
    """Return start and end (x, y) of each level line, shape (lines, 2, 2)."""
    rows = np.pad(marks, [(1, 1), (0, 0)])
    edges = np.pad(rows[1:] != rows[:-1], [(0, 0), (1, 1)])
    turns = np.argwhere(edges[:, 1:] != edges[:, :-1])  # start, end, start, … (y, x)
    return turns[:, ::-1].reshape(-1, 2, 2) - 0.5
