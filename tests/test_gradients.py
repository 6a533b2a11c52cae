"""The tape against central differences, and against HIPS autograd."""

import autograd
import autograd.numpy as autograd_numpy
import numpy as np
import pytest

from mha_core.attention import (
    additive_attention,
    luong_attention,
    scaled_dot_product_attention,
    softmax,
)
from mha_core.derivatives import PLAIN, RULES
from mha_core.gradients import gradients
from mha_core.multihead import multi_head_attention
from mha_core.recurrent import gru_cell, lstm_cell, rnn_cell, run

COLUMN = np.array([[0], [2], [1]])
INTEGERS = np.array([[2, 0, 2], [-1, 1, 2]])
SEEN = np.array([[True, False], [True, True], [False, True]])


def draw(**shapes):
    """Return positive numbers, no two alike: every operation is smooth there."""
    rng = np.random.default_rng(0)
    counts = {name: int(np.prod(shape)) for name, shape in shapes.items()}
    drawn = {name: 0.3 + rng.permutation(n) / 7 for name, n in counts.items()}
    return {name: drawn[name].reshape(shape) for name, shape in shapes.items()}


# For each operation: functions of a NumPy module and of arrays, and shapes for these.
OPERATIONS = {
    np.add: [
        (lambda m, a, b: a + b, {"a": (2, 3), "b": (2, 3)}),
        (lambda m, a, b: a + b, {"a": (2, 3), "b": (3,)}),
        (lambda m, a, b: a + b, {"a": (2, 1, 3), "b": (4, 1)}),
        (lambda m, a: a + 2.0 + (1.0 + a), {"a": ()}),
        (lambda m, a: a + a, {"a": (3,)}),
    ],
    np.subtract: [
        (lambda m, a, b: a - b, {"a": (2, 3), "b": (2, 1)}),
        (lambda m, a, b: a - b, {"a": (3,), "b": (2, 3)}),
        (lambda m, a: 1.0 - a, {"a": (2,)}),
    ],
    np.multiply: [
        (lambda m, a, b: a * b, {"a": (2, 3), "b": (3,)}),
        (lambda m, a, b: a * b * a, {"a": (2, 3), "b": (1, 1)}),
        (lambda m, a: 2.0 * a * SEEN, {"a": (3, 2)}),
    ],
    np.true_divide: [
        (lambda m, a, b: a / b, {"a": (2, 3), "b": (2, 1)}),
        (lambda m, a, b: a / b, {"a": (), "b": (2, 2)}),
        (lambda m, a: 1.0 / a, {"a": (3,)}),
    ],
    np.maximum: [
        (lambda m, a, b: m.maximum(a, b), {"a": (2, 3), "b": (3,)}),
        (lambda m, a: m.maximum(a, 1.0), {"a": (2, 5)}),
    ],
    np.matmul: [
        (lambda m, a, b: a @ b, {"a": (2, 3), "b": (3, 4)}),
        (lambda m, a, b: a @ b, {"a": (5, 2, 3), "b": (3, 4)}),
        (lambda m, a, b: a @ b, {"a": (2, 3), "b": (5, 3, 4)}),
        (lambda m, a, b: a @ b, {"a": (5, 2, 3), "b": (5, 3, 4)}),
        (lambda m, a, b: a @ b, {"a": (6, 1, 2, 3), "b": (5, 3, 4)}),
        (lambda m, a, b: a @ b, {"a": (1, 2, 3), "b": (5, 3, 4)}),
        (lambda m, a, b: a @ b, {"a": (3,), "b": (3,)}),
        (lambda m, a, b: a @ b, {"a": (2, 3), "b": (3,)}),
        (lambda m, a, b: a @ b, {"a": (5, 2, 3), "b": (3,)}),
        (lambda m, a, b: a @ b, {"a": (3,), "b": (3, 4)}),
        (lambda m, a, b: a @ b, {"a": (3,), "b": (5, 3, 4)}),
        (lambda m, a: np.ones((3, 3)) @ a + a @ np.ones((3, 3)), {"a": (2, 3, 3)}),
        (lambda m, a: np.ones(3) @ a + a @ np.ones(3), {"a": (3, 3)}),
    ],
    np.negative: [(lambda m, a: -a, {"a": (2, 3)})],
    np.exp: [(lambda m, a: m.exp(a), {"a": (2, 3)})],
    np.log: [(lambda m, a: m.log(a), {"a": (2, 3)})],
    np.tanh: [(lambda m, a: m.tanh(a), {"a": (2, 3)})],
    np.sqrt: [(lambda m, a: m.sqrt(a), {"a": (2, 3)})],
    np.sum: [
        (lambda m, a: m.sum(a), {"a": (2, 3)}),
        (lambda m, a: m.sum(a, axis=0), {"a": (2, 3)}),
        (lambda m, a: m.sum(a, axis=-1, keepdims=True), {"a": (2, 3, 4)}),
        (lambda m, a: m.sum(a, axis=(0, -1)), {"a": (2, 3, 4)}),
        (lambda m, a: m.sum(a, keepdims=True), {"a": (2, 3)}),
        (lambda m, a: m.sum(a, 1), {"a": (2, 3)}),
    ],
    np.mean: [
        (lambda m, a: m.mean(a), {"a": (2, 3)}),
        (lambda m, a: m.mean(a, axis=1), {"a": (2, 3)}),
        (lambda m, a: m.mean(a, axis=(0, 2), keepdims=True), {"a": (2, 3, 4)}),
    ],
    np.max: [
        (lambda m, a: m.max(a), {"a": (2, 3)}),
        (lambda m, a: m.max(a, axis=-1), {"a": (2, 3)}),
        (lambda m, a: m.max(a, axis=(0, 2), keepdims=True), {"a": (2, 3, 4)}),
        (lambda m, a: m.max(a, keepdims=True), {"a": (2, 3)}),
    ],
    np.reshape: [
        (lambda m, a: m.reshape(a, (3, 2)), {"a": (2, 3)}),
        (lambda m, a: m.reshape(a, -1), {"a": (2, 3)}),
        (lambda m, a: m.reshape(m.swapaxes(a, 0, 1), (2, 3)), {"a": (2, 3)}),
    ],
    np.swapaxes: [(lambda m, a: m.swapaxes(a, 0, -1), {"a": (2, 3, 4)})],
    np.take_along_axis: [
        (lambda m, a: m.take_along_axis(a, COLUMN, axis=-1), {"a": (3, 3)}),
        (lambda m, a: m.take_along_axis(a, COLUMN[[0, 0]], axis=0), {"a": (3, 1)}),
        (
            lambda m, a: m.take_along_axis(a, np.zeros((2, 5), int), axis=1),
            {"a": (2, 3)},
        ),
    ],
    np.where: [
        (lambda m, a, b: m.where(SEEN, a, b), {"a": (3, 2), "b": (2,)}),
        (lambda m, a: m.exp(m.where(SEEN, a, -9.0)), {"a": (3, 2)}),
        (lambda m, a, b: m.where(SEEN[0], a, b), {"a": (), "b": (3, 1)}),
    ],
    np.concatenate: [
        (lambda m, a, b: m.concatenate([a, b, a]), {"a": (2, 3), "b": (1, 3)}),
        (lambda m, a, b: m.concatenate([a, b], axis=-1), {"a": (2, 3), "b": (2, 1)}),
        (lambda m, a: m.concatenate([np.ones((2, 2)), a], axis=1), {"a": (2, 3)}),
    ],
    np.stack: [
        (lambda m, a, b: m.stack([a, b, a]), {"a": (2, 3), "b": (2, 3)}),
        (lambda m, a, b: m.stack([a, b], axis=-2), {"a": (2, 3), "b": (2, 3)}),
        (lambda m, a: m.stack([a, np.ones(3)], axis=1), {"a": (3,)}),
    ],
    "[]": [
        (lambda m, a: a[1], {"a": (3, 2)}),
        (lambda m, a: a[2] * a[-1] * a[np.int64(0)], {"a": (3,)}),
        (lambda m, a: a[1, -1], {"a": (3, 2)}),
        (lambda m, a: a[1:] * a[:-1], {"a": (3, 2)}),
        (lambda m, a: a[::-1][:, ::2], {"a": (3, 4)}),
        (lambda m, a: a[..., None, :1] + a[:, None, 1], {"a": (2, 3)}),
        (lambda m, a: a[np.array([0, 2, 0, 0])], {"a": (3, 2)}),
        (lambda m, a: a[np.array([-1, 2, -3])], {"a": (3, 2)}),
        (lambda m, a: a[INTEGERS], {"a": (3, 2)}),
        (lambda m, a: a[INTEGERS], {"a": (3,)}),
        (lambda m, a: a[INTEGERS.astype(np.int8)], {"a": (3, 2, 2)}),
        (lambda m, a: a[[1, 1, 0]], {"a": (3, 2)}),
        (lambda m, a: a[np.array([0, 1, 1]), np.array([1, -1, 1])], {"a": (3, 2)}),
        (lambda m, a: a[:, np.array([0, 0, 1])], {"a": (3, 2)}),
        (lambda m, a: a[INTEGERS, :, 0], {"a": (3, 2, 2)}),
        (lambda m, a: a[SEEN], {"a": (3, 2)}),
        (lambda m, a: a[0] + a[0] * a[1] + a[np.array([1, 1])], {"a": (2, 3)}),
    ],
}
CASES = [
    pytest.param(f, shapes, id=f"{getattr(operation, '__name__', operation)}-{i}")
    for operation, functions in OPERATIONS.items()
    for i, (f, shapes) in enumerate(functions)
]


