"""Differentiate plain NumPy code through NumPy's own protocols.

A `Traced` array stands in for an ndarray. NumPy hands every operation on it to
`__array_ufunc__` or `__array_function__`, which computes the result as usual and
notes by which rule a gradient of the result becomes a gradient of each input.
`gradients` then walks the notes backwards: the chain rule, one operation at a time.
"""

import numpy as np


def gradients(f, parameters):
    """Return the value of a function of arrays, and its gradient in each of them.

    Parameters
    ----------
    f : function
        Takes a dict of arrays, computes with NumPy and returns one number.
    parameters : dict of str to ndarray
        Arrays of floats; they are not changed.

    Returns
    -------
    value : float
    gradient : dict of str to ndarray, with the names and shapes of the parameters
    """
    leaves = {name: Traced(array) for name, array in parameters.items()}
    result = f(leaves)
    if type(result) is not Traced or result.size != 1:
        raise ValueError(f"f must return one number made from them, not {result!r}.")
    result.grad = np.ones_like(result.value)
    for node in _from_last_to_first(result):
        for parent, rule, args, kwargs in node.parents:
            parent.receive(rule, node.grad, node.value, *args, **kwargs)
        node.grad = None if node.parents else node.grad
    zeros = {name: np.zeros_like(array) for name, array in parameters.items()}
    found = {name: leaf.grad for name, leaf in leaves.items() if leaf.grad is not None}
    return result.value.item(), zeros | found


def _operators(ufunc):
    return (lambda a, b: ufunc(a, b)), (lambda a, b: ufunc(b, a))


class Traced:
    """An array of floats that notes what was computed from it.

    It has no in-place operators, so that ``x += y`` makes a new array, and no
    conversion to a plain array, which would lose the gradient.
    """

    def __init__(self, value, parents=()):
        self.value, self.parents = value, parents
        self.grad, self.grad_is_mine = None, False

    shape = property(lambda self: self.value.shape)
    ndim = property(lambda self: self.value.ndim)
    size = property(lambda self: self.value.size)
    dtype = property(lambda self: self.value.dtype)
    __add__, __radd__ = _operators(np.add)
    __sub__, __rsub__ = _operators(np.subtract)
    __mul__, __rmul__ = _operators(np.multiply)
    __truediv__, __rtruediv__ = _operators(np.true_divide)
    __matmul__, __rmatmul__ = _operators(np.matmul)
    __lt__, __gt__ = _operators(np.less)
    __le__, __ge__ = _operators(np.less_equal)
    __eq__, __ne__ = _operators(np.equal)[0], _operators(np.not_equal)[0]

    def __neg__(self):
        return np.negative(self)

    def __getitem__(self, index):
        return Traced(self.value[index], [(self, "at", (index,), {})])

    def __array__(self, dtype=None, copy=None):
        raise TypeError("A traced array as a plain array would lose its gradient.")

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        if method != "__call__" or kwargs:
            raise _unknown(f"{ufunc.__name__}.{method} with {list(kwargs)}")
        return _record(ufunc, inputs, {})

    def __array_function__(self, function, types, args, kwargs):
        if function in (np.concatenate, np.stack):
            return _record_join(function, *args, **kwargs)
        return _record(function, args, kwargs)

    def receive(self, rule, g, out, *args, **kwargs):
        """Add what arrives from a result; write only to an array of one's own."""
        if rule == "at":
            return self._receive_at(g, *args)
        gradient = _sum_to(self.shape, rule(g, out, *args, **kwargs))
        if self.grad is None:
            self.grad = gradient
        elif self.grad_is_mine:
            self.grad += gradient
        else:
            self.grad, self.grad_is_mine = self.grad + gradient, True

    def _receive_at(self, g, index):
        if not self.grad_is_mine:
            mine = np.zeros_like(self.value) if self.grad is None else self.grad.copy()
            self.grad, self.grad_is_mine = mine, True
        parts = index if isinstance(index, tuple) else (index,)
        if isinstance(index, np.ndarray) and index.dtype.kind in "iu":
            n = len(self.value)
            rows = index.reshape(-1, 1) % n == np.arange(n)  # (gathered, n)
            g = rows.T.astype(g.dtype) @ g.reshape(len(rows), -1)
            self.grad += g.reshape(self.shape)
        elif all(p is None or p is ... or isinstance(p, (int, slice)) for p in parts):
            self.grad[index] += g
        else:
            np.add.at(self.grad, index, g)


def _record(operation, args, kwargs):
    values = [x.value if type(x) is Traced else x for x in args]
    if operation in PLAIN:
        return operation(*values, **kwargs)
    if operation not in RULES or any(type(x) is Traced for x in kwargs.values()):
        raise _unknown(operation.__name__)
    result = operation(*values, **kwargs)
    notes = zip(args, RULES[operation], strict=False)
    parents = [(x, rule, values, kwargs) for x, rule in notes if type(x) is Traced]
    return Traced(result, parents)


