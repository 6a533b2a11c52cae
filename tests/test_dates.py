import datetime
import json
import time

import numpy as np
import pytest

from mha_core.lab import date_alignment, explore_dates
from mha_core.lab.pictures.alignments import write_date
from mha_core.pretrained import DATES_TABLE, load_dates
from mha_core.recipes import dates as recipe
from mha_core.shipped import DATA, read_shipped, ship
from mha_core.tasks.written_dates import (
    CHARACTERS,
    DIGITS,
    FIRST,
    FORMATS,
    LAST,
    as_arrays,
    batches,
    draw,
    exact,
    is_held_out,
    name_digits,
    read,
    write,
)

FORMS = [(lang, k) for lang, forms in FORMATS.items() for k in range(len(forms))]
DAYS = [FIRST + datetime.timedelta(n) for n in range((LAST - FIRST).days + 1)]
MAY = datetime.date(2018, 5, 9)
WRONG = {
    "empty": "",
    "spaces": "   ",
    "nonsense": "not a date",
    "Chinese nonsense": "注意力机制",
    "Chinese order": "5月9日2018年",
    "31 February": "31 February 2018",
    "no 29th": "29 Februar 2019",
    "month 13": "9.13.2018",
    "day 0": "0 May 2018",
    "year 1949": "31 December 1949",
    "year 2050": "2050年1月1日",
    "zeros": "09.05.2018",
    "digits": "20180509",
    "ISO": "2018-05-09",
    "two dates": "9 May 2018 9 May 2018",
    "Greek digits": "9 Μαΐου 2018",
    "wide digits": "２０１８年５月９日",
    "null": "9 May\0 2018",
}
each_form = pytest.mark.parametrize(("language", "form"), FORMS)


@each_form
def test_what_is_written_is_read_again(language, form):
    for n in np.random.default_rng(form).integers(len(DAYS), size=60):
        text = write(DAYS[n], language, form)
        assert read(text) == (text, DAYS[n])
        assert read(f"  {text.upper()} \n") == (text, DAYS[n])
        assert set(text) <= set(CHARACTERS)


@pytest.mark.parametrize("day", [FIRST, LAST, datetime.date(2000, 2, 29)])
def test_the_ends_and_leap_days_are_read(day):
    assert {read(write(day, *form))[1] for form in FORMS} == {day}


def test_how_each_language_writes_a_day():
    assert [write(MAY, *form) for form in FORMS] == [
        "9 may 2018",
        "may 9, 2018",
        "9 may 2018",
        "9 mai 2018",
        "9. mai 2018",
        "9.5.2018",
        "2018年5月9日",
    ]
    assert write(datetime.date(1999, 12, 31), "english", 2) == "31 dec 1999"
    assert write(datetime.date(1999, 8, 1), "french") == "1 août 1999"
    assert write(datetime.date(1999, 3, 1), "german") == "1. märz 1999"


def test_accents_are_read_however_they_are_stored():
    for text, month in (("9 fe\u0301vrier 2018", 2), ("9. Ma\u0308rz 2018", 3)):
        shown, day = read(text)
        assert day == datetime.date(2018, month, 9)
        assert set(shown) <= set(CHARACTERS)


@pytest.mark.parametrize(
    ("call", "part"),
    [
        (lambda: write(MAY, "spanish"), "english, french, german, chinese, not 'spa"),
        (lambda: write(MAY, ["french"]), "language must be one of"),
        (
            lambda: write(MAY, "english", 3),
            "below 3, the forms of english, from 0",
        ),
        (lambda: write(MAY, "english", -1), "not -1"),
        (lambda: as_arrays([]), "no dates; give at least one"),
        (lambda: as_arrays([("9 май 2018", "")]), "'а' stands in no date"),
        (lambda: as_arrays([("9 may 2018", "2018.05")]), "'.' stands in no date"),
        (lambda: name_digits([12]), "from 1 to 11"),
        (lambda: name_digits([-1]), "not -1"),
        (
            lambda: list(batches(np.random.default_rng(0), size=0)),
            "size must be an integer of at least 1, not 0",
        ),
    ],
)
def test_what_cannot_be_written_or_numbered_is_told(call, part):
    with pytest.raises(ValueError) as refusal:
        call()
    assert part in str(refusal.value)


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
def test_what_is_no_date_is_told_in_a_sentence(text):
    with pytest.raises(ValueError) as refusal:
        read(text)
    told = str(refusal.value)
    assert "is no date from 1950 to 2049 in a form that the model knows" in told
    assert told.endswith("or 2018年5月9日.")
    assert "\n" not in told


