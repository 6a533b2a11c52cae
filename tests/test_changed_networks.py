"""Networks that pronounce with one thing changed: recipe, table, weights, pictures."""

import numpy as np
import pytest

from mha_core import lab
from mha_core.evaluation import BUCKETS, phoneme_error, shortened, transcribe
from mha_core.lab.measure.one_edit import near_words
from mha_core.lab.pictures.errors import by_seed, which_there_are
from mha_core.pretrained import (
    load,
    load_controls,
    load_errors,
    load_one_head,
    weights_name,
)
from mha_core.pronouncing import pronounce
from mha_core.recipes import pronunciation_controls as recipe
from mha_core.shipped import DATA, read_shipped
from mha_core.tasks import batches_of_one_length, pronunciation
from small_models import tiny

TABLE = load_controls()
SHIPPED = ("last_state", "bahdanau", "multihead", "transformer")
WIDTHS = {20: "message-20", 42: "message-42", 84: "last_state", 168: "message-168"}
MESSAGES = (
    *("message-20", "message-42", "last_state", "message-84-16000"),
    *("message-168", "bahdanau"),
)
RATES = "transformer-16000", "transformer-rate-2e-3", "transformer-rate-8e-3"
each_width = pytest.mark.parametrize("width", WIDTHS)


def long_words(shortest=16):
    return [pair for pair in pronunciation("test") if len(pair[0]) >= shortest]


def error_by_length(name):
    return [error for _, _, error, _ in TABLE[name]["by_length"]]


@each_width
def test_a_message_has_the_width_that_is_asked_for(width):
    model = load("last_state", width=width)
    assert model.trained
    memory, first = model.start(np.array([[1, 2, 3]]))
    assert memory[0].shape == first.shape == (1, width)
    assert {p.dtype for p in model.params.values()} == {np.dtype("float32")}


def test_without_a_width_the_message_is_as_wide_as_that_of_the_others():
    one, other = load("last_state"), load("last_state", width=84)
    assert all(np.array_equal(p, other.params[n]) for n, p in one.params.items())


@pytest.mark.parametrize("width", [21, 0, 40, "84", 84.5, True])
def test_another_width_is_refused_with_those_there_are(width):
    with pytest.raises(ValueError, match="width must be .*not ") as refusal:
        load("last_state", width=width)
    assert "20, 42, 84 and 168" in str(refusal.value) or "integer" in str(refusal.value)


def test_networks_with_attention_have_one_width():
    with pytest.raises(ValueError, match="Only last_state .*leave width out for bahd"):
        load("bahdanau", width=84)


@each_width
def test_the_table_is_what_the_shipped_weights_do(width):
    row, words = TABLE[WIDTHS[width]], long_words()
    said = transcribe(load("last_state", width=width), [word for word, _ in words])
    assert row["short"] == pytest.approx(shortened(said, words), abs=0.012)  # one word
    low, high, error, count = row["by_length"][-1]
    assert (low, high, count) == (16, 20, len(words))
    assert error == pytest.approx(phoneme_error(said, words), abs=0.003)


def test_what_is_unchanged_is_what_the_table_of_the_kinds_has():
    for kind in SHIPPED:
        row, other = TABLE[kind], load_errors()[kind]["0"]
        assert row["shipped"]
        assert other == {key: row[key] for key in other}


def test_the_table_holds_controls_that_the_recipe_knows():
    for name, row in TABLE.items():
        control = recipe.CONTROLS_BY_NAME[name]._asdict() | {"h": row["h"]}
        assert control == {key: row[key] for key in control}
        assert sum(words for *_, words in row["by_length"]) == 11855
    assert {*SHIPPED, *WIDTHS.values(), "transformer-long-0"} < set(TABLE)


def test_a_wider_message_loses_less_at_every_length_but_still_more_than_attention():
    errors = [error_by_length(name)[1:] for name in WIDTHS.values()]
    for narrow, wide in zip(errors, errors[1:], strict=False):
        assert all(a > b for a, b in zip(narrow, wide, strict=True))
    assert error_by_length("message-168")[-2] > 2 * error_by_length("bahdanau")[-2]


