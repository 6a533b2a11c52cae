"""What is shipped of the libraries' conventions: ours again, and the frozen rows."""

import json
from pathlib import Path

import numpy as np
import pytest

from mha_core import multi_head_attention
from mha_core.tables import load_conventions

TABLE = load_conventions()
ROWS = TABLE["rows"]
FROZEN = Path(__file__).with_name("hidden_rows.json")


def weights(T_q, T_k, mask=None, causal=False):
    """Return the weights of queries that like all keys alike."""
    one, key = np.eye(T_k), np.zeros((T_k, T_k))
    options = {"key": key, "causal": causal}
    return multi_head_attention(key[:T_q], one, one, one, one, 1, mask, **options)[1][0]


def test_our_own_row_is_measured_again():
    found = {name: row["mha_core"] for name, row in ROWS.items()}
    seen = np.array([[1, 0, 0], [1, 1, 0]])
    assert found["True in a mask"] == "may be seen"
    assert np.array_equal(weights(2, 3, seen == 1)[0], [1, 0, 0])
    assert found["a mask of 1.0 and 0.0"] == "1 may be seen, 0 is hidden"
    assert np.array_equal(weights(2, 3, seen * 1.0)[0], [1, 0, 0])
    assert found["causal, 2 queries and 3 keys"] == "top left"
    assert np.array_equal(weights(2, 3, causal=True)[0], [1, 0, 0])
    assert found["a query that may see no key"] == "0"
    assert not weights(2, 3, seen == 2).any()


def test_every_library_answers_every_question():
    assert len(ROWS) == 6
    libraries = set(ROWS["True in a mask"])
    assert len(libraries) == 6
    assert all(set(row) == libraries and all(row.values()) for row in ROWS.values())


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("torch, function", "PyTorch {torch}, `scaled"),
        ("torch, layer", "PyTorch {torch}, `nn"),
        ("ONNX, operator", "ONNX {onnx},"),
        ("JAX, function", "JAX {jax},"),
    ],
)
def test_rows_without_keys_are_as_lesson_3_tells(name, start):
    told = json.loads(FROZEN.read_text(encoding="utf-8"))
    label = start.format(**TABLE["versions"])
    (frozen,) = (value for key, value in told.items() if key.startswith(label))
    assert ROWS["a query that may see no key"][name] in frozen


def test_the_shapes_of_weights_are_those_that_are_read():
    shapes = TABLE["weights"]["torch, layer"]
    state = {name: np.ones(shape) for name, shape in shapes.items()}
    assert state["in_proj_weight"].shape == (3 * 8, 8)
    assert sum(array.size for array in state.values()) == 4 * 8 * 9
