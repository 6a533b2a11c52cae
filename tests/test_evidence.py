"""What claims rest on: measured again in part, and shown as it was measured."""

import json

import numpy as np
import pytest

from mha_core.evaluation import missed_by_fifth, transcribe
from mha_core.lab import (
    agreement_bars,
    bottleneck_cost,
    cost_by_fifth,
    head_places,
    held_out_error,
    knockout_bars,
    missed_sounds,
    part_knockouts,
    place_bars,
    some_held_out,
    without_heads,
)
from mha_core.lab.measure.fifths import count_by_fifth
from mha_core.lab.measure.knockout import attentions
from mha_core.pretrained import load, load_evidence
from mha_core.recipes import evidence as recipe
from mha_core.tasks import pronunciation, spell
from small_models import tiny

SHIPPED = load_evidence()
TEST = pronunciation("test")
LONG = [pair for pair in TEST if len(pair[0]) >= 12]


def test_errors_without_heads_are_near_those_of_a_sample():
    some, model = some_held_out(500), load("multihead")
    for out, error in SHIPPED["knocked out"][:6]:
        again = held_out_error(without_heads(model, out), some)
        assert again == pytest.approx(error, abs=0.025)
    found = SHIPPED["transformer heads"]
    model, some = load("transformer"), some[:200]
    assert held_out_error(model, some) == pytest.approx(found["whole"], abs=0.03)
    without = without_heads(model, range(4), "decoder 0 cross")
    again = held_out_error(without, some)
    assert again == pytest.approx(found["decoder 0 cross"][4], abs=0.05)


@pytest.mark.parametrize(("how", "true_sounds"), [("own", False), ("true", True)])
def test_the_cost_of_the_bottleneck_is_measured_again(how, true_sounds):
    models = [load(kind) for kind in ("last_state", "bahdanau")]
    missed = [missed_sounds(m, LONG, true_sounds=true_sounds) for m in models]
    found = SHIPPED["fifths"][f"{how} sounds"]
    assert SHIPPED["fifths"]["words"] == len(LONG) == 927
    np.testing.assert_allclose(cost_by_fifth(*missed), found["cost"], atol=2e-3)
    for kind, flags in zip(("last_state", "bahdanau"), missed, strict=True):
        missed_sum, total = (counts.sum(axis=0) for counts in count_by_fifth(flags))
        np.testing.assert_allclose(missed_sum / total, found[kind], atol=1e-3)


def test_places_are_measured_again():
    found = head_places(load("transformer"), TEST)
    assert found.keys() == SHIPPED["places"].keys()
    for name, shares in found.items():
        np.testing.assert_allclose(shares, SHIPPED["places"][name], atol=1e-3)


