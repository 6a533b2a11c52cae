import numpy as np
import pytest

from mha_core.lab import (
    accuracy_curve,
    mean_accuracy,
    owners,
    train_relations,
    trained_longer,
)
from mha_core.lab.pictures.roles import row_of_layer
from mha_core.models.four_relations import accuracy, untrained
from mha_core.pretrained import load_relations, load_relations_table
from mha_core.tasks.tagged_sentences import ROLES, sentences

TABLE = load_relations_table()


def seeds_of(d_model, h, part="grid"):
    """Return the measured rows of one setting."""
    return [r for r in TABLE[part] if (r["d_model"], r["h"]) == (d_model, h)]


@pytest.mark.parametrize("d_model", [16, 24, 32, 64])
def test_the_curve_is_the_mean_of_the_table_and_its_band_the_range(d_model):
    picture = accuracy_curve(d_model)
    counts = [h for h in range(1, d_model + 1) if d_model % h == 0]
    scores = np.array(
        [[row["accuracy"] for row in seeds_of(d_model, h)] for h in counts]
    )
    assert picture.layout.x == tuple(map(str, counts))
    assert np.allclose(picture.array, [scores.mean(axis=1)])
    for name, ends in {"low": scores.min(axis=1), "high": scores.max(axis=1)}.items():
        told = ", ".join(f"{end:.3f}" for end in ends)
        assert f"{name}est: {told}" in picture.text


def test_the_owners_are_those_of_the_table():
    for row in TABLE["grid"]:
        assert row_of_layer(row["d_model"], row["h"], row["seed"]) == row
        found = owners(row["d_model"], row["h"], row["seed"])
        assert list(found) == list(ROLES)
        assert [head for head, _ in found.values()] == row["owner"]
        mass = [mass for _, mass in found.values()]
        assert np.allclose(mass, row["mass"], atol=0.005)


@pytest.mark.parametrize("setting", [(48, 4), (64, 4, 3), (64, 4, -1), (128, 8)])
def test_owners_that_were_not_measured_are_refused_with_the_numbers(setting):
    with pytest.raises(ValueError) as refusal:
        owners(*setting)
    assert f"d_model={setting[0]}, h={setting[1]}" in str(refusal.value)
    assert "widths 16, 24, 32 and 64" in str(refusal.value)


def test_a_curve_of_another_width_is_refused():
    with pytest.raises(ValueError, match="d_model=48 were measured; those of widths"):
        accuracy_curve(48)
    with pytest.raises(ValueError, match="h=5 does not divide d_model=64"):
        owners(64, 5)


def test_the_mean_accuracy_is_that_over_the_roles():
    test = sentences(np.random.default_rng(10**6), 64)
    for layer in (load_relations(24, h) for h in (1, 4)):
        expected = np.mean(accuracy(layer, *test))
        assert np.isclose(mean_accuracy(layer, 64), expected)


def test_a_layer_trains_on_the_spot():
    layer = train_relations(16, 4, steps=350)
    assert layer.h == 4
    assert mean_accuracy(layer, 128) > 0.4
    assert mean_accuracy(untrained(16, 4, np.random.default_rng(0)), 128) < 0.15


def test_one_seed_gives_one_layer():
    first, again, other = (train_relations(16, 4, 3, seed) for seed in (0, 0, 1))
    for name, param in first.params.items():
        assert np.array_equal(again.params[name], param)
    assert not np.array_equal(other.params["W_Q"], first.params["W_Q"])


def test_what_cannot_be_trained_is_refused():
    with pytest.raises(ValueError, match="h=5 does not divide d_model=24"):
        train_relations(24, 5)


def test_accuracy_after_both_times():
    found = trained_longer()
    assert list(found) == [1, 12, 24]
    for h, scores in found.items():
        for part, score in zip(("grid", "longer"), scores, strict=True):
            mean = np.mean([row["accuracy"] for row in seeds_of(24, h, part)])
            assert abs(score - mean) <= 0.005


def test_what_was_not_measured_is_refused_in_words():
    for d_model in ("24", 24.0, None):
        with pytest.raises(ValueError, match="d_model must be an integer"):
            accuracy_curve(d_model)
    with pytest.raises(ValueError, match="seed must be an integer, not 0.0"):
        owners(16, 4, 0.0)
    with pytest.raises(
        ValueError, match="d_model=16 and h=1 was trained longer; those"
    ):
        trained_longer(16)
    with pytest.raises(ValueError, match="h=2 was trained longer"):
        trained_longer(heads=(1, 2))
