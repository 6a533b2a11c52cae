import math

import numpy as np
import pytest

from mha_core import scaled_dot_product_attention, softmax
from mha_core.lab import explore_scaling, measure_scaling
from mha_core.lab.measure.random_scores import entropy, random_attention

WIDTHS = (1, 4, 16, 64, 256)


@pytest.fixture(scope="module")
def measured():
    return measure_scaling(WIDTHS)


def test_N29_the_spread_grows_with_the_root_of_the_width(measured):
    assert np.allclose(measured["std, raw"], np.sqrt(WIDTHS), rtol=0.05)
    assert np.allclose(measured["std, scaled"], 1, rtol=0.05)


def test_unscaled_weights_sharpen_and_lose_their_gradient(measured):
    for name in ("entropy", "gradient"):
        raw, scaled = measured[f"{name}, raw"][1:], measured[f"{name}, scaled"][1:]
        assert (np.diff(raw) < 0).all()
        assert np.ptp(scaled) < 0.05
    assert measured["gradient, raw"][-1] < 0.02
    assert measured["entropy, raw"][-1] < 0.1
    assert (np.diff(measured["largest weight, raw"]) > 0).all()
    assert measured["largest weight, raw"][-1] > 0.9


def test_at_width_1_both_are_the_same(measured):
    for name in ("std", "entropy", "largest weight", "gradient", "mean gradient"):
        assert measured[f"{name}, raw"][0] == measured[f"{name}, scaled"][0]


def test_the_measures_by_a_loop_over_explicit_jacobians():
    rng, weights = np.random.default_rng(5), []
    for _ in range(40):
        query = rng.standard_normal((1, 9))
        weights.append(softmax((query @ rng.standard_normal((6, 9)).T)[0] / 3))
    jacobians = [np.diag(w) - np.outer(w, w) for w in weights]
    sizes = [math.sqrt((jacobian**2).sum()) for jacobian in jacobians]
    found = measure_scaling([9], keys=6, draws=40, seed=5)
    assert np.isclose(found["gradient, scaled"][0], np.median(sizes))
    assert np.isclose(found["mean gradient, scaled"][0], np.mean(sizes))
    even = [-sum(w * math.log(w) for w in row) / math.log(6) for row in weights]
    assert np.isclose(found["entropy, scaled"][0], np.mean(even))
    assert np.isclose(found["largest weight, scaled"][0], np.mean(np.max(weights, 1)))


def test_the_jacobian_is_what_differences_give():
    scores, step = np.array([0.3, -1.0, 2.0]), 1e-6
    rows = [
        (softmax(scores + step * e) - softmax(scores - step * e)) / (2 * step)
        for e in np.eye(3)
    ]
    w = softmax(scores)
    assert np.allclose(rows, np.diag(w) - np.outer(w, w), atol=1e-9)


def test_the_entropy_of_one_key_and_of_all_alike():
    rows = np.array([[1, 0, 0, 0], [0.25] * 4, [0.5, 0.5, 0, 0]])
    assert np.allclose(entropy(rows), [0, 1, 0.5])


def test_random_attention_is_ours_on_random_vectors():
    rng = np.random.default_rng(7)
    query, key = rng.standard_normal((6, 16)), rng.standard_normal((12, 16))
    _, right = scaled_dot_product_attention(query, key, key)
    assert np.array_equal(random_attention(16, seed=7), right)
    assert np.allclose(
        random_attention(16, scaled=False, seed=7), softmax(query @ key.T)
    )


@pytest.mark.parametrize("scaled", [True, False])
def test_N29_padding_weighs_exactly_0(scaled):
    for length in range(1, 13):
        weights = random_attention(256, scaled=scaled, length=length)
        assert (weights[:, length:] == 0).all()
        assert np.allclose(weights.sum(axis=-1), 1)


def test_the_explorer_shows_the_setting_that_is_chosen():
    view = explore_scaling()
    for setting in ((16, True, 12), (16, False, 12), (256, False, 5)):
        chosen = dict(zip(("d_k", "scaled", "length"), setting, strict=True))
        view.set(**chosen)
        assert np.array_equal(view.picture.array, random_attention(**chosen))
        padding = np.tile(np.arange(12) >= setting[2], (6, 1))
        hidden = view.picture.data.hidden
        assert (np.zeros_like(padding) if hidden is None else hidden[0]).tolist() == (
            padding.tolist()
        )
    view.close()


def test_without_real_keys_all_weights_are_0():
    weights = random_attention(16, length=0)
    assert weights.shape == (6, 12)
    assert not weights.any()


def test_one_key_has_entropy_0():
    found = measure_scaling([4], keys=1, draws=10)
    assert found["entropy, raw"] == found["entropy, scaled"] == 0
    assert entropy(np.ones((2, 3, 1))).shape == (2, 3)


@pytest.mark.parametrize(
    ("given", "part"),
    [
        ({"widths": []}, "widths is empty"),
        ({"widths": [0]}, "widths must be an integer of at least 1, not 0"),
        ({"widths": [4], "keys": 0}, "keys must be"),
        ({"widths": [4], "draws": 0}, "draws must be"),
    ],
)
def test_what_cannot_be_measured_is_refused(given, part):
    with pytest.raises(ValueError, match=part):
        measure_scaling(**given)