def as_number(f, module):
    """Return f as a function of a dict, giving one number from all of its result."""

    def number(arrays):
        result = f(module, **arrays)
        shape = np.shape(result) if module is np else result.shape
        factors = np.arange(1.0, 1 + np.prod(shape, dtype=int)).reshape(shape)
        return module.sum(result * factors)

    return number


def central_differences(number, arrays, step=1e-3):
    """Return the derivative in each entry, with an error of the fourth order."""
    found = {}
    for name, array in arrays.items():
        found[name] = np.zeros_like(array)
        for index in np.ndindex(array.shape):
            values = []
            for far in (-2, -1, 1, 2):
                moved = array.copy()
                moved[index] += far * step
                values.append(float(number(arrays | {name: moved})))
            slopes = np.dot(values, [1, -8, 8, -1])
            found[name][index] = slopes / (12 * step)
    return found


def worst_error(ours, right):
    """Return the largest error of all entries, relative to the entry."""
    assert ours.keys() == right.keys()
    assert all(ours[k].shape == right[k].shape for k in right)
    return max(
        (np.abs(ours[k] - right[k]) / np.maximum(np.abs(right[k]), 1e-3)).max()
        for k in right
    )


def test_every_rule_has_a_test():
    assert OPERATIONS.keys() == RULES.keys() | {np.concatenate, np.stack, "[]"}


