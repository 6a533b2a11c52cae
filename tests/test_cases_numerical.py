"""Faults reported by people who teach and ship attention, each with its right value.

A test is named after the number of its case. Rows are queries, columns are keys.
"""

import ast
import inspect
import itertools
import os
import subprocess
import sys
from pathlib import Path

import nbformat
import numpy as np
import pytest

import mha_core
from mha_core import (
    MultiHeadAttention,
    additive_attention,
    causal_mask,
    count_parameters,
    gru_cell,
    lstm_cell,
    luong_attention,
    merge_heads,
    multi_head_attention,
    padding_mask,
    rnn_cell,
    scaled_dot_product_attention,
    softmax,
    split_heads,
)
from mha_core.blocks import positions
from mha_core.models.initial import initial

ROOT = Path(__file__).resolve().parent.parent
THIRDS = [1 / 3, 1 / 3, 1 / 3]
HALVES = [[1, 0, 0, 0], [1 / 2, 1 / 2, 0, 0], [*THIRDS, 0], [1 / 4] * 4]
FOR_EACH_H = pytest.mark.parametrize("h", [1, 2, 4])


def close(ours, right, atol=1e-12):
    np.testing.assert_allclose(ours, right, rtol=1e-12, atol=atol)


def random(*shapes, seed=0):
    rng = np.random.default_rng(seed)
    return [rng.standard_normal(shape) for shape in shapes]


def weights_of(scores, **options):
    """Return the weights that these scores get, with one feature for each key."""
    scores = np.asarray(scores, float)
    keys = np.eye(scores.shape[-1])
    return scaled_dot_product_attention(scores, keys, keys, scale=1, **options)[1]


def projections(d_model, seed=0):
    return random(*[(d_model, d_model)] * 4, seed=seed)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_n01_plain_exp_softmax_overflows(dtype):
    right = [0.09003057, 0.24472847, 0.66524096]
    scores = np.array([1000, 1001, 1002], dtype)
    np.testing.assert_allclose(softmax(scores), right, 1e-3, 1e-3)
    close(softmax([1000, 1001, 1002]), right, atol=1e-8)
    close(softmax([-1000, -999, -998]), right, atol=1e-8)


@pytest.mark.parametrize("low, high", [(0, 1e308), (-1e308, 1e308), (-1e308, 0)])
def test_n01_scores_as_large_as_floats_go(low, high):
    close(softmax([low, high, high]), [0, 0.5, 0.5])


def test_n03_fully_masked_row():
    keep = np.ones((3, 3), bool)
    keep[1] = False
    weights = weights_of(np.zeros((3, 3)), mask=keep)
    close(weights, [THIRDS, [0, 0, 0], THIRDS])


@pytest.mark.parametrize("how", ["mask", "bias"])
def test_n03_fully_masked_row_of_all_heads(how):
    X, *W = random((3, 8), *[(8, 8)] * 4)
    keep = np.array([[1, 1, 1], [0, 0, 0], [1, 1, 1]], bool)
    given = {"mask": keep, "bias": np.where(keep, 0, -np.inf)}[how]
    output, weights = multi_head_attention(X, *W, 2, **{how: given})
    assert (weights[:, 1] == 0).all() and (output[1] == 0).all()
    close(weights[:, [0, 2]].sum(-1), 1)


def test_n06_mask_constant_does_not_fit_float16():
    X, *W = (x.astype(np.float16) for x in random((4, 4), *[(4, 4)] * 4))
    W[0][:] = 0  # all scores are 0
    output, weights = multi_head_attention(X, *W, 2, causal=True)
    assert output.dtype == weights.dtype == np.float16
    np.testing.assert_allclose(weights, [HALVES, HALVES], atol=1e-3)


def test_n06_float16_is_computed_in_float32():
    weights = softmax(np.zeros(70_000, np.float16))  # their sum has no float16
    np.testing.assert_allclose(weights, 1 / 70_000, rtol=1e-2)
    large = np.full((2, 4), 200, np.float16)  # their product has none
    _, weights = scaled_dot_product_attention(large, large, large)
    np.testing.assert_allclose(weights, 0.5)


