"""The letter model: causality, bits, counting, writing, recipe, pictures and view."""

import math
from collections import Counter
from functools import partial

import numpy as np
import pytest

from mha_core import lab
from mha_core.blocks import OURS
from mha_core.evaluation import bits_per_letter
from mha_core.gradients import gradients
from mha_core.lab.exercises.letters_to_expect import three_maps
from mha_core.lab.explorers.own_models import letter_model
from mha_core.lab.measure.invented import as_letters
from mha_core.losses import surprise
from mha_core.models.counting import (
    bits_by_counting,
    chance,
    count_letters,
)
from mha_core.models.initial import drawn
from mha_core.models.letter_cache import next_letter
from mha_core.models.letter_model import (
    SIGNS,
    Language,
    objective,
    reading,
    shapes,
    untrained,
)
from mha_core.pretrained import language_name, load_language, load_language_table
from mha_core.recipes import language as recipe
from mha_core.shipped import read_shipped
from mha_core.tasks import batches_of_letters, pronunciation, spell
from mha_core.training import train

TABLE = load_language_table()
WORDS = [word for word, _ in pronunciation("test")]


def small(**how):
    return untrained(np.random.default_rng(0), d=8, d_ff=8, **how)


def test_the_shapes_are_those_of_the_parameters():
    model = small(h=2)
    assert {n: p.shape for n, p in model.params.items()} == dict(shapes(8, 8, 2))
    assert model.logits(np.array([[0, 3, 1, 20]])).shape == (1, 4, SIGNS)
    assert model.attention(np.array([[0, 3, 1, 20]])).shape == (2, 1, 2, 4, 4)
    gain = drawn(np.random.default_rng(0), "block 0 self gain", (3,), 1.0)
    assert (gain == 1).all()


@pytest.mark.parametrize("causal", [True, False])
def test_only_the_broken_one_sees_what_comes(causal):
    ids = np.array([[0, 3, 1, 20, 5]])

    def read(ids):
        return small(causal=causal).logits(ids)[0]

    before = read(ids)
    for j in range(1, ids.shape[1]):
        other = ids.copy()
        other[0, j] = 26
        moved = np.abs(read(other) - before).max(axis=-1) > 1e-7
        assert moved[j:].all()
        assert moved[:j].any() != causal


def test_padding_changes_no_letter_of_a_short_word():
    for causal in (True, False):
        model = small(causal=causal)
        alone = model.logits(reading(spell(["cat"]))[0])
        beside = model.logits(reading(spell(["cat", "internet"]))[0])
        np.testing.assert_allclose(beside[0, :4], alone[0], atol=1e-6)


def test_what_is_read_and_what_comes_next():
    ids, target, counted = reading(spell(["cat", "a"]))
    assert ids.tolist() == [[0, 3, 1, 20], [0, 1, 0, 0]]
    assert target.tolist() == [[3, 1, 20, 0], [1, 0, 0, 0]]
    assert counted.sum(axis=1).tolist() == [4, 2]


def test_the_objective_and_the_bits_are_the_mean_surprise():
    model, words = small(), ["cat", "a", "internet"]
    parts = []
    for word in words:
        ids, target, _ = reading(spell([word]))
        parts += surprise(model.logits(ids), target)[0].tolist()
    assert len(parts) == sum(map(len, words)) + len(words)
    nats = float(np.mean(parts))
    assert float(objective(model, spell(words))) == pytest.approx(nats, rel=1e-5)
    for at_once in (1, 2, 512):
        found = bits_per_letter(model, words, at_once)
        assert found == pytest.approx(nats / math.log(2), rel=1e-5)


def test_a_model_keeps_what_it_was_made_with():
    model = small(h=2, causal=False)
    for other in (model.with_params(model.params), model.with_formulas(OURS)):
        assert (other.h, other.causal, other.formulas) == (2, False, OURS)
        assert other.params is model.params


def test_blocks_of_any_number_are_read_in_order():
    rng = np.random.default_rng(0)
    model = untrained(rng, d=8, d_ff=8, layers=11)
    assert len(model.attention(np.array([[0, 1]]))) == 11


def test_a_reader_s_functions_write_the_same_words():
    def norm(x, gain, shift):
        centred = x - x.mean(axis=-1, keepdims=True)
        return centred / np.sqrt(x.var(axis=-1, keepdims=True) + 1e-5) * gain + shift

    def softmax(scores, visible):
        shares = np.exp(np.where(visible, scores, -np.inf))
        return shares / shares.sum(axis=-1, keepdims=True)

    model = load_language()
    mine = lab.plugged(model, layer_norm=norm, masked_softmax=softmax)
    words = [m.write(np.random.default_rng(0), 4) for m in (model, mine)]
    assert words[0] == words[1]


