"""Malformed arguments: each is refused in one sentence that names the argument."""

import re
import warnings

import numpy as np
import pytest

from mha_core import (
    MultiHeadAttention,
    additive_attention,
    causal_mask,
    count_parameters,
    gru_cell,
    lstm_cell,
    luong_attention,
    masked_softmax,
    merge_heads,
    multi_head_attention,
    padding_mask,
    rnn_cell,
    scaled_dot_product_attention,
    softmax,
    split_heads,
)
from mha_core.recurrent import run

pytestmark = pytest.mark.filterwarnings("error")


@pytest.fixture(autouse=True)
def floating_point_errors_raise():
    with np.errstate(all="raise"):
        yield


def random(**shapes):
    rng = np.random.default_rng(0)
    return {name: rng.standard_normal(shape) for name, shape in shapes.items()}


B, T_q, T_k, h = 2, 3, 5, 4
ATTENTION = {"query": (B, T_q, 4), "key": (B, T_k, 4), "value": (B, T_k, 6)}
GOOD = {
    softmax: random(x=(3, 5)),
    masked_softmax: random(scores=(B, T_q, T_k)),
    scaled_dot_product_attention: random(**ATTENTION),
    additive_attention: random(**ATTENTION, W_a=(4, 7), U_a=(4, 7), v_a=(7,)),
    luong_attention: random(**ATTENTION, W_a=(4, 4)) | {"score": "general"},
    split_heads: random(x=(B, T_q, 8)) | {"h": h},
    merge_heads: random(x=(B, h, T_q, 2)),
    multi_head_attention: random(
        X=(B, T_q, 8),
        key=(B, T_k, 6),
        value=(B, T_k, 7),
        W_Q=(8, 8),
        W_K=(6, 8),
        W_V=(7, 12),
        W_O=(12, 9),
    )
    | {"h": h},
    MultiHeadAttention(8, 4).forward: random(
        Q=(B, T_q, 8), K=(B, T_k, 8), V=(B, T_k, 8)
    ),
    MultiHeadAttention(8, 4).attn: random(Q=(B, T_q, 2), K=(B, T_k, 2), V=(B, T_k, 2)),
    rnn_cell: random(x=(B, 3), state=(B, 4), W=(3, 4), U=(4, 4), b=(4,)),
    gru_cell: random(x=(B, 3), state=(B, 4), W=(3, 12), U=(4, 12), b=(12,), b_U=(12,)),
    lstm_cell: random(
        x=(B, 3), state=(B, 4), cell=(B, 4), W=(3, 16), U=(4, 16), b=(16,)
    ),
}


class NoArray:
    def __array__(self, *args, **kwargs):
        raise RuntimeError("this is no array")


def set_first(array, value):
    array = array.copy()
    array.flat[0] = value
    return array


BAD = {
    "strings": lambda x: x.astype(str),
    "bytes": lambda x: x.astype("S8"),
    "objects": lambda x: x.astype(object),
    "complex": lambda x: x + 0j,
    "dates": lambda x: np.zeros(x.shape, "M8[s]"),
    "durations": lambda x: np.zeros(x.shape, "m8[s]"),
    "records": lambda x: np.zeros(x.shape, [("a", float)]),
    "masked": np.ma.masked_array,
    "nan": lambda x: set_first(x, np.nan),
    "infinity": lambda x: set_first(x, np.inf),
    "minus infinity": lambda x: set_first(x, -np.inf),
    "no rows": lambda x: x[:0],
    "no columns": lambda x: x[..., :0],
    "ragged": lambda x: [[1, 2], [3]],
    "text": lambda x: "abc",
    "dict": lambda x: {},
    "generator": lambda x: (row for row in x),
    "no array": lambda x: NoArray(),
    "huge integers": lambda x: [[2**70]],
    "nothing inside": lambda x: [None],
}
ARGUMENTS = [
    pytest.param(function, name, id=f"{function.__name__}-{name}")
    for function, arguments in GOOD.items()
    for name, value in arguments.items()
    if isinstance(value, np.ndarray)
]


def refused(function, *args, **kwargs):
    """Return the sentence with which a call is refused."""
    with pytest.raises(ValueError) as error:
        function(*args, **kwargs)
    sentence = str(error.value)
    assert "\n" not in sentence and sentence.endswith("."), sentence
    assert len(sentence) < 400, sentence
    return sentence