def test_n08_float32_in_float32_out():
    X, *W = (x.astype(np.float32) for x in random((4, 8), *[(8, 8)] * 4))
    assert {x.dtype for x in multi_head_attention(X, *W, 2)} == {np.dtype(np.float32)}
    attention = MultiHeadAttention(8, 2)
    both = attention.forward(X, X, X, return_weights=True)
    assert {x.dtype for x in both} == {np.dtype(np.float32)}


def test_n09_softmax_over_the_query_axis():
    right = [[0.25, 0.75], [0.5, 0.5]]
    close(softmax([[0, np.log(3)], [0, 0]]), right)
    close(weights_of([[0, np.log(3)], [0, 0]]), right)


def test_n11_heads_split_by_reshape_alone():
    heads = split_heads(np.arange(12).reshape(3, 4), 2)
    close(heads, [[[0, 1], [4, 5], [8, 9]], [[2, 3], [6, 7], [10, 11]]])


def test_n12_heads_merged_without_moving_the_head_axis_back():
    close(
        merge_heads([[[1, 2], [3, 4]], [[5, 6], [7, 8]]]), [[1, 2, 5, 6], [3, 4, 7, 8]]
    )


@FOR_EACH_H
def test_n12_merge_undoes_split(h):
    (X,) = random((3, 4))
    close(merge_heads(split_heads(X, h)), X)


@pytest.mark.parametrize(
    "d_model, h, near",
    [(512, 12, "h=8 or h=16"), (128, 3, "h=2 or h=4"), (1600, 48, "h=40 or h=50")],
)
def test_n15_d_model_not_divisible_by_h(d_model, h, near):
    X, *W = np.ones((2, d_model)), *[np.ones((d_model, d_model))] * 4
    for call in (
        lambda: split_heads(X, h),
        lambda: multi_head_attention(X, *W, h),
        lambda: MultiHeadAttention(d_model, h),
        lambda: count_parameters(d_model, h),
    ):
        with pytest.raises(ValueError) as error:
            call()
        for word in (f"h={h}", f"d_model={d_model}", near):
            assert word in str(error.value)


def test_n15_all_head_counts_of_512_are_listed():
    with pytest.raises(ValueError, match="1, 2, 4, 8, 16, 32, 64, 128, 256, 512"):
        MultiHeadAttention(512, 12)


@pytest.mark.parametrize("keep", [[1, 1, 0], [True, True, False], [1.0, 1.0, 0.0]])
def test_n17_boolean_mask_polarity(keep):
    query, key, value = np.zeros((1, 1)), np.zeros((3, 1)), [[1], [2], [4]]
    output, _ = scaled_dot_product_attention(query, key, value, mask=keep)
    close(output, [[1.5]])


def test_n17_polarity_is_documented():
    for function in (scaled_dot_product_attention, multi_head_attention):
        assert "True where a query may attend" in inspect.getdoc(function)


def test_n20_padding_mask_does_not_line_up_with_heads():
    B, h, T = 3, 2, 4
    X, *W = random((B, T, 4), *[(4, 4)] * 4)
    keep = padding_mask([4, 1, 2], T)  # (B, 1, T)
    _, right = multi_head_attention(X, *W, h, keep)
    for mask in (
        keep[:, None],
        np.repeat(keep, T, 1),
        np.tile(keep[:, None], (h, T, 1)),
    ):
        close(multi_head_attention(X, *W, h, mask)[1], right)
    assert (right[1, :, :, 1:] == 0).all() and (right[2, :, :, 2:] == 0).all()
    close(
        multi_head_attention(X, *W, h, np.tri(T))[1][0],
        multi_head_attention(X[0], *W, h, np.tri(T))[1],
    )


@pytest.mark.parametrize(
    "shape",
    [
        (3, 4),
        (4,),
        (2, 4, 4),
        (3, 2, 4),
        (3, 4, 1),
        (3, 3, 4, 4),
        (2, 1, 4, 4),
        (1, 3, 2, 4, 4),
    ],
)
def test_n20_other_mask_shapes_are_listed(shape):
    X, *W = random((3, 4, 4), *[(4, 4)] * 4)
    with pytest.raises(ValueError) as error:
        multi_head_attention(X, *W, 2, np.ones(shape, bool))
    for words in (
        str(shape),
        "(T_q or 1, T_k)",
        "(B, T_q or 1, T_k)",
        "(B or 1, h or 1,",
    ):
        assert words in str(error.value)