@pytest.mark.parametrize("f, shapes", CASES)
def test_operation_against_central_differences(f, shapes):
    arrays, number = draw(**shapes), as_number(f, np)
    value, ours = gradients(number, arrays)
    assert value == number(arrays)
    assert worst_error(ours, central_differences(number, arrays)) < 1e-6


@pytest.mark.parametrize("f, shapes", CASES)
def test_operation_against_autograd(f, shapes):
    arrays = draw(**shapes)
    _, ours = gradients(as_number(f, np), arrays)
    right = autograd.grad(as_number(f, Autograd()))(arrays)
    assert worst_error(ours, {k: np.asarray(v) for k, v in right.items()}) < 1e-12


class Autograd:
    """The NumPy of autograd, with what it has not written in what it has."""

    def __getattr__(self, name):
        return getattr(autograd_numpy, name)

    def where(self, condition, a, b):
        return autograd_numpy.where(condition, 1.0, 0.0) * a + ~condition * b

    def take_along_axis(self, a, indices, axis):
        index = list(np.indices(indices.shape))
        index[axis] = indices
        return a[tuple(index)]


def test_ties_of_maximum_share_the_gradient():
    _, ours = gradients(
        lambda p: np.sum(np.maximum(p["a"], p["b"])), {"a": np.ones(2), "b": np.ones(2)}
    )
    assert ours["a"].tolist() == ours["b"].tolist() == [0.5, 0.5]


