"""Checks of heads: how many there are, and what is projected for them."""

import math
from bisect import bisect

from mha_core._checks.arguments import check_count, told, whole
from mha_core._checks.arrays import InputError, as_array, as_floats, check_finite
from mha_core._checks.sentences import sentence

LARGEST_TRIED = 10**6


def check_heads(d_model, h, name="d_model"):
    """Return the width of one head, d_model / h, if it is whole."""
    d_model, heads = check_count(name, d_model), whole(h)
    if heads is not None and heads >= 1 and d_model % heads == 0:
        return d_model // heads
    valid = _divisors(d_model)
    if heads is None or heads < 1:
        raise InputError(
            sentence(
                "h must be a positive integer, not {h}; for {name}={d_model} the head "
                "counts that work are {valid}.",
                h=told(h),
                name=name,
                d_model=d_model,
                valid=_listed(valid),
            )
        )
    raise InputError(_near(heads, d_model, valid, name))


def _near(heads, d_model, valid, name):
    fields = {"h": heads, "name": name, "d_model": d_model, "valid": _listed(valid)}
    below, above = valid[bisect(valid, heads) - 1], valid[bisect(valid, heads) :][:1]
    if not above:
        return sentence(
            "h={h} does not divide {name}={d_model}; try h={below} (all that work: "
            "{valid}).",
            below=below,
            **fields,
        )
    return sentence(
        "h={h} does not divide {name}={d_model}; try h={below} or h={above} (all that "
        "work: {valid}).",
        below=below,
        above=above[0],
        **fields,
    )


def check_sequences(**sequences):
    """Refuse sequences that are not (T, d) or (B, T, d) with one B."""
    shapes = [x.shape for x in sequences.values()]
    if max(map(len, shapes)) > 3 or len({shape[:-2] for shape in shapes}) > 1:
        raise InputError(
            f"{', '.join(sequences)} must all be (T, d_model) or all (B, T, d_model) "
            f"with the same B, but their shapes are {', '.join(map(str, shapes))}."
        )


def check_sources(X, key, value):
    """Return key and value: X itself and the key, if they are not given."""
    if key is None and value is not None:
        raise InputError(
            f"value of shape {value.shape} is given without a key; give key= too: the "
            "sequence that the queries are compared with."
        )
    key = X if key is None else key
    value = key if value is None else value
    check_sequences(X=X, key=key, value=value)
    return key, value


def check_widths(X, W_Q, W_V, h):
    """Refuse projections that cannot be split into h heads."""
    for name, W in (("columns of W_Q", W_Q), ("columns of W_V", W_V)):
        check_heads(W.shape[-1], h, "d_model" if W.shape[-1] == X.shape[-1] else name)


def check_width(d_model, **sequences):
    """Refuse sequences of another width than d_model."""
    for name, x in sequences.items():
        if x.shape[-1] != d_model:
            raise InputError(
                f"{name} of shape {x.shape} must have d_model={d_model} features, "
                "along its last axis."
            )


def check_projection_bias(biases, projections):
    """Return the four projection biases as arrays of floats, or four times None."""
    if biases is None:
        return [None] * 4
    widths = [(W.shape[-1],) for W in projections]
    if not isinstance(biases, (list, tuple)):
        biases = as_array("projection_bias", biases)
    shapes = told(biases)
    if isinstance(biases, (list, tuple)) or biases.ndim:
        shapes = [as_array("projection_bias", b).shape for b in biases]
    if shapes != widths:
        raise InputError(
            "projection_bias must be four arrays, added after W_Q, W_K, W_V and W_O, "
            f"of shapes {widths}, but it is {shapes}."
        )
    biases = [as_floats("projection_bias", b) for b in biases]
    for b in biases:
        check_finite("projection_bias", b)
    return biases


def _divisors(number):
    most = min(math.isqrt(number), LARGEST_TRIED)
    small = [n for n in range(1, most + 1) if number % n == 0]
    return sorted({*small, *(number // n for n in small)})


def _listed(numbers):
    if len(numbers) <= 12:
        return ", ".join(map(str, numbers))
    return ", ".join(map(str, numbers[:9])) + f", ..., {numbers[-1]}"
