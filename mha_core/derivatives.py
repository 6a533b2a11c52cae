"""The derivatives that the tape of `mha_core.gradients` knows, one for each input.

A rule takes the gradient ``g`` of a result ``out``, and the inputs that made it, and
returns the gradient of one input. Where the input was broadcast, so is what it returns.
"""

import numpy as np


def _product(a, b):
    return a * b if a.shape[-1] == 1 else a @ b  # many small products take long


def _matmul_left(g, out, a, b):
    if b.ndim > 2:
        return _product(g, np.swapaxes(b, -1, -2))
    return _product(g.reshape(-1, g.shape[-1]), b.T).reshape(*g.shape[:-1], len(b))


def _matmul_right(g, out, a, b):
    if b.ndim > 2:
        return _product(np.swapaxes(a, -1, -2), g)
    return a.reshape(-1, a.shape[-1]).T @ g.reshape(-1, g.shape[-1])


def _no_gradient(g, out, *args):
    raise NotImplementedError(
        "where has no gradient in its condition; pass a plain one."
    )


def _spread(g, out, x, axis=None, keepdims=False):
    g = g if axis is None or keepdims else np.expand_dims(g, axis)
    return np.broadcast_to(g, x.shape)


def _mean(g, out, x, axis=None, keepdims=False):
    return _spread(g, out, x, axis, keepdims) * (out.size / x.size)


def _maximum(g, out, x, axis=None, keepdims=False):
    """Share the gradient among the places that hold the largest number."""
    if axis is not None and not keepdims:
        out = np.expand_dims(out, axis)
    largest = x == out
    share = _spread(g, out, x, axis, keepdims) / np.sum(largest, axis, keepdims=True)
    return largest * share


def taken(g, out, place, axis):
    """Return the part of the gradient that belongs to one part of a joined array."""
    return np.take(g, place, axis)


def _taken_along(g, out, x, indices, axis):
    index = list(np.indices(indices.shape, sparse=True))
    index[axis] = indices
    spread = np.zeros_like(x)
    np.add.at(spread, tuple(index), g)
    return spread


RULES = {
    np.add: (lambda g, out, a, b: g, lambda g, out, a, b: g),
    np.subtract: (lambda g, out, a, b: g, lambda g, out, a, b: -g),
    np.multiply: (lambda g, out, a, b: g * b, lambda g, out, a, b: g * a),
    np.true_divide: (lambda g, out, a, b: g / b, lambda g, out, a, b: -g * out / b),
    np.matmul: (_matmul_left, _matmul_right),
    np.maximum: (
        lambda g, out, a, b: g * (a > b) + g * (a == b) / 2,
        lambda g, out, a, b: g * (a < b) + g * (a == b) / 2,
    ),
    np.negative: (lambda g, out, a: -g,),
    np.exp: (lambda g, out, a: g * out,),
    np.log: (lambda g, out, a: g / a,),
    np.tanh: (lambda g, out, a: g * (1 - out * out),),
    np.sqrt: (lambda g, out, a: g / (2 * out),),
    np.sum: (_spread,),
    np.mean: (_mean,),
    np.max: (_maximum,),
    np.reshape: (lambda g, out, x, shape: g.reshape(x.shape),),
    np.swapaxes: (lambda g, out, x, i, j: np.swapaxes(g, i, j),),
    np.take_along_axis: (_taken_along,),
    np.where: (
        _no_gradient,
        lambda g, out, where, a, b: np.where(where, g, 0),
        lambda g, out, where, a, b: np.where(where, 0, g),
    ),
}

# What a small change of the input leaves as it is.
PLAIN = {np.argmax, np.isfinite, np.shape, np.equal, np.not_equal}
PLAIN |= {np.less, np.less_equal, np.greater, np.greater_equal}
