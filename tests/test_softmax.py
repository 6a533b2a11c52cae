"""The softmax that lessons show, and what a batch of masks does to heads."""

import inspect

import numpy as np
import pytest

import mha_core
import slow
from mha_core import (
    MultiHeadAttention,
    additive_attention,
    luong_attention,
    masked_softmax,
    multi_head_attention,
    padding_mask,
    scaled_dot_product_attention,
    softmax,
)
from mha_core.attention import lowered
from mha_core.lab import show_source
from mha_core.losses import cross_entropy
from mha_core.masking import visible_keys

SHOWN = (scaled_dot_product_attention, additive_attention, luong_attention)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_masked_softmax_is_the_loop(dtype):
    rng = np.random.default_rng(0)
    scores = (30 * rng.standard_normal((4, 3, 5))).astype(dtype)
    visible = rng.random((4, 3, 5)) > 0.4
    weights = masked_softmax(scores, visible)
    assert weights.dtype == dtype
    for index in np.ndindex(4, 3):
        right = slow.weigh(list(scores[index].astype("f8")), visible[index])
        np.testing.assert_allclose(weights[index], right, rtol=1e-5, atol=1e-7)


def test_hidden_keys_weigh_exactly_0_and_rows_without_keys_are_0():
    scores = np.array([[1e30, 0.0, 0.0], [5.0, 6.0, 7.0]])
    visible = np.array([[False, True, True], [False, False, False]])
    assert masked_softmax(scores, visible).tolist() == [[0, 0.5, 0.5], [0, 0, 0]]


def test_scores_are_not_changed_and_their_size_does_not_matter():
    scores = np.array([[700.0, 710.0], [-1e5, -1e5]])
    before = scores.copy()
    weights = masked_softmax(scores)
    np.testing.assert_allclose(weights, softmax(scores - [[700], [0]]), rtol=1e-12)
    assert np.array_equal(scores, before)


def test_visible_must_fit_the_scores():
    with pytest.raises(ValueError, match=r"visible has shape \(3, 2\), which does not"):
        masked_softmax(np.zeros((2, 3)), np.ones((3, 2), bool))


@pytest.mark.parametrize("function", SHOWN, ids=lambda f: f.__name__)
def test_printed_source_shows_score_softmax_and_weighted_sum(function):
    code = show_source(function).code
    lines = [line.strip() for line in code.splitlines()]
    assert any(line.startswith("scores = ") for line in lines)
    assert any(line.startswith("weights = masked_softmax(scores") for line in lines)
    assert "return weights @ value, weights" in lines
    assert '"... T_q d' in code and "unchecked" not in code


def test_the_softmax_is_short_and_nothing_is_unchecked():
    body = show_source(masked_softmax).code.splitlines()
    assert len(body) <= 10 and "np.exp(" in "".join(body)
    assert not [n for n in dir(mha_core) if hasattr(getattr(mha_core, n), "unchecked")]


@pytest.mark.parametrize("B", [2, 3])
def test_R1_a_batch_of_masks_is_no_mask_of_heads(B):
    h, T = 2, 3
    Q = np.zeros((B, h, T, 2))
    mask = padding_mask([1] + [3] * (B - 1), T)
    _, weights = MultiHeadAttention(4, h).attn(Q, Q, Q, mask)
    assert np.array_equal(weights[0], np.broadcast_to([1, 0, 0], (h, T, T)))
    np.testing.assert_allclose(weights[1:], 1 / 3)


def test_R1_without_a_batch_a_mask_has_no_axis_for_one():
    Q = np.zeros((2, 3, 2))
    with pytest.raises(ValueError, match="without a batch axis"):
        MultiHeadAttention(4, 2).attn(Q, Q, Q, padding_mask([1, 3], 3))


def test_R2_R9_docstrings_tell_of_lengths_and_of_torch():
    text = " ".join(inspect.getdoc(multi_head_attention).split())
    assert "A (B, T_k) mask is none" in text and "`padding_mask`" in text
    assert "the weights of torch, (out, in), need ``.T``" in text
    assert "`padding_mask`" in inspect.getdoc(scaled_dot_product_attention)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_R7_spoiled_logits_are_named_where_they_do_not_count_too(bad):
    logits, counted = np.zeros((1, 2, 3)), np.array([[True, False]])
    logits[0, 1, 2] = bad
    with pytest.raises(ValueError, match=rf"logits holds {bad} at index \(0, 1, 2\)"):
        cross_entropy(logits, np.zeros((1, 2), int), counted)


def test_visible_keys_are_those_of_mask_bias_and_time_together():
    scores, mask = np.zeros((3, 3)), np.array([True, True, False])
    bias = np.array([[-np.inf, 0, 0], [0, 0, 0], [0, 0, 0]])
    assert visible_keys(scores, None) is None
    right = [[0, 0, 0], [1, 1, 0], [1, 1, 0]]
    assert visible_keys(scores, mask, bias, causal=True).tolist() == right


def test_only_large_scores_are_lowered():
    small, large = np.array([[9.0, -9.0]]), np.array([[9.0, 11.0], [-20.0, -np.inf]])
    assert lowered(small) is small
    assert lowered(large).tolist() == [[-2, 0], [0, -np.inf]]
    assert lowered(np.full((1, 2), -np.inf)).tolist() == [[-np.inf, -np.inf]]