@pytest.mark.parametrize("axis", [None, 0, -1, (0, 1)])
def test_ties_of_max_share_the_gradient(axis):
    ones = {"a": np.ones((2, 4))}
    _, ours = gradients(lambda p: np.sum(np.max(p["a"], axis=axis)), ones)
    count = 8 if axis in (None, (0, 1)) else {0: 2, -1: 4}[axis]
    np.testing.assert_array_equal(ours["a"], np.full((2, 4), 1 / count))


WHOLE = {
    "softmax": (lambda x: softmax(x, axis=0), {"x": (3, 2)}),
    "softmax of large scores": (lambda x: softmax(x * 30), {"x": (2, 3)}),
    "scaled_dot_product": (
        lambda **p: both(scaled_dot_product_attention(**p, causal=True)),
        {"query": (2, 4), "key": (3, 4), "value": (3, 5)},
    ),
    "scaled_dot_product of large scores": (
        lambda **p: both(scaled_dot_product_attention(**p, scale=9.0)),
        {"query": (2, 4), "key": (3, 4), "value": (3, 5)},
    ),
    "bias and a fully masked row": (
        lambda **p: both(
            scaled_dot_product_attention(**p, mask=[[1, 0, 1], [0, 0, 0]])
        ),
        {"query": (2, 4), "key": (3, 4), "value": (3, 5), "bias": (2, 3)},
    ),
    "additive": (
        lambda **p: both(additive_attention(**p, mask=[1, 0, 1])),
        {"query": (2, 2, 4), "key": (2, 3, 5), "value": (2, 3, 2)}
        | {"W_a": (4, 3), "U_a": (5, 3), "v_a": (3,)},
    ),
    "luong dot": (
        lambda **p: both(luong_attention(**p)),
        {"query": (2, 4), "key": (3, 4), "value": (3, 5)},
    ),
    "luong general": (
        lambda **p: both(luong_attention(**p, score="general")),
        {"query": (2, 4), "key": (3, 5), "value": (3, 5), "W_a": (4, 5)},
    ),
    "luong concat": (
        lambda **p: both(luong_attention(**p, score="concat")),
        {"query": (2, 4), "key": (3, 2), "value": (3, 5), "W_a": (6, 3), "v_a": (3,)},
    ),
    "multi_head": (
        lambda **p: both(multi_head_attention(**p, h=2, mask=np.tri(3))),
        {"X": (2, 3, 4)} | {f"W_{name}": (4, 4) for name in "QKVO"},
    ),
    "cross multi_head with biases": (
        lambda b_Q, b_K, b_V, b_O, **p: both(
            multi_head_attention(**p, h=2, projection_bias=(b_Q, b_K, b_V, b_O))
        ),
        {"X": (2, 4), "key": (3, 4), "value": (3, 4), "bias": (2, 3)}
        | {f"W_{name}": (4, 4) for name in "QKVO"}
        | {f"b_{name}": (4,) for name in "QKVO"},
    ),
    "rnn_cell": (
        rnn_cell,
        {"x": (2, 3), "state": (2, 4), "W": (3, 4), "U": (4, 4), "b": (4,)},
    ),
    "gru_cell": (
        gru_cell,
        {"x": (3,), "state": (2,), "W": (3, 6), "U": (2, 6), "b": (6,), "b_U": (6,)},
    ),
    "gru_cell reset after": (
        lambda **p: gru_cell(**p, reset_after=True),
        {
            "x": (1, 3),
            "state": (1, 2),
            "W": (3, 6),
            "U": (2, 6),
            "b": (6,),
            "b_U": (6,),
        },
    ),
    "lstm_cell": (
        lambda **p: both(lstm_cell(**p)),
        {
            "x": (1, 3),
            "state": (1, 2),
            "cell": (1, 2),
            "W": (3, 8),
            "U": (2, 8),
            "b": (8,),
        },
    ),
    "run": (
        lambda x, state, cell, W, U, b: run(
            lstm_cell, x, (state, cell), W, U, b, mask=np.tri(2, 3), reverse=True
        ),
        {
            "x": (2, 3, 2),
            "state": (2, 1),
            "cell": (2, 1),
            "W": (2, 4),
            "U": (1, 4),
            "b": (4,),
        },
    ),
}


