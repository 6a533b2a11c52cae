import math

import numpy as np
import pytest

from mha_core.blocks import (
    decoder_block,
    encoder_block,
    feed_forward,
    layer_norm,
    positions,
)
from mha_core.lab import influence

B, T_q, T_k, d_model, h, d_ff = 2, 5, 7, 12, 3, 9
RNG = np.random.default_rng(0)


def weights(*looks, seed=0):
    """Return the weights of a block whose parts look at ``looks``, then think."""
    rng, p = np.random.default_rng(seed), {}
    for part in (*looks, "think"):
        p[f"{part} gain"], p[f"{part} shift"] = rng.standard_normal((2, d_model))
    for part in looks:
        for name in ("W_Q", "W_K", "W_V", "W_O"):
            p[f"{part} {name}"] = rng.standard_normal((d_model, d_model)) / 3
    shapes = {"W_1": (d_model, d_ff), "b_1": d_ff, "W_2": (d_ff, d_model)}
    shapes["b_2"] = d_model
    return p | {f"think {k}": rng.standard_normal(shapes[k]) for k in shapes}


ENCODER, DECODER = weights("self"), weights("self", "cross")
X = RNG.standard_normal((B, T_q, d_model))
MEMORY = RNG.standard_normal((B, T_k, d_model))
PADDED = np.arange(T_k)[None, None] < np.array([7, 4])[:, None, None]  # (B, 1, T_k)