@pytest.mark.parametrize("function", GOOD, ids=lambda f: f.__name__)
def test_good_arguments_are_taken(function):
    result = function(**GOOD[function])
    for part in result if isinstance(result, tuple) else [result]:
        assert np.isfinite(part).all()


@pytest.mark.parametrize("function, name", ARGUMENTS)
@pytest.mark.parametrize("bad", BAD)
def test_bad_array(function, name, bad):
    arguments = GOOD[function] | {name: BAD[bad](GOOD[function][name])}
    assert re.search(rf"\b{name}\b", refused(function, **arguments))


@pytest.mark.parametrize("function, name", ARGUMENTS)
def test_none(function, name):
    arguments = GOOD[function] | {name: None}
    if name == "b_U":
        assert np.isfinite(gru_cell(**arguments)).all()
    else:
        assert name in refused(function, **arguments)


ALONE = {softmax, masked_softmax, split_heads, merge_heads}
FREE = {("value", -1), ("V", -1), ("W_O", -1)}
FREE |= {(name, -2) for name in ("query", "X", "x", "Q")}
AXES = [
    pytest.param(function, name, axis, id=f"{function.__name__}-{name}-{axis}")
    for function, arguments in GOOD.items()
    for name, value in arguments.items()
    for axis in (-1, -2)
    if isinstance(value, np.ndarray)
    and value.ndim >= -axis
    and function not in ALONE
    and (name, axis) not in FREE
]


@pytest.mark.parametrize("function, name, axis", AXES)
def test_wrong_size_along_one_axis(function, name, axis):
    array = GOOD[function][name]
    longer = np.concatenate([array, array], axis)
    sentence = refused(function, **GOOD[function] | {name: longer})
    size = longer.shape[axis]
    told = (str(longer.shape), f"={size}", f"width {size}")
    assert any(words in sentence for words in told)


@pytest.mark.parametrize("function, name", ARGUMENTS)
def test_no_axes(function, name):
    sentence = refused(function, **GOOD[function] | {name: 3.0})
    assert f"{name} " in sentence and "()" in sentence


@pytest.mark.parametrize(
    "bad", [0, -1, 3, 10**30, 2.0, 2.5, "2", None, True, [2], np.array([4]), 1j, np.nan]
)
@pytest.mark.parametrize("function", [split_heads, multi_head_attention])
def test_bad_h(function, bad):
    sentence = refused(function, **GOOD[function] | {"h": bad})
    assert "h" in sentence and "d_model=8" in sentence and "1, 2, 4, 8" in sentence


@pytest.mark.parametrize("good", [4, np.int64(4), np.uint8(4), np.array(4)])
def test_good_h(good):
    assert split_heads(np.ones((3, 8)), good).shape == (4, 3, 2)
    assert count_parameters(np.uint8(200), good) == 160_000
    assert type(MultiHeadAttention(np.int32(8), good).h) is int


@pytest.mark.parametrize("d_model", [10**6 + 3, 10**12 + 39, 10**18, 2**61 - 1, 10**40])
def test_huge_d_model_is_refused_at_once(d_model):
    assert str(d_model) in refused(count_parameters, d_model, 7)
    assert "memory" in refused(MultiHeadAttention, d_model, 1)


@pytest.mark.parametrize("bad", [0, -4, 4.0, "8", None, True, [8]])
def test_bad_d_model(bad):
    assert "d_model" in refused(count_parameters, bad, 2)
    assert "d_model" in refused(MultiHeadAttention, bad, 2)


@pytest.mark.parametrize(
    "mask",
    [
        pytest.param(np.zeros((T_q, T_k)), id="zeros hide nothing in torch"),
        np.full((T_q, T_k), -np.inf),
        np.full((T_q, T_k), -1e9),
        np.where(np.tri(T_q, T_k) > 0, 0, -np.inf),
        np.full((T_q, T_k), np.nan),
        np.full((T_q, T_k), 0.5),
        np.full((T_q, T_k), 2),
        np.full((T_q, T_k), -1),
        np.ones((T_q, T_k), complex),
        np.ones((T_q, T_k), object),
        np.full((T_q, T_k), "True"),
        np.zeros((T_q, T_k), "M8[s]"),
    ],
)
@pytest.mark.parametrize(
    "function", [scaled_dot_product_attention, multi_head_attention]
)
def test_mask_values(function, mask):
    sentence = refused(function, **GOOD[function], mask=mask)
    assert sentence.startswith("mask ") and "bias=" in sentence