def both(results):
    """Return two results side by side, so that both count."""
    return np.concatenate([np.reshape(part, -1) for part in results])


@pytest.mark.parametrize("name", WHOLE)
def test_whole_function_against_central_differences(name):
    f, shapes = WHOLE[name]
    rng = np.random.default_rng(0)
    arrays = {k: rng.standard_normal(shape) for k, shape in shapes.items()}
    number = as_number(lambda module, **p: f(**p), np)
    value, ours = gradients(number, arrays)
    assert value == pytest.approx(number(arrays), rel=1e-12)
    assert worst_error(ours, central_differences(number, arrays)) < 1e-6


def autograd_multi_head(X, W_Q, W_K, W_V, W_O):
    m, heads = autograd_numpy, []
    for i in range(2):
        part = slice(2 * i, 2 * i + 2)
        Q, K, V = X @ W_Q[:, part], X @ W_K[:, part], X @ W_V[:, part]
        shares = m.exp(Q @ m.swapaxes(K, -1, -2) / m.sqrt(2.0))
        heads.append(shares / m.sum(shares, axis=-1, keepdims=True) @ V)
    return m.concatenate(heads, axis=-1) @ W_O


def test_multi_head_attention_against_autograd():
    rng = np.random.default_rng(0)
    arrays = {k: rng.standard_normal((4, 4)) for k in ("W_Q", "W_K", "W_V", "W_O")}
    arrays["X"] = rng.standard_normal((2, 3, 4))

    def ours(p):
        return np.sum(np.tanh(multi_head_attention(**p, h=2)[0]))

    def theirs(p):
        return autograd_numpy.sum(autograd_numpy.tanh(autograd_multi_head(**p)))

    assert worst_error(gradients(ours, arrays)[1], autograd.grad(theirs)(arrays)) < 1e-9


UNKNOWN = {
    "sin": lambda a: np.sin(a),
    "power": lambda a: np.power(a, 2),
    "absolute": lambda a: np.absolute(a),
    "floor": lambda a: np.floor(a),
    "reduce": lambda a: np.add.reduce(a),
    "accumulate": lambda a: np.multiply.accumulate(a),
    "outer": lambda a: np.multiply.outer(a, a),
    "at": lambda a: np.add.at(np.zeros(3), [0, 1, 2], a),
    "out": lambda a: np.add(a, 1, out=np.zeros(3)),
    "where": lambda a: np.exp(a, where=np.array([True, False, True])),
    "dtype": lambda a: np.sum(a, dtype=np.float32),
    "prod": lambda a: np.prod(a),
    "min": lambda a: np.min(a),
    "cumsum": lambda a: np.cumsum(a),
    "norm": lambda a: np.linalg.norm(a),
    "einsum": lambda a: np.einsum("i,i", a, a),
    "dot": lambda a: np.dot(a, a),
    "vstack": lambda a: np.vstack([a, a]),
    "squeeze": lambda a: np.squeeze(a),
    "std": lambda a: np.std(a),
    "sort": lambda a: np.sort(a),
}


