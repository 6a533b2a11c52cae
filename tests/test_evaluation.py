import functools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mha_core.evaluation import (
    align,
    error_by_length,
    missed_by_fifth,
    phoneme_error,
    transcribe,
)
from mha_core.pretrained import load
from mha_core.pronouncing import pronounce
from small_models import tiny

some_letters = st.text("abc", max_size=7)


@functools.cache
def slow_distance(a, b):
    """Return the edits between two texts by trying every last step."""
    if not a or not b:
        return len(a) + len(b)
    change = slow_distance(a[:-1], b[:-1]) + (a[-1] != b[-1])
    return min(change, slow_distance(a[:-1], b) + 1, slow_distance(a, b[:-1]) + 1)


@given(some_letters, some_letters)
def test_align_finds_the_fewest_edits(reference, said):
    edits, missed = align(reference, said)
    assert edits == slow_distance(reference, said)
    assert len(missed) == len(reference)
    assert edits - sum(missed) >= 0  # what is left are insertions
    kept = "".join(p for p, miss in zip(reference, missed, strict=True) if not miss)
    left = iter(said)
    assert all(letter in left for letter in kept)  # in this order


@given(some_letters)
def test_align_of_the_same_and_of_nothing(said):
    assert align(said, said) == (0, [False] * len(said))
    assert align(said, "") == (len(said), [True] * len(said))
    assert align("", said) == (len(said), [])


@pytest.mark.parametrize(
    ("reference", "said", "edits", "missed"),
    [
        ("kæt", "kæt", 0, "..."),
        ("kæt", "kɑt", 1, ".x."),
        ("kæt", "kt", 1, ".x."),
        ("kæt", "kæts", 1, "..."),
        ("kæt", "skæt", 1, "..."),
        ("kæt", "ts", 3, "xxx"),
    ],
)
def test_align_by_hand(reference, said, edits, missed):
    assert align(reference, said) == (edits, [mark == "x" for mark in missed])


PAIRS = [("cat", "kæt"), ("build", "bɪld"), ("knight", "naɪt"), ("catched", "kætʃt")]
SAID = ["kæt", "baɪldə", "nɪt", ""]  # edits: 0, 2 (ɪ is there, a and ə are not), 1, 5


def test_the_phoneme_error_is_over_all_words_together():
    assert phoneme_error(SAID, PAIRS) == (0 + 2 + 1 + 5) / (3 + 4 + 4 + 5)
    assert phoneme_error(["bbbbbb"], [("b", "b")]) == 5
    assert phoneme_error([pair[1] for pair in PAIRS], PAIRS) == 0


def test_without_words_there_is_no_error():
    with pytest.raises(ValueError, match="no words"):
        phoneme_error([], [])
    with pytest.raises(ValueError, match="no words with phonemes"):
        phoneme_error([("AH",)], [("a", ())])
    with pytest.raises(ValueError):
        phoneme_error(["a"], PAIRS)


def test_error_by_length_by_hand():
    buckets = (2, 3), (4, 4), (5, 6), (7, 20)
    assert error_by_length(SAID, PAIRS, buckets) == {
        (2, 3): (0.0, 1),
        (5, 6): (3 / 8, 2),
        (7, 20): (1.0, 1),
    }
    assert sum(words for _, words in error_by_length(SAID, PAIRS).values()) == 4


def test_missed_by_fifth_by_hand():
    pairs = [("a" * 12, "abcdefghij"), ("b" * 13, "abcde"), ("short", "xxxxx")]
    said = ["abXdefgh", "abcdX", "yyyyy"]  # misses c, i and j; misses e
    assert missed_by_fifth(said, pairs) == [0, 1 / 3, 0, 0, 1]
    assert missed_by_fifth(said, pairs, shortest=13) == [0, 0, 0, 0, 1]


def test_a_fifth_without_phonemes_has_no_share():
    assert all(map(math.isnan, missed_by_fifth(["a"], [("short", "a")])))
    shares = missed_by_fifth(["a"], [("a" * 12, "ab")])
    assert [shares[0], shares[2]] == [0, 1]
    assert all(map(math.isnan, [shares[1], *shares[3:]]))


@pytest.mark.parametrize("kind", ["last_state", "bahdanau"])
def test_transcribe_keeps_the_order_of_the_words(kind):
    model = load(kind)
    words = ["administration", "be", "knight", "queue", "thought", "be", "phone"]
    before = list(words)
    alone = [pronounce(model, word).phonemes for word in words]
    assert transcribe(model, words, size=3) == transcribe(model, words) == alone
    assert words == before


def test_transcribe_of_nothing_and_of_one_letter():
    assert transcribe(load("bahdanau"), []) == []
    assert len(transcribe(tiny("bahdanau", dtype=np.float32), ["a"])) == 1