def test_the_recipe_ships_what_it_measures(tmp_path, capsys):
    recipe.main(["--words", "12", "--data", str(tmp_path)])
    made = load_evidence(tmp_path)
    assert made.keys() == SHIPPED.keys()
    assert made["words"] == 12
    assert len(made["knocked out"]) == len(SHIPPED["knocked out"]) == 16
    model = load("multihead")
    error = held_out_error(without_heads(model, (0, 2)), some_held_out(12))
    assert [[0, 2], round(error, 4)] in made["knocked out"]
    parts = SHIPPED["transformer heads"].keys()
    assert {*parts} == {"whole", *attentions(load("transformer"))}
    left = without_heads(load("transformer"), [1], "decoder 0 cross")
    error = round(held_out_error(left, some_held_out(12)), 4)
    assert made["transformer heads"]["decoder 0 cross"][1] == error
    manifest = json.loads((tmp_path / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["evidence.json"]["rebuild"] == recipe.COMMAND
    assert capsys.readouterr().out.startswith("words: 12\n")


def test_on_its_own_sounds_it_is_the_share_that_was_measured_before():
    model = load("bahdanau")
    some = LONG[:60]
    missed, total = count_by_fifth(missed_sounds(model, some))
    said = transcribe(model, [word for word, _ in some])
    expected = missed_by_fifth(said, some)
    np.testing.assert_allclose(missed.sum(axis=0) / total.sum(axis=0), expected)


def test_on_true_sounds_a_fault_is_not_carried_on():
    model = load("last_state")
    own, true = (
        np.mean(sum(missed_sounds(model, LONG, true_sounds=how), []))
        for how in (False, True)
    )
    assert true < own - 0.05


def test_fifths_count_each_sound_once():
    missed, total = count_by_fifth([[True] + [False] * 9, [True, False], []])
    assert missed.tolist() == [[1, 0, 0, 0, 0], [1, 0, 0, 0, 0], [0] * 5]
    assert total.tolist() == [[2] * 5, [1, 0, 1, 0, 0], [0] * 5]


def test_the_cost_is_a_difference_with_an_interval_around_it():
    rng = np.random.default_rng(0)
    without, kept = ((rng.random((400, 10)) < p).tolist() for p in (0.4, 0.1))
    cost, low, high = cost_by_fifth(without, kept)
    expected = np.subtract(without, kept, dtype=float).reshape(400, 5, 2)
    np.testing.assert_allclose(cost, expected.mean(axis=(0, 2)))
    spread = expected.mean(axis=-1).std(axis=0) / np.sqrt(400)
    np.testing.assert_allclose(high - low, 2 * 1.96 * spread, rtol=0.1)
    assert (cost_by_fifth(kept, kept)[1] == 0).all()


def test_places_are_the_weights_beside_the_diagonal():
    model, pairs = load("transformer"), [("knight", ("N", "AY", "T")), ("a", ("AH",))]
    found = head_places(model, pairs)
    source, target_in = spell(["knight", "a"]), np.array([[0, 27, 6], [0, 0, 0]])
    weights = model.attention(source, target_in)["encoder 1"]
    for column, step in enumerate((-1, 0, 1)):
        beside = np.diagonal(weights[0], step, axis1=-2, axis2=-1)
        same = [weights[1, :, :1, 0]] if step == 0 else []
        expected = np.concatenate([beside, *same], axis=-1).mean(axis=-1)
        np.testing.assert_allclose(found["encoder 1"][:, column], expected, atol=1e-5)
    expected = [1 / 6, (6 * 1 / 6 + 1) / 7, 1 / 6]
    np.testing.assert_allclose(found["encoder alike"], [expected])
    expected = [(1 / 2 + 1 / 3) / 2, (1 + 1 / 2 + 1 / 3 + 1) / 4, 0]
    np.testing.assert_allclose(found["decoder alike"], [expected])
    assert not found["decoder 0 self"][:, 2].any()


def test_places_do_not_depend_on_what_else_is_read():
    model, some = load("transformer"), some_held_out(40)
    each = [head_places(model, [pair])["encoder 1"][:, 1] for pair in some]
    letters = [len(word) for word, _ in some]
    together = head_places(model, some)["encoder 1"][:, 1]
    np.testing.assert_allclose(together, np.average(each, 0, letters), atol=1e-5)


def test_only_a_transformer_has_self_attention():
    with pytest.raises(ValueError, match="not a model of kind bahdanau"):
        head_places(tiny("bahdanau"), TEST[:1])


def test_two_heads_are_positional_and_the_first_layer_is_blurred():
    places = {name: np.array(rows) for name, rows in SHIPPED["places"].items()}
    assert places["encoder 1"].max() > 0.8
    assert (places["encoder 1"].max(axis=-1) > 0.5).sum() == 3
    assert places["encoder 0"].max() < 0.4
    assert places["encoder alike"].max() < 0.14


def test_bars_show_what_was_measured():
    outs, errors = zip(*SHIPPED["knocked out"], strict=True)
    picture = knockout_bars()
    assert np.array_equal(picture.array, [errors])
    assert picture.layout.x[:6] == ("none", "0", "1", "2", "3", "01")
    assert len(outs) == len(picture.layout.x)
    shares = np.array(SHIPPED["agreement"]["shares"])
    additive, others, line = agreement_bars().array
    assert np.array_equal(additive, shares[0, 1:5])
    assert np.array_equal(line, shares[1:5, 5])
    assert others[0] == pytest.approx(shares[1, 2:5].mean())
    parts = part_knockouts()
    found = SHIPPED["transformer heads"]
    assert parts.layout.x[0] == "encoder 0"
    assert parts.layout.x[-1] == "cross 1"
    assert np.array_equal(parts.array[:, -1], found["decoder 1 cross"])
    assert f"{found['whole']:.3f}" in parts.sentence


def test_the_cost_shows_both_ways_with_their_intervals():
    picture, found = bottleneck_cost(), SHIPPED["fifths"]
    costs = np.array([found[how]["cost"] for how in ("own sounds", "true sounds")])
    assert np.array_equal(picture.array, costs[:, 0])
    assert np.array_equal(picture.data.low, costs[:, 1])
    assert np.array_equal(picture.data.high, costs[:, 2])
    assert "most in the fourth with 0.297" in picture.sentence
    assert "most in the third with 0.217" in picture.sentence


@pytest.mark.parametrize(("side", "places"), [("encoder", 3), ("decoder", 2)])
def test_places_are_shown_beside_weights_all_alike(side, places):
    picture = place_bars(side)
    assert picture.array.shape == (places, 4 + 4 + 1)
    alike = SHIPPED["places"][f"{side} alike"][0]
    assert np.array_equal(picture.array[:, -1], alike[:places])
    assert picture.layout.x[7:] == ("1.3", "alike")
    name = "encoder 1" if side == "encoder" else "decoder 1 self"
    assert np.array_equal(picture.array[:, 7], SHIPPED["places"][name][3][:places])


def test_there_are_two_sides():
    with pytest.raises(ValueError, match="side must be encoder or decoder, not 'x'"):
        place_bars("x")
