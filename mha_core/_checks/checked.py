"""The shapes and dtypes of every public function, checked in one place.

A formula is decorated, and has the shapes of its arrays as annotations::

    @checked
    def f(query: "... T_q d_k", key: "... T_k d_k"):

Each name stands for one size, the same in all arguments; ``...`` are leading axes,
and ``3*n`` is three times ``n``. Integers become float64, float16 is computed in
float32 and cast back, and an input is never changed. What one formula calls is not
checked again.
"""

import functools
import inspect
from collections.abc import Mapping
from contextlib import contextmanager
from contextvars import ContextVar

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

TRUSTED = ContextVar("trusted", default=False)


@contextmanager
def trusted():
    """Let formulas take what they are given: whoever calls them has checked it.

    It is a context, and a decorator too, as on the methods of models. NumPy's warnings
    are off inside, since what overflows is refused by a sentence.
    """
    before = TRUSTED.set(True)
    try:
        with np.errstate(all="ignore"):
            yield
    finally:
        TRUSTED.reset(before)


def checked(formula=None, /, *, instead=None, late=()):
    """Decorate a formula so that it refuses what it cannot answer.

    Parameters
    ----------
    formula : function
        Its annotations are shapes, such as ``"... T_q d_k"``, or for a dict of arrays
        a dict of name to shape. None is left alone where it is the default, or where
        the annotation ends in ``| None``.
    instead : dict, optional
        Argument to the argument that stands in for it when it is None.
    late : tuple of str, optional
        Large arrays that are searched for NaN and infinity only if the result has
        one: each of their numbers reaches it, where no mask or bias hides a key.
    """
    if formula is None:
        return functools.partial(checked, instead=instead, late=late)
    specs, flat = formula.__annotations__, _parsed(formula.__annotations__)
    positional, required, needed = _parameters(formula)

    @functools.wraps(formula)
    def function(*args, **kwargs):
        if TRUSTED.get():
            return formula(*args, **kwargs)
        given = dict(zip(positional, args, strict=False), **kwargs)
        if len(given) < len(args) + len(kwargs) or not required <= given.keys():
            return formula(*args, **kwargs)  # raises Python's own TypeError
        with trusted():
            raw = _arguments(specs, given, needed)
            arrays = {name: as_floats(name, value) for name, value in raw.items()}
            _check_shapes(flat, arrays, instead or {})
            result = _call(formula, specs, given, arrays, late)
            return _finish(result, arrays, all(map(is_float16, raw.values())))

    return function


def finite(sums):
    """Return sums of products if none overflowed: tanh would make 1 of infinity."""
    if not all_finite(sums):
        raise InputError(
            f"The sums of products overflow {sums.dtype}: make what is multiplied (x, "
            "state, query, key or the weights) smaller."
        )
    return sums


def _parameters(formula):
    """Return the names given by position, those that must be, and those never None."""
    parameters = inspect.signature(formula).parameters.values()
    positional = [p.name for p in parameters if p.kind is not p.KEYWORD_ONLY]
    required = {p.name: p.annotation for p in parameters if p.default is p.empty}
    needed = {name for name, spec in required.items() if "| None" not in str(spec)}
    return positional, required.keys(), needed


def _arguments(specs, given, needed):
    """Return by name what must become arrays; weights in a dict stand by themselves."""
    found = {}
    for name, spec in specs.items():
        if isinstance(spec, dict):
            found |= _weights(name, given[name], spec)
        elif name in needed or given.get(name) is not None:
            found[name] = given[name]
    return found


def _weights(name, weights, spec):
    known = weights if isinstance(weights, Mapping) else {}
    lacking = [key for key in spec if key not in known]
    if lacking:
        raise InputError(
            f"{name} must be a dict of the block's weights, and lacks "
            f"{', '.join(lacking)}."
        )
    return {key: weights[key] for key in spec}


def _parsed(specs):
    flat = {}
    for name, spec in specs.items():
        flat |= spec if isinstance(spec, dict) else {name: spec}
    return {name: parse(spec) for name, spec in flat.items()}


def _check_shapes(specs, arrays, instead):
    arrays = dict(arrays)
    for n, (name, source) in enumerate(instead.items()):
        if not arrays.keys() & [*instead][n:]:  # a value without a key gets none
            arrays[name] = arrays[source]
    check_shapes(specs, arrays)


def _call(formula, specs, given, arrays, late):
    hidden = given.get("mask") is not None or given.get("bias") is not None
    for name, array in arrays.items():
        if hidden or name not in late:
            check_finite(name, array)
    try:
        result = formula(**given | _nested(specs, given, arrays))
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


def _nested(specs, given, arrays):
    """Return the arrays as the formula takes them, weights in their dict again."""
    nested = {}
    for name, spec in specs.items():
        if isinstance(spec, dict):
            nested[name] = {**given[name], **{key: arrays[key] for key in spec}}
        elif name in arrays:
            nested[name] = arrays[name]
    return nested


def _check_result(result, arrays):
    first = result[0] if isinstance(result, tuple) else result
    if not all_finite(first):
        raise InputError(
            f"The result overflows {first.dtype}: the numbers in "
            f"{', '.join(arrays)} are too large; make them smaller."
        )


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