@pytest.mark.parametrize(
    "mask", ["abc", {}, [[1], [1, 2]], NoArray(), np.ma.ones((T_q, T_k))], ids=type
)
@pytest.mark.parametrize(
    "function", [scaled_dot_product_attention, multi_head_attention]
)
def test_mask_that_is_none(function, mask):
    assert refused(function, **GOOD[function], mask=mask).startswith("mask ")


@pytest.mark.parametrize(
    "dtype", [bool, int, np.uint8, ">i4", "f2", ">f8", np.longdouble]
)
def test_masks_of_any_dtype(dtype):
    good = GOOD[scaled_dot_product_attention]
    right = scaled_dot_product_attention(**good, mask=np.tri(T_q, T_k) > 0)
    for mask in (np.tri(T_q, T_k).astype(dtype), np.tri(T_q, T_k).tolist()):
        ours = scaled_dot_product_attention(**good, mask=mask)
        assert (ours[1] == right[1]).all()


@pytest.mark.parametrize("shape", [(), (T_q, T_k), (B, 1, T_k)])
def test_a_mask_of_false_hides_all(shape):
    good = GOOD[scaled_dot_product_attention]
    output, weights = scaled_dot_product_attention(**good, mask=np.zeros(shape, bool))
    assert not output.any() and not weights.any()


@pytest.mark.parametrize("dtype", ["i1", "u8", "i8", "f2", "f4", "f8"])
@pytest.mark.parametrize("shape", [(), (T_q, T_k), (B, 1, T_k)])
def test_R3_numbers_without_a_single_one_are_no_mask(shape, dtype):
    good, zeros = GOOD[scaled_dot_product_attention], np.zeros(shape, dtype)
    assert "bias=" in refused(scaled_dot_product_attention, **good, mask=zeros)
    assert "bias=" in refused(masked_softmax, np.ones((B, T_q, T_k)), zeros)


@pytest.mark.parametrize("dtype", ["?", "i1", "u8", "i8"])
def test_R4_a_bias_is_floats(dtype):
    ones = np.ones((T_q, T_k), dtype)
    for function in (scaled_dot_product_attention, multi_head_attention):
        sentence = refused(function, **GOOD[function], bias=ones)
        assert "bias must hold floats" in sentence and ones.dtype.name in sentence


def test_R5_values_need_their_key():
    good = {k: v for k, v in GOOD[multi_head_attention].items() if k != "key"}
    assert "without a key; give key=" in refused(multi_head_attention, **good)


@pytest.mark.parametrize(
    "shape",
    [(T_k, T_q), (4, T_k), (T_q, 4), (3, 1, T_k), (1, 1, T_q, T_k), (0,), (2, 1, 1)],
)
@pytest.mark.parametrize("name", ["mask", "bias"])
def test_mask_shapes_of_single_attention(name, shape):
    good, array = GOOD[scaled_dot_product_attention], np.ones(shape)
    if shape == (2, 1, 1):
        scaled_dot_product_attention(**good, **{name: array})
    else:
        sentence = refused(scaled_dot_product_attention, **good, **{name: array})
        assert name in sentence and str(shape) in sentence and "(2, 3, 5)" in sentence


@pytest.mark.parametrize(
    "shape",
    [(T_q, T_k), (1, T_k), (B, T_q, T_k), (B, 1, T_k), (B, h, T_q, T_k), (1, h, 1, T_k)]
    + [(B, 1, T_q, T_k), (1, 1, 1, T_k)],
)
@pytest.mark.parametrize("name", ["mask", "bias"])
def test_mask_shapes_of_multi_head_attention(name, shape):
    good = GOOD[multi_head_attention]
    keep = np.random.default_rng(1).random(shape) > 0.3
    given = keep if name == "mask" else np.where(keep, 0, -np.inf)
    _, weights = multi_head_attention(**good, **{name: given})
    keep = keep[:, None] if keep.ndim == 3 else keep
    assert (weights[~np.broadcast_to(keep, weights.shape)] == 0).all()
    assert (weights[np.broadcast_to(keep, weights.shape)] > 0).all()


@pytest.mark.parametrize(
    "shape",
    [
        (),
        (T_k,),
        (T_q, 1),
        (T_q, 4),
        (T_k, T_q),
        (1, T_q, T_k),
        (h, T_q, T_k),
        (3, 1, T_k),
    ]
    + [
        (B, 1, 4),
        (h, B, T_q, T_k),
        (B, 3, T_q, T_k),
        (B, h, 2, T_k),
        (1, B, h, T_q, T_k),
    ],
)
@pytest.mark.parametrize("name", ["mask", "bias"])
def test_other_mask_shapes_of_multi_head_attention(name, shape):
    sentence = refused(
        multi_head_attention, **GOOD[multi_head_attention], **{name: np.ones(shape)}
    )
    assert f"{name} has shape {shape}" in sentence and "(B or 1, h or 1" in sentence


