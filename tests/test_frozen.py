"""What torch and Keras compute on random weights, frozen by ``make frozen``."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from mha_core.attention import (
    additive_attention,
    luong_attention,
    scaled_dot_product_attention,
)
from mha_core.blocks import decoder_block, encoder_block, feed_forward, layer_norm
from mha_core.multihead import multi_head_attention
from mha_core.recurrent import gru_cell, lstm_cell, rnn_cell, run

ROOT = Path(__file__).resolve().parent.parent
FROZEN = json.loads(Path(__file__).with_name("frozen.json").read_text(encoding="utf-8"))


def draw(seed, shapes):
    """Return the arrays of a case by name; those named mask are boolean."""
    random = np.random.RandomState(seed)
    arrays = {name: random.standard_normal(shape) for name, shape in shapes.items()}
    return {k: x > -0.5 if k.startswith("mask") else x for k, x in arrays.items()}


def multi_head(options, *, b_Q=None, b_K=None, b_V=None, b_O=None, **arrays):
    biases = None if b_Q is None else (b_Q, b_K, b_V, b_O)
    return multi_head_attention(**arrays, h=2, projection_bias=biases, **options)


def scaled_dot_product(options, **arrays):
    return scaled_dot_product_attention(**arrays, **options)[:1]


def additive(options, **arrays):
    return additive_attention(**arrays, **options)


def luong(options, **arrays):
    return luong_attention(**arrays, **options)


def keras(options, query, key, v_a=None, mask=None):
    """Keras has no projections, and masks keys by (B, T_k)."""
    one = np.eye(query.shape[-1])
    v_a = np.ones(len(one)) if v_a is None else v_a
    mask = None if mask is None else mask[:, None]
    return additive_attention(query, key, key, one, one, v_a, mask=mask)[1:]


def rnn(options, inputs, start, **weights):
    return [both_ways(rnn_cell, inputs, start, weights, ["W", "U", "b"], options)]


def gru(options, inputs, start, **weights):
    names = ["W", "U", "b", "b_U"]
    return [both_ways(gru_cell, inputs, start, weights, names, options)]


def lstm(options, inputs, start, cell, **weights):
    cells = []

    def recording(*arguments):
        cells.append(lstm_cell(*arguments))
        return cells[-1]

    both = list(zip(start, cell, strict=True))
    states = both_ways(recording, inputs, both, weights, ["W", "U", "b"], options)
    T = inputs.shape[1]
    return states, np.stack([cells[T - 1][1], cells[-1][1]])


def both_ways(cell, inputs, start, weights, names, options):
    ways = []
    for i, way in enumerate("lr"):
        arrays = [weights[f"{name}_{way}"] for name in names]
        reverse = way == "r"
        ways.append(run(cell, inputs, start[i], *arrays, reverse=reverse, **options))
    return np.concatenate(ways, axis=-1)


def normalised(options, **arrays):
    return [layer_norm(**arrays, **options)]


def thought(options, **arrays):
    return [feed_forward(**arrays)]


def encoded(options, x, mask=None, **p):
    return encoder_block(x, p, 2, mask)


def decoded(options, x, memory, mask=None, **p):
    return decoder_block(x, memory, p, 2, mask)


KINDS = {f.__name__: f for f in (multi_head, scaled_dot_product, additive, luong)}
KINDS |= {f.__name__: f for f in (keras, rnn, gru, lstm)}
KINDS |= {"layer_norm": normalised, "feed_forward": thought}
KINDS |= {"encoder_block": encoded, "decoder_block": decoded}


@pytest.mark.parametrize("case", FROZEN["cases"], ids=lambda case: case["name"])
def test_frozen(case):
    arrays = draw(case["seed"], case["shapes"])
    results = KINDS[case["kind"]](case["options"], **arrays)
    assert len(results) == len(case["results"]) > 0
    for ours, theirs in zip(results, case["results"], strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12)


def test_all_kinds_are_frozen():
    assert FROZEN["made_with"]["torch"].startswith("2.13.0")
    assert {case["kind"] for case in FROZEN["cases"]} == KINDS.keys()
    assert len(FROZEN["cases"]) == 33


def test_lesson_3_tells_what_libraries_made_of_a_row_without_keys():
    file = Path(__file__).with_name("hidden_rows.json")
    rows = json.loads(file.read_text(encoding="utf-8"))
    told = [f"| {library} | {answer} |" for library, answer in rows.items()]
    lesson = (ROOT / "notebooks/source/03_scaled_dot_product.py").read_text(
        encoding="utf-8"
    )
    table = re.findall(r"^# (\| .*(?:PyTorch|Keras|ONNX|JAX).*)$", lesson, re.M)
    assert table == told
