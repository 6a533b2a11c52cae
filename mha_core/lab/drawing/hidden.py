"""Hatches over the cells of keys that a query may not look at."""

import numpy as np
from matplotlib.patches import PathPatch
from matplotlib.path import Path

PALE, HATCH = "#ececec", "#8a8a8a"
SQUARE = [Path.MOVETO, *[Path.LINETO] * 3, Path.CLOSEPOLY]


def draw_hatches(axes):
    """Return what hatches the hidden cells of axes, still without any."""
    patch = PathPatch(hatched(None), facecolor=PALE, edgecolor=HATCH, linewidth=0)
    patch.set(hatch="////", snap=False)
    return axes.add_artist(patch)


def hatched(hidden):
    """Return the hidden cells as one path: a box for each run of them in a row.

    Parameters
    ----------
    hidden : ndarray of bool, shape (T_q, T_k), or None
        Cell (i, j) is centred on x = j, y = i.
    """
    if hidden is None or not hidden.any():
        return Path(np.empty((0, 2)))
    edges = np.pad(hidden, [(0, 0), (1, 1)])
    turns = np.argwhere(edges[:, 1:] != edges[:, :-1]).reshape(-1, 4)
    rows, starts, stops = turns[:, 0], turns[:, 1], turns[:, 3]
    across = np.stack([starts, stops, stops, starts, starts], axis=1)
    down = np.stack([rows, rows, rows + 1, rows + 1, rows], axis=1)
    corners = np.stack([across, down], axis=-1).reshape(-1, 2) - 0.5
    return Path(corners, SQUARE * len(rows))