def test_n20_three_axes_are_batches_never_heads():
    B = h = T = 3
    X, *W = random((B, T, 6), *[(6, 6)] * 4)
    keep = np.ones((B, T, T), bool)
    keep[1, :, 0] = False
    _, weights = multi_head_attention(X, *W, h, keep)
    assert (weights[1, :, :, 0] == 0).all()
    assert (weights[[0, 2]] > 0).all()
    with pytest.raises(ValueError, match="without a batch axis"):
        multi_head_attention(X[0], *W, h, keep)


def test_n24_causal_mask_with_unequal_lengths_is_top_left():
    close(causal_mask(2, 4), [[1, 0, 0, 0], [1, 1, 0, 0]])
    close(causal_mask(2, 4, offset=2), [[1, 1, 1, 0], [1, 1, 1, 1]])
    close(causal_mask(4), np.tri(4))
    close(weights_of(np.zeros((2, 4)), causal=True), HALVES[:2])


def test_n25_causal_mask_with_more_queries_than_keys():
    close(causal_mask(4, 2), [[1, 0], [1, 1], [1, 1], [1, 1]])
    close(causal_mask(4, 2, offset=-2), [[0, 0], [0, 0], [1, 0], [1, 1]])
    weights = weights_of(np.zeros((4, 2)), mask=causal_mask(4, 2, offset=-2))
    close(weights, [[0, 0], [0, 0], [1, 0], [0.5, 0.5]])


def test_n26_causal_diagonal_off_by_one():
    close(weights_of(np.zeros((4, 4)), causal=True), HALVES)


@pytest.mark.parametrize("size", [1, 100, 1e6])
@pytest.mark.parametrize("scale", [0.1, 1])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_n26_a_later_token_leaves_every_bit_before_it(dtype, scale, size):
    X, *W = ((x * scale).astype(dtype) for x in random((4, 8), *[(8, 8)] * 4))
    changed = X.copy()
    changed[3] = size
    before, after = (multi_head_attention(x, *W, 2, causal=True) for x in (X, changed))
    assert (before[0][:3] == after[0][:3]).all()
    assert (before[1][:, :3] == after[1][:, :3]).all()
    assert (before[0][3] != after[0][3]).any()


def test_n27_mask_multiplied_in_after_softmax():
    weights = weights_of(random((4, 4))[0], causal=True)
    close(weights.sum(-1), 1)
    afterwards = softmax(np.zeros((4, 4))) * causal_mask(4)
    close(afterwards.sum(-1), [0.25, 0.5, 0.75, 1])
    close(afterwards / afterwards.sum(-1, keepdims=True), HALVES)


def test_n28_scaled_by_the_width_of_one_head():
    query = np.zeros((1, 512))
    query[0, 0] = 8
    key = np.zeros((2, 512))
    key[0, 0] = 1
    one = np.eye(512)
    _, weights = multi_head_attention(query, one, one, one, one, 8, key=key)
    close(weights[0], [[0.73105858, 0.26894142]], atol=1e-8)


@pytest.mark.parametrize("d_k", [1, 4, 16, 64, 256])
def test_n29_scores_spread_as_one_whatever_the_width(d_k):
    query, key = random((20000, 1, d_k), (20000, 1, d_k))
    raw = (query @ np.swapaxes(key, -1, -2)).std()
    assert raw == pytest.approx(d_k**0.5, rel=0.02)
    _, concat = scaled_dot_product_attention(
        query, np.concatenate([key, 0 * key], axis=-2), np.zeros((20000, 2, 1))
    )
    scores = np.log(concat[..., 0] / concat[..., 1])
    assert scores.std() == pytest.approx(1, abs=0.02)