@pytest.mark.parametrize(("T", "width"), [(1, 2), (7, 4), (40, 48)])
def test_positions_are_those_of_the_paper(T, width):
    expected = np.empty((T, width))
    for t in range(T):
        for i in range(width // 2):
            angle = t / 10000 ** (2 * i / width)
            expected[t, 2 * i] = math.sin(angle)
            expected[t, 2 * i + 1] = math.cos(angle)
    np.testing.assert_allclose(positions(T, width), expected, rtol=0, atol=1e-12)


def test_the_first_position_is_0_1_0_1():
    assert positions(3, 6)[0].tolist() == [0, 1, 0, 1, 0, 1]


def test_all_positions_differ_and_two_are_alike_by_their_distance_alone():
    table = positions(40, 48)
    products = table @ table.T
    assert np.allclose(np.diag(products), 24)
    assert all(np.ptp(np.diag(products, k)) < 1e-9 for k in range(40))
    assert (products[~np.eye(40, dtype=bool)] < 24 - 0.1).all()


@pytest.mark.parametrize("width", [1, 3, 47])
def test_positions_of_odd_width_are_refused(width):
    with pytest.raises(ValueError, match=f"d_model must be even, .*not {width}"):
        positions(4, width)


@pytest.mark.parametrize(("T", "width"), [(0, 4), (-1, 4), (2.5, 4), (3, 0), ("3", 4)])
def test_positions_are_counted_in_whole_numbers(T, width):
    with pytest.raises(ValueError, match="must be an integer of at least 1"):
        positions(T, width)


def test_normalised_rows_have_mean_0_and_variance_1():
    x = 50 + 30 * X
    found = layer_norm(x, np.ones(d_model), np.zeros(d_model), epsilon=1e-300)
    assert np.allclose(found.mean(axis=-1), 0, atol=1e-12)
    assert np.allclose(found.var(axis=-1), 1, rtol=1e-12)
    moved = layer_norm(x, np.full(d_model, 3.0), np.full(d_model, 7.0), epsilon=1e-300)
    assert np.allclose(moved, 3 * found + 7)


def test_layer_norm_is_what_a_loop_finds():
    gain, shift = RNG.standard_normal((2, d_model))
    expected = np.empty(X.shape)
    for b, t in np.ndindex(B, T_q):
        row = [float(v) for v in X[b, t]]
        mean = sum(row) / d_model
        variance = sum((v - mean) ** 2 for v in row) / d_model
        for j, v in enumerate(row):
            normal = (v - mean) / math.sqrt(variance + 0.1)
            expected[b, t, j] = normal * gain[j] + shift[j]
    found = layer_norm(X, gain, shift, epsilon=0.1)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


def test_a_row_of_equal_numbers_becomes_the_shift():
    shift = np.arange(4.0)
    assert (
        layer_norm(np.full((2, 4), 5.0), np.ones(4), shift).tolist()
        == [shift.tolist()] * 2
    )


def test_feed_forward_is_what_a_loop_finds():
    W_1, b_1, W_2, b_2 = (ENCODER[f"think {k}"] for k in ("W_1", "b_1", "W_2", "b_2"))
    expected = np.empty(X.shape)
    for b, t in np.ndindex(B, T_q):
        hidden = [
            max(0.0, b_1[k] + sum(X[b, t, j] * W_1[j, k] for j in range(d_model)))
            for k in range(d_ff)
        ]
        for j in range(d_model):
            terms = (hidden[k] * W_2[k, j] for k in range(d_ff))
            expected[b, t, j] = b_2[j] + sum(terms)
    np.testing.assert_allclose(feed_forward(X, W_1, b_1, W_2, b_2), expected, 1e-12)
    seen = influence(lambda x: feed_forward(x, W_1, b_1, W_2, b_2), X[0])
    assert np.array_equal(seen, np.eye(T_q))


def test_shapes_of_the_blocks():
    x, own = encoder_block(X, ENCODER, h)
    assert (x.shape, own.shape) == (X.shape, (B, h, T_q, T_q))
    x, own, cross = decoder_block(X, MEMORY, DECODER, h)
    assert x.shape == X.shape
    assert (own.shape, cross.shape) == ((B, h, T_q, T_q), (B, h, T_q, T_k))
    assert all(np.allclose(w.sum(axis=-1), 1) for w in (own, cross))


def test_a_block_adds_to_what_it_is_given():
    nothing = {"self W_O", "cross W_O", "think W_2", "think b_2"}
    p = {k: v * (k not in nothing) for k, v in DECODER.items()}
    assert np.array_equal(encoder_block(X, p, h)[0], X)
    assert np.array_equal(decoder_block(X, MEMORY, p, h)[0], X)


def test_an_encoder_block_does_not_see_the_order():
    order = np.random.default_rng(3).permutation(T_q)
    x, own = encoder_block(X, ENCODER, h)
    moved, moved_own = encoder_block(X[:, order], ENCODER, h)
    np.testing.assert_allclose(moved, x[:, order], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(moved_own, own[:, :, order][..., order], 1e-9, 1e-12)
    places = positions(T_q, d_model)
    x, _ = encoder_block(X + places, ENCODER, h)
    moved, _ = encoder_block(X[:, order] + places, ENCODER, h)
    assert np.abs(moved - x[:, order]).max() > 0.1


def test_who_can_see_whom():
    seen = influence(lambda x: encoder_block(x[None], ENCODER, h)[0][0], X[0])
    assert seen.all()
    seen = influence(
        lambda x: decoder_block(x[None], MEMORY[:1], DECODER, h)[0][0], X[0]
    )
    assert np.array_equal(seen, np.tri(T_q))
    seen = influence(
        lambda m: decoder_block(X[1:], m[None], DECODER, h, PADDED[1:])[0][0], MEMORY[1]
    )
    assert np.array_equal(seen, np.tile(PADDED[1], (T_q, 1)))


def test_padding_changes_nothing():
    x, own = encoder_block(MEMORY, ENCODER, h, PADDED)
    alone, alone_own = encoder_block(MEMORY[1:, :4], ENCODER, h)
    np.testing.assert_allclose(x[1:, :4], alone, rtol=0, atol=1e-6)
    np.testing.assert_allclose(own[1:, :, :4, :4], alone_own, rtol=0, atol=1e-6)
    assert (own[1, ..., 4:] == 0.0).all()
    x, _, cross = decoder_block(X, MEMORY, DECODER, h, PADDED)
    alone, _, alone_cross = decoder_block(X[1:], MEMORY[1:, :4], DECODER, h)
    np.testing.assert_allclose(x[1:], alone, rtol=0, atol=1e-6)
    np.testing.assert_allclose(cross[1:, ..., :4], alone_cross, rtol=0, atol=1e-6)
    assert (cross[1, ..., 4:] == 0.0).all()


def test_N08_blocks_in_float32_stay_so():
    p = {name: array.astype(np.float32) for name, array in DECODER.items()}
    x, memory = X.astype(np.float32), MEMORY.astype(np.float32)
    found = *encoder_block(x, p, h), *decoder_block(x, memory, p, h, PADDED)
    assert {array.dtype for array in found} == {np.dtype("float32")}


def test_N35_nothing_given_is_changed():
    before = [array.copy() for array in (X, MEMORY, *DECODER.values())]
    decoder_block(X, MEMORY, DECODER, h, PADDED)
    after = (X, MEMORY, *DECODER.values())
    assert all(map(np.array_equal, before, after))


def test_a_block_names_the_weights_that_its_dict_lacks():
    with pytest.raises(ValueError, match="p must be a dict .* lacks self gain, self"):
        encoder_block(np.ones((1, 2, 4)), {}, 2)
    with pytest.raises(ValueError, match="p must be a dict of the block's weights"):
        encoder_block(np.ones((1, 2, 4)), None, 2)


def test_variances_that_overflow_are_refused():
    with pytest.raises(ValueError, match="overflow float32: make .* smaller"):
        layer_norm(np.float32([[1e30, -1e30]]), np.float32([1, 1]), np.float32([0, 0]))


def test_an_epsilon_that_is_0_in_float32_is_named():
    x, one = np.ones((2, 4), np.float32), np.ones(4, np.float32)
    with pytest.raises(ValueError, match="epsilon=1e-50 is 0 in float32; 1e-5 would"):
        layer_norm(x, one, 0 * one, epsilon=1e-50)
