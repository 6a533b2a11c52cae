"""Differentiate plain NumPy code through NumPy's own protocols.

A `Traced` array stands in for an ndarray. NumPy hands every operation on it to
`__array_ufunc__` or `__array_function__`, which computes the result as usual and
notes on a tape by which rule a gradient of the result becomes one of each input.
`gradients` then reads the tape backwards: the chain rule, one operation at a time.
"""

import numpy as np

from mha_core.derivatives import PLAIN, RULES, taken


def gradients(f, parameters):
    """Return the value of a function of arrays, and its gradient in each of them.

    Parameters
    ----------
    f : function
        Takes a dict of arrays, computes with NumPy and returns one number.
    parameters : dict of str to ndarray
        They are not changed; integers become floats.

    Returns
    -------
    value : float
    gradient : dict of str to ndarray, with the names and shapes of the parameters
    """
    tape, arrays = [], {name: np.asarray(x) for name, x in parameters.items()}
    arrays = {
        k: x.astype(np.result_type(x, "f4"), copy=False) for k, x in arrays.items()
    }
    leaves = {name: Traced(array, tape) for name, array in arrays.items()}
    result = f(leaves)
    if type(result) is not Traced or result.value.size != 1:
        raise ValueError(f"f must return one number made from them, not {result!r}.")
    if not np.isfinite(result.value):
        raise ValueError(f"f returned {result.value}; there is no gradient of that.")
    result.grad = np.ones_like(result.value)
    for node in reversed(tape):
        for parent, rule, args, kwargs in node.parents if node.grad is not None else ():
            parent.receive(rule, node.grad, node.value, *args, **kwargs)
        node.grad = None
    found = {name: np.zeros_like(array) for name, array in arrays.items()}
    for name, leaf in leaves.items():
        found[name] += 0 if leaf.grad is None else leaf.grad.astype(leaf.dtype)
    return result.value.item(), found


def _operators(ufunc):
    return (lambda a, b: ufunc(a, b)), (lambda a, b: ufunc(b, a))


class Traced:
    """An array of floats that notes on a tape what is computed from it.

    It has no in-place operators, so that ``x += y`` makes a new array, and does not
    turn into a plain array, which would lose its gradient.
    """

    def __init__(self, value, tape, parents=None):
        self.value, self.tape, self.parents = value, tape, parents
        self.grad, self.grad_is_mine = None, False
        if parents:
            tape.append(self)

    shape = property(lambda self: self.value.shape)
    ndim = property(lambda self: self.value.ndim)
    dtype = property(lambda self: self.value.dtype)
    __add__, __radd__ = _operators(np.add)
    __sub__, __rsub__ = _operators(np.subtract)
    __mul__, __rmul__ = _operators(np.multiply)
    __truediv__, __rtruediv__ = _operators(np.true_divide)
    __matmul__, __rmatmul__ = _operators(np.matmul)
    __lt__, __gt__ = _operators(np.less)
    __le__, __ge__ = _operators(np.less_equal)
    __pow__ = _operators(np.power)[0]
    __eq__, __ne__ = _operators(np.equal)[0], _operators(np.not_equal)[0]

    def __neg__(self):
        return np.negative(self)

    def __getitem__(self, index):
        return _note(self.value[index], [(self, "[]", (index,), {})])

    def __bool__(self):
        raise TypeError("A traced array is neither true nor false; compare plain ones.")

    def __array__(self, dtype=None, copy=None):
        raise TypeError("A traced array as a plain array would lose its gradient.")

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        if method != "__call__" or kwargs:
            raise _unknown(f"{ufunc.__name__} with {method}, {list(kwargs)}")
        if ufunc is np.matmul and 1 in (inputs[0].ndim, inputs[1].ndim):
            return _matmul_vector(*inputs)
        return _record(ufunc, inputs, kwargs)

    def __array_function__(self, function, types, args, kwargs):
        if function in (np.concatenate, np.stack):
            return _record_join(function, *args, **kwargs)
        return _record(function, args, kwargs)

    def receive(self, rule, g, out, *args, **kwargs):
        """Add what comes back from a result; write only to an array of one's own."""
        if rule == "[]":
            return self._receive_at(args[0], g)
        g = _sum_to(self.shape, rule(g, out, *args, **kwargs))
        if self.grad_is_mine:
            self.grad += g
        else:
            self.grad_is_mine = self.grad is not None
            self.grad = self.grad + g if self.grad_is_mine else g

    def _receive_at(self, index, g):
        if not self.grad_is_mine:
            mine = np.zeros_like(self.value) if self.grad is None else self.grad.copy()
            self.grad, self.grad_is_mine = mine, True
        if isinstance(index, np.ndarray) and index.dtype.kind in "iu":
            n = len(self.value)
            rows = index.reshape(-1, 1).astype(int) % n == np.arange(n)  # (gathered, n)
            g = rows.T.astype(g.dtype) @ g.reshape(len(rows), -1)
            self.grad += g.reshape(self.shape)
        elif np.may_share_memory(self.grad[index], self.grad):
            self.grad[index] += g
        else:
            np.add.at(self.grad, index, g)


def _record(operation, args, kwargs):
    values = [x.value if type(x) is Traced else x for x in args]
    if operation in PLAIN:
        return operation(*values, **kwargs)
    if operation not in RULES or kwargs.keys() - {"axis", "keepdims"}:
        raise _unknown(f"{operation.__name__} with {list(kwargs)}")
    rules = zip(args, RULES[operation], strict=False)
    notes = [(x, rule, values, kwargs) for x, rule in rules]
    return _note(operation(*values, **kwargs), notes)


def _record_join(operation, parts, axis=0):
    values = [x.value if type(x) is Traced else x for x in parts]
    places = range(len(values))
    if operation is np.concatenate:
        ends = np.cumsum([v.shape[axis] for v in values])
        places = [
            range(e - v.shape[axis], e) for e, v in zip(ends, values, strict=True)
        ]
    notes = [(x, taken, (i, axis), {}) for x, i in zip(parts, places, strict=True)]
    return _note(operation(values, axis=axis), notes)


def _note(result, notes):
    parents = [note for note in notes if type(note[0]) is Traced]
    tape = parents[0][0].tape
    if any(note[0].tape is not tape for note in parents):
        raise NotImplementedError("gradients knows no gradients of gradients.")
    return Traced(result, tape, parents)


def _unknown(name):
    return NotImplementedError(
        f"{name} has no gradient here; use the operations in RULES, or add its rule."
    )


def _sum_to(shape, g):
    """Undo broadcasting: sum over the axes along which an input was repeated."""
    if g.shape == shape:
        return g
    extra = g.ndim - len(shape)
    axes = [i for i in range(g.ndim) if i < extra or shape[i - extra] == 1]
    return g.sum(axis=tuple(axes), keepdims=True).reshape(shape)


def _matmul_vector(a, b):
    if b.ndim == 1:
        return (a @ b[:, None])[..., 0]
    return (a[None] @ b)[..., 0, :]
