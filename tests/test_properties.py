"""What holds for all inputs, tried on drawn ones, against slow loops written here."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from mha_core import (
    additive_attention,
    causal_mask,
    luong_attention,
    merge_heads,
    multi_head_attention,
    padding_mask,
    scaled_dot_product_attention,
    softmax,
    split_heads,
)

T_q, T_k, d_k, d_v = 2, 3, 5, 4
few = settings(deadline=None, max_examples=30, derandomize=True)
any_float = st.floats(-1e300, 1e300)
usual_float = st.floats(-30, 30)


def tables(*shape, of=usual_float):
    return arrays(np.float64, shape, elements=of)


@st.composite
def attention_inputs(draw):
    """Return query, key, value and a mask, of pairwise different sizes."""
    shapes = (T_q, d_k), (T_k, d_k), (T_k, d_v)
    mask = draw(arrays(bool, (T_q, T_k)))
    return *(draw(tables(*shape)) for shape in shapes), mask


@st.composite
def multi_head_inputs(draw):
    """Return X, another sequence, four weights and h, in batches of 3."""
    h = draw(st.sampled_from([1, 2, 3, 6]))
    X, key = draw(tables(3, 4, 6)), draw(tables(3, 5, 6))
    weights = [draw(tables(6, 6, of=st.floats(-2, 2))) for _ in range(4)]
    return X, key, weights, h


def slow_attention(query, key, value, mask):
    """Return output and weights, number by number."""
    output, weights = np.zeros((len(query), value.shape[1])), np.zeros(mask.shape)
    for i in range(len(query)):
        seen = [j for j in range(len(key)) if mask[i, j]]
        scores = {
            j: math.fsum(query[i] * key[j]) / math.sqrt(len(key[j])) for j in seen
        }
        shares = {j: math.exp(scores[j] - max(scores.values())) for j in seen}
        for j in seen:
            weights[i, j] = shares[j] / math.fsum(shares.values())
        for c in range(value.shape[1]):
            output[i, c] = math.fsum(weights[i, j] * value[j, c] for j in seen)
    return output, weights


def close(ours, right):
    np.testing.assert_allclose(ours, right, rtol=1e-9, atol=1e-9)


@few
@given(tables(2, 3, 5, of=any_float), st.sampled_from([-3, -2, -1, 0, 1, 2]))
def test_softmax_sums_to_one(x, axis):
    weights = softmax(x, axis)
    assert weights.shape == x.shape and (weights >= 0).all()
    close(weights.sum(axis), 1)


@few
@given(tables(3, 5), st.floats(-1e3, 1e3))
def test_softmax_does_not_change_when_all_scores_are_shifted(x, shift):
    np.testing.assert_allclose(softmax(x + shift), softmax(x), rtol=1e-9, atol=1e-12)


@few
@given(attention_inputs())
def test_attention_equals_a_loop(inputs):
    query, key, value, mask = inputs
    ours = scaled_dot_product_attention(query, key, value, mask=mask)
    for part, right in zip(ours, slow_attention(*inputs), strict=True):
        close(part, right)


@few
@given(attention_inputs())
def test_masks_hide_exactly_and_rows_sum_to_one(inputs):
    query, key, value, mask = inputs
    for how in ({"mask": mask}, {"bias": np.where(mask, 0, -np.inf)}):
        output, weights = scaled_dot_product_attention(query, key, value, **how)
        assert (weights[~mask] == 0).all()
        close(weights.sum(-1), mask.any(-1))
        assert (output[~mask.any(-1)] == 0).all()


@few
@given(attention_inputs(), st.floats(-1e8, 1e8))
def test_what_is_hidden_does_not_matter(inputs, junk):
    query, key, value, mask = inputs
    mask[:, 1] = False
    before = scaled_dot_product_attention(query, key, value, mask=mask)
    key[1], value[1] = junk, -junk
    after = scaled_dot_product_attention(query, key, value, mask=mask)
    assert all((a == b).all() for a, b in zip(before, after, strict=True))


@few
@given(attention_inputs(), arrays(bool, (T_q, T_k)), tables(T_q, T_k))
def test_mask_bias_and_causal_apply_together(inputs, hidden, bias):
    query, key, value, mask = inputs
    bias = np.where(hidden, -np.inf, bias)
    _, weights = scaled_dot_product_attention(
        query, key, value, mask=mask, bias=bias, causal=True
    )
    seen = mask & ~hidden & (np.tri(T_q, T_k) > 0)
    scores = query @ key.T / math.sqrt(d_k) + np.where(hidden, 0, bias)
    shares = np.exp(scores - scores.max()) * seen
    shares[~seen] = 0
    total = shares.sum(-1, keepdims=True)
    usable = (total > 1e-250)[:, 0]
    close(weights[usable], (shares / np.where(total == 0, 1, total))[usable])
    assert (weights[~seen] == 0).all()


@few
@given(tables(2, 3, 12), st.sampled_from([1, 2, 3, 4, 6, 12]))
def test_split_then_merge_is_the_identity(x, h):
    heads = split_heads(x, h)
    assert (merge_heads(heads) == x).all()
    for i in range(h):
        assert (heads[:, i] == x[:, :, i * 12 // h : (i + 1) * 12 // h]).all()


@few
@given(multi_head_inputs(), st.booleans())
def test_heads_equal_a_loop(inputs, causal):
    X, key, (W_Q, W_K, W_V, W_O), h = inputs
    output, weights = multi_head_attention(
        X, W_Q, W_K, W_V, W_O, h, key=key, causal=causal
    )
    mask = np.tri(4, 5) > 0 if causal else np.ones((4, 5), bool)
    for b in range(3):
        heads = []
        for i in range(h):
            part = slice(i * 6 // h, (i + 1) * 6 // h)
            Q, K, V = X[b] @ W_Q[:, part], key[b] @ W_K[:, part], key[b] @ W_V[:, part]
            head, right = slow_attention(Q, K, V, mask)
            close(weights[b, i], right)
            heads.append(head)
        right = np.concatenate(heads, axis=-1) @ W_O
        np.testing.assert_allclose(output[b], right, rtol=1e-7, atol=1e-7)


@few
@given(multi_head_inputs(), tables(3, 5, 7), tables(7, 6, of=st.floats(-2, 2)))
def test_weights_come_from_the_keys_and_the_output_from_the_values(inputs, value, W_V):
    X, key, (W_Q, W_K, _, W_O), h = inputs
    W = W_Q, W_K, W_V, W_O
    output, weights = multi_head_attention(X, *W, h, key=key, value=value)
    heads, right = scaled_dot_product_attention(
        split_heads(X @ W_Q, h), split_heads(key @ W_K, h), split_heads(value @ W_V, h)
    )
    close(weights, right)
    np.testing.assert_allclose(output, merge_heads(heads) @ W_O, rtol=1e-7, atol=1e-7)


@few
@given(multi_head_inputs())
def test_one_head_equals_single_head_attention(inputs):
    X, _, (W_Q, W_K, W_V, W_O), _ = inputs
    output, weights = multi_head_attention(X, W_Q, W_K, W_V, W_O, 1)
    right = scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V)
    close(weights[:, 0], right[1])
    np.testing.assert_allclose(output, right[0] @ W_O, rtol=1e-7, atol=1e-7)


@few
@given(multi_head_inputs(), st.permutations(range(4)))
def test_permutation_equivariance(inputs, order):
    X, _, W, h = inputs
    output, weights = multi_head_attention(X, *W, h)
    moved, moved_weights = multi_head_attention(X[:, order], *W, h)
    np.testing.assert_allclose(moved, output[:, order], rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(
        moved_weights, weights[:, :, order][..., order], rtol=1e-6, atol=1e-9
    )


@few
@given(multi_head_inputs(), st.integers(0, 3), tables(6))
def test_causal_outputs_before_a_changed_token_keep_every_bit(inputs, j, token):
    X, _, W, h = inputs
    changed = X.copy()
    changed[:, j] = token
    before, after = (multi_head_attention(x, *W, h, causal=True) for x in (X, changed))
    assert (before[0][:, :j] == after[0][:, :j]).all()
    assert (before[1][:, :, :j] == after[1][:, :, :j]).all()


@few
@given(multi_head_inputs(), st.lists(st.integers(1, 5), min_size=3, max_size=3))
def test_padding_is_as_if_it_were_not_there(inputs, lengths):
    X, key, W, h = inputs
    output, _ = multi_head_attention(X, *W, h, padding_mask(lengths, 5), key=key)
    for b, length in enumerate(lengths):
        alone, _ = multi_head_attention(X[b], *W, h, key=key[b, :length])
        np.testing.assert_allclose(output[b], alone, rtol=1e-6, atol=1e-6)


@few
@given(multi_head_inputs())
def test_batches_do_not_mix(inputs):
    X, _, W, h = inputs
    output, weights = multi_head_attention(X, *W, h)
    for b in range(3):
        alone, alone_weights = multi_head_attention(X[b], *W, h)
        np.testing.assert_allclose(output[b], alone, rtol=1e-7, atol=1e-7)
        close(weights[b], alone_weights)


@few
@given(multi_head_inputs())
def test_inputs_are_not_changed_and_a_second_call_says_the_same(inputs):
    X, key, W, h = inputs
    copies = [x.copy() for x in (X, key, *W)]
    first, second = (multi_head_attention(X, *W, h, key=key) for _ in range(2))
    assert all((a == b).all() for a, b in zip((X, key, *W), copies, strict=True))
    assert all((a == b).all() for a, b in zip(first, second, strict=True))


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.longdouble])
@settings(few, max_examples=10)
@given(multi_head_inputs())
def test_dtype_is_kept(dtype, inputs):
    X, _, W, h = inputs
    right = multi_head_attention(X / 100, *W, h)
    ours = multi_head_attention(
        (X / 100).astype(dtype), *(w.astype(dtype) for w in W), h
    )
    tolerance = 2e-2 if dtype is np.float16 else 1e-4
    for part, exact in zip(ours, right, strict=True):
        assert part.dtype == dtype
        np.testing.assert_allclose(part, exact, tolerance, tolerance)


@few
@given(
    st.integers(1, 6),
    st.integers(1, 6),
    st.integers(-7, 7),
    st.lists(st.integers(0, 6), min_size=1),
)
def test_masks_equal_their_definitions(rows, columns, offset, lengths):
    mask = causal_mask(rows, columns, offset)
    right = [[j <= i + offset for j in range(columns)] for i in range(rows)]
    assert mask.dtype == bool and mask.tolist() == right
    padding = padding_mask(lengths, 6)
    right = [[[j < length for j in range(6)]] for length in lengths]
    assert padding.dtype == bool and padding.tolist() == right


@few
@given(
    tables(T_q, 4),
    tables(T_k, 5),
    tables(T_k, 6),
    tables(4, 7),
    tables(5, 7),
    tables(7),
)
def test_additive_attention_equals_a_loop(query, key, value, W_a, U_a, v_a):
    context, weights = additive_attention(query, key, value, W_a, U_a, v_a)
    for i in range(T_q):
        scores = [v_a @ np.tanh(query[i] @ W_a + key[j] @ U_a) for j in range(T_k)]
        shares = np.exp(np.array(scores) - max(scores))
        close(weights[i], shares / shares.sum())
        close(context[i], shares / shares.sum() @ value)


@few
@given(
    tables(T_q, 4),
    tables(T_k, 5),
    tables(T_k, 6),
    tables(9, 7),
    tables(7),
    tables(4, 5),
)
def test_luong_attention_equals_a_loop(query, key, value, W_concat, v_a, W_general):
    ways = {
        "concat": (
            lambda q, k: v_a @ np.tanh(np.append(q, k) @ W_concat),
            (W_concat, v_a),
        ),
        "general": (lambda q, k: q @ W_general @ k, (W_general, None)),
    }
    for name, (score, (W_a, v)) in ways.items():
        context, weights = luong_attention(
            query, key, value, score=name, W_a=W_a, v_a=v
        )
        for i in range(T_q):
            scores = np.array([score(query[i], key[j]) for j in range(T_k)])
            shares = np.exp(scores - scores.max())
            close(weights[i], shares / shares.sum())
            close(context[i], shares / shares.sum() @ value)
