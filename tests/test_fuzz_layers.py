"""Blocks, runs of a cell, measures and gradients on thousands of drawn arrays."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import slow_cells
from fuzz_calls import answer, fuzz
from fuzzed import BAD, numbers
from mha_core import (
    additive_attention,
    gru_cell,
    lstm_cell,
    luong_attention,
    multi_head_attention,
    rnn_cell,
    scaled_dot_product_attention,
    softmax,
)
from mha_core.blocks import (
    decoder_block,
    encoder_block,
    feed_forward,
    layer_norm,
)
from mha_core.evaluation import align, phoneme_error
from mha_core.gradients import gradients
from mha_core.losses import cross_entropy
from mha_core.recurrent import run

SEEDS = st.integers(0, 2**63)
SIZE = st.integers(1, 4)


def drawn(seed, dtype="f8", **shapes):
    rng = np.random.default_rng(seed)
    arrays = {k: numbers(rng, shape, "f8", "usual") for k, shape in shapes.items()}
    return {k: x.astype(dtype) for k, x in arrays.items()}


def close(ours, right, dtype="f8"):
    assert ours.shape == right.shape and ours.dtype == dtype
    np.testing.assert_allclose(
        ours, right, *((1e-9, 1e-9) if dtype == "f8" else (2e-3, 2e-3))
    )


batches = st.lists(st.integers(1, 3), max_size=2)
floats = st.sampled_from(["f4", "f8"])


def wide(arrays):
    return {k: v.astype("f8") for k, v in arrays.items()}


def block_weights(seed, dtype, d, parts):
    """Return weights of a block of width d."""
    shapes = {
        f"{part} {k}": (d,) for part in (*parts, "think") for k in ("gain", "shift")
    }
    names = ("W_Q", "W_K", "W_V", "W_O")
    shapes |= {f"{part} {name}": (d, d) for part in parts for name in names}
    shapes |= {"think W_1": (d, 3), "think b_1": (3,), "think W_2": (3, d)}
    return drawn(seed, dtype, **shapes, **{"think b_2": (d,)})


@fuzz
@given(SEEDS, floats, SIZE, SIZE, SIZE, st.integers(1, 2), st.booleans())
def test_blocks(seed, dtype, T_q, T_k, h, d_k, masked):
    d, B = 2 * h * d_k, 2
    a = drawn(seed, dtype, x=(B, T_q, d), memory=(B, T_k, d))
    a["x"] += 3 * np.arange(d).astype(dtype)  # a norm magnifies rounding in flat rows
    p = block_weights(seed + 1, dtype, d, ("self", "cross"))
    rng = np.random.default_rng(seed)
    own, seen = rng.random((B, 1, T_q)) > 0.3, rng.random((B, 1, T_k)) > 0.3
    own, seen = (own, seen) if masked else (None, None)
    x, memory = (v.astype("f8") for v in a.values())
    for ours, right in [
        (
            encoder_block(a["x"], p, h, own),
            slow_cells.encoder_block(x, wide(p), h, own),
        ),
        (
            decoder_block(**a, p=p, h=h, mask=seen),
            slow_cells.decoder_block(x, memory, wide(p), h, seen),
        ),
    ]:
        for part, exact in zip(ours, right, strict=True):
            close(part, exact, dtype)


@st.composite
def runs(draw):
    """Return inputs, state, weights, a mask and a direction, one maybe spoiled."""
    B, T, d, n = draw(batches), draw(SIZE), draw(SIZE), draw(SIZE)
    shapes = {"inputs": (*B, T, d), "state": draw(st.sampled_from([(n,), (*B, n)]))}
    a = drawn(draw(SEEDS), draw(floats), **shapes, W=(d, n), U=(n, n), b=(n,))
    rng = np.random.default_rng(draw(SEEDS))
    some = rng.integers(0, 2, (T,))
    masks = [None, rng.random((*B, T)) > 0.4, some | (np.arange(T) == 0), [1] * T]
    a["mask"] = draw(st.sampled_from(masks))
    a["reverse"] = draw(st.booleans())
    how = draw(st.sampled_from(["good", "good", *BAD]))
    if how != "good":
        name = draw(st.sampled_from(["inputs", "W", "U", "b"]))
        a[name] = BAD[how](a[name])
    return a, how == "good"


@fuzz
@given(runs())
def test_run(call):
    a, good = call
    names = r"\b(inputs|x|state|W|U|b|mask)\b"
    weights = [a.pop(k) for k in ("inputs", "state", "W", "U", "b")]
    states = answer(run, rnn_cell, *weights, names=names, good=good, **a)
    assert (states is not None) == good
    if good:
        exact = [w.astype("f8") for w in weights]
        close(states, slow_cells.run_rnn(*exact, **a), weights[0].dtype)


@fuzz
@given(SEEDS, floats, SIZE, SIZE, SIZE)
def test_cross_entropy(seed, dtype, B, T, V):
    logits = drawn(seed, dtype, logits=(B, T, V))["logits"]
    rng = np.random.default_rng(seed)
    targets, counted = rng.integers(0, V, (B, T)), rng.random((B, T)) > 0.5
    counted.flat[0] = True
    right = slow_cells.cross_entropy(logits.astype("f8"), targets, counted)
    assert math.isclose(
        cross_entropy(logits, targets, counted), right, rel_tol=1e-4, abs_tol=1e-5
    )


@fuzz
@given(st.text("abc", max_size=5), st.text("abc", max_size=5))
def test_align(reference, said):
    edits, missed = align(reference, said)
    assert edits == slow_cells.edits(reference, said) and len(missed) == len(reference)
    assert sum(missed) <= edits and (edits > 0) >= any(missed)
    if reference:
        assert phoneme_error([said], [("w", reference)]) == edits / len(reference)


DIFFERENTIABLE = {
    "softmax": (softmax, {"x": "B m"}, {}),
    "scaled": (
        scaled_dot_product_attention,
        {"query": "B m d", "key": "m d", "value": "B m n", "bias": "m m"},
        {"causal": True},
    ),
    "additive": (
        additive_attention,
        {
            "query": "B m d",
            "key": "m d",
            "value": "m n",
            "W_a": "d n",
            "U_a": "d n",
            "v_a": "n",
        },
        {},
    ),
    "general": (
        luong_attention,
        {"query": "B m d", "key": "B m n", "value": "m d", "W_a": "d n"},
        {"score": "general"},
    ),
    "multi-head": (
        multi_head_attention,
        {"X": "B m d", "W_Q": "d n", "W_K": "d n", "W_V": "d m", "W_O": "m d"},
        {"h": 1},
    ),
    "rnn": (
        rnn_cell,
        {"x": "B d", "state": "B n", "W": "d n", "U": "n n", "b": "n"},
        {},
    ),
    "gru": (
        gru_cell,
        {"x": "B d", "state": "n", "W": "d n3", "U": "n n3", "b": "n3", "b_U": "n3"},
        {"reset_after": True},
    ),
    "lstm": (
        lstm_cell,
        {"x": "B d", "state": "B n", "cell": "n", "W": "d n4", "U": "n n4", "b": "n4"},
        {},
    ),
    "layer norm": (
        layer_norm,
        {"x": "B m d", "gain": "d", "shift": "d"},
        {"epsilon": 0.5},
    ),
    "feed-forward": (
        feed_forward,
        {"x": "B d", "W_1": "d n", "b_1": "n", "W_2": "n m", "b_2": "m"},
        {},
    ),
}


@pytest.mark.parametrize("name", DIFFERENTIABLE)
def test_gradients_equal_differences(name):
    function, spec, options = DIFFERENTIABLE[name]

    @fuzz
    @given(SEEDS, SIZE, SIZE, SIZE, SIZE)
    def check(seed, B, m, d, n):
        sizes = {"B": B, "m": m, "d": d, "n": n, "n3": 3 * n, "n4": 4 * n}
        arrays = drawn(
            seed, **{k: [sizes[s] for s in v.split()] for k, v in spec.items()}
        )

        def f(p):
            result = function(**p, **options)
            first = result[0] if isinstance(result, tuple) else result
            places = np.arange(math.prod(first.shape)).reshape(first.shape)
            return np.sum(first * np.cos(places))

        value, found = gradients(f, arrays)
        assert math.isclose(value, float(f(arrays)), rel_tol=1e-12, abs_tol=1e-12)
        rng, step = np.random.default_rng(seed), 1e-6
        way = {k: rng.standard_normal(x.shape) for k, x in arrays.items()}
        up, down = (
            f({k: x + s * way[k] for k, x in arrays.items()}) for s in (step, -step)
        )
        slope = sum(float(np.vdot(found[k], way[k])) for k in arrays)
        assert math.isclose((up - down) / (2 * step), slope, rel_tol=1e-4, abs_tol=1e-5)

    check()
