"""Lesson 9's exercises against what they speak of, and functions of other hands."""

import numpy as np
import pytest

from mha_core import causal_mask, scaled_dot_product_attention
from mha_core.lab import Sheet, attention_costs
from mha_core.lab.exercises.catalogue.sparing import SHARED, WINDOW
from mha_core.lab.exercises.sizes_to_find import BASE, FIRST, outgrown
from mha_core.tables import load_classic_bugs

ROWS = load_classic_bugs()["bugs"]
SHEET = Sheet(9)


def window_by_loops(query, key, value, w):
    rows = []
    for i, q in enumerate(query.tolist()):
        start = max(0, i - w + 1)
        e = [np.exp(np.dot(q, k) / len(q) ** 0.5) for k in key[start : i + 1]]
        rows.append(
            sum(x * v for x, v in zip(e, value[start : i + 1], strict=True)) / sum(e)
        )
    return [list(row) for row in rows]


def window_by_two_masks(query, key, value, w):
    T = len(key)
    mask = causal_mask(T) & ~causal_mask(T, offset=-w)
    return scaled_dot_product_attention(query, key, value, mask=mask)[0].astype(
        np.float32
    )


def shared_by_einsum(Q, K, V):
    h, g = len(Q), len(K)
    Q = Q.reshape(g, h // g, *Q.shape[1:])
    e = np.exp(np.einsum("gnqd,gkd->gnqk", Q, K) / Q.shape[-1] ** 0.5)
    e /= e.sum(axis=-1, keepdims=True)
    return np.einsum("gnqk,gkd->gnqd", e, V).reshape(h, -1, V.shape[-1])


def shared_by_loop(Q, K, V):
    each = len(Q) // len(K)
    pairs = [(q, K[i // each], V[i // each]) for i, q in enumerate(Q)]
    return [scaled_dot_product_attention(*pair)[0] for pair in pairs]


RIGHT = [
    ("window", window_by_loops),
    ("window", window_by_two_masks),
    ("shared_heads", shared_by_einsum),
    ("shared_heads", shared_by_loop),
]
WRONG = [
    (
        "window",
        lambda q, k, v, w: window_by_loops(q, k, v, w + 1),
        "one token too long",
    ),
    ("window", lambda q, k, v, w: window_by_loops(q, k, v, len(k)), "all of the past"),
    ("window", lambda q, k, v, w: window_by_loops(q * 2, k, v, w), "query"),
    ("window", lambda q, k, v, w: None, "not answered yet"),
    ("shared_heads", lambda Q, K, V: shared_by_loop(Q, K[::-1], V[::-1]), ""),
    (
        "shared_heads",
        lambda Q, K, V: shared_by_loop(Q, K[:1], V[:1]),
        "share the first",
    ),
    (
        "shared_heads",
        lambda Q, K, V: [
            scaled_dot_product_attention(q, K[i % len(K)], V[i % len(K)])[0]
            for i, q in enumerate(Q)
        ],
        "np.repeat, not np.tile",
    ),
]


@pytest.mark.parametrize(("name", "function"), RIGHT)
def test_other_ways_to_write_it_are_right(name, function):
    verdict = SHEET.check(name, function)
    assert verdict.solved, verdict


@pytest.mark.parametrize(("name", "function", "said"), WRONG)
def test_other_mistakes_are_refused_in_a_sentence(name, function, said):
    verdict = SHEET.check(name, function)
    assert not verdict.solved
    assert said in verdict.sentence, verdict


def test_a_window_that_looks_ahead_is_seen():
    def ahead(query, key, value, w):
        near = np.abs(np.subtract.outer(range(len(key)), range(len(key)))) < w
        return scaled_dot_product_attention(query, key, value, mask=near)[0]

    assert "the future leaks in" in SHEET.check("window", ahead).sentence
    assert SHEET.compare("window", ahead).array.shape[0] == 2


def test_as_many_heads_as_queries_is_plain_attention_and_a_long_window_causal():
    Q, K, V = SHARED.draw(4, 1, 3, 2)
    assert np.allclose(
        SHARED.work((Q, K, V), {}), scaled_dot_product_attention(Q, K, V)[0]
    )
    query, key, value, _ = WINDOW.draw(5, 3, 5)
    causal = scaled_dot_product_attention(query, key, value, causal=True)[0]
    assert np.allclose(WINDOW.work((query, key, value, 5), {}), causal)


def test_symptoms_are_those_of_the_trainings():
    none = ROWS["none"]
    assert max(ROWS["mask one late"]["ends"]) < 0.05
    assert all(
        min(ROWS[bug]["ends"]) > 0.15
        for bug in ("no scale", "no positions", "split", "padding in the loss")
    )
    assert "stopped" in ROWS["empty rows"]
    assert max(ROWS["padding in the loss"]["ends"]) < min(none["ends"])
    weights = np.array(ROWS["mask upside down"]["weights"])
    assert np.allclose(weights[..., 7:].sum(axis=-1), 1, atol=1e-3)
    for bug in ("none", "split", "no positions", "batch as heads"):
        assert np.array(ROWS[bug]["weights"])[..., :7].sum(axis=-1).max() > 0.5


def test_the_length_to_find_is_the_first():
    for T in (FIRST // 2, FIRST):
        costs = attention_costs(T, **BASE)
        rest = costs["weights"] + costs["X, Q, K, V, output"]
        assert (costs["stored"] > rest) == outgrown(T) == (T == FIRST)
