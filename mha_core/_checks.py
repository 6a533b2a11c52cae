"""Validation and dtype rules of every public function, in one place.

A formula is decorated with the shapes of its arrays::

    @checked(query="... T_q d_k", key="... T_k d_k")

Each name stands for one size, the same in all arguments; ``...`` are leading axes,
and ``3*n`` is three times ``n``. Integers become float64, float16 is computed in
float32 and cast back, and an input is never changed.
"""

import functools
import inspect
import math

import numpy as np


class InputError(ValueError):
    """An argument that cannot give a right answer, said in one sentence."""


def checked(defaults=None, **shapes):
    """Decorate a formula so that it refuses what it cannot answer.

    Parameters
    ----------
    defaults : dict, optional
        Argument to the argument that stands in for it when it is None.
    **shapes : str
        Argument to its shape, such as ``"... T_q d_k"``. None is left alone.
    """
    specs = {name: _parse(shape) for name, shape in shapes.items()}

    def decorate(formula):
        positional, required = _parameters(formula)

        @functools.wraps(formula)
        def function(*args, **kwargs):
            given = dict(zip(positional, args, strict=False), **kwargs)
            if len(given) < len(args) + len(kwargs) or not required <= given.keys():
                return formula(*args, **kwargs)  # raises Python's own TypeError
            arrays = _as_arrays(specs, given, required, defaults or {})
            _check_shapes(specs, arrays)
            result = _call(formula, given | arrays, arrays)
            return _cast(result) if _all_float16(specs, given) else result

        function.unchecked = formula
        return function

    return decorate


def as_floats(name, value):
    """Return an array of floats: integers as float64, float16 as float32.

    An array that records its own gradient is passed on as it is.
    """
    if hasattr(value, "__array_function__") and not isinstance(value, np.ndarray):
        return value
    array = _as_array(name, value)
    kind = array.dtype.kind
    if kind not in "biuf":
        raise InputError(f"{name} must hold real numbers, but it holds {array.dtype}.")
    if kind != "f" or array.dtype == np.float16 or not array.dtype.isnative:
        array = array.astype(_floating(array.dtype))
    if array.size == 0:
        raise InputError(f"{name} is empty: its shape is {array.shape}.")
    if not np.isfinite(array).all():
        raise InputError(f"{name} holds NaN or infinity; every number must be finite.")
    return array


def as_mask(mask, shape):
    """Return a mask as booleans that broadcast onto scores of this shape."""
    array = _as_array("mask", mask)
    if array.dtype != bool:
        array = _numbers_as_mask(array)
    return fit_scores("mask", array, shape)


def as_bias(bias, shape, dtype):
    """Return a bias in the dtype of the scores; minus infinity hides a key."""
    if hasattr(bias, "__array_function__") and not isinstance(bias, np.ndarray):
        return fit_scores("bias", bias, shape)
    array = _as_array("bias", bias)
    if array.dtype.kind not in "biuf":
        raise InputError(
            f"bias must hold real numbers, but its dtype is {array.dtype}."
        )
    with np.errstate(over="ignore"):
        cast = array.astype(dtype)
    if not (np.isfinite(cast) | (array == -np.inf)).all():
        raise InputError(
            f"bias holds NaN, infinity or a number too large for {np.dtype(dtype)}; "
            "only finite numbers and minus infinity can be added to scores."
        )
    return fit_scores("bias", cast, shape)


def fit_scores(name, array, shape):
    """Return the array if it broadcasts onto scores of this shape."""
    if not _broadcasts(array.shape, shape):
        raise InputError(
            f"{name} has shape {array.shape}, which does not broadcast onto the "
            f"scores of shape {shape} (queries in rows, keys in columns)."
        )
    return array