@pytest.mark.parametrize("name", UNKNOWN)
def test_unknown_operation_is_named(name):
    with pytest.raises(NotImplementedError, match=name):
        gradients(lambda p: np.sum(UNKNOWN[name](p["a"])), {"a": np.ones(3)})


CONVERSIONS = {
    "asarray": lambda a: np.asarray(a),
    "array": lambda a: np.array(a, float),
    "float": lambda a: float(a[0]),
    "int": lambda a: int(a[0]),
    "put into": lambda a: put_into(np.zeros(3), a),
    "power": lambda a: a**2,
    "method": lambda a: a.sum(),
    "assigned": lambda a: put_into(a, np.zeros(3)),
    "plain augmented": lambda a: augmented(np.ones(3), a),
}


def put_into(target, value):
    target[:] = value
    return target


def augmented(target, value):
    target += value
    return target


@pytest.mark.parametrize("name", CONVERSIONS)
def test_what_would_lose_the_gradient_raises(name):
    with pytest.raises((TypeError, AttributeError, NotImplementedError)) as error:
        gradients(lambda p: np.sum(CONVERSIONS[name](p["a"])), {"a": np.ones(3)})
    assert str(error.value)


def test_augmented_assignment_rebinds():
    def f(p):
        x = p["a"]
        y = x
        y += 1.0
        y *= p["a"]
        y -= 1.0
        y /= 2.0
        assert x is p["a"]
        return np.sum(y)

    a = np.array([1.0, 2, 3])
    value, gradient = gradients(f, {"a": a})
    assert value == 8.5 and gradient["a"].tolist() == [1.5, 2.5, 3.5]
    assert a.tolist() == [1, 2, 3]


def test_float32_is_kept():
    shapes = {"E": (5, 4), "W": (4, 3), "v": (3,)}
    arrays = {k: v.astype(np.float32) for k, v in draw(**shapes).items()}

    def f(p):
        x = p["E"][np.array([0, 3, 3])] @ p["W"]
        x = np.where(SEEN[:, :1], np.tanh(x), 0.0) * 0.5
        return np.mean(np.exp(x) @ p["v"]) + np.sum(np.sqrt(p["v"]) / 3)

    value, ours = gradients(f, arrays)
    assert isinstance(value, float)
    assert {k: v.dtype for k, v in ours.items()} == dict.fromkeys(arrays, np.float32)


def test_what_is_not_used_gets_zeros():
    arrays = {"a": np.ones(2), "b": np.ones((3, 2), np.float32)}
    _, ours = gradients(lambda p: np.sum(p["a"]), arrays)
    assert not ours["b"].any()
    assert ours["b"].shape == (3, 2) and ours["b"].dtype == np.float32


def test_what_leads_nowhere_does_not_count():
    def f(p):
        np.exp(p["a"] * 5)
        np.concatenate([p["a"], p["a"]])
        return np.sum(p["a"])

    assert gradients(f, {"a": np.ones(2)})[1]["a"].tolist() == [1, 1]


@pytest.mark.parametrize(
    "f",
    [
        lambda p: p["a"],
        lambda p: p["a"] * 2,
        lambda p: 3.0,
        lambda p: None,
        lambda p: (np.sum(p["a"]),),
    ],
)
def test_f_must_return_one_number(f):
    with pytest.raises(ValueError, match="one number"):
        gradients(f, {"a": np.ones(3)})


def test_gradients_that_share_memory_are_not_written_to():
    def f(p):
        slices = np.sum(p["a"][1:]) + np.sum(p["b"][:1] * 3.0)
        return slices + np.sum(p["a"] + p["b"])

    _, ours = gradients(f, {"a": np.ones(3), "b": np.ones(3)})
    assert ours["a"].tolist() == [1, 2, 2]
    assert ours["b"].tolist() == [4, 1, 1]


