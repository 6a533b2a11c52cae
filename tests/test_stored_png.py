"""Pictures as a notebook stores them: small, the same bytes, looking the same."""

import base64
import io

import numpy as np
import pytest
from PIL import Image

from mha_core.lab import bars, head_grid, heatmap, lines
from mha_core.lab.drawing.png import MOST_COLOURS, png, stored

RNG = np.random.RandomState(0)
WEIGHTS = RNG.dirichlet(np.full(12, 0.3), size=(8, 12))
PICTURES = {
    "map": lambda: heatmap(WEIGHTS[0], "abcdefghijkl", "abcdefghijkl", title="map"),
    "heads": lambda: head_grid(WEIGHTS, [*"abcdefghijkl"], "abcdefghijkl", enlarge=2),
    "hidden": lambda: heatmap(np.eye(3), "abc", "abc", visible=np.eye(3)),
    "bars": lambda: bars("abc", {str(n): [1, 2, n] for n in range(5)}),
    "lines": lambda: lines(range(9), {str(n): RNG.rand(9) for n in range(6)}),
}


def opened(text):
    return Image.open(io.BytesIO(base64.b64decode(text)))


@pytest.mark.parametrize("name", PICTURES)
def test_Y05_a_stored_picture_is_small_and_looks_the_same(name):
    pixels = PICTURES[name]().pixels
    small, full = stored(pixels), png(pixels, 9)
    assert len(base64.b64decode(small)) < 0.6 * len(full)
    assert len(small) < 60_000
    image = opened(small)
    assert image.mode == "P"
    apart = abs(np.asarray(image.convert("RGB"), int) - pixels).max(axis=-1)
    assert (apart > 16).mean() < 0.01
    assert (apart > 32).mean() < 0.003
    assert apart.max() < 80


@pytest.mark.parametrize("name", ["map", "heads"])
def test_cells_keep_their_colours(name):
    picture = PICTURES[name]()
    kept = np.asarray(opened(stored(picture.pixels)).convert("RGB"))
    axes = picture.figure.axes[0]
    for place in np.ndindex(12, 12):
        at = np.add(place[::-1], -0.4)  # beside the number
        x, y = axes.transData.transform(at).round().astype(int)
        cell = kept[540 - y, x].astype(int) - picture.pixels[540 - y, x]
        assert abs(cell).max() <= 6


def test_few_colours_are_kept_without_loss():
    pixels = RNG.randint(0, 2, (30, 40, 3)).astype(np.uint8) * 255
    assert np.array_equal(np.asarray(opened(stored(pixels)).convert("RGB")), pixels)


def test_many_colours_are_those_seen_most_and_nearest():
    ramp = np.arange(300)
    pixels = np.zeros((3, 300, 3), np.uint8)
    pixels[..., 0], pixels[..., 1] = ramp % 256, ramp // 256 * 9
    pixels[2, :20] = 77
    image = opened(stored(pixels))
    assert len(image.getcolors()) <= MOST_COLOURS
    kept = np.asarray(image.convert("RGB"), int)
    assert (kept[2, :20] == 77).all()
    assert abs(kept - pixels).max() <= 50


def test_the_bytes_are_the_same_each_time():
    assert stored(PICTURES["heads"]().pixels) == stored(PICTURES["heads"]().pixels)


@pytest.mark.parametrize("shape", [(1, 1, 3), (3, 7, 3), (540, 900, 3)])
def test_any_size_is_stored(shape):
    pixels = np.full(shape, 200, np.uint8)
    assert np.array_equal(np.asarray(opened(stored(pixels)).convert("RGB")), pixels)


@pytest.mark.parametrize("name", PICTURES)
def test_no_pixel_of_a_stored_picture_is_far_from_its_own(name):
    pixels = PICTURES[name]().pixels
    kept = np.asarray(opened(stored(pixels)).convert("RGB"))
    apart = np.abs(kept.astype(int) - pixels).max(axis=-1)
    assert apart.max() <= 24 and (apart > 4).mean() < 0.01
