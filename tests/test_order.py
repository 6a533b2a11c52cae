"""What knows the order of tokens, and what an untrained layer looks like."""

import numpy as np
import pytest

from mha_core import MultiHeadAttention, scaled_dot_product_attention
from mha_core.blocks import positions
from mha_core.lab import (
    attention_reach,
    influence,
    order_bars,
    order_effect,
    rotation,
    starting_maps,
    untrained_layers,
)

X = np.random.default_rng(0).standard_normal((7, 16))


@pytest.mark.parametrize("layers", [1, 2, 3])
def test_without_mask_and_positions_order_is_nothing(layers):
    assert order_effect(untrained_layers(layers), X) < 1e-12


def test_one_causal_layer_tells_the_last_token_no_order_and_two_do():
    assert order_effect(untrained_layers(1, causal=True), X) < 1e-12
    assert order_effect(untrained_layers(2, causal=True), X) > 0.1


def test_with_a_causal_mask_the_outputs_in_between_depend_on_the_order():
    f = untrained_layers(1, causal=True)
    order = [1, 0, *range(2, 7)]
    assert not np.allclose(f(X[order])[1], f(X)[0])
    assert np.allclose(f(X[order])[2:], f(X)[2:])
    g = untrained_layers(1)
    assert np.allclose(g(X[order]), g(X)[order])


@pytest.mark.parametrize("layers", [1, 2])
def test_positions_alone_give_order(layers):
    assert order_effect(untrained_layers(layers, placed=True), X) > 0.01


def test_the_effect_is_the_change_in_lengths_of_the_output():
    def f(tokens):
        return np.cumsum(tokens * np.arange(1, 4)[:, None], axis=0)

    tokens = np.array([[1.0], [3.0], [2.0]])
    found = order_effect(f, tokens, draws=400)  # 13, or 11 for the other order
    assert found == pytest.approx(0.5 * 2 / 13, rel=0.15)
    assert order_effect(f, tokens, draws=5) == order_effect(f, tokens, draws=5)


def test_bars_show_what_is_measured():
    picture = order_bars((1, 2), T=6, d=8, seed=3)
    tokens = np.random.default_rng(3).standard_normal((6, 8))
    layers = untrained_layers(2, causal=True, d=8, seed=4)
    expected = order_effect(layers, tokens)
    assert picture.array[1, 1] == pytest.approx(expected, abs=1e-6)
    assert (picture.array[0] == 0).all()
    assert picture.array[1, 0] == 0
    assert (picture.array[2] > 0).all()
    assert f"by {expected:.2f} after 2" in picture.sentence


@pytest.mark.parametrize("steps", [0, 1, 5])
@pytest.mark.parametrize("d_model", [2, 12])
def test_a_step_further_is_a_rotation_the_same_everywhere(steps, d_model):
    P, R = positions(30 + steps, d_model), rotation(steps, d_model)
    np.testing.assert_allclose(P[:30] @ R, P[steps:], atol=1e-12)
    np.testing.assert_allclose(R @ R.T, np.eye(d_model), atol=1e-12)


def test_products_of_positions_depend_on_the_distance_alone():
    P = positions(32, 12)
    drawn = np.random.default_rng(0).standard_normal((32, 12))

    def uneven(rows):
        products = rows @ rows.T
        return max(np.ptp(np.diagonal(products, k)) for k in range(32))

    assert uneven(P) < 1e-12
    assert uneven(drawn) > 1


def test_small_weights_start_even_and_large_ones_sharp():
    picture = starting_maps()
    small, middle, large = picture.array.max(axis=-1).mean(axis=-1)
    assert small < 1.1 / 8
    assert 0.25 < middle < 0.5
    assert large > 0.8
    assert picture.layout.titles[1] == "1 / root of d"
    assert f"{middle:.2f} at 1 / root of d" in picture.sentence
    assert (picture.array.argmax(-1) == picture.array[0].argmax(-1)).all()


def test_the_class_starts_small():
    layer = MultiHeadAttention(16, 2)
    _, weights = layer.forward(X, X, X, return_weights=True)
    assert weights.max() < 1.1 / 7


def test_the_reach_of_attention_is_shared_by_all_positions():
    sizes = [attention_reach(T=T, relative=False)[1] for T in (10, 50, 200)]
    assert sizes[0] > 3 * sizes[1] > 6 * sizes[2]
    one = attention_reach(T=10, relative=False)
    np.testing.assert_allclose(attention_reach(T=10), one / one[1])


def test_a_diagonal_map_does_not_prove_that_the_token_decides():
    places = 50 * np.eye(7)  # who asks and who answers: every token finds itself

    def mixed(tokens):
        return tokens - tokens.mean(axis=0)  # as an earlier layer may leave them

    weights = scaled_dot_product_attention(places, places, mixed(X))[1]
    np.testing.assert_allclose(weights, np.eye(7), atol=1e-6)

    def f(tokens):
        return scaled_dot_product_attention(places, places, mixed(tokens))[0]

    assert influence(f, X).all()

    def deaf(tokens):
        return scaled_dot_product_attention(places, places, 0 * tokens)[0]

    assert not influence(deaf, X).any()
