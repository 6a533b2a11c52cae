import dataclasses
import io
import string

import numpy as np
import pytest

from mha_core.evaluation import phoneme_error, transcribe
from mha_core.pretrained import load, load_errors, load_relations, save
from mha_core.pronouncing import MOST_LETTERS, check_word, pronounce
from mha_core.recipes.pronunciation import measure
from mha_core.shipped import DATA, ship
from mha_core.tasks import pronunciation
from places import spelled
from small_models import tiny

SHIPPED = load_errors()
HEADS = {"last_state": 0, "bahdanau": 1, "multihead": 4, "transformer": 4}
SIZES = {"last_state": 86301, "bahdanau": 87305, "multihead": 87681}
SIZES |= {"transformer": 86745}
MOST = dict.fromkeys(SIZES, 0.115) | {"transformer": 0.125}
each_kind = pytest.mark.parametrize("kind", SHIPPED)


@pytest.fixture(scope="session")
def measured():
    """What each shipped model does on all test words, measured now."""
    test = pronunciation("test")
    return {kind: measure(load(kind), test) for kind in SHIPPED}


def sounds_of(low, high):
    """Return the number of phonemes of the test words of these lengths."""
    return sum(len(p) for word, p in pronunciation("test") if low <= len(word) <= high)


def by_length(measured):
    return {(low, high): error for low, high, error, _ in measured["by_length"]}


def test_the_last_states_fail_on_long_words(measured):
    errors = by_length(measured["last_state"])
    assert errors[14, 15] >= 0.30
    rising = [errors[length] for length in errors if 4 <= length[0] <= 14]
    assert rising == sorted(rising)


@pytest.mark.parametrize("kind", ["bahdanau", "multihead"])
def test_attention_holds_at_every_length(kind, measured):
    assert measured[kind]["error"] <= 0.115
    errors = by_length(measured[kind])
    assert max(error for (low, _), error in errors.items() if 4 <= low <= 14) <= 0.13


@pytest.mark.parametrize("kind", [kind for kind in SHIPPED if kind == "transformer"])
def test_the_transformer_holds_up_to_13_letters(kind, measured):
    for table in (measured[kind], *SHIPPED[kind].values()):
        errors = by_length(table)
        assert table["error"] <= 0.125
        ranges = [error for (low, _), error in errors.items() if 4 <= low <= 12]
        assert max(ranges) <= 0.14


def test_all_are_of_one_size(measured):
    assert {k: m["parameters"] for k, m in measured.items()} == {
        kind: SIZES[kind] for kind in SHIPPED
    }


def test_without_attention_the_middle_is_lost(measured):
    fifths = measured["last_state"]["by_fifth"]
    assert fifths.index(max(fifths)) == 2
    assert max(fifths) > 2.5 * fifths[0]
    assert max(fifths) > 1.5 * fifths[4]
    assert max(measured["bahdanau"]["by_fifth"]) < 0.5 * max(fifths)


@each_kind
def test_the_shipped_table_is_what_the_shipped_weights_do(kind, measured):
    now, table = measured[kind], SHIPPED[kind]["0"]
    assert set(now) == set(table)
    for name in ("error", "exact", "by_fifth"):
        assert np.allclose(now[name], table[name], rtol=0, atol=3e-4)
    far = np.abs(np.array(now["by_length"]) - table["by_length"])
    sounds = [sounds_of(low, high) for low, high, *_ in table["by_length"]]
    assert (far[:, 2] * sounds <= 2.1).all()  # another processor may turn one or two
    assert (far[:, [0, 1, 3]] == 0).all()
    assert sum(words for *_, words in table["by_length"]) == 11855


def test_the_longest_words_are_as_wrong_as_the_table_says():
    rows = {kind: SHIPPED[kind]["0"]["by_length"][-1] for kind in SHIPPED}
    words = [pair for pair in pronunciation("test") if 16 <= len(pair[0]) <= 20]
    for kind, row in rows.items():
        now = measure(load(kind), words)["by_length"]
        assert [tuple(r) for r in now] == [
            (16, 20, pytest.approx(row[2], abs=1e-3), 90)
        ]