def test_long_words_drawn_more_often_help_both_networks():
    for kind in ("transformer", "bahdanau"):
        shipped = load_errors()[kind].values()
        long = [TABLE[f"{kind}-long-{seed}"] for seed in range(3)]
        last = [[row["by_length"][-1][2] for row in rows] for rows in (shipped, long)]
        assert max(last[1]) < min(last[0])
        assert long[0]["short"] < TABLE[kind]["short"]


@pytest.fixture
def few(monkeypatch):
    """The recipe on few words and few steps."""
    words = pronunciation("dev")
    words = words[:40] + [pair for pair in words if len(pair[0]) >= 16][:8]
    monkeypatch.setattr(recipe, "pronunciation", lambda split: words)
    small = {
        "message-20": recipe.Control("last_state", width=20, steps=3),
        "transformer-long-0": recipe.Control("transformer", steps=3, long_words=True),
        "multihead-h1-1": recipe.Control("multihead", 1, h=1, steps=2, peak=1e-3),
        "bahdanau": recipe.Control("bahdanau", shipped=True),
    }
    monkeypatch.setattr(recipe, "CONTROLS_BY_NAME", small)
    monkeypatch.setattr(recipe, "EPOCH", 2)
    return words


def test_the_recipe_trains_measures_and_ships_and_does_not_train_again(
    few, tmp_path, monkeypatch, capsys
):
    where = ["--folder", str(tmp_path / "kept"), "--data", str(tmp_path)]
    recipe.main(where)
    table = load_controls(tmp_path)
    assert list(table) == list(recipe.CONTROLS_BY_NAME)
    assert [row["h"] for row in table.values()] == [0, 4, 1, 1]
    assert "bahdanau: error " in capsys.readouterr().out
    made = read_shipped("pronunciation-last_state-20.npz", tmp_path)
    assert len(list(tmp_path.glob("*.npz"))) == 1
    monkeypatch.setattr(recipe, "batches", lambda pairs, rng: 1 / 0)
    recipe.main(["message-20", *where])
    assert load_controls(tmp_path) == table
    assert read_shipped("pronunciation-last_state-20.npz", tmp_path) == made
    model = load("last_state", folder=tmp_path, width=20)
    said = transcribe(model, [word for word, _ in few])
    error = table["message-20"]["error"]
    assert phoneme_error(said, few) == pytest.approx(error, abs=1e-4)


def test_the_recipe_changes_what_the_control_says(few, tmp_path, monkeypatch):
    seen = []

    def train(model, draw, steps, **how):
        rng = np.random.default_rng(0)
        lengths = [{*(source > 0).sum(axis=1)} for source, _ in draw(rng)]
        seen.append((steps, how["seed"], how["peak"], lengths))

    monkeypatch.setattr(recipe, "train", train)
    for name, control in list(recipe.CONTROLS_BY_NAME.items())[:3]:
        recipe.trained(name, control, tmp_path)
    plain, by_length, rate = seen
    assert plain[:3] == (3, 0, 4e-3)
    assert len(plain[3]) == 1 and len(plain[3][0]) > 1
    assert by_length[0] == 3
    assert [len(lengths) for lengths in by_length[3]] == [1, 1]
    assert rate[:3] == (2, 1, 1e-3)


def test_drawn_by_length_long_words_come_more_often():
    pairs = [("a" * n, ("AH",)) for n in (3,) * 96 + (18,) * 6]
    drawn = batches_of_one_length(pairs, np.random.default_rng(0), size=1, count=2000)
    share = np.mean([source.shape[1] == 18 for source, _ in drawn])
    assert share == pytest.approx(1 / (1 + 4), abs=0.03)  # the roots of 96 and 6