def test_writing_is_fixed_by_its_seed_and_begins_as_told():
    model = load_language()
    once, twice = (model.write(np.random.default_rng(1), 20) for _ in range(2))
    assert once == twice
    assert once != model.write(np.random.default_rng(2), 20)
    begun = model.write(np.random.default_rng(1), 20, start="str")
    assert all(word.startswith("str") and len(word) <= 20 for word in begun)
    coldest = model.write(np.random.default_rng(1), 5, temperature=0.01)
    assert len(set(coldest)) == 1


def test_letters_come_as_often_as_their_chances_say():
    model = load_language()
    expected = lab.chances(model, "q")
    assert expected.sum() == pytest.approx(1)
    assert expected.argmax() == "abcdefghijklmnopqrstuvwxyz".index("u") + 1
    words = model.write(np.random.default_rng(0), 2000, start="s")
    second = Counter(word[1:2] for word in words)
    likely = lab.chances(model, "s")
    for n, letter in enumerate(["", *"abcdefghijklmnopqrstuvwxyz"]):
        assert second[letter] / 2000 == pytest.approx(likely[n], abs=0.035)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (lambda m: m.logits(np.array([[27]])), "ids"),
        (lambda m: m.logits(np.zeros((1, 22), int)), "22 places, of at most 21"),
        (lambda m: m.write(np.random.default_rng(0), temperature=0), "temperature"),
        (lambda m: m.write(np.random.default_rng(0), temperature=math.nan), "temperat"),
        (lambda m: m.write(np.random.default_rng(0), 0), "count"),
        (lambda m: m.write(np.random.default_rng(0), start="é"), "é"),
        (lambda m: lab.chances(m, "a" * 20), "20 letters leave no room"),
        (lambda m: lab.chances(m, "a1"), "1"),
        (lambda m: lab.chances(m, "a", -1), "temperature"),
    ],
)
def test_what_cannot_be_read_is_told(call, told):
    with pytest.raises(ValueError, match=told):
        call(small())


def test_nothing_is_a_start_too():
    assert as_letters("").shape == as_letters("  ").shape == (1, 0)
    assert as_letters("Cat").tolist() == [[3, 1, 20]]


def test_counts_are_of_what_followed():
    counts = count_letters(["aba", "ab"], 3)
    assert counts[""] == {"a": 3, "b": 2, ".": 2}
    assert counts["a"] == {"b": 2, ".": 1}
    assert counts[".a"] == {"b": 2}
    assert counts["ab"] == {"a": 1, ".": 1}
    assert max(map(len, counts)) == 2


def test_chances_of_counts_sum_to_1_and_mix_long_with_short():
    counts = count_letters(["aba", "ab"], 2)
    signs = ".abcdefghijklmnopqrstuvwxyz"
    for before in ("", ".", "a", ".a", "xq"):
        assert sum(chance(counts, before, s) for s in signs) == pytest.approx(1)
    one = (3 + 3 * 1 / 27) / (7 + 3)
    assert chance(counts, "", "a") == pytest.approx(one)
    b = (2 + 3 * 1 / 27) / (7 + 3)
    assert chance(counts, "a", "b") == pytest.approx((2 + 2 * b) / (3 + 2))


def test_bits_of_counts_are_the_mean_of_minus_log_2():
    counts = count_letters(["aba", "ab"], 2)
    pairs = (".", "a"), ("a", "b"), ("b", ".")
    bits = [-math.log2(chance(counts, before, letter)) for before, letter in pairs]
    assert bits_by_counting(counts, ["ab"]) == pytest.approx(np.mean(bits))


def test_the_table_is_what_counting_does():
    for n in (1, 4):
        assert recipe.by_counting(WORDS, n) == TABLE["counts"][str(n)]
    best = min(row["bits"] for row in TABLE["counts"].values())
    assert best == TABLE["counts"]["5"]["bits"]


def test_the_table_is_what_the_shipped_weights_do():
    for name, causal in (("seed 0", True), ("without mask", False)):
        model, row = load_language(causal), TABLE["models"][name]
        assert model.trained
        assert model.causal == causal
        assert sum(p.size for p in model.params.values()) == row["numbers"]
        assert bits_per_letter(model, WORDS) == pytest.approx(row["bits"], abs=1e-3)


