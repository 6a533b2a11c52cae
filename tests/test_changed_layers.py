"""Layers of the four relations with one thing changed, and what is drawn of them."""

import json

import numpy as np
import pytest

from mha_core import lab
from mha_core.gradients import gradients
from mha_core.models.altered_relations import (
    Reread,
    Unscaled,
    untrained_reread,
    untrained_unscaled,
)
from mha_core.models.four_relations import FourRelations, objective, untrained
from mha_core.pretrained import load_relation_controls, load_relations_table
from mha_core.recipes import relation_controls as recipe
from mha_core.recipes.relations import measure
from mha_core.recipes.relations import trained as trained_linear
from mha_core.shipped import read_shipped
from mha_core.tables import RELATION_CONTROLS
from mha_core.tasks.tagged_sentences import ROLES, WORDS, T, sentences
from small_models import slopes

TABLE = load_relation_controls()
SEEDS = (0, 1, 2)


def draw(count, seed=0):
    return sentences(np.random.default_rng(seed), count)


def rng():
    return np.random.default_rng(0)


def of(part, **setting):
    """Return the rows of a part that have this setting, in the order of the seeds."""
    rows = [r for r in TABLE[part] if setting == {name: r[name] for name in setting}]
    assert [row["seed"] for row in rows] == list(SEEDS)
    return rows


def scores(part, **setting):
    return [row["accuracy"] for row in of(part, **setting)]


def test_unscaled_weights_are_those_of_products_that_are_not_divided():
    layer, (words, tags) = untrained_unscaled(16, 4, rng()), draw(2)
    p = {name: param.astype(float) for name, param in layer.params.items()}
    x = p["E_word"][words] + p["E_tag"][tags] + p["E_place"]
    for head, part in enumerate(np.split(np.arange(16), 4)):
        scores = (x @ p["W_Q"][:, part]) @ (x @ p["W_K"][:, part]).swapaxes(1, 2)
        weights = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
        assert np.allclose(layer.attend(words, tags)[1][:, head], weights, atol=1e-5)


def test_unscaled_layers_start_with_the_weights_of_scaled_ones():
    one, other = untrained_unscaled(16, 4, rng()), untrained(16, 4, rng())
    assert all(np.array_equal(one.params[n], p) for n, p in other.params.items())
    assert one.attend(*draw(1))[1].dtype == np.float32
    assert type(one.with_params(one.params)) is type(one)


def test_the_hidden_layer_of_the_read_out_by_hand():
    layer, (words, tags) = untrained_reread(16, 2, 5, rng()), draw(3)
    layer.params["b_hidden"] += 0.25
    p = {name: param.astype(float) for name, param in layer.params.items()}
    output, _ = layer.attend(words, tags)
    hidden = output @ p["W_hidden"] + p["b_hidden"]
    hidden[hidden < 0] = 0
    expected = (hidden @ p["W_read"] + p["b_read"]).reshape(3, T, len(ROLES), WORDS)
    assert (output @ p["W_hidden"] < -0.3).any()
    assert np.allclose(layer.logits(words, tags), expected, atol=1e-5)


def test_32_hidden_numbers_need_about_the_weights_of_the_linear_read_out():
    linear, hidden = (of("readers", h=1, steps=800, hidden=n)[0] for n in (0, 32))
    assert (linear["weights"], hidden["weights"]) == (64 * 64 + 64, 64 * 65 + 32)


@pytest.mark.parametrize(
    "layer", [untrained_unscaled(16, 2, rng()), untrained_reread(16, 2, 5, rng())]
)
def test_gradients_by_differences(layer):
    words, tags = draw(2)
    params = {name: p.astype(float) for name, p in layer.params.items()}

    def loss(p):
        return objective(layer.with_params(p), words, tags)

    _, found = gradients(loss, params)
    for name, param in params.items():
        some = rng().integers(param.size, size=3)
        slope = slopes(lambda x, n=name: loss({**params, n: x}), param, some)
        assert np.allclose(found[name].flat[some], slope, rtol=1e-4, atol=1e-8), name


def test_a_width_that_is_none_is_refused():
    for hidden in (0, 2.5, None):
        with pytest.raises(ValueError, match="hidden must be"):
            untrained_reread(16, 2, hidden, rng())


def test_the_table_has_every_setting_with_three_seeds():
    for part, controls in recipe.PARTS.items():
        assert len(TABLE[part]) == len(controls) * len(SEEDS)
        for control in controls:
            of(part, **control._asdict())


def test_what_is_unchanged_is_what_the_first_table_has():
    grid = load_relations_table()["grid"]
    for h in (1, 4):
        old = [row["accuracy"] for row in grid if (row["d_model"], row["h"]) == (64, h)]
        assert np.allclose(scores("readers", h=h, hidden=0), old, atol=0.02)


