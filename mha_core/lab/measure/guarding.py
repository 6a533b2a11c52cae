"""A reader's function: whatever it does ends in an array or in a sentence."""

import functools

import numpy as np

from mha_core._checks.sentences import sentence


def guarded(name, function):
    """Return a function that answers as another does, or says what is wrong with it.

    Parameters
    ----------
    name : str
        A name in `SHAPES`.
    function : function
        It gets copies of all arrays.

    Returns
    -------
    function
        Its results are arrays of the right shape and of the dtype of what it was
        given, without NaN or infinity.

    Raises
    ------
    ValueError
        By the function that is returned: if the other one raises, or gives back
        something else.
    """
    shapes_of = SHAPES[name]

    @functools.wraps(function)
    def call(*args, **kwargs):
        try:
            result = function(*map(_copied, args), **_copied(kwargs))
        except Exception as error:
            raise ValueError(_raised(name, error, args)) from None
        expected = shapes_of(*args, **kwargs)
        dtype = args[0].dtype
        if len(expected) == 1:
            return _checked(name, result, expected[0], dtype)
        if not isinstance(result, tuple) or len(result) != len(expected):
            raise ValueError(_not_a_pair(name, result))
        return tuple(
            _checked(name, part, shape, dtype)
            for part, shape in zip(result, expected, strict=True)
        )

    return call


def _copied(value):
    """Return a copy of an array, and of each array in a dict."""
    if isinstance(value, dict):
        return {key: _copied(part) for key, part in value.items()}
    return value.copy() if isinstance(value, np.ndarray) else value


def _checked(name, result, shape, dtype):
    """Return a result as an array of a shape, or say what it is instead."""
    array = _as_array(name, result, dtype)
    if array.shape != shape:
        raise ValueError(_other_shape(name, array.shape, shape))
    if not np.isfinite(array).all():
        raise ValueError(_not_finite(name))
    return array


def _as_array(name, result, dtype):
    if result is None:
        raise ValueError(_nothing(name))
    try:
        array = np.asarray(result)
    except ValueError:
        raise ValueError(_no_numbers(name, result)) from None
    if array.dtype.kind not in "fiub":
        raise ValueError(_no_numbers(name, result))
    return array.astype(dtype)


def _raised(name, error, args):
    given = ", ".join(str(x.shape) for x in args if isinstance(x, np.ndarray))
    return sentence(
        "{name} stops with {kind}: {error} (it was given arrays of the shapes "
        "{given}).",
        name=name,
        kind=type(error).__name__,
        error=str(error) or sentence("no reason"),
        given=given,
    )


def _nothing(name):
    return sentence("{name} gives back nothing: does it end in return?", name=name)


def _no_numbers(name, result):
    return sentence(
        "{name} gives back {kind}, where an array of real numbers is needed.",
        name=name,
        kind=type(result).__name__,
    )


def _other_shape(name, given, shape):
    return sentence(
        "{name} gives back the shape {given}, where {shape} is needed.",
        name=name,
        given=given,
        shape=shape,
    )


def _not_finite(name):
    return sentence(
        "{name} gives back NaN or infinity: look at what is divided, and at rows in "
        "which nothing can be seen.",
        name=name,
    )


def _not_a_pair(name, result):
    if result is None:
        return _nothing(name)
    return sentence(
        "{name} gives back {kind}, where two things are needed: the output and the "
        "weights.",
        name=name,
        kind=type(result).__name__,
    )


def _of_attention(query, key, value, mask):
    return query.shape[:-1] + value.shape[-1:], query.shape[:-1] + key.shape[-2:-1]


def _of_many(X, W_Q, W_K, W_V, W_O, h, *, mask, key):
    return (len(X), W_O.shape[-1]), (h, len(X), len(key))


SHAPES = {
    "masked_softmax": lambda scores, visible: (scores.shape,),
    "scaled_dot_product_attention": _of_attention,
    "split_heads": lambda x, h: ((h, len(x), x.shape[-1] // h),),
    "merge_heads": lambda x: ((x.shape[1], x.shape[0] * x.shape[2]),),
    "multi_head_attention": _of_many,
    "layer_norm": lambda x, gain, shift: (x.shape,),
    "feed_forward": lambda x, W_1, b_1, W_2, b_2: ((*x.shape[:-1], W_2.shape[-1]),),
    "block": lambda x, p, h, mask: (x.shape, (h, len(x), len(x))),
}
