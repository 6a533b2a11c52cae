"""Exercises on the sentence reader: what they say is what it sees."""

import numpy as np
import pytest

from mha_core.lab import Sheet
from mha_core.lab.exercises.pronouns_to_find import TEXT, read, reader, two_heads
from mha_core.lab.exercises.searching import Unfit
from mha_core.multihead import multi_head_attention, split_heads

FOUND = (
    "The boy called the girl because she was lonely.",
    "the mother saw the father before he left",
    "My uncle met my aunt, and then he was tired.",
)


@pytest.mark.parametrize("text", FOUND)
def test_other_sentences_are_found_too(text):
    sheet = Sheet(8)
    assert sheet.check("who", text).solved, sheet.check("who", text)


@pytest.mark.parametrize("word", ["he", "she"])
def test_a_sentence_counts_with_both_pronouns_or_not_at_all(word):
    told = Sheet(8).check("who", f"the queen called the king because {word} was kind")
    assert not told.solved
    weights = reader().read("the queen called the king because he was kind").weights
    queen, king, he = 2, 5, 7
    shown = weights[1, 3, he, [queen, king]]
    assert shown[0] > shown[1]
    assert "weighs queen {:.2f} and king {:.2f}".format(*shown) in told.sentence


def test_the_map_to_read_shows_what_is_said_of_it():
    maps, tokens = two_heads().array, read(TEXT).tokens
    she, queen = tokens.index("she"), tokens.index("queen")
    assert list(maps[:, she].argmax(axis=-1)) == [0, queen, 0]
    np.testing.assert_allclose(maps[2], read(TEXT).weights.mean(axis=(0, 1)), atol=1e-6)
    assert maps[0, 1:-1, 0].mean() > 0.8
    with pytest.raises(Unfit, match="zyzzyva"):
        read("a zyzzyva")


def test_a_head_that_is_taken_out_adds_nothing():
    rng = np.random.default_rng(0)
    X, *W = rng.standard_normal((5, 6, 6))
    take_out = Sheet(8).exercises["take_out"].right
    cut, whole = (
        multi_head_attention(X, *W[:3], W_O, 3)[0]
        for W_O in (take_out(W[3], 3, 1), W[3])
    )
    weights = multi_head_attention(X, *W, 3)[1]
    head = (weights @ split_heads(X @ W[2], 3))[1]  # (T, d_k)
    np.testing.assert_allclose(whole - cut, head @ W[3][2:4], atol=1e-12)


def test_importance_is_the_slope_of_the_loss_in_a_gate():
    rng = np.random.default_rng(0)
    heads, target = rng.standard_normal((2, 4, 3, 5, 2))  # (B, h, T, d_k)

    def loss(gates):
        return ((heads * gates[:, None, None] - target) ** 2).sum(axis=(1, 2, 3)) / 2

    step, found = 1e-6, []
    for gate in np.eye(3):
        found.append(abs(loss(1 + step * gate) - loss(1 - step * gate)) / 2 / step)
    right = Sheet(8).exercises["importance"].right(heads, heads - target)
    np.testing.assert_allclose(np.mean(found, axis=1), right, rtol=1e-6)