def test_three_seeds_are_below_the_best_count_and_the_short_training_is_not():
    best = min(row["bits"] for row in TABLE["counts"].values())
    seeds = [TABLE["models"][f"seed {seed}"]["bits"] for seed in range(3)]
    assert max(seeds) <= 3.15 < best
    assert best < TABLE["models"]["700 steps"]["bits"] <= 3.5
    assert TABLE["models"]["without mask"]["bits"] < 0.1


def test_without_its_mask_a_model_reads_ahead_and_cannot_write():
    words = load_language(causal=False).write(np.random.default_rng(0), 200)
    right = load_language().write(np.random.default_rng(0), 200)
    assert lab.known(words)["seen"] < lab.known(right)["seen"] / 3


def test_invented_words_are_looked_up():
    seen, held = pronunciation("train")[0][0], pronunciation("test")[0][0]
    found = lab.known([seen, held, held, "zzqx", ""])
    assert found == {"seen": 1, "held out": 2, "new": 2}


def test_a_short_training_learns():
    model = small(h=2)
    before = bits_per_letter(model, WORDS[:200])
    words = pronunciation("dev")
    draw = partial(batches_of_letters, words, size=16)
    how = {"objective": objective, "peak": 1e-2, "warm_up": 5}
    train(model, draw, 60, **how)
    assert bits_per_letter(model, WORDS[:200]) < before - 0.4
    batch = next(draw(np.random.default_rng(0)))
    assert [array.shape[0] for array in batch] == [16]


def test_the_recipe_trains_measures_and_ships(tmp_path, monkeypatch, capsys):
    words = pronunciation("dev")[:64]
    monkeypatch.setattr(recipe, "pronunciation", lambda split: words)
    few = {
        "seed 0": {"seed": 0, "steps": 2},
        "without mask": {"steps": 1, "causal": False},
    }
    monkeypatch.setattr(recipe, "TRAININGS", few)
    monkeypatch.setattr(recipe, "CHANGES", {"one layer": {"layers": 1}})
    monkeypatch.setattr(recipe, "SHORT", 1)
    where = ["--folder", str(tmp_path / "kept"), "--data", str(tmp_path)]
    recipe.main(where)
    table = load_language_table(tmp_path)
    assert list(table["models"]) == list(few)
    assert list(table["counts"]) == ["1", "2", "3", "4", "5", "6"]
    assert table["models"]["seed 0"]["numbers"] == 59883
    assert "models seed 0:" in capsys.readouterr().out
    assert len(table["changes"]["one layer"]["bits"]) == 3
    made = [read_shipped(language_name(causal), tmp_path) for causal in (True, False)]
    assert made[0] != made[1]
    monkeypatch.setattr(recipe, "batches_of_letters", lambda *a, **k: 1 / 0)
    recipe.main(["seed 0", *where])
    assert load_language_table(tmp_path) == table
    (tmp_path / "language-bits.json").write_bytes(b"")
    recipe.note("counts", "1", {"bits": 4.0, "numbers": 27}, tmp_path)
    assert load_language_table(tmp_path)["counts"] == {
        "1": {"bits": 4.0, "numbers": 27}
    }


def test_the_bars_are_the_table_and_what_one_adds():
    picture = lab.bits_bars(mine=3.45)
    assert picture.layout.x == (*map(str, range(1, 7)), "mine", "4,000", "16,000")
    seeds = [TABLE["models"][f"seed {seed}"]["bits"] for seed in range(3)]
    counts = [row["bits"] for row in TABLE["counts"].values()]
    expected = [*counts, 3.45, TABLE["models"]["4,000 steps"]["bits"], np.mean(seeds)]
    np.testing.assert_allclose(picture.array, [expected])


def test_the_view_shows_what_comes_next_and_what_it_writes():
    view = lab.explore_writing("q")
    likely = np.sort(lab.chances(load_language(), "q"))[::-1][:10]
    np.testing.assert_allclose(view.picture.array[0], likely)
    assert view.picture.layout.x[0] == "u"
    assert "end" in lab.explore_writing("knight").picture.layout.x
    words = load_language().write(np.random.default_rng(0), 8, start="q")
    assert ", ".join(words) in view.message
    told = lab.known(words)
    assert f"In training: {told['seen']}" in view.message
    view.set(start="", temperature=3.0)
    assert view.picture.data.title == "The first letter of a word, temperature 3.0"
    hot = view.picture.array[0].max()
    view.set(temperature=0.3)
    assert view.picture.array[0].max() > hot
    with pytest.raises(ValueError, match="a to z"):
        view.set(start="é")
    view.close()
    for refuse in (letter_model, lambda model: lab.explore_writing(model=model)):
        with pytest.raises(ValueError, match="must be a letter model"):
            refuse(3)
    assert letter_model(None).trained


