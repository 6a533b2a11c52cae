"""The classic bugs: each is what its name says, and did in training what is told."""

import json
import math

import numpy as np
import pytest

from mha_core import causal_mask, padding_mask, softmax
from mha_core.lab import CLASSIC_BUGS, bug_errors, explore_bugs
from mha_core.lab.explorers.trained_bugs import symptom
from mha_core.lab.measure.bugs_at_work import LENGTH, T, moved_by
from mha_core.lab.pictures.bugs_drawn import (
    bug_losses,
    bug_reach,
    bug_weights,
    trained_with,
)
from mha_core.models.classic_bugs import CLASSIC, attention_with, untrained
from mha_core.recipes import bugs_trained as recipe
from mha_core.tables import load_classic_bugs
from mha_core.training import loss

B, h, WIDTH = 4, 4, 8
RNG = np.random.default_rng(1)
X, W = RNG.standard_normal((B, T, WIDTH)), RNG.standard_normal((4, WIDTH, WIDTH))
MASK = padding_mask([T, LENGTH, 3, T], T)
SEEN = MASK[:, None] & causal_mask(T)  # (B, 1, T, T)
ROWS = load_classic_bugs()["bugs"]
LEAKS = (
    *("merge", "mask upside down", "mask one late", "mask after softmax"),
    *("mask added", "softmax over queries"),
)
STOPPED = "empty rows", "-1e9 in half precision"
UNNOTICED = "batch as heads", "no scale", "scale by d_model", "padding in the loss"
ELSEWHERE = "none", "no positions", "padding in the loss"


def of(bug, X=X, W=W, mask=MASK, causal=True):
    return attention_with(bug)(X, *W, h, mask, key=X, value=X, causal=causal)


def scores(scale):
    """Return the scores of each head by a loop, (B, h, T, T)."""
    parts = [slice(2 * i, 2 * i + 2) for i in range(h)]
    found = [(X @ W[0])[..., p] @ (X @ W[1])[..., p].swapaxes(1, 2) for p in parts]
    return np.stack(found, axis=1) * scale


def masked(scores, seen):
    return softmax(np.where(seen, scores, -1e30)) * seen


WEIGHTS = {
    "none": lambda s: masked(s, SEEN),
    "mask after softmax": lambda s: softmax(s) * SEEN,
    "mask added": lambda s: softmax(s + SEEN),
    "no scale": lambda s: masked(s * math.sqrt(2), SEEN),
    "scale by d_model": lambda s: masked(s / 2, SEEN),  # root of h
    "mask one late": lambda s: masked(s, MASK[:, None] & causal_mask(T, offset=1)),
    "mask upside down": lambda s: masked(s, ~SEEN) * (~SEEN).any(-1, keepdims=True),
    "batch as heads": lambda s: masked(
        s, MASK.swapaxes(0, 1)[..., None, :] & causal_mask(T)
    ),
}


@pytest.mark.parametrize("bug", WEIGHTS)
def test_the_weights_are_those_that_the_name_of_the_bug_says(bug):
    expected = WEIGHTS[bug](scores(1 / math.sqrt(2)))
    assert np.allclose(of(bug)[1], expected, atol=1e-12)


def test_softmax_over_queries_sums_to_1_down_the_columns():
    sums = of("softmax over queries")[1].sum(axis=-2)
    assert np.allclose(sums, SEEN.any(axis=-2))


@pytest.mark.parametrize("bug", ["split", "merge"])
def test_a_wrong_reshape_has_the_right_shapes(bug):
    assert [x.shape for x in of(bug)] == [x.shape for x in of("none")]
    assert np.allclose(of(bug)[1], of("none")[1]) == (bug == "merge")
    assert not np.allclose(of(bug)[0], of("none")[0])


def test_masks_of_samples_are_taken_for_heads_only_if_there_are_as_many():
    bug = "batch as heads"
    one = X[:1], W, MASK[:1]
    assert np.allclose(of(bug, *one)[0], of("none", *one)[0])
    assert not np.allclose(of(bug)[0], of("none")[0])
    eight = np.tile(X, (2, 1, 1)), W, np.tile(MASK, (2, 1, 1))
    assert np.allclose(of(bug, *eight)[0], np.tile(of(bug)[0], (2, 1, 1)))


def test_rows_without_keys_are_no_numbers_where_nothing_guards_them():
    output, _ = of("empty rows", causal=False)
    assert np.isnan(output[1, LENGTH:]).all()
    assert np.allclose(output[1, :LENGTH], of("none", causal=False)[0][1, :LENGTH])
    whole = np.ones_like(MASK)
    assert np.allclose(of("empty rows", mask=whole)[0], of("none", mask=whole)[0])
    assert np.isnan(of("-1e9 in half precision")[0]).all()


def test_other_bugs_leave_attention_alone_and_unknown_ones_are_refused():
    for bug in ELSEWHERE:
        assert np.array_equal(of(bug)[0], of("none")[0])
    with pytest.raises(ValueError, match="bug must be one of none, split"):
        attention_with("typo")


