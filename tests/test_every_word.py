"""Self-attention drawn: a line for each weight, none to what is hidden."""

import numpy as np
import pytest

import schemes
from mha_core.lab import inside_blocks, self_attention_drawn
from mha_core.lab.drawing.parts import Link, Token
from mha_core.lab.drawing.strips import Vector
from mha_core.lab.pictures.every_word import check_among
from mha_core.pretrained import load
from mha_core.tasks import spell


@pytest.fixture(scope="module")
def model():
    return load("transformer")


def links(picture):
    return [part for part in picture.data.parts if isinstance(part, Link)]


def test_states_and_weights_are_those_of_the_model(model):
    inside, source = inside_blocks(model, "knight"), spell(["knight"])
    ids, cross = model.greedy(source, 11)
    read = np.concatenate([[[0]], ids[:, :2]], axis=1)
    weights = model.attention(source, read)
    assert inside.sounds == ["n", "aɪ", "t"]
    assert np.allclose(inside.states["memory"], model.encode(source, source > 0)[0])
    for name, found in inside.weights.items():
        name = name.replace("encoder 0 self", "encoder 0")
        name = name.replace("encoder 1 self", "encoder 1")
        assert np.allclose(found, weights[name][0], atol=1e-6)
    logits = model.logits(source, read)[0]
    shares = np.exp(logits - logits.max(axis=-1, keepdims=True))
    shares /= shares.sum(axis=-1, keepdims=True)
    assert np.allclose(inside.chances, shares.max(axis=-1), atol=1e-5)


@pytest.mark.parametrize("projector", [False, True])
@pytest.mark.parametrize("word", ["at", "attention", "administration"])
@pytest.mark.parametrize("side", ["encoder", "decoder"])
@pytest.mark.parametrize("row", [None, 1])
def test_no_text_is_cut_small_or_under_another(model, word, side, row, projector):
    picture = self_attention_drawn(model, word, side, row=row)
    assert schemes.faults(picture.resized((9, 5.4), projector), over=5) == []


def test_every_letter_has_a_line_to_every_letter(model):
    picture = self_attention_drawn(model, "knight", layer=1, head=2)
    expected = inside_blocks(model, "knight").weights["encoder 1 self"][2]
    assert np.array_equal(picture.array, expected)
    assert [part.weight for part in links(picture)] == list(expected.ravel())
    tokens = [part.text for part in picture.data.parts if isinstance(part, Token)]
    assert "".join(tokens) == "knightknight"


def test_states_below_go_in_and_those_above_come_out(model):
    states = inside_blocks(model, "knight").states
    picture = self_attention_drawn(model, "knight", layer=1)
    found = [part for part in picture.data.parts if isinstance(part, Vector)]
    below = [part.numbers for part in sorted(found, key=lambda part: part.y)[:6]]
    above = [part.numbers for part in found if part.y > 300]
    assert np.array_equal(below, states["encoder 0 think"])
    assert np.array_equal(above, states["encoder 1 self"])


def test_no_line_leads_to_a_later_sound(model):
    picture = self_attention_drawn(model, "attention", "decoder")
    drawn = [part for part in links(picture) if part.weight > 0]
    assert len(drawn) > 7
    assert all(part.x1 <= part.x0 for part in drawn)


def test_one_row_alone_is_drawn_and_its_query_framed(model):
    picture = self_attention_drawn(model, "knight", row=2)
    assert {part.x0 for part in links(picture)} == {links(picture)[0].x0}
    assert np.array_equal([p.weight for p in links(picture)], picture.array[2])
    tokens = [part for part in picture.data.parts if isinstance(part, Token)]
    assert [part.text for part in tokens if part.strong] == ["i"]
    assert picture.text.splitlines()[1].startswith("i looks at k 0.51, n 0.06")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"side": "cross"}, "side must be encoder or decoder, not 'cross'"),
        ({"layer": 2}, "layer must be an integer from 0 to 1, not 2"),
        ({"head": -1}, "head must be an integer from 0 to 3, not -1"),
        ({"row": 6}, "row must be an integer from 0 to 5, not 6"),
    ],
)
def test_what_is_not_there_is_refused(model, more, said):
    with pytest.raises(ValueError, match=said):
        self_attention_drawn(model, "knight", **more)


@pytest.mark.parametrize("value", [2, -1, 0.5, "0", None])
def test_only_a_number_that_is_there_is_taken(value):
    check_among("layer", 1, 2)
    with pytest.raises(ValueError, match="layer must be an integer from 0 to 1, not"):
        check_among("layer", value, 2)


def test_a_network_without_blocks_is_refused():
    with pytest.raises(ValueError, match="of kind transformer is needed.*not multihe"):
        self_attention_drawn(load("multihead"), "knight")