def _record_join(operation, parts, axis=0):
    values = [x.value if type(x) is Traced else x for x in parts]
    places = range(len(values))
    if operation is np.concatenate:
        ends = np.cumsum([v.shape[axis] for v in values])
        places = [
            range(e - v.shape[axis], e) for e, v in zip(ends, values, strict=True)
        ]
    notes = [(x, _taken, (i, axis), {}) for x, i in zip(parts, places, strict=True)]
    parents = [note for note in notes if type(note[0]) is Traced]
    return Traced(operation(values, axis=axis), parents)


def _unknown(name):
    return NotImplementedError(
        f"{name} has no gradient here; use the operations in RULES, or add its rule."
    )


def _from_last_to_first(result):
    order, seen, stack = [], set(), [(result, False)]
    while stack:
        node, parents_done = stack.pop()
        if parents_done:
            order.append(node)
        elif id(node) not in seen:
            seen.add(id(node))
            stack.append((node, True))
            stack.extend((parent, False) for parent, *_ in node.parents)
    return reversed(order)


def _sum_to(shape, g):
    """Undo broadcasting: sum over the axes along which an input was repeated."""
    if g.shape == shape:
        return g
    extra = g.ndim - len(shape)
    axes = [i for i in range(g.ndim) if i < extra or shape[i - extra] == 1]
    return g.sum(axis=tuple(axes), keepdims=True).reshape(shape)


def _as_matrices(g, a, b):
    if b.ndim == 1:
        g, b = g[..., None], b[:, None]
    return (g[..., None, :], a[None], b) if a.ndim == 1 else (g, a, b)


def _matmul_left(g, out, a, b):
    g, _, b = _as_matrices(g, a, b)
    g = g @ np.swapaxes(b, -1, -2)
    return g[..., 0, :] if a.ndim == 1 else g


def _matmul_right(g, out, a, b):
    g, a, _ = _as_matrices(g, a, b)
    if b.ndim > 2:
        return np.swapaxes(a, -1, -2) @ g
    a = np.broadcast_to(a, (*g.shape[:-1], a.shape[-1])).reshape(-1, a.shape[-1])
    return (a.T @ g.reshape(-1, g.shape[-1])).reshape(b.shape)


def _spread(g, out, x, axis=None, keepdims=False):
    g = g if axis is None or keepdims else np.expand_dims(g, axis)
    return np.broadcast_to(g, x.shape)


def _taken(g, out, place, axis):
    return np.take(g, place, axis)


def _taken_along(g, out, x, indices, axis):
    spread, index = np.zeros_like(x), list(np.indices(indices.shape, sparse=True))
    index[axis] = indices
    np.add.at(spread, tuple(index), g)
    return spread


# For each input: how a gradient g of the result `out` becomes one of that input.
RULES = {
    np.add: (lambda g, out, a, b: g, lambda g, out, a, b: g),
    np.subtract: (lambda g, out, a, b: g, lambda g, out, a, b: -g),
    np.multiply: (lambda g, out, a, b: g * b, lambda g, out, a, b: g * a),
    np.true_divide: (lambda g, out, a, b: g / b, lambda g, out, a, b: -g * out / b),
    np.maximum: (
        lambda g, out, a, b: g * (a > b) + g * (a == b) / 2,
        lambda g, out, a, b: g * (b > a) + g * (a == b) / 2,
    ),
    np.matmul: (_matmul_left, _matmul_right),
    np.negative: (lambda g, out, a: -g,),
    np.exp: (lambda g, out, a: g * out,),
    np.log: (lambda g, out, a: g / a,),
    np.tanh: (lambda g, out, a: g * (1 - out * out),),
    np.sqrt: (lambda g, out, a: g / (2 * out),),
    np.sum: (_spread,),
    np.mean: (
        lambda g, out, x, *axis, **k: (
            _spread(g, out, x, *axis, **k) * (out.size / x.size)
        ),
    ),
    np.reshape: (lambda g, out, x, shape: g.reshape(x.shape),),
    np.swapaxes: (lambda g, out, x, i, j: np.swapaxes(g, i, j),),
    np.moveaxis: (lambda g, out, x, i, j: np.moveaxis(g, j, i),),
    np.take_along_axis: (_taken_along,),
    np.where: (
        lambda g, out, where, a, b: np.zeros(np.shape(where)),
        lambda g, out, where, a, b: np.where(where, g, 0),
        lambda g, out, where, a, b: np.where(where, 0, g),
    ),
}

# A small change of their input leaves the results of these as they are.
PLAIN = {np.argmax, np.isfinite, np.shape, np.equal, np.not_equal}
PLAIN |= {np.less, np.less_equal, np.greater, np.greater_equal}