@FOR_EACH_H
def test_n29_each_h_is_what_a_separate_computation_gives(h):
    X, W_Q, W_K, W_V, W_O = random((3, 8), *[(8, 8)] * 4)
    output, weights = multi_head_attention(X, W_Q, W_K, W_V, W_O, h)
    heads = []
    for i in range(h):
        part = slice(i * 8 // h, (i + 1) * 8 // h)
        scores = X @ W_Q[:, part] @ (X @ W_K[:, part]).T / (8 / h) ** 0.5
        alone = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
        close(weights[i], alone)
        heads.append(alone @ X @ W_V[:, part])
    close(output, np.concatenate(heads, axis=-1) @ W_O)


def test_n30_weights_have_no_dropout():
    functions = [f for f in vars(mha_core).values() if callable(f)]
    names = {p for f in functions for p in inspect.signature(f).parameters}
    assert len(functions) >= 14 and not {n for n in names if "drop" in n}
    X, *W = random((1, 4), *[(4, 4)] * 4)
    for _ in range(20):
        assert (multi_head_attention(X, *W, 2)[1] == 1).all()


def test_n32_one_token_sequence():
    X, *W = random((1, 4), *[(4, 4)] * 4)
    output, weights = multi_head_attention(X, *W, 2)
    assert weights.shape == (2, 1, 1) and (weights == 1).all()
    assert output.shape == (1, 4)
    close(output, X @ W[2] @ W[3])


def test_n33_empty_sequence():
    full, empty = np.ones((3, 4)), np.ones((0, 4))
    W = [np.ones((4, 4))] * 4
    for call, name in [
        (lambda: multi_head_attention(empty, *W, 2), "X is empty"),
        (lambda: multi_head_attention(full, *W, 2, key=empty), "key is empty"),
        (lambda: scaled_dot_product_attention(full, empty, empty), "key is empty"),
        (lambda: softmax([]), "x is empty"),
        (lambda: split_heads(empty, 2), "x is empty"),
        (lambda: causal_mask(0), "T_q must be"),
        (lambda: padding_mask([], 3), "lengths must be"),
    ]:
        with pytest.raises(ValueError, match=name):
            call()


def core_types():
    features = np._core._multiarray_umath.__cpu_features__
    newer = {"Haswell": "AVX2", "SkylakeX": "AVX512_SKX"}
    return ["Prescott", *(core for core, has in newer.items() if features.get(has))]


@pytest.mark.parametrize("core", core_types())
def test_n34_last_digits_differ_between_machines(core):
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "tests/test_golden.py"],
        cwd=ROOT,
        env=os.environ | {"OPENBLAS_CORETYPE": core},
        capture_output=True,
        encoding="utf-8",
    )
    assert run.returncode == 0, run.stdout


def calls():
    """Return a call of each public function with arrays, and its arguments."""
    shapes = {
        softmax: {"x": (3, 5)},
        scaled_dot_product_attention: {"query": (3, 4), "key": (5, 4), "value": (5, 6)},
        additive_attention: {"query": (3, 4), "key": (5, 6), "value": (5, 7)}
        | {"W_a": (4, 8), "U_a": (6, 8), "v_a": (8,)},
        luong_attention: {"query": (3, 4), "key": (5, 4), "value": (5, 7)},
        split_heads: {"x": (3, 8)},
        merge_heads: {"x": (1, 3, 4)},
        multi_head_attention: {"X": (3, 8), "key": (5, 8)}
        | {name: (8, 8) for name in ("W_Q", "W_K", "W_V", "W_O")},
        MultiHeadAttention(8, 2).forward: {"Q": (3, 8), "K": (5, 8), "V": (5, 8)},
        rnn_cell: {"x": (3,), "state": (4,), "W": (3, 4), "U": (4, 4), "b": (4,)},
        gru_cell: {"x": (3,), "state": (4,), "W": (3, 12), "U": (4, 12), "b": (12,)},
        lstm_cell: {"x": (3,), "state": (4,), "cell": (4,), "W": (3, 16), "U": (4, 16)}
        | {"b": (16,)},
    }
    more = {split_heads: {"h": 2}, multi_head_attention: {"h": 2}}
    for function, named in shapes.items():
        arrays = dict(zip(named, random(*named.values()), strict=True))
        yield function, arrays | more.get(function, {})