def test_a_model_of_one_s_own_writes_in_the_view():
    model = small()
    view = lab.explore_writing(model=model)
    likely = np.sort(lab.chances(model))[::-1][:10]
    np.testing.assert_allclose(view.picture.array[0], likely)
    assert isinstance(model, Language)
    view.close()


def test_one_of_the_three_maps_to_read_looks_ahead():
    picture = three_maps()
    ahead = [np.triu(weights, 1).sum() for weights in picture.array]
    assert ahead[0] == ahead[2] == 0
    assert ahead[1] > 4
    assert picture.layout.titles == ("a", "b", "c")


def test_gradients_of_the_whole_model_are_those_of_differences():
    model, letters = small(h=2), spell(["cat", "internet", "a"])
    exact = {name: p.astype(float) for name, p in model.params.items()}

    def f(params):
        return objective(model.with_params(params), letters)

    _, grads = gradients(f, exact)
    rng, step = np.random.default_rng(0), 1e-6
    for name, param in exact.items():
        way = rng.standard_normal(param.shape)
        ends = [f(exact | {name: param + s * step * way}) for s in (1, -1)]
        slope = float(ends[0] - ends[1]) / (2 * step)
        assert np.vdot(grads[name], way) == pytest.approx(slope, rel=1e-5, abs=1e-8)


def test_kept_keys_and_values_give_the_same_scores():
    for model in (load_language(), small(h=2)):
        ids = reading(spell(["garden"]))[0]
        whole, cache = model.logits(ids)[0], ()
        for t, letter in enumerate(ids[0]):
            logits, cache = next_letter(model, letter, cache)
            np.testing.assert_allclose(logits, whole[t], atol=1e-5)
        assert len(cache) == 2
        assert all(part.shape[0] == len(ids[0]) for pair in cache for part in pair)


def test_induction_is_the_weight_behind_the_same_letter():
    class Copies:
        """One head that looks four places back, one that looks at the start."""

        def attention(self, ids):
            T = ids.shape[1]
            weights = np.zeros((1, len(ids), 2, T, T))
            rows = np.arange(4, T)
            weights[:, :, 0, rows, rows - 4] = 1
            weights[:, :, 1, :, 0] = 1
            again = (ids[:, 6:] == ids[:, 1:6]).all()
            weights *= 1 if again else 0.5
            return weights

    again, control = lab.induction(Copies(), 20)
    assert again.tolist() == [[1, 0]]
    assert control.tolist() == [[0.5, 0]]


def test_there_are_no_induction_heads_here():
    again, control = lab.induction(load_language())
    assert again.shape == (2, 4)
    assert again.max() < 0.15
    assert np.abs(again - control).max() < 0.03


def test_what_is_changed_costs_bits():
    rows = TABLE["changes"]
    assert list(rows) == list(recipe.CHANGES)
    picture = lab.changed_bits()
    bits = np.array([row["bits"] for row in rows.values()])
    np.testing.assert_allclose(picture.array, [bits.mean(axis=1)])
    np.testing.assert_allclose(picture.data.low, [bits.min(axis=1)])
    whole, layer, head, places = bits
    assert min(head) > max(whole) and min(places) > max(whole)
    assert 0 < layer.mean() - whole.mean() < np.ptp(whole)


def test_without_positions_there_is_no_table_of_them():
    model = small(places=False)
    assert "E_place" not in model.params
    assert model.logits(np.array([[0, 1, 2]])).shape == (1, 3, SIGNS)


def test_the_view_shows_all_heads_and_what_is_expected():
    view, model = lab.explore_letters("cat", 5), load_language()
    weights = model.attention(reading(spell(["cat"]))[0])[:, 0]
    np.testing.assert_array_equal(view.picture.array, weights.reshape(8, 4, 4))
    likely = lab.chances(model, "cat")
    assert f"{likely.max():.2f}" in view.message
    assert view.picture.layout.titles[5] == "block 1, head 1"
    view.close()
    leaking = lab.explore_letters("cat", model=load_language(causal=False))
    assert np.triu(leaking.picture.array, 1).max() > 0.5
    leaking.close()
