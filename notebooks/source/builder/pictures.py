"""Pictures in notebooks: which look the same, and may keep their bytes."""

import base64
import io

import numpy as np
from PIL import Image

INK = 40  # levels of 255: more is another stroke, less is rounding
FEW = 3  # points: fewer than the smallest stroke of a digit has
EDGES = 200  # points: more than one letter has, fewer than a word or a cell
TILE, SHADE = 8, 1.5  # points; levels of the mean colour


def keep_pictures(notebook, committed):
    """Keep the committed bytes of each picture that still looks the same."""
    before = {cell.get("id"): cell.get("outputs", []) for cell in committed.cells}
    for cell in notebook.cells:
        pairs = zip(cell.get("outputs", []), before.get(cell.id, []), strict=False)
        for new, old in pairs:
            pictures = [out.get("data", {}).get("image/png") for out in (new, old)]
            if all(pictures) and look_the_same(*pictures):
                new.data["image/png"] = pictures[1]


def look_the_same(first, second):
    """Tell whether two PNGs in base 64 show the same, but for rounding of colours.

    A digit that is another one moves a few points far; a cell that is another one
    moves many points a little. A picture that cannot be read is like no other.
    """
    if first == second:
        return True
    apart = _apart(first, second)
    return apart is not None and _strokes(apart) <= FEW and _shade(apart) <= SHADE


def show_the_same(first, second):
    """Tell whether two PNGs in base 64 show the same, drawn with other fonts perhaps.

    The edges of letters may differ, a word or a cell may not.
    """
    apart = _apart(first, second)
    return apart is not None and _strokes(apart) <= EDGES


def _apart(first, second):
    """Return how far the points of two pictures are apart; None for two sizes."""
    try:
        a, b = _points(first), _points(second)
    except (OSError, SyntaxError, ValueError):
        return None
    return a - b if a.shape == b.shape else None


def _points(png):
    image = Image.open(io.BytesIO(base64.b64decode(png))).convert("RGBA")
    return np.asarray(image, float)


def _strokes(apart):
    return (abs(apart).max(axis=-1) > INK).sum()


def _shade(apart):
    """Return how far the mean colour of a tile is moved, at most."""
    sums = apart
    for axis in (0, 1):
        starts = np.arange(0, apart.shape[axis], TILE)
        sums = np.add.reduceat(sums, starts, axis=axis)
    sides = [np.minimum(TILE, n - np.arange(0, n, TILE)) for n in apart.shape[:2]]
    return (abs(sums) / np.outer(*sides)[..., None]).max()