def test_a_short_training_is_the_same_again_and_goes_on(tmp_path):
    control = recipe.Control(16, 2, hidden=4, steps=3)
    row = recipe.row_of(control, 1, tmp_path)
    assert row["weights"] == 16 * 4 + 4 + 4 * 64 + 64
    assert recipe.row_of(control, 1, tmp_path) == row
    assert recipe.row_of(control, 1, new(tmp_path)) == row
    assert len(list(tmp_path.glob("*.npz"))) == 1
    plain = recipe.Control(16, 2, steps=3)
    expected = measure(trained_linear(16, 2, 1, new(tmp_path), steps=3))
    assert recipe.row_of(plain, 1, tmp_path).items() >= expected.items()


def test_the_recipe_changes_what_the_control_says():
    kinds = [
        type(recipe.untrained(recipe.Control(16, 2, **changed), 0))
        for changed in ({}, {"hidden": 4}, {"scaled": False})
    ]
    assert kinds == [FourRelations, Reread, Unscaled]


def new(folder):
    (folder / "new").mkdir(exist_ok=True)
    return folder / "new"


def test_the_recipe_ships_its_table(tmp_path, monkeypatch, capsys):
    small = {"scales": (recipe.Control(16, 2, scaled=False, steps=2),)}
    monkeypatch.setattr(recipe, "PARTS", small)
    recipe.main(["--folder", str(tmp_path / "kept"), "--data", str(tmp_path)])
    table = json.loads(read_shipped(RELATION_CONTROLS, tmp_path))
    assert [row["seed"] for row in table["scales"]] == list(SEEDS)
    assert capsys.readouterr().out.startswith("scales 16 2 0 False 2 0 ")


def mean_by_role(rows):
    return np.mean([row["by_role"] for row in rows], axis=0)


def test_a_stronger_reader_takes_one_blend_apart_but_for_the_partner():
    linear, equal, wide = (
        of("readers", h=1, hidden=n, steps=800) for n in (0, 32, 256)
    )
    four = of("readers", h=4)
    means = [np.mean([row["accuracy"] for row in some]) for some in (linear, equal)]
    assert means[0] + 0.05 < means[1]
    assert mean_by_role(equal)[ROLES.index("partner")] < 0.3
    assert min(row["accuracy"] for row in four) > 0.98
    assert max(row["accuracy"] for row in wide) < 0.95


def test_reader_bars_are_the_means_and_ranges_of_the_table():
    picture = lab.reader_bars()
    settings = [(1, 0, 800), (1, 32, 800), (1, 256, 800), (1, 256, 4000), (4, 0, 800)]
    assert picture.layout.x == ROLES
    for n, (h, hidden, steps) in enumerate(settings):
        rows = of("readers", h=h, hidden=hidden, steps=steps)
        rows = [row["by_role"] for row in rows]
        assert np.allclose(picture.array[n], np.mean(rows, axis=0))
        assert np.allclose(picture.data.low[n], np.min(rows, axis=0))
        assert np.allclose(picture.data.high[n], np.max(rows, axis=0))


def test_scale_bars_are_the_means_and_ranges_of_the_table():
    picture = lab.scale_bars()
    for n, (d_model, h) in enumerate(recipe.WIDTHS):
        for series, scaled in enumerate((True, False)):
            found = scores("scales", d_model=d_model, h=h, scaled=scaled)
            assert np.isclose(picture.array[series, n], np.mean(found))
            assert np.isclose(picture.data.low[series, n], min(found))
            assert np.isclose(picture.data.high[series, n], max(found))
    assert picture.layout.x[1] == "h 2, d_k 32"


def test_the_scale_matters_with_two_wide_heads():
    on, off = (scores("scales", d_model=64, h=2, scaled=s) for s in (True, False))
    assert min(on) > max(off) + 0.1
    for d_model in (64, 32):  # four narrow heads: one training of three is worse
        off = scores("scales", d_model=d_model, h=4, scaled=False)
        assert sum(score > 0.99 for score in off) == 2


def test_heads_of_width_1_still_learn_after_3000_steps():
    means = [np.mean(scores("longer", steps=c.steps)) for c in recipe.LONGER]
    assert means == sorted(means)


def test_seed_bars_show_each_training():
    picture = lab.seed_bars(64, 2)
    grid = load_relations_table()["grid"]
    rows = [row for row in grid if (row["d_model"], row["h"]) == (64, 2)]
    assert np.allclose(picture.array, [row["by_role"] for row in rows])
    assert picture.layout.names == ("seed 0", "seed 1", "seed 2")
    with pytest.raises(ValueError, match="h=5 does not divide d_model=64"):
        lab.seed_bars(64, 5)
    with pytest.raises(ValueError, match="d_model=48, h=4"):
        lab.seed_bars(48, 4)