@pytest.mark.parametrize("text", [None, 20180509, MAY, b"9 May 2018", ["9 May 2018"]])
def test_what_is_no_text_is_told(text):
    with pytest.raises(ValueError, match=f"must be text, not {type(text).__name__}"):
        read(text)


@pytest.mark.parametrize(
    "text",
    ["9" * 10**6, "2018 " * 10**5, "注" * 10**6, "1999 " + " ".join("123456789" * 999)],
)
def test_a_long_text_is_refused_at_once_and_in_short(text):
    start = time.process_time()
    with pytest.raises(ValueError) as refusal:
        read(text)
    assert time.process_time() - start < 0.5
    assert len(str(refusal.value)) < 250


def test_a_tenth_of_the_days_is_held_out():
    share = np.mean([is_held_out(day) for day in DAYS])
    assert 0.09 < share < 0.11


def test_which_days_are_held_out():
    assert sum(map(is_held_out, DAYS)) == 3786
    assert is_held_out(datetime.date(1950, 1, 10))
    assert not is_held_out(datetime.date(1950, 1, 4))


def test_held_out_days_are_never_drawn_for_training():
    days = [iso for _, iso in draw(np.random.default_rng(0), 5000)]
    assert not any(is_held_out(datetime.date.fromisoformat(iso)) for iso in days)
    test = [iso for _, iso in draw(np.random.default_rng(0), 1000, held_out=True)]
    assert all(is_held_out(datetime.date.fromisoformat(iso)) for iso in test)


def test_batches_hold_no_held_out_day():
    for _, target in batches(np.random.default_rng(1), size=16, count=20):
        days = [datetime.date.fromisoformat(name_digits(row)) for row in target]
        assert not any(map(is_held_out, days))


def test_draws_are_the_days_that_their_texts_mean_in_all_forms():
    pairs = draw(np.random.default_rng(0), 300)
    assert pairs == draw(np.random.default_rng(0), 300)
    forms = {form: 0 for form in FORMS}
    for text, iso in pairs:
        day = read(text)[1]
        assert day.isoformat() == iso
        forms |= {form: forms[form] + (write(day, *form) == text) for form in FORMS}
    assert min(forms.values()) > 10


def test_dates_as_numbers_and_back():
    pairs = draw(np.random.default_rng(2), 40)
    source, target = as_arrays(pairs)
    assert source.shape == (40, max(len(text) for text, _ in pairs))
    assert target.shape == (40, 11)
    for (text, iso), read_row, write_row in zip(pairs, source, target, strict=True):
        letters = read_row[read_row > 0]
        assert "".join(CHARACTERS[i - 1] for i in letters) == text
        assert (read_row[len(text) :] == 0).all()
        assert name_digits(write_row) == iso
        assert write_row[-1] == 0


def test_digits_up_to_the_first_end():
    assert name_digits([3, 1, 0, 5]) == DIGITS[2] + DIGITS[0]
    assert name_digits([11, 2]) == "-1"
    assert name_digits([0, 1]) == ""


def test_batches_are_of_about_the_same_length():
    for source, target in batches(np.random.default_rng(3), size=8, count=30):
        assert len(source) == len(target) == 8
        assert (source > 0).sum(axis=1).min() >= source.shape[1] - 8


class Echo:
    """Writes the right date but for every fourth."""

    def __init__(self, pairs):
        self.pairs = pairs

    def greedy(self, source, steps):
        assert steps == 11
        _, target = as_arrays(self.pairs)
        target[::4, 0] = 1 + target[::4, 0] % 9
        return target, None


def test_exact_is_the_share_without_a_fault():
    pairs = draw(np.random.default_rng(4), 40)
    assert exact(Echo(pairs), pairs) == 0.75


def test_the_shipped_model_is_right_on_days_never_seen():
    test = draw(np.random.default_rng(10**6), 1000, held_out=True)
    found = exact(load_dates(), test)
    assert found >= 0.98
    table = json.loads(read_shipped(DATES_TABLE))
    assert abs(found - table["0"]) <= 0.001
    assert list(table) == ["0", "1", "2"]
    assert min(table.values()) >= 0.98