@pytest.mark.parametrize("shape", [(h, T_q, T_k), (1, T_q, T_k), (2, h, T_q, T_k)])
def test_masks_without_a_batch(shape):
    good = {
        k: v[0] if np.ndim(v) == 3 else v for k, v in GOOD[multi_head_attention].items()
    }
    assert "without a batch" in refused(
        multi_head_attention, **good, mask=np.ones(shape)
    )
    _, weights = multi_head_attention(**good, mask=np.ones((1, h, T_q, T_k)))
    assert weights.shape == (h, T_q, T_k)


@pytest.mark.parametrize(
    "bias",
    [
        np.nan,
        np.inf,
        True,
        1j,
        "a",
        [[1], [2, 3]],
        np.ma.ones((T_q, T_k)),
        [None],
        NoArray(),
    ],
)
def test_bias_values(bias):
    good = GOOD[scaled_dot_product_attention]
    assert refused(scaled_dot_product_attention, **good, bias=bias).startswith("bias ")


def test_bias_too_large_for_the_scores():
    good = {
        k: v.astype(np.float32) for k, v in GOOD[scaled_dot_product_attention].items()
    }
    assert "float32" in refused(scaled_dot_product_attention, **good, bias=1e39)
    output, weights = scaled_dot_product_attention(
        **good, bias=np.full((1, T_k), -3e38)
    )
    assert output.dtype == np.float32
    np.testing.assert_allclose(weights, 1 / T_k, 1e-6)


@pytest.mark.parametrize(
    "bad", ["2", True, np.array([2.0]), np.nan, np.inf, 10**400, 1j, [1], [[1], [2, 3]]]
)
def test_bad_scale(bad):
    good = GOOD[scaled_dot_product_attention]
    assert refused(scaled_dot_product_attention, **good, scale=bad).startswith("scale ")


@pytest.mark.parametrize("bad", ["no", None, 2, [], np.ones((3, 3), bool)])
def test_bad_flags(bad):
    for call, name in [
        (
            lambda: scaled_dot_product_attention(
                **GOOD[scaled_dot_product_attention], causal=bad
            ),
            "causal",
        ),
        (
            lambda: multi_head_attention(**GOOD[multi_head_attention], causal=bad),
            "causal",
        ),
        (lambda: gru_cell(**GOOD[gru_cell], reset_after=bad), "reset_after"),
        (lambda: count_parameters(8, 2, projection_bias=bad), "projection_bias"),
    ]:
        assert refused(call).startswith(f"{name} ")


@pytest.mark.parametrize("bad", [2, -3, None, (0, 1), 1.0, True, "a"])
def test_bad_axis(bad):
    assert "axis" in refused(softmax, np.ones((2, 3)), bad)


@pytest.mark.parametrize(
    "bad",
    [
        True,
        1,
        "abcd",
        [],
        {},
        [np.ones(8)] * 3,
        [np.ones(8)] * 4,
        [None] * 4,
        np.ones((4, 8)),
    ]
    + [[np.ones(8), np.ones(8), np.ones(12), [np.nan] * 9]],
)
def test_bad_projection_bias(bad):
    good = GOOD[multi_head_attention]
    assert "projection_bias" in refused(
        multi_head_attention, **good, projection_bias=bad
    )


def test_sequences_of_multi_head_attention():
    X, *W = random(X=(B, T_q, 8), a=(8, 8), b=(8, 8), c=(8, 8), d=(8, 8)).values()
    for arguments in [
        {"X": X, "key": X[:1]},
        {"X": X[0], "key": X},
        {"X": X, "key": X[0]},
        {"X": X[None]},
    ]:
        names = dict(zip(("W_Q", "W_K", "W_V", "W_O"), W, strict=True))
        assert "same B" in refused(multi_head_attention, **names, h=2, **arguments)


def test_leading_axes_that_do_not_fit():
    good = random(query=(2, 3, 4), key=(3, 5, 4), value=(3, 5, 4))
    assert "query (2, 3, 4)" in refused(scaled_dot_product_attention, **good)


