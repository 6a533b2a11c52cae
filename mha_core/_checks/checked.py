"""The shapes and dtypes of every public function, checked in one place.

A formula is decorated with the shapes of its arrays::

    @checked(query="... T_q d_k", key="... T_k d_k")

Each name stands for one size, the same in all arguments; ``...`` are leading axes,
and ``3*n`` is three times ``n``. Integers become float64, float16 is computed in
float32 and cast back, and an input is never changed.
"""

import functools
import inspect
from collections.abc import Mapping

import numpy as np

from mha_core._checks.arrays import (
    InputError,
    all_finite,
    as_floats,
    check_finite,
    is_float16,
    is_traced,
)
from mha_core._checks.shapes import check_shapes, parse


def checked(defaults=None, late=(), **shapes):
    """Decorate a formula so that it refuses what it cannot answer.

    Parameters
    ----------
    defaults : dict, optional
        Argument to the argument that stands in for it when it is None.
    late : tuple of str, optional
        Large arrays that are searched for NaN and infinity only if the result has
        one: each of their numbers reaches it, where no mask or bias hides a key.
    **shapes : str
        Argument to its shape, such as ``"... T_q d_k"``. None is left alone.
    """
    specs = {name: parse(shape) for name, shape in shapes.items()}

    def decorate(formula):
        positional, required = _parameters(formula)

        @functools.wraps(formula)
        def function(*args, **kwargs):
            given = dict(zip(positional, args, strict=False), **kwargs)
            if len(given) < len(args) + len(kwargs) or not required <= given.keys():
                return formula(*args, **kwargs)  # raises Python's own TypeError
            names = [k for k in specs if k in required or given.get(k) is not None]
            with np.errstate(all="ignore"):
                arrays = _as_arrays(specs, given, names, defaults or {})
                result = _call(formula, given, arrays, late)
                return _finish(result, arrays, _all_float16(given, names))

        function.unchecked = formula
        return function

    return decorate


def checked_block(sequences, weights):
    """Decorate a block, which takes its weights as a dict p, in the same way.

    Parameters
    ----------
    sequences, weights : dict of str to str
        Argument to its shape; name in p to its shape.
    """
    specs = {name: parse(shape) for name, shape in (sequences | weights).items()}

    def decorate(block):
        @functools.wraps(block)
        def function(*args, **kwargs):
            given = inspect.signature(block).bind(*args, **kwargs).arguments
            _check_names(given["p"], weights)
            flat = {k: given[k] for k in sequences} | {
                k: given["p"][k] for k in weights
            }
            with np.errstate(all="ignore"):
                arrays = _as_arrays(specs, flat, list(flat), {})
                own = {k: arrays[k] for k in sequences} | {"p": arrays}
                result = _call(lambda **_: block(**given | own), flat, arrays, ())
                return _finish(result, arrays, _all_float16(flat, flat))

        function.unchecked = block
        return function

    return decorate


def _check_names(p, names):
    lacking = [k for k in names if k not in p] if isinstance(p, Mapping) else [*names]
    if lacking:
        raise InputError(
            f"p must be a dict of the block's weights, and lacks {', '.join(lacking)}."
        )


def finite(sums):
    """Return sums of products if none overflowed: tanh would make 1 of infinity."""
    if not all_finite(sums):
        raise InputError(
            f"The sums of products overflow {sums.dtype}: make what is multiplied (x, "
            "state, query, key or the weights) smaller."
        )
    return sums


def _parameters(formula):
    """Return the names that may be given by position, and those that must be given."""
    parameters = inspect.signature(formula).parameters.values()
    positional = [p.name for p in parameters if p.kind is not p.KEYWORD_ONLY]
    return positional, {p.name for p in parameters if p.default is p.empty}


def _as_arrays(specs, given, names, defaults):
    arrays = {name: as_floats(name, given[name]) for name in names}
    for name, source in defaults.items():
        arrays.setdefault(name, arrays[source])
    check_shapes(specs, arrays)
    return arrays


def _call(formula, given, arrays, late):
    hidden = given.get("mask") is not None or given.get("bias") is not None
    for name, array in arrays.items():
        if name in given and (hidden or name not in late):
            check_finite(name, array)
    try:
        result = formula(**given | arrays)
        _check_result(result, arrays)
        return result
    except InputError:
        for name, array in arrays.items():
            check_finite(name, array)
        raise
    except ValueError:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in arrays.items())
        raise InputError(
            f"These shapes do not fit together: {shapes}; leading axes must be equal "
            "or 1."
        ) from None


def _check_result(result, arrays):
    first = result[0] if isinstance(result, tuple) else result
    if not all_finite(first):
        raise InputError(
            f"The result overflows {first.dtype}: the numbers in "
            f"{', '.join(arrays)} are too large; make them smaller."
        )


def _all_float16(given, names):
    return all(is_float16(given[name]) for name in names)


def _finish(result, arrays, half):
    """Return float16 for float16, in memory that no argument shares."""
    if isinstance(result, tuple):
        return tuple(_finish(part, arrays, half) for part in result)
    if half:
        return _as_float16(result)
    is_view = not is_traced(result) and result.base is not None
    shared = is_view and any(np.may_share_memory(result, x) for x in arrays.values())
    return result.copy() if shared else result


def _as_float16(result):
    half = result.astype(np.float16)
    if not np.isfinite(half).all():
        raise InputError("The result does not fit float16; pass float32 instead.")
    return half
