import io
import json

import numpy as np
import pytest

from mha_core import softmax
from mha_core.gradients import gradients
from mha_core.models.four_relations import (
    FourRelations,
    accuracy,
    masses,
    objective,
    untrained,
)
from mha_core.pretrained import (
    RELATIONS,
    load_relations,
    load_relations_table,
)
from mha_core.recipes import as_shipped
from mha_core.recipes import relations as recipe
from mha_core.shipped import DATA, read_shipped
from mha_core.tables import RELATIONS_TABLE
from mha_core.tasks.tagged_sentences import (
    ROLES,
    TAGS,
    WORDS,
    T,
    answers,
    batches,
    places,
    sentences,
)
from small_models import slopes

TABLE = load_relations_table()
GRID = [(d, h) for d in (16, 24, 32, 64) for h in range(1, d + 1) if d % h == 0]
each_setting = pytest.mark.parametrize(("d_model", "h"), GRID)


def draw(count, seed=0):
    return sentences(np.random.default_rng(seed), count)


def roles_of(tags, i):
    """Return the four places that position i of a sentence must report, one by one."""
    partner = next(j for j in range(T) if j != i and tags[j] == tags[i])
    return [max(i - 1, 0), i + 1 if i < T - 1 else i, 0, partner]


def planted():
    """Return a layer of four heads, one for each role, that reports without fault.

    Words, tags and places have numbers of their own in the states. Three heads ask
    for a place; the last asks for its own tag, but not at its own place.
    """
    width, d_k, tags_at = 128, 32, 16
    tag, here, word = np.arange(TAGS), np.arange(T), np.arange(WORDS)
    p = {"E_word": (WORDS, width), "E_tag": (TAGS, width), "E_place": (T, width)}
    p |= {name: (width, width) for name in ("W_Q", "W_K", "W_V")}
    p = {name: np.zeros(shape) for name, shape in p.items()}
    p["E_place"][here, here] = 1
    p["E_tag"][tag, tags_at + tag] = 1
    p["E_word"][word, 32 + word] = 1
    wanted = np.maximum(here - 1, 0), np.minimum(here + 1, T - 1), 0 * here
    for head, place in enumerate(wanted):
        p["W_Q"][here, head * d_k + place] = 400
    p["W_Q"][tags_at + tag, 3 * d_k + tags_at + tag] = 400
    p["W_Q"][here, 3 * d_k + here] = -400
    W_read = np.zeros((width, 4 * WORDS))
    for head in range(4):
        p["W_K"][:32, head * d_k : (head + 1) * d_k] = np.eye(32)
        p["W_V"][32 + word, head * d_k + word] = 1
        W_read[head * d_k + word, head * WORDS + word] = 1
    read = {"W_O": np.eye(width), "W_read": W_read, "b_read": np.zeros(4 * WORDS)}
    return FourRelations(p | read, 4)


def test_each_tag_stands_on_two_words():
    words, tags = draw(200)
    assert words.shape == tags.shape == (200, T)
    assert all(np.bincount(row).tolist() == [2] * TAGS for row in tags)
    assert set(words.flat) == set(range(WORDS))
    assert len({tuple(row) for row in tags}) > 190


def test_one_seed_one_draw_of_batches():
    first, again = (list(batches(np.random.default_rng(3), 4, 5)) for _ in range(2))
    assert len(first) == 4
    for (words, tags), (same_words, same_tags) in zip(first, again, strict=True):
        assert words.shape == (5, T)
        assert np.array_equal(words, same_words)
        assert np.array_equal(tags, same_tags)
    assert not np.array_equal(first[0][1], first[1][1])


def test_places_of_the_roles_by_a_loop():
    assert ROLES == ("previous", "next", "first", "partner")
    _, tags = draw(50)
    slow = [[roles_of(row, i) for i in range(T)] for row in tags]
    assert np.array_equal(places(tags), slow)


def test_answers_are_the_words_at_those_places():
    words, tags = draw(20)
    slow = [
        [[w[j] for j in roles_of(row, i)] for i in range(T)]
        for w, row in zip(words, tags, strict=True)
    ]
    assert np.array_equal(answers(words, tags), slow)


