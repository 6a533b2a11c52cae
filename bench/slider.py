"""From a key on a slider to the changed picture, in a real JupyterLab and browser."""

import tempfile
import time
from pathlib import Path

import nbformat
import numpy as np

from bench.cells import FLOOR, OURS, PLAIN, WATCH
from mha_core.lab import explore_heads
from mha_core.lab.drawing.canvas import DPI
from tests.browser import NOT_RUN, find_chromium, start_lab

MOVES, BURSTS, PAUSE, APART = 30, 5, 0.15, 0.033
ANY = float("inf")
# Most milliseconds in the median and at the 95th percentile, most times the floor.
LIMITS = {
    "d_model": ("8 heads, another d_model", 100, 200, 1.25),
    "h": ("8 and 6 heads, seen before", 100, 200, 1.25),
    "new layout": ("1 to 8 heads, a new layout", 250, ANY, 3),
    "burst": ("the last of 30 keys, 33 ms apart", 200, ANY, ANY),
}
VERDICT = {True: "holds", False: "missed"}
# Down and up the five widths, from 64 at last to 32.
KEYS = (["ArrowLeft"] * 4 + ["ArrowRight"] * 4) * 3 + ["ArrowLeft"] * 4
KEYS += ["ArrowRight"] * 2


class Sliders:
    """Two sliders of a page and the picture that they move.

    Parameters
    ----------
    page : Page
    view, picture : str
        Where both sliders, d_model first, and the picture are, as CSS.
    """

    def __init__(self, page, view, picture):
        self._page = page.page
        handles = self._page.locator(f"{view} :is(input[type=range], .noUi-handle)")
        self._handles = {"d_model": handles.nth(0), "h": handles.nth(1)}
        self._page.wait_for_selector(picture)
        self._page.evaluate(WATCH, picture)

    def move(self, name, key):
        """Press a key; return the milliseconds to the first frame that it changed."""
        before = len(self._seen()["changes"])
        self._handles[name].press(key)
        self._page.wait_for_function(f"seen.changes.length > {before}", polling=30)
        seen = self._seen()
        time.sleep(PAUSE)
        return seen["changes"][before] - seen["key"]

    def press(self, name, key, times=1):
        """Press a key some times, slowly, whether the picture changes or not."""
        for _ in range(times):
            self._handles[name].press(key)
            time.sleep(2 * PAUSE)

    def burst(self, name, keys):
        """Press keys quickly; return the milliseconds from the last to the last change.

        A picture is the last one when no other has come for two seconds.
        """
        self._handles[name].focus()
        start = time.monotonic()
        for n, key in enumerate(keys):
            time.sleep(max(0, start + n * APART - time.monotonic()))
            self._page.keyboard.press(key)
        count = None
        while count != len(self._seen()["changes"]):
            count = len(self._seen()["changes"])
            time.sleep(2)
        seen = self._seen()
        return seen["changes"][-1] - seen["key"]

    def _seen(self):
        return self._page.evaluate("seen")


def run():
    """Print all measures in milliseconds; return whether ours hold."""
    if not find_chromium():
        print(NOT_RUN)
        return False
    with tempfile.TemporaryDirectory() as folder, start_lab(Path(folder)) as lab:
        book = Path(folder) / "notebooks" / "slider.ipynb"
        plain = (PLAIN.replace("VIEW", name) for name in ("one", "every"))
        nbformat.write(_notebook(OURS, FLOOR, *plain), book)
        with lab.open("notebooks/slider.ipynb") as page:
            page.run_all()
            if errors := page.cell_errors():
                raise RuntimeError(f"a cell of the bench failed: {errors}")
            floor = _floor(page)
            ours = _ours(page)
            floor += _floor(page)  # before and after, as the machine may change
            plain = {name: _plain(page, name) for name in ("one", "every")}
    return _report(ours, floor, plain)


def _notebook(*codes):
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    cells = [nbformat.v4.new_code_cell(code) for code in codes]
    return nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})


def _plain(page, name):
    sliders = Sliders(page, f".{name}", f".{name} img")
    return _widths(sliders) | {"h": _heads(sliders)}


def _floor(page):
    """Return times of moves that swap two ready pictures."""
    sliders = Sliders(page, ".floor", ".floor .mha-picture")
    sliders.press("d_model", "End", 2)
    return [sliders.move("d_model", key) for key in KEYS[:16]]


def _ours(page):
    view = ".mha-view:not(.floor)"
    sliders = Sliders(page, view, f"{view} .mha-picture")
    found = _widths(sliders)
    width, height, density = page.drawn_at(view)
    last = explore_heads(32, 8).picture
    last = last.resized((width / DPI, height / DPI), False, density=density)
    page.wait_for_picture(f"{view} .mha-picture", last.pixels, seconds=1)
    found["h"] = _heads(sliders)
    return found | {"new layout": _new_layouts(sliders)}


def _widths(sliders):
    """Return times of moves of d_model with 8 heads, and of bursts from 64 to 32."""
    found = {"d_model": [sliders.move("d_model", key) for key in KEYS], "burst": []}
    for _ in range(BURSTS):
        sliders.press("d_model", "End", 2)
        found["burst"].append(sliders.burst("d_model", KEYS))
    return found


def _heads(sliders):
    """Return times of moves of h between 6 and 8, both seen before; d_model is 24."""
    sliders.press("d_model", "ArrowLeft")
    sliders.press("h", "ArrowLeft")
    keys = ("ArrowRight", "ArrowLeft") * (MOVES // 2)
    return [sliders.move("h", key) for key in keys]


def _new_layouts(sliders):
    """Return times of moves to 1, 2, 3, 4, 6 and 8 heads; d_model is 24.

    Each round goes on to 24 heads, so that more layouts come than a view keeps.
    """
    found = []
    sliders.press("h", "End")
    while len(found) < MOVES:
        found.append(sliders.move("h", "Home"))
        found += [sliders.move("h", "ArrowRight") for _ in range(5)]
        sliders.press("h", "ArrowRight", 2)
    return found


def _report(ours, floor, plain):
    print("From a key to the picture in JupyterLab: median and 95th percentile in ms")
    least = np.median(floor)
    _tell("the same widget swapping two ready pictures", floor)
    held = [_judge(least, ours[name], *limits) for name, limits in LIMITS.items()]
    for labels, found in plain.items():
        for name, times in found.items():
            ratio = np.median(times) / np.median(ours[name])
            told = f" {ratio:.1f} times ours"
            _tell(f"plain interact, labels on {labels}: {name}", times, told)
    return all(held)


def _judge(least, times, what, most, most_p95, of_floor):
    """Print a measure with its limits; return whether all hold."""
    median, p95 = np.median(times), np.percentile(times, 95)
    ratio = median / least
    held = bool(median <= most and p95 <= most_p95 and ratio <= of_floor)
    limits = f" of {most}, {most_p95}; {ratio:.2f} of {of_floor} times the floor"
    _tell(what, times, f"{limits} {VERDICT[held]}")
    return held


def _tell(what, times, told=""):
    numbers = f"{np.median(times):8.0f}{np.percentile(times, 95):8.0f}"
    print(f"{what:46s}{numbers}{told}", flush=True)
