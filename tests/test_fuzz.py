"""Every function on thousands of arguments: right, or refused in a sentence.

FUZZ=10000 in the environment draws so many calls of each function, at random; without
it there are fewer, and the same ones every time.
"""

import re
import warnings
from unittest import mock

import numpy as np
import pytest
from hypothesis import event, given

import slow
from fuzz_calls import (
    NOT_OURS,
    Call,
    calls,
    fuzz,
)
from fuzz_cases import CASES
from fuzzed import BAD
from mha_core import (
    additive_attention,
    gru_cell,
    lstm_cell,
    rnn_cell,
    scaled_dot_product_attention,
)

CLOSE = 64  # times what numbers that are off by one rounding change in the answer


def exact(x):
    """Return an array in the widest floats; integers are float64 at first."""
    x = np.asarray(x)
    return (x if x.dtype.kind == "f" else x.astype(float)).astype(np.longdouble)


def wide(case, arguments, jitter=lambda x: x):
    """Return arguments for the slow function, each number moved a little."""
    result = dict(arguments)
    for name, x in arguments.items():
        if name == "projection_bias" and x is not None:
            result[name] = [jitter(exact(b)) for b in x]
        elif name == "mask" and x is not None:
            result[name] = np.asarray(x)
        elif (name in case.shapes or name == "bias") and x is not None:
            result[name] = jitter(exact(x))
    return result


def parts(result):
    return result if isinstance(result, tuple) else (result,)


def right_answer(case, arguments, narrow, tries=3):
    """Return what the loops say, and how far off a right answer may be."""
    rng, eps = np.random.default_rng(0), np.finfo(narrow).eps

    def jitter(x):
        return x * (1 + eps * rng.uniform(-1.5, 1.5, np.shape(x)))

    with np.errstate(all="ignore"):
        right = parts(case.slow(**wide(case, arguments)))
        with (
            mock.patch.object(slow, "rounded", jitter),
            mock.patch.object(slow, "kept", lambda weight: narrow.type(weight)),
        ):
            others = [
                parts(case.slow(**wide(case, arguments, jitter))) for _ in range(tries)
            ]
        off = [sum(abs(o[i] - part) for o in others) for i, part in enumerate(right)]
        return right, [
            CLOSE * (o + eps * (1 + abs(r))) for o, r in zip(off, right, strict=True)
        ]


def floats(case, arguments):
    """Return the dtypes of the arrays, as floats: integers become float64."""
    given = [v for k, v in arguments.items() if k in case.shapes and v is not None]
    dtypes = [np.asarray(x).dtype.newbyteorder("=") for x in given]
    biases = arguments.get("projection_bias")
    more = [] if biases is None else [np.asarray(b).dtype for b in biases]
    half = all(d == np.float16 for d in dtypes)
    single = [np.dtype("f4") if d == np.float16 else d for d in dtypes + more]
    single = [d if d.kind == "f" else np.dtype(float) for d in single]
    return np.dtype(np.float16) if half else np.result_type(*single), single


def check_answer(case, call, result):
    """Hold a result to the loops: values, shapes, dtypes, and memory of its own."""
    dtype, inside = floats(case, call.arguments)
    narrow = max([np.dtype(float), *inside], key=lambda d: np.finfo(d).eps)
    eps = np.finfo(narrow).eps
    # Huge scores that tie part either way: a few tries may all go the same way.
    tries = 12 if call.numbers == "huge" else 3
    right, slack = right_answer(case, call.arguments, narrow, tries)
    arrays = [x for x in call.arguments.values() if isinstance(x, np.ndarray)]
    lost = case.saturates and call.numbers == "huge"
    for i, (ours, wanted) in enumerate(zip(parts(result), right, strict=True)):
        of_scores = i and dtype != np.float16 and ours.dtype in inside
        assert type(ours) is np.ndarray and (ours.dtype == dtype or of_scores)
        assert ours.shape == wanted.shape and np.isfinite(ours).all()
        assert not any(np.shares_memory(ours, x) for x in arrays)
        half = 1e-3 * abs(wanted) + 1e-7 if dtype == np.float16 else 0
        known = np.isfinite(wanted) & np.isfinite(slack[i])
        with np.errstate(all="ignore"):
            near = abs(ours - wanted) <= slack[i] + half
        assert lost or near[known].all(), (ours, wanted, slack[i])
        if i == 1 and "cell" not in call.arguments and not lost:
            assert (ours[(wanted == 0) & (slack[i] <= CLOSE * eps)] == 0).all()