@pytest.mark.parametrize(("d_model", "count"), [(24, 4720), (64, 22720)])
def test_T06_the_number_of_parameters_does_not_depend_on_h(d_model, count):
    for h in [h for d, h in GRID if d == d_model]:
        params = untrained(d_model, h, np.random.default_rng(0)).params
        assert sum(p.size for p in params.values()) == count
        assert {p.dtype for p in params.values()} == {np.dtype("float32")}


def test_the_layer_by_a_loop_over_heads_and_positions():
    layer, (words, tags) = untrained(16, 4, np.random.default_rng(1)), draw(1)
    p = {name: param.astype(float) for name, param in layer.params.items()}
    x = p["E_word"][words[0]] + p["E_tag"][tags[0]] + p["E_place"]
    heads, looked = [], []
    for part in np.split(np.arange(16), 4):
        q, k, v = (x @ p[name][:, part] for name in ("W_Q", "W_K", "W_V"))
        looked.append([softmax(k @ row / 2) for row in q])
        heads.append(np.array(looked[-1]) @ v)
    output, weights = layer.attend(words, tags)
    assert np.allclose(weights[0], looked, atol=1e-6)
    assert np.allclose(output[0], np.hstack(heads) @ p["W_O"], atol=1e-5)
    scores = (np.hstack(heads) @ p["W_O"] @ p["W_read"]).reshape(T, 4, WORDS)
    assert np.allclose(layer.logits(words, tags)[0], scores, atol=1e-4)


def test_the_objective_by_a_loop():
    layer, (words, tags) = untrained(16, 2, np.random.default_rng(2)), draw(3)
    logits, surprise = layer.logits(words, tags).astype(float), []
    for b, i in np.ndindex(3, T):
        for role, place in enumerate(roles_of(tags[b], i)):
            weights = softmax(logits[b, i, role])
            surprise.append(-np.log(weights[words[b, place]]))
    assert np.isclose(objective(layer, words, tags), np.mean(surprise), rtol=1e-5)


def test_the_gradient_of_the_objective_by_differences():
    layer, (words, tags) = untrained(16, 4, np.random.default_rng(3)), draw(2)
    params = {name: p.astype(float) for name, p in layer.params.items()}

    def loss(p):
        return objective(layer.with_params(p), words, tags)

    _, found = gradients(loss, params)
    rng = np.random.default_rng(0)
    for name, param in params.items():
        some = rng.integers(param.size, size=4)
        slope = slopes(lambda x, n=name: loss({**params, n: x}), param, some)
        assert np.allclose(found[name].flat[some], slope, rtol=1e-5, atol=1e-9), name


def test_a_planted_layer_reports_without_fault():
    words, tags = draw(100)
    assert accuracy(planted(), words, tags).tolist() == [1, 1, 1, 1]
    mass = masses(planted(), words, tags)
    assert mass.shape == (4, 4)
    assert np.allclose(np.diag(mass), 1)
    # Head 0 is on the word before, which is the first one for positions 0 and 1.
    assert np.isclose(mass[0, 2], 2 / T)


def test_accuracy_counts_each_role_for_itself():
    layer, (words, tags) = planted(), draw(50)
    layer.params["W_read"][:, WORDS : 2 * WORDS] = 0
    layer.params["b_read"][WORDS] = 1  # always reports word 0 as the next one
    after = np.take_along_axis(words, places(tags)[:, :, 1], axis=1)
    share = (after == 0).mean()
    assert np.allclose(accuracy(layer, words, tags), [1, share, 1, 1])


def test_with_params_keeps_the_heads():
    layer = untrained(16, 8, np.random.default_rng(0))
    other = layer.with_params({"other": 1})
    assert (other.h, other.params, other.kind) == (8, {"other": 1}, "relations")


@pytest.mark.parametrize(
    ("d_model", "h", "near"), [(64, 12, "8 and 16"), (24, 5, "4 and 6")]
)
def test_N15_W10_h_that_does_not_divide_is_refused_with_the_nearest(d_model, h, near):
    calls = [load_relations, lambda d, h: untrained(d, h, np.random.default_rng(0))]
    for call in calls:
        with pytest.raises(ValueError) as refusal:
            call(d_model, h)
        told = str(refusal.value)
        assert str(d_model) in told
        assert str(h) in told
        assert all(part in told for part in near.split(" and ")), told