def fit_heads(name, array, Q, K):
    """Return a mask or bias of multi-head attention in the axes of its scores.

    Queries Q are (h, T_q, d_k), or (B, h, T_q, d_k) with a batch axis.
    """
    if array is None:
        return None
    shape, (h, T_q), T_k = np.shape(array), Q.shape[-3:-1], K.shape[-2]
    batch = Q.shape[0] if Q.ndim == 4 else None
    leads = {2: True, 3: batch is not None and shape[0] == batch}
    leads[4] = len(shape) == 4 and shape[0] in (1, batch) and shape[1] in (1, h)
    if not (leads.get(len(shape)) and shape[-2] in (1, T_q) and shape[-1] == T_k):
        raise InputError(
            f"{name} has shape {shape}, but with B={batch}, h={h}, T_q={T_q}, T_k={T_k} "
            "it must be (T_q or 1, T_k), (B, T_q or 1, T_k) for a batched X, or "
            "(B or 1, h or 1, T_q or 1, T_k)."
        )
    if len(shape) == 3:
        return np.asarray(array)[:, None]  # (B, 1, T_q, T_k)
    return np.asarray(array)[0] if len(shape) == 4 and batch is None else array


def check_sequences(X, key, value):
    """Refuse sequences that are not (T, d) or (B, T, d) with one B."""
    if X.ndim > 3 or not X.shape[:-2] == key.shape[:-2] == value.shape[:-2]:
        raise InputError(
            "X, key and value must all be (T, d_model) or all (B, T, d_model) with the "
            f"same B, but their shapes are {X.shape}, {key.shape} and {value.shape}."
        )


def check_projection_bias(biases, projections):
    """Return the four projection biases as arrays of floats, or four times None."""
    if biases is None:
        return [None] * 4
    widths = [W.shape[-1] for W in projections]
    biases = [as_floats("projection_bias", b) for b in biases]
    if [b.shape for b in biases] != [(width,) for width in widths]:
        raise InputError(
            f"projection_bias must be four arrays of widths {widths}, "
            f"but their shapes are {[b.shape for b in biases]}."
        )
    return biases


def check_scale(scale):
    """Return the scale as a Python number, which promotes no dtype."""
    try:
        number = float(scale)
    except (TypeError, ValueError):
        number = np.nan
    if not np.isfinite(number):
        raise InputError(f"scale must be one finite number, but it is {scale!r}.")
    return number


def check_scores(peak):
    """Refuse scores whose largest in a row is not finite: they overflowed."""
    if not np.isfinite(peak).all():
        raise InputError(
            f"The scores of query and key overflow {peak.dtype}; "
            "make query or key smaller."
        )


def check_luong(score, query, key, W_a, v_a):
    """Refuse weights that do not belong to this one of Luong's scores."""
    d_q, d_key = query.shape[-1], key.shape[-1]
    d_a = "d_a" if v_a is None else v_a.shape[0]
    needed = {
        "dot": (None, None),
        "general": ((d_q, d_key), None),
        "concat": ((d_q + d_key, d_a), (d_a,)),
    }
    if not isinstance(score, str) or score not in needed:
        raise InputError(f"score must be dot, general or concat, not {score!r}.")
    if score == "dot" and d_q != d_key:
        raise InputError(
            f"score='dot' needs queries and keys of one width, not {d_q} and {d_key}; "
            "score='general' works."
        )
    received = tuple(None if w is None else w.shape for w in (W_a, v_a))
    if received != needed[score]:
        raise InputError(
            f"score={score!r} needs W_a and v_a of shapes {needed[score]}, "
            f"but received {received}."
        )


def check_count(name, value, least=1):
    """Return a whole number of at least ``least`` as an int."""
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not whole or value < least:
        raise InputError(
            f"{name} must be an integer of at least {least}, not {value!r}."
        )
    return int(value)


def check_heads(d_model, h, name="d_model"):
    """Return the width of one head, d_model / h, if it is whole."""
    d_model = check_count(name, d_model)
    whole = isinstance(h, (int, np.integer)) and not isinstance(h, bool)
    if whole and h >= 1 and d_model % h == 0:
        return d_model // int(h)
    valid = _divisors(d_model)
    if not whole or h < 1:
        raise InputError(
            f"h must be a positive integer, not {h!r}; for {name}={d_model} "
            f"the head counts that work are {_listed(valid)}."
        )
    below = [n for n in valid if n < h][-1:]
    near = " or ".join(f"h={n}" for n in below + [n for n in valid if n > h][:1])
    raise InputError(
        f"h={h} does not divide {name}={d_model}; try {near} "
        f"(all that work: {_listed(valid)})."
    )