def check_sentence(case, call, sentence):
    assert sentence.endswith(".") and len(sentence) < 400, sentence
    assert not NOT_OURS.search(sentence), sentence
    named = {
        name
        for name in (*case.shapes, *case.options)
        if re.search(rf"\b{name}\b", sentence)
    }
    assert named or call.numbers == "huge" and "float" in sentence, sentence
    bad = {k for k, v in call.spoiled.items() if v in BAD or v.startswith("bad")}
    if bad and len(call.spoiled) == 1 and call.numbers != "huge":
        assert named & bad, sentence


def print_of(arguments):
    def one(x):
        if isinstance(x, np.ndarray):
            return x.dtype, x.shape, np.asarray(x).tobytes()
        try:
            return repr(x)
        except ValueError:
            return None

    return {k: one(v) for k, v in arguments.items()}


def check(case, call):
    """Hold a call to it: the right answer, or a sentence, and nothing is changed."""
    before = print_of(call.arguments)
    try:
        with warnings.catch_warnings(), np.errstate(all="raise"):
            warnings.simplefilter("error")
            result = case.function(**call.arguments)
    except ValueError as error:
        event("refused")
        check_sentence(case, call, str(error))
        assert call.spoiled or call.numbers == "huge", error
    else:
        event("answered")
        bad = [k for k, v in call.spoiled.items() if v in BAD or v.startswith("bad")]
        assert not bad
        check_answer(case, call, result)
    assert print_of(call.arguments) == before


@pytest.mark.parametrize("name", CASES)
def test_right_or_refused(name):
    @fuzz
    @given(calls(CASES[name]))
    def check_calls(call):
        check(CASES[name], call)

    check_calls()


def test_weights_of_narrow_floats_may_be_lost_beside_wide_values():
    wide_values = np.array([[0], [1]]) * (np.finfo("g").max / 8)
    arguments = {"query": [[100]], "key": [[0], [-20]], "value": wide_values}
    arguments = {k: np.asarray(x) for k, x in arguments.items()}
    output, weights = scaled_dot_product_attention(**arguments)
    case, call = CASES["scaled"], Call(arguments, {}, "usual")
    check_answer(case, call, (output, weights))
    with pytest.raises(AssertionError):
        check_answer(case, call, (output + wide_values[1] / 1e300, weights))


@pytest.mark.parametrize("dtype, most", [("f4", 1e30), ("f8", 1e200)])
def test_sums_that_overflow_are_refused(dtype, most):
    x, W = np.full((1, 2), most, dtype), np.array([[most], [-most]], dtype)
    zero = np.zeros((1, 1), dtype)
    for call in (
        lambda: scaled_dot_product_attention(x, np.vstack([W.T, 0 * W.T]), [[1], [2]]),
        lambda: additive_attention(x, zero, zero, W, zero, zero[0]),
        lambda: rnn_cell(x, zero, W, zero, zero[0]),
        lambda: gru_cell(x, zero, np.tile(W, 3), np.tile(zero, 3), np.zeros(3, dtype)),
        lambda: lstm_cell(
            x, zero, zero, np.tile(W, 4), np.tile(zero, 4), np.zeros(4, dtype)
        ),
    ):
        with pytest.raises(ValueError, match="overflow"):
            call()
