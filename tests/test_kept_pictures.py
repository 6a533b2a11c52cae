"""Which pictures look the same: for the builder, and against a new run."""

import base64
import io

import numpy as np
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output
from PIL import Image

from builder.pictures import keep_pictures, look_the_same, show_the_same
from mha_core import lab

WEIGHTS = np.array([[0.1, 0.2, 0.7], [0.4, 0.5, 0.1]])
BASE = {"queries": ["we", "see"], "keys": ["a", "b", "c"], "title": "“knight”"}
OTHER = {"title": "“phone”", "queries": ["I", "look"]}
BARS = {"names": ["one", "two"], "values": {"share": [0.5, 0.25]}}


def png(pixels, colours=None, **options):
    file, image = io.BytesIO(), Image.fromarray(pixels)
    if colours:
        image = image.quantize(colours, dither=Image.Dither.NONE)
    image.save(file, "png", **options)
    return base64.b64encode(file.getvalue()).decode()


def drawn(weights=WEIGHTS, **changed):
    return lab.heatmap(weights, **(BASE | changed)).pixels


def notebook_with(picture):
    output = new_output("display_data", {"image/png": picture, "text/plain": "0.5"})
    return new_notebook(cells=[new_code_cell("x", id="a", outputs=[output])])


def kept(old, new):
    notebook = notebook_with(new)
    keep_pictures(notebook, notebook_with(old))
    return notebook.cells[0].outputs[0].data["image/png"] == old


@pytest.mark.parametrize(("step", "same"), [(0, True), (1, True), (3, False)])
def test_a_picture_that_looks_the_same_keeps_its_bytes(step, same):
    pixels = np.zeros((40, 40, 3), np.uint8)
    old, new = png(pixels, compress_level=0), png(pixels + np.uint8(step))
    assert kept(old, new) is same


def test_rounding_of_a_few_points_is_the_same_picture():
    rounded = drawn().copy()
    rounded[::7, ::7] ^= 1
    assert look_the_same(png(drawn()), png(rounded))


@pytest.mark.parametrize("colours", [None, 64])
def test_one_letter_may_be_another_font_but_a_word_may_not(colours):
    old, letter, word = (
        png(pixels, colours)
        for pixels in (drawn(), STALE["another letter of a label"], drawn(**OTHER))
    )
    assert show_the_same(old, letter)
    assert not show_the_same(old, word)


def changed_cell(row, column, by):
    weights = WEIGHTS.copy()
    weights[row, column] += by
    return drawn(weights, limits=(0, 2), value_name="score")


STALE = {
    "another letter of a label": drawn(keys=["a", "b", "e"]),
    "another word": drawn(queries=["we", "saw"]),
    "another title": drawn(title="“phone”"),
    "two labels exchanged": drawn(keys=["b", "a", "c"]),
    "two cells exchanged": drawn(WEIGHTS[:, ::-1]),
    "a mark": drawn(marks=np.eye(2, 3, dtype=bool)),
    "another scale": drawn(limits=(0, 0.9)),
}


@pytest.mark.parametrize("name", STALE)
@pytest.mark.parametrize("colours", [None, 64])
def test_a_picture_that_shows_something_else_is_new(name, colours):
    old, new = png(drawn(), colours), png(STALE[name], colours)
    assert not look_the_same(old, new)
    assert not kept(old, new)


def test_strokes_that_move_within_a_tile_are_enough():
    pixels = np.full((40, 40, 3), 255, np.uint8)
    pixels[8:16:2, 8:16] = 0
    moved = np.roll(pixels, 1, axis=0)
    assert not look_the_same(png(pixels), png(moved))


@pytest.mark.parametrize("by", [0.05, 0.01])
@pytest.mark.parametrize("place", [(0, 0), (1, 2)])
@pytest.mark.parametrize("colours", [None, 64])
def test_one_cell_is_enough(place, by, colours):
    pictures = [png(changed_cell(*place, step), colours) for step in (0, by)]
    assert not look_the_same(*pictures)


@pytest.mark.parametrize("values", [[0.5, 0.26], [0.25, 0.5]])
def test_one_bar_is_enough(values):
    old = lab.bars(BARS["names"], BARS["values"]).pixels
    new = lab.bars(BARS["names"], {"share": values}).pixels
    assert not look_the_same(png(old), png(new))


def test_one_point_of_a_curve_is_enough():
    old, new = (
        lab.lines(["1", "2", "3"], {"a": [0.1, middle, 0.3]}).pixels
        for middle in (0.2, 0.21)
    )
    assert not look_the_same(png(old), png(new))


@pytest.mark.parametrize("shape", [(40, 41, 3), (41, 40, 3), (20, 80, 3)])
def test_two_sizes_are_two_pictures(shape):
    old, new = (png(np.zeros(one, np.uint8)) for one in ((40, 40, 3), shape))
    assert not look_the_same(old, new)
    assert not show_the_same(old, new)
    assert not kept(old, new)


@pytest.mark.parametrize("damaged", ["iVBO", "iVBORw0KGgo=", "x", "picture"])
def test_a_damaged_picture_is_not_kept(damaged):
    good = png(np.zeros((40, 40, 3), np.uint8))
    damaged = good[:-60] if damaged == "picture" else damaged
    assert not kept(damaged, good)