def _divisors(number):
    small = [n for n in range(1, math.isqrt(number) + 1) if number % n == 0]
    return sorted({*small, *(number // n for n in small)})


def _floating(dtype):
    if dtype.kind != "f":
        return np.dtype(np.float64)
    return np.dtype(np.float32) if dtype.itemsize == 2 else dtype.newbyteorder("=")


def _as_array(name, value):
    if isinstance(value, np.ma.MaskedArray):
        raise InputError(f"{name} is a masked array; pass a plain array and mask=.")
    try:
        return np.asarray(value)
    except ValueError:
        raise InputError(
            f"{name} is not an array: its rows differ in length."
        ) from None


def _numbers_as_mask(array):
    if array.dtype.kind not in "iuf" or not ((array == 0) | (array == 1)).all():
        raise InputError(
            "mask must be boolean or hold only 0 and 1 (true = may attend); "
            "numbers to add to the scores are given as bias=."
        )
    if array.dtype.kind == "f" and not array.any():
        raise InputError(
            "mask holds only 0.0, which would hide every key; a mask whose zeros "
            "hide nothing is added to the scores and is given as bias=."
        )
    return array.astype(bool)


def _broadcasts(shape, onto):
    try:
        return np.broadcast_shapes(shape, onto) == tuple(onto)
    except ValueError:
        return False


def _parameters(formula):
    """Return the names that may be given by position, and those that must be given."""
    parameters = inspect.signature(formula).parameters.values()
    positional = [p.name for p in parameters if p.kind is not p.KEYWORD_ONLY]
    return positional, {p.name for p in parameters if p.default is p.empty}


def _parse(shape):
    """Return whether leading axes are allowed, and (letter, factor) of each axis."""
    axes = [axis.rpartition("*") for axis in shape.split() if axis != "..."]
    return "..." in shape, [(letter, int(n or 1)) for n, _, letter in axes]


def _as_arrays(specs, given, required, defaults):
    arrays = {}
    for name in specs:
        value = given.get(name)
        if value is not None:
            arrays[name] = as_floats(name, value)
        elif name in defaults:
            arrays[name] = arrays[defaults[name]]
        elif name in required:
            raise InputError(f"{name} must be an array, not None.")
    return arrays


def _check_shapes(specs, arrays):
    first = {}
    for name, array in arrays.items():
        leading, axes = specs[name]
        shape = array.shape[len(array.shape) - len(axes) :]
        if len(shape) < len(axes) or not (leading or array.ndim == len(axes)):
            raise InputError(f"{name} of shape {array.shape} {_needed(leading, axes)}.")
        for (letter, factor), size in zip(axes, shape, strict=True):
            expected, source = first.setdefault(letter, (size // factor, name))
            if size != expected * factor:
                raise InputError(
                    f"{name} of shape {array.shape} {_needed(leading, axes)}, where "
                    f"{letter}={expected} as in {source} of shape {arrays[source].shape}."
                )


def _needed(leading, axes):
    names = [letter if n == 1 else f"{n}*{letter}" for letter, n in axes]
    return f"must have the shape ({', '.join(['...'] * leading + names)})"


def _all_float16(specs, given):
    values = [given[name] for name in specs if given.get(name) is not None]
    return all(getattr(value, "dtype", None) == np.float16 for value in values)


def _call(formula, arguments, arrays):
    try:
        with np.errstate(all="ignore"):
            result = formula(**arguments)
    except InputError:
        raise
    except ValueError:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in arrays.items())
        raise InputError(f"These shapes do not fit together: {shapes}.") from None
    first = result[0] if isinstance(result, tuple) else result
    if isinstance(first, np.ndarray) and not np.isfinite(first).all():
        raise InputError(
            f"The result overflows {first.dtype}: the numbers in "
            f"{', '.join(arrays)} are too large; make them smaller."
        )
    return result


def _cast(result):
    if isinstance(result, tuple):
        return tuple(_cast(part) for part in result)
    with np.errstate(over="ignore"):
        half = result.astype(np.float16)
    if not np.isfinite(half).all():
        raise InputError("The result does not fit float16; pass float32 instead.")
    return half


def _listed(numbers):
    if len(numbers) <= 12:
        return ", ".join(map(str, numbers))
    return ", ".join(map(str, numbers[:9])) + f", ..., {numbers[-1]}"
