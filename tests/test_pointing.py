"""Pointing at a picture in a real JupyterLab, by mouse and by keys."""

import nbformat
import numpy as np
import pytest

from mha_core.lab import explore_heads
from mha_core.lab.drawing.canvas import DPI

CODE = """\
from mha_core import lab
view = lab.explore_heads(d_model=64, h=4)
view"""
VIEW = ".mha-view"
NODES = """() => {
  window.kept = ['.mha-picture', '.mha-message', '.mha-frame svg', '.mha-slider input']
    .map(css => document.querySelector(css));
}"""
SAME = """() => window.kept.every(node => node && node.isConnected)"""
NAMELESS = """() => [...document.querySelector('.mha-view')
    .querySelectorAll('input, select, button')]
  .filter(one => !one.ariaLabel && !one.labels?.length && !one.textContent)
  .map(one => one.outerHTML)"""


@pytest.fixture(scope="module")
def page(lab, tmp_path_factory):
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(CODE)])
    book.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(book, lab.home / "notebooks" / "pointing.ipynb")
    with lab.open("notebooks/pointing.ipynb") as page:
        page.run_all()
        page.drawn_at(VIEW)
        page.page.evaluate(NODES)
        yield page


def heard(page):
    """Return what a screen reader hears of what is pointed at."""
    return page.page.locator(".mha-pointed").text_content()


def point(page, panel, part):
    """Put the mouse on a panel, a part of its height from its top; return the place."""
    box = page.page.locator(".mha-frame svg").bounding_box()
    view = explore_heads(64, 4)
    width, height, _ = page.drawn_at(VIEW)
    view._screen.pointer.screen = {"width": width, "height": height, "density": 1}
    left, top, wide, high = view._screen.widget.shown["geometry"]["panels"][panel][
        "box"
    ]
    view.close()
    place = box["x"] + left + wide / 2, box["y"] + top + part * high
    page.page.mouse.move(*place)
    return place


def test_the_mouse_on_a_row_draws_its_lines_and_says_them(page):
    point(page, 0, 0.2)
    lines = page.page.locator(".mha-line")
    assert lines.count() >= 1
    assert " looks at " in heard(page)
    first = heard(page)
    point(page, 0, 0.9)
    assert heard(page) != first
    page.page.mouse.move(5, 5)
    assert lines.count() == 0
    assert heard(page) == ""


def test_a_click_on_a_small_map_enlarges_that_head(page):
    before = page.picture(f"{VIEW} .mha-picture")
    page.page.mouse.click(*point(page, 3, 0.5))
    page.wait_for_new_picture(f"{VIEW} .mha-picture", before)
    slider = page.page.locator(".mha-control-head input")
    assert slider.get_attribute("aria-valuetext") == "2"
    page.page.mouse.move(5, 5)


def test_keys_point_at_rows_and_choose_heads(page):
    overlay = page.page.locator(".mha-frame svg")
    overlay.focus()
    overlay.press("ArrowDown")
    first = heard(page)
    overlay.press("ArrowDown")
    assert first and heard(page) not in ("", first)
    before = page.picture(f"{VIEW} .mha-picture")
    overlay.press("ArrowRight")
    overlay.press("Enter")
    page.wait_for_new_picture(f"{VIEW} .mha-picture", before)
    slider = page.page.locator(".mha-control-head input")
    assert slider.get_attribute("aria-valuetext") == "3"
    overlay.press("Escape")
    assert heard(page) == ""


def test_the_live_picture_is_the_one_that_matplotlib_draws(page):
    page.slide(".mha-control-head", "Home")
    view = explore_heads(64, 4)
    width, height, density = page.drawn_at(VIEW)
    live = view.picture.resized((width / DPI, height / DPI), False, density=density)
    page.wait_for_picture(f"{VIEW} .mha-picture", live.pixels)
    image = page.page.locator(".mha-picture")
    assert image.get_attribute("alt") == view.picture.sentence
    assert page.text(".mha-message") == view.message
    view.close()


def test_nodes_last_and_all_have_names(page):
    assert page.page.evaluate(SAME)
    assert page.page.evaluate(NAMELESS) == []
    assert page.errors == []
    assert page.foreign == []


def test_a_narrow_page_gets_a_picture_of_its_own(page):
    wide = page.drawn_at(VIEW)
    page.page.set_viewport_size({"width": 1080, "height": 700})
    page.page.wait_for_function(
        "wide => document.querySelector('.mha-picture').width < wide", arg=wide[0] - 50
    )
    width, height, density = page.drawn_at(VIEW)
    assert width < wide[0]
    shape = page.picture(f"{VIEW} .mha-picture").shape
    assert np.array_equal(shape[:2], (height * density, width * density))
