"""The Transformer drawn: lines of true weights, and only those from .08 on."""

import numpy as np
import pytest

import schemes
from mha_core.lab import inside_blocks, transformer_drawn
from mha_core.lab.drawing.parts import ACCENT, ASK, QUIET, Link, Token
from mha_core.lab.drawing.strips import Vector
from mha_core.lab.pictures.every_word import across
from mha_core.pretrained import load


@pytest.fixture(scope="module")
def model():
    return load("transformer")


def links(picture, colour):
    parts = [part for part in picture.data.parts if isinstance(part, Link)]
    return [part.weight for part in parts if part.colour == colour]


def large(*arrays):
    flat = np.concatenate([np.ravel(array) for array in arrays])
    return flat[flat >= 0.08]


@pytest.mark.parametrize("projector", [False, True])
@pytest.mark.parametrize(
    ("word", "step"),
    [("at", 0), ("knight", 1), ("attention", 6), ("administration", 8)],
)
def test_no_text_is_cut_small_or_under_another(model, word, step, projector):
    picture = transformer_drawn(model, word, step)
    assert schemes.faults(picture.resized((9, 5.4), projector), over=5) == []


def test_lines_are_the_means_of_the_heads(model):
    mean = {
        k: w.mean(axis=0) for k, w in inside_blocks(model, "knight").weights.items()
    }
    picture = transformer_drawn(model, "knight", 1)
    assert np.array_equal(picture.array, mean["decoder 1 cross"][1])
    assert np.array_equal(links(picture, ACCENT), large(picture.array))
    letters = large(mean["encoder 0 self"], mean["encoder 1 self"])
    assert np.array_equal(links(picture, QUIET), letters)
    own = mean["decoder 0 self"][:2, :2], mean["decoder 1 self"][1, :2]
    assert np.array_equal(links(picture, ASK), large(*own))


def test_strips_are_the_states_in_the_order_in_which_they_are_made(model):
    states = inside_blocks(model, "knight").states
    found = [p for p in transformer_drawn(model, "knight", 1).data.parts]
    strips = [part.numbers for part in found if isinstance(part, Vector)]
    rows = [states[name] for name in ("encoder in", "encoder 0 think", "memory")]
    rows += [states[name][:2] for name in ("decoder in", "decoder 0 think")]
    rows.append(states["decoder 1 think"][[1]])
    assert np.array_equal(strips, np.concatenate(rows))
    tokens = [part.text for part in found if isinstance(part, Token)]
    assert tokens == [*"knight", "▸", "n", "aɪ"]


def test_a_number_stands_above_its_letter(model):
    picture = transformer_drawn(model, "knight", 1)
    places, _ = across(6, 270, 350)
    texts = {t.get_text(): t.get_position()[0] for t in schemes.texts(picture)}
    for x, weight in zip(places, picture.array, strict=True):
        if weight >= 0.08:
            assert texts[f"{weight:.2f}".replace("0.", ".")] == x


def test_the_text_holds_weights_and_probabilities(model):
    lines = transformer_drawn(model, "knight", 1).text.splitlines()
    assert lines[0] == "the Transformer reads “knight” and writes aɪ"
    assert lines[1] == "Cross-attention at aɪ: k 0.01, n 0.10, i 0.32, g 0.34, h 0.23"
    assert lines[2] == "Written so far, with its probability: n 0.95, aɪ 0.99"


@pytest.mark.parametrize("step", [3, -1, 0.5])
def test_a_step_that_is_not_there_is_refused(model, step):
    with pytest.raises(ValueError, match="step must be an integer from 0 to 2, not"):
        transformer_drawn(model, "knight", step)