@pytest.mark.parametrize("setting", [(48, 4), (128, 8), (64, 4, 7), (24, 4, -1)])
def test_what_is_not_shipped_is_refused_with_the_numbers(setting):
    with pytest.raises(ValueError) as refusal:
        load_relations(*setting)
    told = str(refusal.value)
    assert f"d_model={setting[0]}, h={setting[1]}" in told
    assert "widths 16, 24, 32 and 64" in told


def rows(part, d_model, h):
    """Return the measured rows of one setting, one for each seed."""
    return [r for r in TABLE[part] if (r["d_model"], r["h"]) == (d_model, h)]


def test_the_grid_is_shipped_with_three_seeds_each():
    assert recipe.settings() == GRID
    found = [tuple(row[name] for name in recipe.SETTING) for row in TABLE["grid"]]
    assert found == [(d, h, seed, 800) for d, h in GRID for seed in (0, 1, 2)]
    for d, h in GRID:
        layer = load_relations(d, h)
        assert layer.h == h
        assert layer.params["W_Q"].shape == (d, d)
        assert {p.dtype for p in layer.params.values()} == {np.dtype("float32")}


def test_some_layers_are_trained_longer_and_two_are_examples():
    found = [tuple(row[name] for name in recipe.SETTING) for row in TABLE["longer"]]
    slow = [(24, 1), (24, 12), (24, 24)]
    assert found == [(d, h, seed, 3000) for d, h in slow for seed in (0, 1, 2)]
    assert [(row["d_model"], row["h"], row["steps"]) for row in TABLE["examples"]] == [
        (32, 4, 800)
    ] * 2


def test_all_files_are_small_and_in_float16():
    files = list(DATA.glob("relations*"))
    assert {file.name for file in files} == {RELATIONS, RELATIONS_TABLE}
    assert sum(file.stat().st_size for file in files) < 1_000_000
    with np.load(DATA / RELATIONS, allow_pickle=False) as saved:
        assert {saved[name].dtype for name in saved} == {np.dtype("float16")}


def measured_again(row):
    """Return the same row, measured now on the shipped weights."""
    layer = load_relations(row["d_model"], row["h"], row["seed"])
    return recipe.row_of(layer, *(row[name] for name in recipe.SETTING))


SHIPPED = [row for row in TABLE["grid"] if row["seed"] == 0] + TABLE["examples"]


@pytest.mark.parametrize(
    "row", SHIPPED, ids=lambda row: f"{row['d_model']}-{row['h']}-{row['seed']}"
)
def test_the_table_is_what_the_shipped_weights_do(row):
    now, report = measured_again(row), 1.5 / (512 * T)  # a report or two may turn
    assert list(now) == list(row)
    assert abs(now["accuracy"] - row["accuracy"]) <= report
    assert np.allclose(now["by_role"], row["by_role"], rtol=0, atol=2 * report)
    assert np.allclose(now["mass"], row["mass"], rtol=0, atol=1.5e-4)
    assert now["owner"] == row["owner"]


def test_every_seed_is_measured_with_its_weights_in_float16():
    layer = untrained(16, 2, np.random.default_rng(0))
    layer.params["W_read"] *= 1e-6  # float16 keeps few digits of these
    half = {n: p.astype(np.float16).astype(np.float32) for n, p in layer.params.items()}
    assert recipe.measure(layer) == recipe.measure(layer.with_params(half))
    assert as_shipped(layer).h == 2
    for name, param in as_shipped(layer).params.items():
        assert np.array_equal(param, half[name])


def test_what_is_shipped_is_measured_again_and_the_rest_stays(tmp_path, monkeypatch):
    fake = {"accuracy": 0.5, "by_role": [], "owner": [], "mass": []}
    monkeypatch.setattr(recipe, "measure", lambda layer: fake)
    recipe.main(["--shipped", "--data", str(tmp_path)])
    found = json.loads(read_shipped(RELATIONS_TABLE, tmp_path))
    for part, kept in TABLE.items():
        for row, again in zip(kept, found[part], strict=True):
            shipped = part == "examples" or (part == "grid" and row["seed"] == 0)
            assert again == (row | fake if shipped else row)