@pytest.mark.parametrize("score", ["foo", None, 1, ["dot"]])
def test_bad_score(score):
    good = random(**ATTENTION)
    assert "dot, general or concat" in refused(luong_attention, **good, score=score)


@pytest.mark.parametrize(
    "score, weights",
    [
        ("dot", {"W_a": (4, 4)}),
        ("general", {}),
        ("general", {"W_a": (4, 5)}),
        ("general", {"W_a": (4, 4), "v_a": (4,)}),
        ("concat", {"W_a": (8, 3)}),
        ("concat", {"v_a": (3,)}),
        ("concat", {"W_a": (8, 3), "v_a": (4,)}),
        ("concat", {"W_a": (7, 3), "v_a": (3,)}),
    ],
)
def test_weights_of_another_score(score, weights):
    good = random(**ATTENTION, **weights)
    assert f"score='{score}'" in refused(luong_attention, **good, score=score)


def test_dot_of_unequal_widths():
    good = random(query=(3, 4), key=(5, 6), value=(5, 6))
    assert "equal widths" in refused(luong_attention, **good)


@pytest.mark.parametrize(
    "arguments",
    [(0,), (3, 0), (-1,), (2.0,), ("a",), (None,), (True,), (10**6, 10**6), (10**30,)],
)
def test_bad_causal_mask(arguments):
    assert re.search("T_q|T_k", refused(causal_mask, *arguments))


@pytest.mark.parametrize("offset", [10**30, 5, -5, -(10**30)])
def test_far_offsets(offset):
    assert (causal_mask(3, 4, offset) == (offset > 0)).all()
    assert "offset" in refused(causal_mask, 3, 4, 0.5)


@pytest.mark.parametrize(
    "lengths", [[5], [-1], [2.0], [[1]], [], 3, None, "ab", [1, [2]], [True], [2**70]]
)
def test_bad_lengths(lengths):
    assert "lengths" in refused(padding_mask, lengths, 4)


@pytest.mark.parametrize("T_k", [0, -1, 2.0, None, "a", 10**12])
def test_bad_T_k(T_k):
    assert "T_k" in refused(padding_mask, [0], T_k)


@pytest.mark.parametrize("seed", [-1, "a", 1.5, 2**40])
def test_bad_seed(seed):
    assert "seed" in refused(MultiHeadAttention, 8, 2, seed)


@pytest.mark.parametrize("scale", ["a", None, np.nan, [1]])
def test_bad_init_scale(scale):
    assert "init_scale" in refused(MultiHeadAttention, 8, 2, init_scale=scale)


@pytest.mark.parametrize("inputs", [np.ones((2, 0, 3)), np.ones(3), [], None])
def test_bad_inputs_of_run(inputs):
    weights = [np.ones((3, 4)), np.ones((4, 4)), np.ones(4)]
    assert "inputs" in refused(run, rnn_cell, inputs, np.zeros(4), *weights)


@pytest.mark.parametrize("mask", [np.ones((3, 2)), np.full((2, 3), 2), "abc"])
def test_bad_mask_of_run(mask):
    weights = [np.ones((3, 4)), np.ones((4, 4)), np.ones(4)]
    given = (rnn_cell, np.ones((2, 3, 3)), np.zeros(4), *weights)
    assert refused(run, *given, mask=mask).startswith("mask ")


@pytest.mark.parametrize("where", ["W_Q", "W_K", "W_V", "W_O"])
@pytest.mark.parametrize("mask", [None, np.zeros((T_q, T_k), bool), np.ones((1, T_k))])
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_weights_that_are_not_finite(where, mask, causal, bad):
    good = GOOD[multi_head_attention]
    given = good | {where: set_first(good[where], bad)}
    assert refused(multi_head_attention, **given, mask=mask, causal=causal).startswith(
        f"{where} holds"
    )


@pytest.mark.parametrize("name", ["X", "key", "value"])
def test_what_causal_hides_must_be_finite_too(name):
    good = GOOD[multi_head_attention]
    given = good | {name: good[name].copy()}
    given[name][-1, -1] = np.nan  # no query sees the last of five keys
    assert name in refused(multi_head_attention, **given, causal=True)


@pytest.mark.parametrize(
    "function, name",
    [(multi_head_attention, f"W_{letter}") for letter in "QKVO"]
    + [(additive_attention, "W_a"), (additive_attention, "U_a")]
    + [(additive_attention, "v_a"), (luong_attention, "W_a")],
)
def test_weights_have_no_leading_axes(function, name):
    array = GOOD[function][name][None]
    sentence = refused(function, **GOOD[function] | {name: array})
    assert name in sentence and str(array.shape) in sentence


