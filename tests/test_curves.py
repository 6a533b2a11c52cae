import numpy as np
import pytest

from mha_core import lab
from mha_core.evaluation import phoneme_error, transcribe
from mha_core.pretrained import load, load_errors
from mha_core.tasks import pronunciation

TABLE = load_errors()
KINDS = ["last_state", "bahdanau"]


def of_seed_0(what):
    return [TABLE[kind]["0"][what] for kind in KINDS]


def test_the_curves_are_those_of_the_shipped_table():
    picture = lab.error_curves(*KINDS)
    rows = np.array(of_seed_0("by_length"))  # (2, ranges, 4)
    assert np.array_equal(picture.array, rows[:, :, 2])
    assert picture.layout.counts == tuple(rows[0, :, 3])
    assert picture.layout.x[0] == "2-3"
    assert picture.layout.limits == (0, 0.5)


def test_the_bars_are_those_of_the_shipped_table():
    picture = lab.missed_bars(*KINDS)
    assert np.array_equal(picture.array, of_seed_0("by_fifth"))
    assert picture.layout.x == ("first", "second", "third", "fourth", "last")


@pytest.mark.parametrize("curves", [lab.error_curves, lab.missed_bars])
def test_the_band_spans_all_seeds(curves):
    what = "by_length" if curves is lab.error_curves else "by_fifth"
    for kind in KINDS:
        seeds = np.array([seed[what] for seed in TABLE[kind].values()])
        seeds = seeds[:, :, 2] if what == "by_length" else seeds
        data = curves(kind).data
        assert np.array_equal(data.low, [seeds.min(axis=0)])
        assert np.array_equal(data.high, [seeds.max(axis=0)])
        assert curves(kind).array.shape == (1, seeds.shape[1])


@pytest.mark.parametrize("curves", [lab.error_curves, lab.missed_bars])
@pytest.mark.parametrize("kinds", [(), ("lstm",), ("bahdanau", "x"), (None,)])
def test_unknown_kinds_are_refused_with_those_there_are(curves, kinds):
    with pytest.raises(ValueError, match="Name one or more of bahdanau, last_state"):
        curves(*kinds)


@pytest.fixture(scope="module")
def twins():
    return {kind: lab.train_small(kind, steps=4) for kind in KINDS}


def test_small_twins_are_of_about_one_size(twins):
    sizes = [sum(p.size for p in twin.params.values()) for twin in twins.values()]
    assert max(sizes) / min(sizes) < 1.05
    assert all(34_000 < size < 38_000 for size in sizes)


def test_a_small_model_follows_its_seed(twins):
    again = lab.train_small("bahdanau", steps=4)
    other = lab.train_small("bahdanau", steps=4, seed=1)
    one = twins["bahdanau"].params
    assert all(np.array_equal(one[name], again.params[name]) for name in one)
    assert not np.array_equal(one["W_out"], other.params["W_out"])


def test_an_unknown_kind_is_not_trained():
    for kind in ("lstm", "transformer", ["bahdanau"], None):
        with pytest.raises(
            ValueError, match="must be one of last_state, bahdanau, not"
        ):
            lab.train_small(kind)


def test_small_errors_are_those_of_the_first_words_of_each_length():
    model, lengths = load("bahdanau"), (5, 12, 15)
    found = lab.small_errors({"bahdanau": model}, lengths, most=6)
    assert list(found) == ["bahdanau"]
    for length, error in zip(lengths, found["bahdanau"], strict=True):
        some = [p for p in pronunciation("test") if len(p[0]) == length][:6]
        said = transcribe(model, [word for word, _ in some])
        assert error == phoneme_error(said, some)


def test_N34_the_text_of_small_curves_holds_no_measured_number():
    flat, steep = np.full(12, 0.2), np.linspace(0.1, 0.5, 12)
    one = lab.small_curves({"last_state": steep, "bahdanau": flat})
    two = lab.small_curves({"last_state": steep + 0.013, "bahdanau": flat - 0.007})
    assert np.array_equal(one.array, [steep, flat])
    assert repr(one) == repr(two)
    assert "last states only: yes; with attention: no." in one.sentence
    other = lab.small_curves({"last_state": flat, "bahdanau": steep})
    assert "last states only: no; with attention: yes." in other.sentence


def test_curves_of_another_name_keep_it():
    flat = np.full(12, 0.2)
    assert "; more than" in (sentence := lab.small_curves({"mine": flat}).sentence)
    assert sentence.endswith("mine: no.")