def test_parameters_are_not_changed_and_a_second_call_says_the_same():
    arrays, number = (
        draw(a=(2, 3), b=(3,)),
        as_number(OPERATIONS[np.multiply][0][0], np),
    )
    copies = {k: v.copy() for k, v in arrays.items()}
    first, second = gradients(number, arrays), gradients(number, arrays)
    assert first[0] == second[0]
    for name, copy in copies.items():
        assert (arrays[name] == copy).all()
        assert (first[1][name] == second[1][name]).all()


def test_plain_operations_give_plain_arrays():
    def f(p):
        a = p["a"]
        plain = [a < 1, a <= 1, a > 1, a >= 1, a == 1, a != 1, np.isfinite(a)]
        plain += [np.argmax(a), 1 < a, np.greater(a, a)]
        assert all(isinstance(x, (np.ndarray, np.generic)) for x in plain)
        assert np.shape(a) == (3,)
        return np.sum(a * plain[0])

    _, ours = gradients(f, {"a": np.array([0.5, 1, 2])})
    assert ours["a"].tolist() == [1, 0, 0]
    assert not PLAIN & RULES.keys()


def test_long_chains_do_not_overflow_the_stack():
    def f(p):
        x = p["a"]
        for _ in range(5000):
            x = x * 1.0
        return np.sum(x)

    assert gradients(f, {"a": np.ones(2)})[1]["a"].tolist() == [1, 1]


def test_gradients_are_arrays_of_their_own_in_the_parameters_dtype():
    a = np.ones((2, 3), np.float32)
    _, found = gradients(
        lambda p: np.sum(p["a"] * np.float64(2) + p["b"]), {"a": a, "b": a}
    )
    assert {g.dtype for g in found.values()} == {np.dtype(np.float32)}
    found["a"] += 1
    np.testing.assert_array_equal(found["b"], np.ones((2, 3)))


def test_a_traced_array_is_neither_true_nor_a_condition():
    with pytest.raises(TypeError, match="neither true nor false"):
        gradients(lambda p: p["a"] if p["a"] else p["a"], {"a": np.ones(1)})
    with pytest.raises(NotImplementedError, match="condition"):
        gradients(lambda p: np.sum(np.where(p["a"], 1.0, p["a"])), {"a": np.ones(2)})


@pytest.mark.parametrize("x", [np.arange(3), [0, 1, 2], np.array([False, True])])
def test_integers_have_gradients_too(x):
    value, found = gradients(lambda p: np.sum(p["x"] * 0.5), {"x": x})
    assert value == 0.5 * np.sum(x) and found["x"].tolist() == [0.5] * len(x)


def test_gradients_of_gradients_are_refused():
    def inner(p):
        return gradients(lambda q: np.sum(q["y"] * p["x"]), {"y": np.ones(2)})[0]

    with pytest.raises(NotImplementedError, match="no gradients of gradients"):
        gradients(lambda p: inner(p) * np.sum(p["x"]), {"x": np.ones(2)})


def test_there_is_no_gradient_of_nan():
    with pytest.raises(ValueError, match="f returned nan; there is no gradient"):
        gradients(lambda p: np.sum(p["x"]), {"x": np.array([np.nan])})


def test_small_integers_may_choose_from_many_rows():
    ids = np.array([0, 200, 200], np.uint8)
    _, found = gradients(lambda p: np.sum(p["x"][ids]), {"x": np.ones((300, 1))})
    assert found["x"][[0, 200]].tolist() == [[1], [2]] and found["x"].sum() == 3


def test_a_power_is_refused_by_its_name():
    with pytest.raises(NotImplementedError, match="power .* has no gradient here"):
        gradients(lambda p: np.sum(p["x"] ** 2), {"x": np.ones(2)})