@pytest.mark.parametrize("function", GOOD, ids=lambda f: f.__name__)
@pytest.mark.parametrize("size", [1e200, 1e308])
def test_overflow_is_said_or_right(function, size):
    arrays = {
        k: np.full(v.shape, size) if isinstance(v, np.ndarray) else v
        for k, v in GOOD[function].items()
    }
    try:
        result = function(**arrays)
    except ValueError as error:
        assert "overflow" in str(error)
    else:
        for part in result if isinstance(result, tuple) else [result]:
            assert np.isfinite(part).all()


def test_scores_that_overflow_are_not_taken_for_hidden_keys():
    query, key, value = np.full((1, 4), 1e200), np.full((3, 4), -1e200), np.ones((3, 1))
    for mask in (None, np.ones((1, 3), bool)):
        assert "overflow" in refused(
            scaled_dot_product_attention, query, key, value, mask=mask
        )


def test_a_hidden_key_may_overflow():
    query, key = np.full((1, 4), 1e200), np.full((3, 4), 1.0)
    key[2] = 1e200
    output, weights = scaled_dot_product_attention(
        query, key, [[1], [2], [4]], mask=[1, 1, 0]
    )
    assert weights.tolist() == [[0.5, 0.5, 0]] and output.tolist() == [[1.5]]


@pytest.mark.parametrize("function", GOOD, ids=lambda f: f.__name__)
@pytest.mark.parametrize(
    "dtype", ["?", "i1", "u1", ">i4", "u8", "f2", ">f2", "f4", ">f4", "f8", ">f8", "g"]
)
def test_dtypes(function, dtype):
    arrays = {
        k: (np.abs(v) * 2).astype(dtype) if isinstance(v, np.ndarray) else v
        for k, v in GOOD[function].items()
    }
    dtype = np.dtype(dtype)
    right = dtype.newbyteorder("=") if dtype.kind == "f" else np.dtype(np.float64)
    result = function(**arrays)
    for part in result if isinstance(result, tuple) else [result]:
        assert part.dtype == right


@pytest.mark.parametrize("function", GOOD, ids=lambda f: f.__name__)
def test_layouts(function):
    right = function(**GOOD[function])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PendingDeprecationWarning)
        matrix = {
            k: np.asmatrix(v) if np.ndim(v) == 2 else v
            for k, v in GOOD[function].items()
        }
    for change in (
        np.asfortranarray,
        lambda x: x[..., ::-1].copy()[..., ::-1],
        np.ndarray.tolist,
    ):
        arrays = {
            k: change(v) if isinstance(v, np.ndarray) else v
            for k, v in GOOD[function].items()
        }
        for given in (arrays, matrix):
            ours = function(**given)
            assert type(ours[0] if isinstance(ours, tuple) else ours) is np.ndarray
            np.testing.assert_allclose(np.asarray(ours[0]), right[0], 1e-12, 1e-14)


@pytest.mark.parametrize("size", [1e-300, 5e-324])
def test_tiny_numbers_underflow_without_a_word(size):
    for function, good in GOOD.items():
        for dtype in (np.float16, np.float32, np.float64):
            with np.errstate(under="ignore"):
                arrays = {
                    k: (v * size).astype(dtype) if isinstance(v, np.ndarray) else v
                    for k, v in good.items()
                }
            function(**arrays)


def test_python_says_itself_what_is_missing():
    for call in (
        lambda: multi_head_attention(np.ones((2, 4)), h=2),
        lambda: multi_head_attention(**GOOD[multi_head_attention], dropout=0.1),
        lambda: softmax(np.ones(3), x=np.ones(3)),
        lambda: softmax(np.ones(3), 0, 0),
    ):
        with pytest.raises(TypeError):
            call()


def test_a_width_that_h_does_not_divide_is_named_for_what_it_is():
    X, W, narrow = np.ones((3, 8)), np.ones((8, 8)), np.ones((8, 6))
    calls = {
        "columns of W_Q=6": (narrow, narrow, W, W),
        "columns of W_V=6": (W, W, narrow, np.ones((6, 8))),
    }
    for width, weights in calls.items():
        told = refused(multi_head_attention, X, *weights, 4)
        assert told.startswith(f"h=4 does not divide {width}; try h=3 or h=6")
    assert "d_model=8" in refused(multi_head_attention, X, W, W, W, W, 3)
