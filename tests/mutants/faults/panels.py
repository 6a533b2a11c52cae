"""Faults between the numbers of a heat map and its pixels."""

from ..fault import Fault

PIXELS = "unit tests look at what is drawn; a lesson compares the text of a picture"
CANVAS = "lab/drawing/canvas.py"
COLOURS, MAPS = "lab/drawing/colours.py", "lab/drawing/maps.py"
OUTLINES, PANELS = "lab/drawing/outlines.py", "lab/drawing/panels.py"
PICTURE, PLACES = "lab/drawing/picture.py", "lab/drawing/places.py"
PNG, TILES = "lab/drawing/png.py", "lab/drawing/tiles.py"
FRAMES, FITTING = "lab/drawing/frames.py", "lab/drawing/fitting.py"
HIDDEN, MAXIMA = "lab/drawing/hidden.py", "lab/drawing/maxima.py"
NUMERALS, SCALES = "lab/drawing/numerals.py", "lab/drawing/scales.py"


def unseen(name, file, old, new, unit="test_pictures"):
    """Return a fault that is in the pixels only."""
    return Fault(name, file, old, new, unit, exempt=PIXELS)


FAULTS = [
    unseen(
        "per-head colour scales",
        PANELS,
        "Normalize(*maps.limits), colours)\n    axes.spines",
        "Normalize(), colours)\n    axes.spines",
    ),
    unseen(
        "row labels drawn one cell late",
        PANELS,
        "[around.rows[n] for n in rows]",
        "[around.rows[n - 1] for n in rows]",
    ),
    Fault(
        "row labels drawn on the columns",
        PANELS,
        "labels = [around.columns[n]",
        "labels = [around.rows[n]",
        "test_pictures",
        "02",
    ),
    unseen(
        "numbers of the cells column by column",
        PANELS,
        "zip(self.values, weights.flat,",
        "zip(self.values, weights.T.flat,",
    ),
    unseen(
        "head 0 enlarged whichever is asked for",
        MAPS,
        "order = [cells.enlarged, *heads]",
        "order = [0, *heads]",
    ),
    unseen(
        "ring around the head before the enlarged one",
        MAPS,
        "self.panels[cells.enlarged + 1]",
        "self.panels[cells.enlarged]",
    ),
    unseen(
        "title of the last picture kept where the next has none",
        MAPS,
        "        self.title.set_text(title_of(self.title, cells.title))",
        "        if cells.title:\n"
        "            self.title.set_text(title_of(self.title, cells.title))",
        "test_views",
    ),
    unseen(
        "rows and columns of outlines swapped",
        OUTLINES,
        "turns[:, ::-1].reshape",
        "turns.reshape",
    ),
    unseen(
        "outlines half a cell off",
        OUTLINES,
        "reshape(-1, 2, 2) - 0.5",
        "reshape(-1, 2, 2)",
    ),
    unseen(
        "colour map reversed",
        COLOURS,
        "ListedColormap(np.transpose(channels)",
        "ListedColormap(np.transpose(channels)[::-1]",
    ),
    unseen(
        "dark numbers on dark cells",
        COLOURS,
        '"black" if luminance(colour) > 0.179',
        '"black" if luminance(colour) > 0.0179',
    ),
    unseen(
        "old picture shines through the new one",
        CANVAS,
        "    pixels[:] = WHITE\n",
        "",
        "test_views",
    ),
    Fault(
        "kept plates told apart by size alone",
        CANVAS,
        "self._kept.pop(fixed, None) or fixed.plate(self._canvas)\n"
        "        self._kept[fixed] = plate",
        "self._kept.pop(fixed.size, None) or fixed.plate(self._canvas)\n"
        "        self._kept[fixed.size] = self._kept[fixed] = plate",
        "test_views",
        "04",
    ),
    unseen("grey that overflows", CANVAS, "dtype=np.uint16", "dtype=np.uint8"),
    unseen(
        "projector switch without effect",
        PICTURE,
        'page = {"size": size, "projector": projector, "density": density}',
        'page = {"size": size, "density": density}',
        "test_views",
    ),
    Fault(
        "sentence missing below the numbers",
        PICTURE,
        'return f"{self.text}\\n{self.sentence}"',
        "return self.text",
        "test_pictures",
        "03",
    ),
    unseen(
        "labels that overlap",
        FRAMES,
        "max(1, math.ceil(line / LINE / cell))",
        "max(1, math.floor(line / LINE / cell))",
    ),
    unseen(
        "heads of a page from the lowest row up",
        PLACES,
        "high - (n // columns + 1) * step_y",
        "high - (rows - n // columns) * step_y",
    ),
    unseen(
        "width and height of a PNG swapped",
        PNG,
        '">IIBBBBB", width, height',
        '">IIBBBBB", height, width',
        "test_views",
    ),
    unseen(
        "check sum without the kind of chunk",
        PNG,
        "zlib.crc32(kind + data)",
        "zlib.crc32(data)",
        "test_views",
    ),
    unseen(
        "cells upside down",
        TILES,
        "bytes=True)[::-1]",
        "bytes=True)",
    ),
    unseen(
        "numbers of cells kept by their colour alone",
        TILES,
        "key = self.get_text(), self.get_color(), renderer.dpi",
        "key = self.get_color(), renderer.dpi",
    ),
    unseen(
        "numbers off the middle of their cells",
        TILES,
        "round(x - width / 2), round(y - height / 2)",
        "round(x), round(y)",
    ),
    unseen(
        "hatches in the row above",
        HIDDEN,
        "reshape(-1, 2) - 0.5",
        "reshape(-1, 2) - (0.5, 1.5)",
        "test_hidden_keys",
    ),
    unseen(
        "hatches from the first to the last hidden key",
        HIDDEN,
        "turns[:, 3]",
        "turns[:, 3].max() + 0 * turns[:, 3]",
        "test_hidden_keys",
    ),
    unseen(
        "a number in a cell that is hidden",
        PANELS,
        '"" if hides else telling(value, exact)',
        "telling(value, exact)",
        "test_hidden_keys",
    ),
    unseen(
        "numbers that round to nothing drawn",
        NUMERALS,
        'return text if text.strip("0.") else ""',
        "return text",
        "test_hidden_keys",
    ),
    unseen(
        "numbers with a decimal less",
        NUMERALS,
        "return 1 - digits if digits < 0 else max(0, 2 - digits)",
        "return -digits if digits < 0 else max(0, 1 - digits)",
        "test_charts",
    ),
    unseen(
        "the least of a block of cells",
        MAXIMA,
        "np.maximum.reduceat",
        "np.minimum.reduceat",
        "test_drawn_places",
    ),
    unseen(
        "blocks of cells cut at the end",
        MAXIMA,
        "return -(-np.arange(count) * T // count)",
        "return np.arange(count)",
        "test_drawn_places",
    ),
    unseen(
        "no room for the notes",
        FRAMES,
        "(2.4 + 1.1 * foot) * line",
        "2.4 * line",
    ),
    unseen(
        "labels wider than their room",
        FITTING,
        "text_size(figure, [text], size)[0] <= room",
        "text_size(figure, [text], size)[0] <= 3 * room",
        "test_pictures",
    ),
    unseen(
        "unlike names with one label",
        FITTING,
        "return unlike(words, pieces, _fits(figure, size, room))",
        "return {w: cut(pieces(w), _fits(figure, size, room)) for w in words}",
        "test_labels",
    ),
    unseen(
        "colours of yes and no exchanged in the legend",
        SCALES,
        "np.array([1.0, 0.0])",
        "np.array([0.0, 1.0])",
        "test_hidden_keys",
    ),
    unseen(
        "a bar for yes and no",
        SCALES,
        "(_draw_legend if maps.flags else _draw_bar)",
        "_draw_bar",
        "test_hidden_keys",
    ),
    unseen(
        "colours kept that are seen least",
        PNG,
        "(counts * apart).argmax()",
        "(apart / counts).argmax()",
        "test_stored_png",
    ),
    unseen(
        "colours next to the nearest",
        PNG,
        "nearest[new < apart]",
        "nearest[new > apart]",
        "test_stored_png",
    ),
]
