import numpy as np
import pytest

from mha_core import lab, scaled_dot_product_attention
from mha_core.pretrained import load, pronounce
from mha_core.tasks import to_ipa

MODEL = load("multihead")


@pytest.mark.parametrize("head", range(4))
@pytest.mark.parametrize("word", ["phone", "knight", "a", "administration"])
def test_its_weights_are_those_of_the_network(word, head):
    inside = lab.inside_head(MODEL, word, head)
    _, weights = scaled_dot_product_attention(*inside[:3], mask=inside.mask)
    said = pronounce(MODEL, word)
    assert np.allclose(weights, said.weights[head], atol=1e-4)
    assert inside.sounds == to_ipa(said.phonemes)
    assert "".join(inside.letters) == word


def test_padding_is_masked_and_changes_no_weight():
    inside = lab.inside_head(MODEL, "phone", 2, beside="thought")
    assert inside.letters == [*"phone", "·", "·"]
    assert inside.mask.tolist() == [[True] * 5 + [False] * 2]
    assert inside.key.shape == inside.value.shape == (7, 18)
    _, weights = scaled_dot_product_attention(*inside[:3], mask=inside.mask)
    said = pronounce(MODEL, "phone")
    assert np.allclose(weights[:, :5], said.weights[2], atol=1e-4)
    assert not weights[:, 5:].any()


def test_a_shorter_word_beside_pads_nothing():
    inside = lab.inside_head(MODEL, "phone", beside="a")
    assert inside.letters == [*"phone"] and inside.mask.all()


@pytest.mark.parametrize("head", [-1, 4, 1.5, None, True])
def test_a_head_that_is_not_there(head):
    with pytest.raises(ValueError, match="head must be an integer from 0 to 3"):
        lab.inside_head(MODEL, "phone", head)


@pytest.mark.parametrize("kind", ["last_state", "bahdanau", "transformer"])
def test_a_model_of_another_kind(kind):
    with pytest.raises(ValueError, match=f"not {kind}"):
        lab.inside_head(load(kind), "phone")


@pytest.mark.parametrize("words", [("", "a"), ("a1", ""), ("phone", "ph ne")])
def test_words_that_cannot_be_read(words):
    with pytest.raises(ValueError):
        lab.inside_head(MODEL, words[0], beside=words[1])
