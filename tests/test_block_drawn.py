"""A block drawn: the true state at each place, and the size of what is added."""

import numpy as np
import pytest

import schemes
from mha_core.blocks import encoder_block, feed_forward, layer_norm
from mha_core.lab import block_drawn, inside_blocks
from mha_core.lab.drawing.strips import Matrix, Vector
from mha_core.pretrained import load


@pytest.fixture(scope="module")
def model():
    return load("transformer")


def vectors(picture):
    return [part for part in picture.data.parts if isinstance(part, Vector)]


def weights_of(model, layer):
    start = f"encoder {layer} "
    names = [name for name in model.params if name.startswith(start)]
    return {name.removeprefix(start): model.params[name] for name in names}


@pytest.mark.parametrize("projector", [False, True])
@pytest.mark.parametrize(
    ("word", "place"), [("at", 0), ("attention", 8), ("administration", 5)]
)
def test_no_text_is_cut_small_or_under_another(model, word, place, projector):
    picture = block_drawn(model, word, place, layer=1)
    assert schemes.faults(picture.resized((9, 5.4), projector), over=5) == []


@pytest.mark.parametrize("layer", [0, 1])
def test_what_is_added_gives_what_the_block_computes(model, layer):
    states = inside_blocks(model, "knight").states
    x = states["encoder in" if layer == 0 else "encoder 0 think"]
    after, weights = encoder_block(x[None], weights_of(model, layer), model.h)
    picture = block_drawn(model, "knight", 2, layer)
    before, attention, between, thought, out = picture.array
    assert np.array_equal(before, x[2])
    assert np.allclose(out, after[0, 2], atol=1e-5)
    assert np.allclose(before + attention, between, atol=1e-5)
    assert np.allclose(between + thought, out, atol=1e-5)
    (part,) = [part for part in picture.data.parts if isinstance(part, Matrix)]
    assert np.allclose(part.cells, weights[0, :, 2], atol=1e-6)


def test_each_vector_stands_where_it_is_made(model):
    p, picture = weights_of(model, 0), block_drawn(model, "knight", 2)
    found = sorted(vectors(picture), key=lambda part: part.x)
    before, attention, between, thought, after = picture.array
    norms = [
        layer_norm(x, p[f"{part} gain"], p[f"{part} shift"])
        for x, part in ((before, "self"), (between, "think"))
    ]
    inner = np.maximum(norms[1] @ p["think W_1"] + p["think b_1"], 0)
    expected = before, norms[0], attention, between, norms[1], inner, thought, after
    assert all(
        np.allclose(part.numbers, numbers, atol=1e-5)
        for part, numbers in zip(found, expected, strict=True)
    )
    names = ("W_1", "b_1", "W_2", "b_2")
    whole = feed_forward(norms[1], *(p[f"think {name}"] for name in names))
    assert np.allclose(whole, thought, atol=1e-5)
    assert len({found[n].limit for n in (0, 2, 3, 6, 7)}) == 1
    shown = [text.get_text() for text in schemes.texts(picture)]
    assert f"{np.count_nonzero(inner)} of {len(inner)}" in shown


def test_lengths_are_printed_and_told(model):
    picture = block_drawn(model, "knight", 2)
    lengths = np.linalg.norm(picture.array, axis=1)
    shown = [text.get_text() for text in schemes.texts(picture)]
    for n, length in enumerate(lengths):
        assert (f"+ {length:.1f}" if n in (1, 3) else f"{length:.1f}") in shown
    assert "before 9.6, attention adds 3.9, between 10.7" in picture.text
    assert "head 0: k 0.51, n 0.06" in picture.text
    assert "feed-forward layer 5.9" in picture.sentence


@pytest.mark.parametrize("more", [{"place": 6}, {"place": -1}, {"layer": 2}])
def test_what_is_not_there_is_refused(model, more):
    (name,) = more
    with pytest.raises(ValueError, match=f"{name} must be an integer from 0"):
        block_drawn(model, "knight", **more)