def test_every_network_begins_alike_and_its_bug_shows():
    source, target = recipe.as_arrays(
        [("phone", ("F", "OW", "N")), ("at", ("AE", "T"))]
    )
    networks = {
        b: untrained(b, np.random.default_rng(0), recipe.PHONEMES) for b in CLASSIC
    }
    right = networks["none"]
    for bug, network in networks.items():
        assert all(
            np.array_equal(network.params[k], right.params[k]) for k in right.params
        )
        assert network.with_params(right.params).bug == bug
        if bug in STOPPED:
            with pytest.raises(ValueError):
                loss(network, source, target)
        elif bug not in ("none", "padding in the loss", "batch as heads"):
            assert loss(network, source, target) != loss(right, source, target)
    counted = recipe.everything_counts(right, source, target)
    assert counted != loss(right, source, target)


def test_who_can_see_whom():
    right = moved_by("none")
    seen = causal_mask(T) & (np.arange(T) < LENGTH)
    assert np.array_equal(right | np.eye(T, dtype=bool), seen | np.eye(T, dtype=bool))
    late = causal_mask(T, offset=1) & (np.arange(T) < LENGTH)
    assert np.array_equal(
        moved_by("mask one late") & ~np.eye(T, dtype=bool),
        late & ~np.eye(T, dtype=bool),
    )
    assert moved_by("mask added").all()
    assert moved_by("batch as heads").sum() == right.sum() + 1  # of padding
    for bug in UNNOTICED[1:]:
        assert np.array_equal(moved_by(bug), right)
    for bug in STOPPED:
        assert moved_by(bug) is None
        assert np.array_equal(bug_reach(bug).array, right)


def test_names_are_the_same_everywhere():
    assert list(CLASSIC_BUGS) == list(CLASSIC) == list(ROWS)


def test_what_leaks_trains_too_well_and_cannot_speak():
    end, error = min(ROWS["none"]["ends"]), max(ROWS["none"]["errors"])
    for bug in LEAKS:
        assert max(ROWS[bug]["ends"]) < 0.7 * end
        assert min(ROWS[bug]["errors"]) > 2 * error
        assert "Too good to be true" in symptom(bug)


def test_what_nobody_notices_costs_no_error():
    for bug in UNNOTICED:
        assert np.mean(ROWS[bug]["errors"]) < 1.1 * np.mean(ROWS["none"]["errors"])
        assert "The error does not tell" in symptom(bug)
    for bug in ("split", "no positions"):
        assert min(ROWS[bug]["ends"]) > 1.5 * max(ROWS["none"]["ends"])
        assert "it learns, but less" in symptom(bug).lower()


def test_what_stops_has_a_sentence_and_shows_what_should_be(opened):
    for bug in STOPPED:
        assert "no number" in symptom(bug)
        assert np.array_equal(bug_weights(bug).array, bug_weights("none").array)
        assert len(bug_losses(bug).array) == 1
    with pytest.raises(ValueError, match="empty rows has no error"):
        bug_errors("none", "empty rows")
    assert "Nothing is wrong" in opened(explore_bugs).message


@pytest.mark.parametrize(
    ("show", "draw"),
    [("loss", bug_losses), ("weights", bug_weights), ("reach", bug_reach)],
)
def test_the_view_shows_the_picture_that_is_chosen(show, draw, opened):
    view = opened(explore_bugs, bug="mask one late", show=show)
    assert np.array_equal(view.picture.array, draw("mask one late").array)


@pytest.mark.parametrize("draw", [bug_losses, bug_weights, bug_errors])
def test_a_bug_that_is_none_is_refused_in_a_sentence(draw):
    with pytest.raises(ValueError, match="bug must be one of none, split"):
        draw("typo")


def test_the_heat_map_is_of_true_sounds_and_of_letters_with_padding():
    network = untrained("none", np.random.default_rng(0), recipe.PHONEMES)
    weights = np.array(recipe.cross_weights(network))
    assert weights.shape == (4, 7, 9)  # six sounds and the end; two of padding
    assert not weights[..., 7:].any()
    assert np.allclose(weights.sum(axis=-1), 1, atol=1e-3)


def test_pictures_hold_the_shipped_numbers():
    assert trained_with("split") == (ROWS["split"], ROWS["none"])
    row = ROWS["mask one late"]
    assert np.allclose(bug_losses("mask one late").array[1], row["losses"])
    assert np.allclose(bug_weights("mask one late").array, row["weights"])
    means = [np.mean(ROWS[bug]["errors"]) for bug in ("none", "split")]
    assert np.allclose(bug_errors("none", "split").array, means)


def test_the_recipe_trains_measures_and_notes(tmp_path, monkeypatch):
    monkeypatch.setattr(recipe, "STEPS", 2)
    monkeypatch.setattr(recipe, "HELD_OUT", 4)
    monkeypatch.setattr(recipe, "SEEDS", (0, 1))
    names = ["--folder", str(tmp_path / "kept"), "--data", str(tmp_path)]
    recipe.main(["softmax over queries", "empty rows", "padding in the loss", *names])
    table = load_classic_bugs(tmp_path)
    assert list(table["bugs"]) == [
        "empty rows",
        "softmax over queries",
        "padding in the loss",
    ]
    row = table["bugs"]["softmax over queries"]
    assert len(row["losses"]) == 1
    assert len(row["errors"]) == len(row["ends"]) == 2
    assert np.shape(row["weights"]) == (4, 7, 9)
    assert "nan" in table["bugs"]["empty rows"]["stopped"]
    assert json.loads((tmp_path / "manifest.json").read_bytes())
