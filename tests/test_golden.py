"""Frozen reference values of a function and of a class, to the last digits."""

import json
from pathlib import Path

import numpy as np

from mha_core.layer import MultiHeadAttention
from mha_core.multihead import multi_head_attention

FILE = Path(__file__).with_name("golden.json")
GOLDEN = json.loads(FILE.read_text(encoding="utf-8"))
FUNCTION, CLASS = GOLDEN["function"], GOLDEN["class"]


def agree(ours, golden):
    np.testing.assert_allclose(ours, golden, rtol=1e-12, atol=1e-14)


def function_inputs():
    """Return X and the four weights, drawn in this order from one seed."""
    draw = np.random.RandomState(FUNCTION["seed"]).randn
    X = draw(FUNCTION["T"], FUNCTION["d_model"])
    weights = [draw(8, 8) * FUNCTION["weight_scale"] for _ in range(4)]
    agree(X[0], FUNCTION["X_first"])
    agree(weights[-1][-1], FUNCTION["W_O_last"])
    return X, *weights, FUNCTION["h"]


def test_function():
    output, weights = multi_head_attention(*function_inputs())
    agree(output, FUNCTION["output"])
    agree(weights, FUNCTION["weights"])


def test_function_with_causal():
    output, weights = multi_head_attention(*function_inputs(), causal=True)
    agree(output, FUNCTION["causal_output"])
    agree(weights, FUNCTION["causal_weights"])


def test_function_with_causal_mask_of_floats():
    output, weights = multi_head_attention(*function_inputs(), np.tri(4))
    agree(output, FUNCTION["causal_output"])
    agree(weights, FUNCTION["causal_weights"])


def class_inputs():
    """Return the object, the queries and the keys of another sequence."""
    attention = MultiHeadAttention(CLASS["d_model"], CLASS["h"], seed=CLASS["seed"])
    queries = np.tanh(np.random.RandomState(CLASS["H_seed"]).randn(CLASS["T"], 16))
    keys = np.tanh(np.random.RandomState(CLASS["keys_seed"]).randn(CLASS["T_k"], 16))
    return attention, queries, keys


def test_class_draws_its_weights_in_order():
    attention, _, _ = class_inputs()
    for name in ("wq", "wk", "wv", "wo"):
        agree(getattr(attention, name)[0], CLASS[f"{name}_first"])
    assert (attention.d_model, attention.h, attention.d_k) == (16, 4, 4)


def test_class_forward():
    attention, H, _ = class_inputs()
    output, weights = attention.forward(H, H, H, return_weights=True)
    agree(output, CLASS["output"])
    agree(weights, CLASS["weights"])
    agree(attention.forward(H, H, H), CLASS["output"])


def test_class_split_and_attn():
    attention, H, _ = class_inputs()
    parts = (attention.split(H @ w) for w in (attention.wq, attention.wk, attention.wv))
    heads, weights = attention.attn(*parts)
    assert heads.shape == (4, 10, 4)
    agree(weights, CLASS["weights"])
    agree(np.swapaxes(heads, 0, 1).reshape(10, 16) @ attention.wo, CLASS["output"])


def test_class_attends_to_another_sequence():
    attention, queries, keys = class_inputs()
    agree(attention.forward(queries, keys, keys), CLASS["cross_output"])


def values():
    """Return values that are not the keys, for as many tokens."""
    return np.tanh(np.random.RandomState(7).randn(CLASS["T_k"], 16))


def test_class_looks_among_the_keys_and_mixes_the_values():
    attention, Q, K = class_inputs()
    V = values()
    output, weights = attention.forward(Q, K, V, return_weights=True)
    of_keys = attention.forward(Q, K, K, return_weights=True)
    of_values = attention.forward(Q, V, V, return_weights=True)
    agree(weights, of_keys[1])
    parts = zip((Q, K, V), (attention.wq, attention.wk, attention.wv), strict=True)
    heads, _ = attention.attn(*(attention.split(x @ w) for x, w in parts))
    agree(output, np.swapaxes(heads, 0, 1).reshape(len(Q), 16) @ attention.wo)
    assert not np.allclose(output, of_keys[0], rtol=1e-3)
    assert not np.allclose(weights, of_values[1], rtol=1e-3)


def test_class_forward_is_the_function_with_its_arguments():
    attention, Q, K = class_inputs()
    V, W = values(), (attention.wq, attention.wk, attention.wv, attention.wo)
    mask = np.random.RandomState(8).rand(len(Q), len(K)) < 0.7
    for how in ({}, {"mask": mask}, {"causal": True}, {"mask": mask, "causal": True}):
        ours = attention.forward(Q, K, V, return_weights=True, **how)
        right = multi_head_attention(Q, *W, 4, key=K, value=V, **how)
        agree(ours[0], right[0])
        agree(ours[1], right[1])


def test_class_default_seed_and_scale():
    drawn, given = MultiHeadAttention(16, 4), MultiHeadAttention(16, 4, 42)
    assert (drawn.wq == given.wq).all()
    wider = MultiHeadAttention(16, 4, init_scale=0.2)
    agree(wider.wo, drawn.wo * 10)
