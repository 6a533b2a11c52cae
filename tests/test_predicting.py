"""What a reader expected is kept, and compared with what came."""

import numpy as np
import pytest

from mha_core.lab import Sheet, locale
from mha_core.lab.exercises.predicting import came_true, comparison, kept

REPLIES = [
    (
        0.5,
        0.0439,
        "you expected 0.5; it is 0.0439: 0.4561 too high, 11.4 times as much.",
    ),
    (0.01, 0.0439, "0.0339 too low, by a factor of 4.39."),
    (0.04, 0.0439, "0.0039 too low."),
    (100, 84, "16 too high."),
    (83, 84, "close, 1 too low."),
    (85, 84, "close, 1 too high."),
    (84, 84, "you expected 84; it is 84: right."),
    (0.3, 0.339, "0.039 too low."),
    (0.34, 0.339, "you expected 0.34; it is 0.339: right."),
    (-1, 3, "4 too low."),
    (1_000_000, 2_362_368, "1,362,368 too low, by a factor of 2.36."),
    ((6, 80), (1, 80), "number 0, counted from 0, is 5 too high, 6 times as much."),
    ((80, 1), (1, 80), "the right numbers in another order."),
    ((80,), (1, 80), "1 number is missing."),
    ((1, 1, 80), (1, 80), "1 number too many."),
    ((1, 80), (1, 80), "you expected (1, 80); it is (1, 80): right."),
    (True, False, "you expected True; it is False."),
    (True, np.True_, "you expected True; it is True: right."),
    ("Value ", "value", "right."),
    ("key", "value", "you expected key; it is value."),
    (1, "value", "you expected 1; it is value."),
    (np.float32(0.25), np.float64(0.25), "right."),
    ([[1, 2]], [[1, 3]], "you expected ([1, 2],); it is ([1, 3],)."),
]


@pytest.fixture
def sheet():
    return Sheet(1)


@pytest.mark.parametrize(("expected", "true", "said"), REPLIES, ids=range(len(REPLIES)))
def test_a_prediction_hears_how_far_off_it_was(sheet, expected, true, said):
    first = sheet.predict("gradient", expected)
    assert repr(first).endswith("Now run the next cell.")
    told = sheet.predict("gradient", true=true)
    assert repr(told).startswith("gradient: you expected ")
    assert repr(told).endswith(said)
    assert told.solved == repr(told).endswith("right.") == came_true(expected, true)


@pytest.mark.parametrize("nothing", [..., None, (..., ...), [None]])
def test_nothing_expected_is_nothing_said(sheet, nothing):
    assert sheet.predict("gradient", nothing) is None
    assert sheet.predict("gradient") is None
    assert sheet.predict("gradient", true=0.5) is None
    assert sheet.expected == {}


def test_both_at_once_and_each_by_its_name(sheet):
    assert sheet.predict("width", 84, 84).solved
    assert not sheet.predict("length", 3, true=84).solved
    assert sheet.predict("width", true=84).solved
    sheet.predict("width", 10)
    assert not sheet.predict("width", true=84).solved
    assert "you expect 10." in repr(sheet.predict("width"))


def test_predictions_are_no_exercises(sheet):
    before = repr(sheet.progress())
    sheet.predict("gradient", 1)
    assert repr(sheet.progress()) == before


def test_odd_expectations_raise_nothing(sheet):
    for odd in (object(), {}, "x", [[1], [1, 2]], np.nan, 1j, print, np.zeros((2, 0))):
        for true in (0.5, (1, 2), "x", True, np.nan, np.inf):
            assert sheet.predict("odd", odd, true) is not None


def test_a_prediction_is_told_in_the_language_of_its_time(sheet):
    assert kept("width", 3) == "width: you expect 3. Now run the next cell."
    assert comparison("width", 3, 3) == "width: you expected 3; it is 3: right."
    locale.language("zh")
    try:
        assert repr(sheet.predict("width", 3, 84)).startswith("width：你预计是 3")
    finally:
        locale.language("en")