@pytest.mark.parametrize("order", "CF")
def test_n35_functions_change_their_inputs(order):
    for function, arguments in calls():
        if "key" in arguments or "K" in arguments:
            keep = np.ones((3, 5), bool)
            keep[0] = False
            arguments |= {"mask": keep}
        arguments = {k: np.array(v, order=order) for k, v in arguments.items()}
        copies = {k: v.copy() for k, v in arguments.items()}
        for array in arguments.values():
            array.flags.writeable = False
        first, second = function(**arguments), function(**arguments)
        for a, b in zip(as_tuple(first), as_tuple(second), strict=True):
            assert (a == b).all()
            a[:] = 9  # what is returned is the caller's own
        assert all((arguments[k] == copies[k]).all() for k in copies), function


def as_tuple(result):
    return result if isinstance(result, tuple) else (result,)


def test_n37_pytorch_idioms_are_not_pasted_into_lessons():
    foreign = {"permute", "unsqueeze", "masked_fill", "torch"}
    for path in sorted((ROOT / "notebooks").rglob("*.ipynb")):
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "code":
                names = {
                    getattr(n, "attr", getattr(n, "id", None))
                    for n in ast.walk(ast.parse(cell.source))
                }
                assert not names & foreign, cell.source
                assert "transpose(0, 1)" not in cell.source


def test_t01_weights_are_targets_by_sources():
    target, source = random((2, 4), (3, 4))
    _, weights = scaled_dot_product_attention(target, source, source)
    assert weights.shape == (2, 3)
    close(weights.sum(-1), 1)


def test_t04_the_score_uses_the_state_before():
    model = initial("bahdanau", np.random.default_rng(0))
    params = model.params
    memory, state = model.start(np.array([[3, 1, 2]]))
    nothing = np.zeros((1, params["E_target"].shape[1]), np.float32)
    after, context, weights = model.step(state, nothing, memory)
    keys = model.encode(np.array([[3, 1, 2]]), np.ones((1, 3), bool))
    right = additive_attention(
        state[:, None], keys, keys, params["W_a"], params["U_a"], params["v_a"]
    )
    np.testing.assert_allclose(weights[:, 0], right[1][:, 0], 1e-5, 1e-6)
    np.testing.assert_allclose(context, right[0][:, 0], 1e-4, 1e-5)
    params["U_decoder"] += 1  # another s_1 from the same s_0
    changed, _, same = model.step(state, nothing, memory)
    assert (same == weights).all() and (changed != after).any()


@pytest.mark.parametrize(
    "d_model, plain, biased",
    [
        (8, 256, 288),
        (16, 1024, 1088),
        (256, 262_144, 263_168),
        (512, 1_048_576, 1_050_624),
        (768, 2_359_296, 2_362_368),
        (1024, 4_194_304, 4_198_400),
    ],
)
def test_t06_parameter_count_table(d_model, plain, biased):
    for h in (1, 8):
        assert count_parameters(d_model, h) == plain
        assert count_parameters(d_model, h, projection_bias=True) == biased


def test_t06_the_count_is_what_the_class_has():
    made = MultiHeadAttention(16, 4)
    sizes = [made.wq.size, made.wk.size, made.wv.size, made.wo.size]
    assert sum(sizes) == count_parameters(16, 4) == count_parameters(16, 8)


def test_t06_one_head_has_its_share_of_a_matrix():
    for h in (1, 8, 16):
        assert count_parameters(512, h) == 1_048_576
        assert count_parameters(512, h, projection_bias=True) == 1_050_624
    heads = split_heads(np.zeros((512, 512)), 8)  # the columns of W_Q, head by head
    assert heads[0].shape == (512, 64) and heads[0].size == 32_768


def test_t09_heads_are_not_averaged():
    X = np.array([[1.0, 0, 0, 1], [0, 1, 1, 0]]) * 50
    one = np.eye(4)
    swapped = one[:, [0, 1, 3, 2]]
    _, weights = multi_head_attention(X, one, swapped, one, one, 2)
    close(weights[:, 0], [[1, 0], [0, 1]])
    close(weights.mean(0)[0], [0.5, 0.5])


def test_t11_heads_count_from_zero():
    X = np.arange(8.0).reshape(2, 4)
    close(split_heads(X, 2)[0], X[:, :2])


def test_t12_shapes_of_one_head_and_of_all():
    T, h, d_k = 3, 2, 4
    X, *W = random((T, h * d_k), *[(h * d_k, h * d_k)] * 4)
    heads = split_heads(X @ W[2], h)
    _, weights = multi_head_attention(X, *W, h)
    assert heads.shape == (h, T, d_k) and weights.shape == (h, T, T)
    assert heads[0].shape == (T, d_k) and weights[0].shape == (T, T)
    assert merge_heads(heads).shape == (T, h * d_k)