def test_a_damaged_table_is_made_anew(tmp_path):
    recipe.note("message-42", {"error": 0.5}, tmp_path)
    recipe.note("message-20", {"error": 0.6}, tmp_path)
    assert list(load_controls(tmp_path)) == ["message-20", "message-42"]
    (tmp_path / "controls-pronunciation.json").write_bytes(b"")
    recipe.note("bahdanau", {"error": 0.4}, tmp_path)
    assert load_controls(tmp_path) == {"bahdanau": {"error": 0.4}}


def test_other_widths_have_files_of_their_own():
    assert weights_name("last_state") == "pronunciation-last_state.npz"
    assert weights_name("last_state", 20) == "pronunciation-last_state-20.npz"


def test_a_measurement_is_of_the_weights_in_float16(few):
    model, control = tiny("bahdanau", dtype=np.float32), recipe.Control("bahdanau")
    half = {n: p.astype(np.float16).astype(p.dtype) for n, p in model.params.items()}
    found = recipe.measure_control(model, control, few)
    assert found == recipe.measure_control(model.with_params(half), control, few)
    said = transcribe(model.with_params(half), [word for word, _ in few])
    long = [n for n, (word, _) in enumerate(few) if len(word) >= 16]
    short = shortened([said[n] for n in long], [few[n] for n in long])
    assert (found["h"], found["short"]) == (1, round(short, 4))


def test_all_that_is_shipped_stays_small():
    sizes = {file.name: file.stat().st_size for file in DATA.iterdir()}
    assert sizes.pop("sentence-reader.npz") < 6_000_000
    assert sum(sizes.values()) < 4_000_000


def test_words_that_lack_two_sounds_are_too_short():
    pairs = [("abcd", tuple("ABCD"))] * 4
    said = [tuple("ABCD"), tuple("ABC"), tuple("AB"), tuple("ABCDEF")]
    assert shortened(said, pairs) == 0.25
    assert shortened(said, pairs, by=1) == 0.5
    with pytest.raises(ValueError, match="no words to count"):
        shortened([], [])


@pytest.mark.parametrize(
    ("picture", "names"),
    [
        (lab.message_curves, MESSAGES),
        (
            lambda: lab.control_curves("transformer", *RATES, "bahdanau"),
            ["transformer", *RATES, "bahdanau"],
        ),
        (lambda: lab.control_curves("multihead"), ["multihead"]),
    ],
)
def test_curves_are_those_of_the_table(picture, names):
    picture = picture()
    assert np.allclose(picture.array, [error_by_length(name) for name in names])
    ranges = tuple(f"{low}-{high}" for low, high in BUCKETS)
    assert picture.layout.x == ranges
    assert picture.layout.counts[-1] == 90
    assert len(set(picture.layout.names)) == len(names)


def test_the_curves_of_long_words_span_three_trainings_of_each():
    picture = lab.long_word_curves()
    assert len(picture.array) == 4
    for n, kind in enumerate(("transformer", "bahdanau")):
        rows = {seed: TABLE[f"{kind}-long-{seed}"] for seed in range(3)}
        found = by_seed(rows, "by_length")[:, :, 2]
        assert np.allclose(picture.array[2 * n + 1], found[0])
        assert np.allclose(picture.data.low[2 * n + 1], found.min(axis=0))
        assert np.allclose(picture.data.high[2 * n + 1], found.max(axis=0))
        assert np.allclose(picture.array[2 * n], error_by_length(kind))


def test_short_bars_are_those_of_the_table():
    found = lab.short_bars().array  # (draws, kinds)
    for n, kind in enumerate(("transformer", "bahdanau")):
        assert found[0, n] == TABLE[kind]["short"]
        assert found[1, n] == TABLE[f"{kind}-long-0"]["short"]