@each_kind
def test_a_sample_of_the_test_words_is_about_as_wrong_as_the_table(kind):
    test = pronunciation("test")
    some = [test[i] for i in np.random.default_rng(0).choice(len(test), 300, False)]
    assert measure(load(kind), some)["error"] == pytest.approx(
        SHIPPED[kind]["0"]["error"], abs=0.03
    )


@each_kind
def test_every_seed_is_measured_with_its_weights_in_float16(kind):
    model, some = tiny(kind, dtype=np.float32), pronunciation("dev")[:40]
    rng, name = np.random.default_rng(0), "b_out"
    model.params[name] = 1000 + rng.random(41).astype(np.float32)  # halves and wholes
    half = {n: p.astype(np.float16).astype(np.float32) for n, p in model.params.items()}
    assert measure(model, some) == measure(model.with_params(half), some)
    raw = transcribe(model, [word for word, _ in some])
    assert phoneme_error(raw, some) != measure(model, some)["error"]


@each_kind
def test_every_seed_of_the_table_tells_the_same(kind):
    for table in SHIPPED[kind].values():
        errors = by_length(table)
        assert (errors[14, 15] >= 0.30) == (kind == "last_state")
        assert (table["error"] <= MOST[kind]) == (kind != "last_state")


@each_kind
def test_the_file_is_small_and_in_float16(kind):
    path = DATA / f"pronunciation-{kind}.npz"
    assert path.stat().st_size < 250_000
    with np.load(path, allow_pickle=False) as saved:
        assert {saved[name].dtype for name in saved} == {np.dtype("float16")}
    assert {p.dtype for p in load(kind).params.values()} == {np.dtype("float32")}


def test_what_is_saved_is_loaded_in_float16_precision(tmp_path):
    folder = tmp_path / spelled("my 数据")
    folder.mkdir()
    model = tiny("bahdanau")
    save(model, str(folder))
    again = load("bahdanau", folder=str(folder))
    assert list(again.params) == list(model.params)
    for name, param in model.params.items():
        assert np.allclose(again.params[name], param, rtol=1e-3, atol=1e-6)
        assert again.params[name].dtype == np.float32


def test_two_loads_share_nothing():
    load("bahdanau").params["b_out"][:] = 99
    assert load("bahdanau").params["b_out"].max() < 99


def test_pickles_are_not_opened(tmp_path):
    file = io.BytesIO()
    np.savez(file, W=np.array([{"a": 1}], dtype=object))
    ship("pronunciation-bahdanau.npz", file.getvalue(), "none", tmp_path)
    with pytest.raises(ValueError, match="allow_pickle=False"):
        load("bahdanau", folder=tmp_path)


@pytest.mark.parametrize("kind", ["lstm", "", None, "Bahdanau", ["bahdanau"]])
def test_an_unknown_kind_is_refused_with_those_there_are(kind):
    with pytest.raises(
        ValueError, match="kind must be one of last_state, bahdanau.*, not"
    ):
        load(kind)


def test_a_seed_that_is_not_shipped_is_refused_with_the_command_that_trains_it():
    with pytest.raises(
        ValueError, match="seed 0 is shipped, not 2; python -m mha_core"
    ):
        load("bahdanau", seed=2)


def test_a_seed_that_is_no_integer_is_refused():
    for call in (lambda: load("bahdanau", 0.0), lambda: load_relations(16, 4, 0.0)):
        with pytest.raises(ValueError, match="seed must be an integer.*, not 0.0"):
            call()


def test_what_float16_cannot_hold_is_not_saved(tmp_path):
    model = tiny("bahdanau")
    for number in (1e5, -1e5, np.nan):
        model.params["W_out"][0, 0] = number
        with pytest.raises(ValueError, match="W_out cannot be saved in float16"):
            save(model, tmp_path)
    assert not list(tmp_path.iterdir())


