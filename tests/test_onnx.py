"""The backend tests of ONNX, rebuilt in process and translated to this package.

ONNX groups heads, caches keys, pads them, cuts windows, and has its own layouts and
gate orders. All of that is repeated heads, masks and reordered columns, written here.
"""

import importlib
import warnings

import numpy as np
import pytest
from onnx import defs, helper
from onnx.backend.test.case import node

from mha_core.attention import scaled_dot_product_attention, softmax
from mha_core.masking import causal_mask, padding_mask
from mha_core.multihead import merge_heads, split_heads
from mha_core.recurrent import gru_cell, lstm_cell, rnn_cell, run

COUNTS = {"Attention": 76, "Softmax": 7, "RNN": 6, "GRU": 6, "LSTM": 5}
OUT_OF_SCOPE = {"softcap", "softmax_precision"}
MOST_PRECISE = {np.float32: (1e-5, 1e-6), np.float16: (2e-3, 1e-3)}


def collect():
    """Return the cases that ONNX makes on import, and leave the random state alone."""
    state = np.random.get_state()  # noqa: NPY002
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for op in COUNTS:
                importlib.import_module(f"{node.__name__}.{op.lower()}")
    finally:
        np.random.set_state(state)  # noqa: NPY002
    return [case for case in node._NodeTestCases if in_scope(case)]


def in_scope(case):
    """Tell whether a case is one node of an operation that the package has."""
    graph = case.model.graph
    if len(graph.node) != 1 or graph.node[0].op_type not in COUNTS:
        return False
    arrays = case.data_sets[0][0]
    peepholes = graph.node[0].op_type == "LSTM" and len(arrays) == 8
    bfloat16 = any(array.dtype.name == "bfloat16" for array in arrays)
    return not (OUT_OF_SCOPE & attributes(case).keys() or peepholes or bfloat16)


def attributes(case):
    """Return the attributes of a case's node; texts are decoded."""
    pairs = (
        (a.name, helper.get_attribute_value(a))
        for a in case.model.graph.node[0].attribute
    )
    return {k: v.decode() if isinstance(v, bytes) else v for k, v in pairs}


CASES = collect()


def of(op):
    """Return a decorator that runs a test on all cases of one operation."""
    cases = [case for case in CASES if case.model.graph.node[0].op_type == op]
    return pytest.mark.parametrize("case", cases, ids=lambda case: case.name)


def inputs(case):
    """Return the inputs of a case by ONNX's names; those left out are None."""
    operation = case.model.graph.node[0]
    schema = defs.get_schema(operation.op_type)
    given = iter(case.data_sets[0][0])
    values = [next(given) if name else None for name in operation.input]
    values += [None] * (len(schema.inputs) - len(values))
    return dict(zip((i.name for i in schema.inputs), values, strict=True))


def check(case, results):
    """Compare what a case names as its outputs, in this order, with our results."""
    pairs = zip(case.model.graph.node[0].output, results, strict=False)
    results = [result for name, result in pairs if name]
    expected = case.data_sets[0][1]
    assert len(results) == len(expected) > 0
    for ours, theirs in zip(results, expected, strict=True):
        rtol, atol = MOST_PRECISE[theirs.dtype.type]
        assert ours.dtype == theirs.dtype
        np.testing.assert_allclose(ours, theirs, rtol, atol)


def test_no_case_is_dropped():
    ops = [case.model.graph.node[0].op_type for case in CASES]
    assert {op: ops.count(op) for op in COUNTS} == COUNTS


@of("Softmax")
def test_softmax(case):
    (x,) = case.data_sets[0][0]
    check(case, [softmax(x, attributes(case).get("axis", -1))])


@of("Attention")
def test_attention(case):
    check(case, attention(**inputs(case), **attributes(case)))


