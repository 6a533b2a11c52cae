"""Counts and texts: thousands of them, good and bad."""

import math
import re

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import slow
import slow_cells
from fuzz_calls import answer, fuzz
from fuzzed import BAD, JUNK, LAYOUTS
from mha_core import (
    MultiHeadAttention,
    causal_mask,
    count_parameters,
    padding_mask,
)
from mha_core.blocks import (
    positions,
)
from mha_core.pronouncing import check_word
from mha_core.tasks import name_phonemes, number_phonemes, phoneme_names, spell
from mha_core.tasks.written_dates import read

SMALL = st.builds(
    lambda kind, n: kind(n),
    st.sampled_from([int, np.int8, np.uint64, lambda n: np.array(n, ">i4")]),
    st.integers(1, 6),
)
HUGE = st.integers(2**32, 10**40)
OTHER = st.one_of(
    st.just(np.uint64(2**63)),
    st.sampled_from(JUNK),
    st.integers(-9, 50),
    HUGE,
    HUGE.map(lambda n: -n),
)
ANY = st.one_of(SMALL, SMALL, SMALL, OTHER)
SEEDS = st.integers(0, 2**63)
BIG = 10**5  # entries; with more, no loop is run


def is_whole(value, least=1):
    """Tell whether a value is a whole number that no count can refuse."""
    kind = (
        np.asarray(value).dtype.kind
        if isinstance(value, np.ndarray | np.generic)
        else ""
    )
    whole = type(value) is int or (kind in ("i", "u") and np.ndim(value) == 0)
    return whole and least <= int(value) <= 10**40


@fuzz
@given(ANY, st.one_of(st.none(), ANY), st.one_of(st.just(0), ANY))
def test_causal_mask(T_q, T_k, offset):
    sizes = [T_q] if T_k is None else [T_q, T_k]
    whole = all(map(is_whole, sizes)) and is_whole(offset, -(10**40))
    small = whole and math.prod(map(int, sizes)) < BIG
    mask = answer(causal_mask, T_q, T_k, offset, names="T_q|T_k|offset", good=small)
    if mask is not None and mask.size < BIG:
        assert mask.dtype == bool and whole
        assert mask.tolist() == slow.causal_mask(T_q, T_k, offset)


@st.composite
def lengths(draw):
    """Return lengths that are mostly good, in many forms."""
    rng = np.random.default_rng(draw(SEEDS))
    x = rng.integers(0, 5, draw(st.integers(1, 4))).astype(
        draw(st.sampled_from(["i8", "u1", ">i2"]))
    )
    how = draw(
        st.sampled_from(["good", "good", "good", "bad", "long", "minus", "junk"])
    )
    changed = {
        "good": lambda: LAYOUTS[draw(st.sampled_from(sorted(LAYOUTS)))](x),
        "bad": lambda: BAD[draw(st.sampled_from(sorted(BAD)))](x),
        "long": lambda: [9],
        "minus": lambda: [1, -1],
        "junk": lambda: draw(st.sampled_from(JUNK)),
    }
    return changed[how](), how


@fuzz
@given(lengths(), st.one_of(st.just(5), ANY))
def test_padding_mask(drawn, T_k):
    given_lengths, how = drawn
    good = how == "good" and is_whole(T_k, 5) and int(T_k) < BIG
    mask = answer(padding_mask, given_lengths, T_k, names="lengths|T_k", good=good)
    if mask is not None and mask.size < BIG:
        assert how in ("good", "junk", "long") and mask.dtype == bool
        assert mask.tolist() == slow.padding_mask(given_lengths, T_k)


def divides(d_model, h):
    return is_whole(d_model) and is_whole(h) and int(d_model) % int(h) == 0


@fuzz
@given(ANY, ANY, st.one_of(st.booleans(), ANY))
def test_count_parameters(d_model, h, projection_bias):
    good = divides(d_model, h) and isinstance(projection_bias, bool)
    names = "d_model|h|projection_bias"
    options = {"projection_bias": projection_bias}
    found = answer(count_parameters, d_model, h, names=names, good=good, **options)
    if found is not None:
        assert divides(d_model, h)
        assert found == 4 * int(d_model) ** 2 + bool(projection_bias) * 4 * int(d_model)


@fuzz
@given(ANY, ANY, st.one_of(SMALL, ANY), st.one_of(st.floats(), ANY))
def test_constructor(d_model, h, seed, init_scale):
    scale = isinstance(init_scale, float) and abs(init_scale) < 1e30
    good = divides(d_model, h) and int(d_model) < 300 and is_whole(seed) and scale
    good = good and int(seed) < 2**32
    arguments = d_model, h, seed
    names = r"\b(d_model|h|seed|init_scale)\b"
    layer = answer(
        MultiHeadAttention, *arguments, names=names, good=good, init_scale=init_scale
    )
    if layer is not None:
        assert divides(d_model, h) and (layer.d_model, layer.h) == (
            int(d_model),
            int(h),
        )
        assert layer.wo.shape == (d_model, d_model) and np.isfinite(layer.wo).all()
        if seed is not None:
            right = np.random.RandomState(seed).randn(layer.d_model, layer.d_model)
            np.testing.assert_array_equal(layer.wq, right * float(init_scale))


@fuzz
@given(ANY, ANY)
def test_positions(T, d_model):
    good = is_whole(T) and is_whole(d_model) and int(d_model) % 2 == 0
    small = good and int(T) * int(d_model) < BIG
    found = answer(positions, T, d_model, names="T|d_model", good=small)
    if found is not None and found.size < BIG:
        right = slow_cells.positions(int(T), int(d_model))
        np.testing.assert_allclose(found, right, 1e-12, 1e-12)


TEXT = st.one_of(
    st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=45),
    st.text(),
    st.sampled_from(JUNK),
)


@fuzz
@given(TEXT)
def test_words(word):
    small = isinstance(word, str) and re.fullmatch("[a-z]{1,40}", word)
    found = answer(check_word, word, names="word|letters", good=bool(small))
    if found is not None:
        assert re.fullmatch("[a-z]{1,40}", found) and found == word.strip().lower()
        spelled = spell([found, "a"])
        assert spelled[0].tolist() == [ord(c) - 96 for c in found]
        assert spelled[1].tolist() == [1] + [0] * (len(found) - 1)


@fuzz
@given(
    st.lists(st.lists(st.sampled_from(sorted(phoneme_names())), max_size=5), min_size=1)
)
def test_phonemes_are_numbered_and_named_again(lines):
    numbered = number_phonemes(lines)
    assert [list(name_phonemes(row)) for row in numbered.tolist()] == lines


DATE = st.one_of(
    st.dates().map(lambda day: f"{day.day}.{day.month}.{day.year}"),
    st.dates().map(lambda day: f"{day.year}年{day.month}月{day.day}日"),
    TEXT,
)


@fuzz
@given(DATE)
def test_dates(text):
    found = answer(read, text, names="date", good=False)
    if found is not None:
        numbers_in = sorted(map(int, re.findall(r"\d+", text)))
        day = found[1]
        assert 1950 <= day.year <= 2049 and numbers_in in (
            sorted([day.day, day.month, day.year]),
            sorted([day.day, day.year]),
        )