def test_knight_was_seen_in_training():
    said = pronounce(load("bahdanau"), "knight")
    assert said.letters == tuple("knight")
    assert said.phonemes == said.expected == ("N", "AY", "T")
    assert said.seen
    assert repr(said) == "knight: n aɪ t (seen in training; as in the dictionary)"


def test_queue_was_held_out():
    said = pronounce(load("bahdanau"), "queue")
    assert said.expected == ("K", "Y", "UW")
    assert not said.seen
    assert said.phonemes != said.expected
    assert "(held out of training; the dictionary has k j u)" in repr(said)


@each_kind
@pytest.mark.parametrize("word", ["knight", "administration", "b", "z" * 40])
def test_T01_rows_are_phonemes_and_columns_are_letters(kind, word):
    said, h = pronounce(load(kind), word), HEADS[kind]
    assert said.weights.shape == (h, len(said.phonemes), len(word))
    assert np.allclose(said.weights.sum(axis=-1), 1, atol=1e-6)


@pytest.mark.parametrize("typed", ["Knight", "KNIGHT", "  knight ", "knight\n"])
def test_capitals_and_spaces_around_do_not_matter(typed):
    assert repr(pronounce(load("bahdanau"), typed)) == repr(
        pronounce(load("bahdanau"), "knight")
    )


def test_40_letters_are_read_and_41_are_not():
    model = load("bahdanau")
    assert MOST_LETTERS == 40
    assert len(pronounce(model, "ab" * 20).letters) == 40
    with pytest.raises(ValueError, match="41 letters are too many; type at most 40"):
        pronounce(model, "a" * 41)


def test_words_that_training_looked_at_but_did_not_learn_are_held_out():
    word, phonemes = pronunciation("dev")[0]
    said = pronounce(load("bahdanau"), word)
    assert (said.expected, said.seen) == (phonemes, False)


def test_a_word_that_no_dictionary_has():
    said = pronounce(load("bahdanau"), "blorf")
    assert (said.expected, said.seen) == (None, False)
    assert "(not in the dictionary)" in repr(said)


@pytest.mark.parametrize(
    ("typed", "part"),
    [
        ("", "Type a word"),
        (" \t", "Type a word"),
        ("route66", "'6' is none"),
        ("naïve", "'ï' is none"),
        ("注意力", "'注' is none"),
        ("two words", "' ' is none"),
        ("it's", '"\'" is none'),
        ("ｋnight", "is none"),
        ("\u0130x", "is none"),
        ("a\ud800", r"'\ud800' is none"),
        (None, "must be text, not NoneType"),
        (5, "must be text, not int"),
        (b"knight", "must be text, not bytes"),
        (["knight"], "must be text, not list"),
        ("x" * 100_000, "100000 letters are too many"),
    ],
)
def test_what_the_models_cannot_read_is_told_in_one_sentence(typed, part):
    for function in (check_word, lambda word: pronounce(load("bahdanau"), word)):
        with pytest.raises(ValueError) as refusal:
            function(typed)
        told = str(refusal.value)
        assert part in told
        assert len(told) < 200
        assert "\n" not in told


@each_kind
@pytest.mark.parametrize("letter", string.ascii_lowercase)
def test_every_letter_alone_gives_a_pronunciation(kind, letter):
    assert isinstance(pronounce(load(kind), letter).phonemes, tuple)


def test_a_pronunciation_is_not_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        pronounce(load("bahdanau"), "knight").seen = False


def test_a_model_that_writes_nothing_says_so():
    model = tiny("bahdanau", dtype=np.float32)
    model.params["b_out"][0] = 99
    said = pronounce(model, "cat")
    assert said.phonemes == ()
    assert said.weights.shape == (1, 0, 3)
    assert repr(said).startswith("cat: nothing (seen in training; the dictionary has")