def test_the_file_is_small_and_in_float16():
    assert (DATA / "dates.npz").stat().st_size < 125_000
    with np.load(DATA / "dates.npz", allow_pickle=False) as saved:
        assert {saved[name].dtype for name in saved} == {np.dtype("float16")}
    assert {p.dtype for p in load_dates().params.values()} == {np.dtype("float32")}
    start = recipe.untrained(0)
    assert {n: p.shape for n, p in load_dates().params.items()} == {
        n: p.shape for n, p in start.params.items()
    }


def test_the_map_turns_with_the_order_of_the_date():
    model = load_dates()
    for text in ("9 may 2018", "2018年5月9日", "may 9, 2018", "9. mai 2018"):
        written, weights = write_date(model, text)
        assert written == "2018-05-09"
        assert weights.shape == (10, len(text))
        assert np.allclose(weights.sum(axis=-1), 1, atol=1e-5)
        year = text.index("2018")
        assert weights[:4, year : year + 5].sum(axis=1).mean() > 0.5


def test_the_explorer_shows_the_date_that_is_typed():
    view = explore_dates()
    view.set(date="2018年5月9日")
    assert view.picture.layout.keys == tuple("2018年5月9日")
    view.close()


def test_T01_what_is_written_is_rows_and_what_is_read_is_columns():
    model = load_dates()
    picture = date_alignment(model, " 9 May 2018")
    written, weights = write_date(model, "9 may 2018")
    assert np.array_equal(picture.array, weights)
    assert picture.layout.queries == tuple(written)
    assert picture.layout.keys == tuple("9 may 2018")
    assert picture.data.title == "“9 may 2018” is 2018-05-09 (trained)"
    with pytest.raises(ValueError, match="is no date"):
        date_alignment(model, "9 Mai")


def test_the_first_seed_is_shipped_and_all_are_measured_on_unseen_days(
    tmp_path, monkeypatch
):
    measured, models = [], []

    def exact(model, pairs):
        measured.extend(pairs)
        models.append(model)
        return 1.0

    monkeypatch.setattr(recipe, "STEPS", 2)
    monkeypatch.setattr(recipe.dates, "batches", lambda rng: [as_arrays(draw(rng, 4))])
    monkeypatch.setattr(recipe.dates, "exact", exact)
    recipe.main(["--folder", str(tmp_path / "kept"), "--data", str(tmp_path)])
    with np.load(tmp_path / "dates.npz") as saved:
        shipped = saved["W_out"]
    with np.load(tmp_path / "kept" / "0.npz") as saved:
        assert np.allclose(shipped, saved["param W_out"], rtol=1e-3, atol=1e-5)
    halves = [param.astype(np.float16) for param in models[0].params.values()]
    assert all(map(np.array_equal, halves, models[0].params.values()))
    days = {datetime.date.fromisoformat(iso) for _, iso in measured}
    assert days and all(map(is_held_out, days))


def test_what_is_shipped_is_measured_again_and_the_other_seeds_stay(
    tmp_path, monkeypatch
):
    table = {"0": 0.25, "1": 0.5, "2": 0.75}
    ship(DATES_TABLE, json.dumps(table).encode(), "none", tmp_path)
    measured = []
    monkeypatch.setattr(recipe, "train", None)
    monkeypatch.setattr(recipe.dates, "exact", lambda m, t: measured.append(m) or 0.9)
    recipe.main(["--shipped", "--data", str(tmp_path)])
    assert json.loads(read_shipped(DATES_TABLE, tmp_path)) == table | {"0": 0.9}
    for name, param in load_dates().params.items():
        assert np.array_equal(measured[0].params[name], param)


def test_a_training_writes_a_model_and_its_table(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(recipe, "STEPS", 2)
    monkeypatch.setattr(recipe.dates, "batches", lambda rng: [as_arrays(draw(rng, 4))])
    recipe.main(["--folder", str(tmp_path / "kept"), "--data", str(tmp_path)])
    assert "seed 2: 0.000 of 1000" in capsys.readouterr().out
    names = {"dates.npz", "dates-exact.json", "manifest.json", "kept"}
    assert {path.name for path in tmp_path.iterdir()} == names
    assert len(list((tmp_path / "kept").iterdir())) == 3