def test_the_recipe_ships_a_table_of_rows_and_the_layers_of_seed_0(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(recipe, "settings", lambda: [(16, 2)])
    for name, value in {"STEPS": 2, "LONGER": 3, "SLOW": ((16, 4),)}.items():
        monkeypatch.setattr(recipe, name, value)
    monkeypatch.setattr(recipe, "EXAMPLES", (5, 6, 7))
    found = {"accuracy": 0.5, "mass": [0.1]}
    monkeypatch.setattr(recipe, "measure", lambda layer: found)
    recipe.main(["--folder", str(tmp_path / "kept"), "--data", str(tmp_path)])
    table = json.loads(read_shipped(RELATIONS_TABLE, tmp_path))
    settings = {
        part: [tuple(row[name] for name in recipe.SETTING) for row in found]
        for part, found in table.items()
    }
    examples = settings.pop("examples")
    assert settings == {
        "grid": [(16, 2, seed, 2) for seed in (0, 1, 2)],
        "longer": [(16, 4, seed, 3) for seed in (0, 1, 2)],
    }
    assert len(examples) == 2
    names = {f"{d}-{h}-{seed}" for d, h, seed, _ in [(16, 2, 0, 2), *examples]}
    with np.load(io.BytesIO(read_shipped(RELATIONS, tmp_path))) as saved:
        assert {name.partition(" ")[0] for name in saved} == names


def test_the_two_bad_examples_have_a_role_without_a_clear_owner():
    assert len(TABLE["examples"]) == 2
    for row in TABLE["examples"]:
        assert min(row["mass"]) < 0.9


def scores(d_model, h):
    return [row["accuracy"] for row in rows("grid", d_model, h)]


def test_64_wide_one_head_cannot_and_four_can():
    assert max(scores(64, 1)) <= 0.62
    assert max(scores(64, 2)) <= 0.86
    assert min(scores(64, 4) + scores(64, 8)) >= 0.98


def test_24_wide_too_few_and_too_many_heads_are_worse():
    assert max(scores(24, 1)) <= 0.55
    assert min(scores(24, 4)) >= 0.95
    assert max(scores(24, 24)) <= 0.65


def test_four_heads_of_the_shipped_layer_own_one_role_each():
    row = recipe.measure(load_relations(64, 4))
    assert sorted(row["owner"]) == [0, 1, 2, 3]
    assert min(row["mass"]) >= 0.9
    assert row["owner"] == rows("grid", 64, 4)[0]["owner"]


def test_finished_layers_are_kept(tmp_path, monkeypatch):
    layer = recipe.trained(16, 2, 0, tmp_path, steps=3)
    start = untrained(16, 2, np.random.default_rng(0))
    assert not np.array_equal(layer.params["W_Q"], start.params["W_Q"])
    assert len(list(tmp_path.iterdir())) == 1
    monkeypatch.setattr("mha_core.tasks.tagged_sentences.batches", None)
    again = recipe.trained(16, 2, 0, tmp_path, steps=3)
    for name, param in layer.params.items():
        assert np.array_equal(again.params[name], param)


def test_a_layer_of_any_kind_is_trained_the_same_way(tmp_path):
    expected = recipe.trained(16, 2, 0, tmp_path, steps=2)
    layer = untrained(16, 2, np.random.default_rng(0))
    found = recipe.train_layer(layer, 2, 0, tmp_path / "other.npz")
    assert found is layer
    for name, param in expected.params.items():
        assert np.array_equal(found.params[name], param)


def test_longer_trainings_have_files_of_their_own(tmp_path):
    for steps in (1, 2):
        recipe.trained(16, 2, 0, tmp_path, steps=steps)
    assert len(list(tmp_path.iterdir())) == 2


def test_the_first_and_the_last_word_tag_and_place_are_drawn_and_read():
    words, tags = draw(200)
    assert {*words[:, 0], *words[:, -1]} == set(range(WORDS))
    assert {*tags[:, 0], *tags[:, -1]} == set(range(TAGS))
    layer = untrained(16, 4, np.random.default_rng(0))
    _, found = gradients(
        lambda p: objective(layer.with_params(p), words, tags), layer.params
    )
    for name in ("E_word", "E_tag", "E_place"):
        assert found[name].any(axis=-1).all(), name
    assert found["W_read"].any(axis=0).all() and found["b_read"].all()