def test_t15_padding_soaks_up_attention():
    right = [0.244728, 0.665241, 0.090031]
    scores = [[1, 2, 0, 7, 9]]
    masked = weights_of(scores, mask=padding_mask([3], 5)[0])
    close(masked, [[*right, 0, 0]], atol=1e-6)
    close(masked[:, :3], weights_of([[1, 2, 0]]))
    assert (masked[:, 3:] == 0).all()
    assert weights_of(scores)[0, -1] == pytest.approx(0.88, abs=0.005)


def test_t17_rows_of_padding_stay_distributions():
    X, *W = random((2, 4, 8), *[(8, 8)] * 4)
    _, weights = multi_head_attention(X, *W, 2, padding_mask([2, 4], 4))
    close(weights.sum(-1), 1)
    assert (weights[0, :, :, 2:] == 0).all()


def test_t18_scaling_the_query_or_the_scores():
    query, key, value = random((3, 4), (5, 4), (5, 6))
    output, weights = scaled_dot_product_attention(query, key, value)
    again = scaled_dot_product_attention(query / 2, key, value, scale=1)
    close(again[1], weights)
    close(softmax(query @ key.T / 2) @ value, output)


def test_t21_equal_sizes_hide_axis_errors():
    B, h, T_q, T_k, d_k = 6, 2, 3, 5, 4
    X, key, *W = random((B, T_q, h * d_k), (B, T_k, h * d_k), *[(h * d_k, h * d_k)] * 4)
    output, weights = multi_head_attention(X, *W, h, key=key)
    assert output.shape == (B, T_q, h * d_k) and weights.shape == (B, h, T_q, T_k)
    for b, i, j in itertools.product(range(B), range(h), range(T_q)):
        part = slice(i * d_k, (i + 1) * d_k)
        scores = X[b, j] @ W[0][:, part] @ (key[b] @ W[1][:, part]).T / 2
        close(weights[b, i, j], np.exp(scores) / np.exp(scores).sum())


def test_t22_is_information_lost_from_768_to_64():
    X, W = np.ones((2, 768)), np.eye(768)
    heads = split_heads(X, 12)
    output, _ = multi_head_attention(X, W, W, W, W, 12)
    assert heads.shape == (12, 2, 64) and 12 * 64 == 768
    assert merge_heads(heads).shape == output.shape == X.shape


def test_k08_positions_of_an_odd_width_are_refused_in_a_sentence():
    with pytest.raises(ValueError) as refused:
        positions(4, 5)
    assert str(refused.value) == ("d_model must be even, sines and cosines, not 5.")


@pytest.mark.parametrize("d_model", [2, 6, 10, 48])
def test_k09_a_sine_and_the_cosine_beside_it_turn_at_one_rate(d_model):
    table = positions(7, d_model)
    for i in range(d_model // 2):
        angle = 5 / 10000 ** (2 * i / d_model)
        close(table[5, 2 * i : 2 * i + 2], [np.sin(angle), np.cos(angle)])
    close(table[:, ::2] ** 2 + table[:, 1::2] ** 2, 1)


def test_k09_columns_2_and_3_of_width_6():
    angle = 5 / 10000 ** (2 / 6)
    close(positions(7, 6)[5, 2:4], [np.sin(angle), np.cos(angle)])


def test_k17_rows_of_the_decoder_are_what_is_written_columns_what_was_before():
    model = initial("transformer", np.random.default_rng(0))
    source, shown = np.array([[3, 1, 20]]), np.array([[0, 20, 2, 19]])
    names = ["decoder 0 self", "decoder 1 self"]
    before = model.attention(source, shown)
    assert all((np.triu(before[name], 1) == 0).all() for name in names)
    for j in range(4):
        other = shown.copy()
        other[0, j] += 1  # the column j, read by the rows from j on
        after = model.attention(source, other)
        for name in names:
            moved = (before[name] != after[name]).any(axis=(0, 1, 3))
            assert not moved[:j].any() and moved[max(j, 1) :].all()