def attention(
    Q,
    K,
    V,
    attn_mask,
    past_key,
    past_value,
    nonpad_kv_seqlen,
    q_num_heads=None,
    kv_num_heads=None,
    scale=None,
    is_causal=0,
    qk_matmul_output_mode=0,
    left_window_size=-1,
    right_window_size=-1,
):
    """Return ONNX's four outputs of Attention: Y, present key and value, scores."""
    flat = Q.ndim == 3
    if flat:
        Q = split_heads(Q, q_num_heads)
        K, V = split_heads(K, kv_num_heads), split_heads(V, kv_num_heads)
    past = 0 if past_key is None else past_key.shape[-2]
    if past:
        K = np.concatenate([past_key, K], axis=-2)
        V = np.concatenate([past_value, V], axis=-2)
    keys, values = (np.repeat(x, Q.shape[1] // x.shape[1], axis=1) for x in (K, V))
    shape = (*Q.shape[:-1], K.shape[-2])  # (B, h, T_q, T_k)
    offsets = [past] * len(Q)
    if nonpad_kv_seqlen is not None and past_key is None:
        offsets = [int(n) - Q.shape[-2] for n in nonpad_kv_seqlen]
    mask = window(
        shape, offsets, left_window_size, 0 if is_causal else right_window_size
    )
    if nonpad_kv_seqlen is not None:
        mask &= padding_mask(nonpad_kv_seqlen, shape[-1])[:, None]
    bias = None
    if attn_mask is not None and attn_mask.dtype == bool:
        mask = mask & pad_keys(attn_mask, shape[-1], False)
    elif attn_mask is not None:
        bias = pad_keys(attn_mask, shape[-1], -np.inf)
    Y, weights = scaled_dot_product_attention(
        Q, keys, values, mask=mask, bias=bias, scale=scale
    )
    scores = [weights] * 4
    if qk_matmul_output_mode < 3:
        factor = Q.shape[-1] ** -0.5 if scale is None else scale
        scores[0] = (Q * factor) @ np.swapaxes(keys, -1, -2)
        hidden = np.where(mask, 0 if bias is None else bias, -np.inf)
        scores[2] = (scores[0] + hidden).astype(Q.dtype)
    return merge_heads(Y) if flat else Y, K, V, scores[qk_matmul_output_mode]


def window(shape, offsets, left, right):
    """Return the mask of keys from ``left`` before to ``right`` after each query."""
    T_q, T_k = shape[-2:]
    mask = np.ones((len(offsets), 1, T_q, T_k), bool)
    for b, offset in enumerate(offsets):
        if right >= 0:
            mask[b] &= causal_mask(T_q, T_k, offset + right)
        if left >= 0:
            mask[b] &= ~causal_mask(T_q, T_k, offset - left - 1)
    return mask


def pad_keys(mask, T_k, value):
    """Return a mask or bias for all keys; those it does not mention are hidden."""
    width = [(0, 0)] * (mask.ndim - 1) + [(0, T_k - mask.shape[-1])]
    return np.pad(mask, width, constant_values=value)


@of("RNN")
def test_rnn(case):
    check(case, recurrent(rnn_cell, [0], **inputs(case), **attributes(case)))


@of("GRU")
def test_gru(case):
    check(case, recurrent(gru_cell, [0, 1, 2], **inputs(case), **attributes(case)))


@of("LSTM")
def test_lstm(case):
    results = recurrent(lstm_cell, [0, 2, 3, 1], **inputs(case), **attributes(case))
    check(case, results)


def recurrent(
    cell,
    gates,
    X,
    W,
    R,
    B,
    sequence_lens,
    initial_h,
    initial_c=None,
    P=None,
    direction="forward",
    layout=0,
    hidden_size=0,
):
    """Return ONNX's outputs: all states, the last state and, of an LSTM, the cell."""
    assert P is None and hidden_size == R.shape[-1]
    X = X if layout else np.swapaxes(X, 0, 1)  # (B, T, d_in)
    assert initial_h is initial_c is None
    assert sequence_lens is None or (sequence_lens == X.shape[1]).all()
    ways = {"forward": [False], "reverse": [True], "bidirectional": [False, True]}
    results = []
    for i, backwards in enumerate(ways[direction]):
        bias = np.zeros(2 * W.shape[1], W.dtype) if B is None else B[i]
        weights = [columns(W[i], gates), columns(R[i], gates)]
        biases = [columns(b, gates) for b in np.split(bias, 2)]
        if cell is not gru_cell:
            biases = [sum(biases)]
        results.append(run_one_way(cell, X, [*weights, *biases], backwards))
    states, last, cells = (np.stack(parts) for parts in zip(*results, strict=True))
    if layout:  # (B, T, directions, n) and (B, directions, n)
        return np.moveaxis(states, 0, 2), *(np.swapaxes(x, 0, 1) for x in (last, cells))
    return np.moveaxis(states, 2, 0).swapaxes(1, 1), last, cells


def run_one_way(cell, X, weights, backwards):
    """Return all states, (B, T, n), the last one read and the last cell."""
    cells = []

    def recording(x, *arguments):
        result = cell(x, *arguments)
        cells.append(result[1] if cell is lstm_cell else result)
        return result

    zeros = np.zeros((len(X), weights[1].shape[0]), X.dtype)
    start = (zeros, zeros) if cell is lstm_cell else zeros
    states = run(recording, X, start, *weights, reverse=backwards)
    return states, states[:, 0 if backwards else -1], cells[-1]


def columns(array, gates):
    """Return ONNX's rows of gates as our columns, in our order."""
    return np.concatenate([np.split(array.T, len(gates), -1)[g] for g in gates], -1)