def test_one_head_is_set_beside_four_of_the_same_seed():
    picture, four = lab.one_head_bars(), load_errors()["multihead"]
    assert picture.layout.x[0] == "seed 0"
    found = picture.array / 100
    assert np.isclose(found[0, 0], load_one_head()["multihead"]["error"])
    for n, name in enumerate(picture.layout.x[1:], start=1):
        row = TABLE[f"multihead-h1-{name[-1]}"]
        assert (row["h"], f"seed {row['seed']}") == (1, name)
        assert np.isclose(found[0, n], row["error"])
    seeds = [four[name[-1]]["error"] for name in picture.layout.x]
    assert np.allclose(found[1], seeds)


def test_twice_the_steps_help_the_transformer_but_not_on_the_longest_words():
    once, twice = TABLE["transformer"], TABLE["transformer-16000"]
    assert twice["steps"] == 2 * once["steps"]
    assert twice["error"] < once["error"] - 0.003
    assert abs(twice["by_length"][-1][2] - once["by_length"][-1][2]) < 0.03
    assert twice["short"] > 2 * TABLE["transformer-long-0"]["short"]


def test_networks_that_there_are_not_are_refused_with_those_there_are():
    assert which_there_are("a, b", []) == "Name one or more of a, b."
    assert which_there_are("a, b", ["c", "d"]) == "Name one or more of a, b, not 'c'."
    with pytest.raises(ValueError, match="Name one or more of .*, not 'lstm'"):
        lab.control_curves("lstm")
    with pytest.raises(ValueError, match="Name one or more of .*message-20"):
        lab.control_curves()


def test_every_network_of_the_table_has_a_name_in_pictures():
    from mha_core.lab.pictures.changed_networks import LABELS

    assert set(LABELS) == set(recipe.CONTROLS_BY_NAME)


@each_width
def test_the_explorer_shows_the_network_of_a_width(width, opened):
    view = opened(lab.explore_bottleneck, word="administration")
    view.controls["width"].value = width
    said = pronounce(load("last_state", width=width), "administration")
    assert view.message == f"{said}. Letters: 14; numbers passed on: {width}."
    other = opened(lab.explore_bottleneck, word="administration", width=width)
    assert np.array_equal(view.picture.array, other.picture.array)


def test_the_explorer_of_a_model_of_ones_own_has_its_width(opened):
    view = opened(lab.explore_bottleneck, model=tiny("last_state", dtype=np.float32))
    assert "width" not in view.controls
    with pytest.raises(ValueError, match="width"):
        view.set(width=20)


def test_presets_compare_a_narrow_and_a_wide_message(opened):
    view = opened(lab.explore_bottleneck)
    view.set(preset="a narrow message")
    assert view.values["width"] == 20
    assert view.set(preset="a wide message").values["width"] == 168


def test_words_one_edit_away_by_hand():
    others = ["phone", "cat", "abcd"]
    near = ["phone", "phane", "phones", "phon", "at", "coat", "acd", "dat"]
    far = ["pohne", "fone", "dog", "abdc", "catch", "ab", "phoness"]
    assert near_words(near, others) == [True] * len(near)
    assert near_words(far, others) == [False] * len(far)


def test_short_held_out_words_have_neighbours_in_the_training_and_long_ones_none():
    share = lab.near_training()
    assert list(share) == list(BUCKETS)
    assert share[4, 5] > 0.9
    assert share[14, 15] < 0.05
    train = {word for word, _ in pronunciation("train")}
    words = [word for word, _ in long_words()]
    alphabet = "abcdefghijklmnopqrstuvwxyz"
    slow = sum(any(e in train for e in edits(word, alphabet)) for word in words)
    assert share[16, 20] == pytest.approx(slow / len(words))


def edits(word, alphabet):
    """Return all words that one edit makes of a word."""
    cuts = [(word[:i], word[i:]) for i in range(len(word) + 1)]
    out = [a + b[1:] for a, b in cuts if b]
    changed = [a + letter + b[1:] for a, b in cuts if b for letter in alphabet]
    return {*out, *changed, *(a + letter + b for a, b in cuts for letter in alphabet)}
