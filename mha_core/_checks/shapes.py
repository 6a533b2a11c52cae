"""Shapes as they are written, such as ``"... T_q d_k"``, and arrays that fit them."""

from mha_core._checks.arrays import InputError


def parse(shape):
    """Return whether leading axes are allowed, and (letter, factor) of each axis."""
    shape = shape.removesuffix("| None")
    axes = [axis.rpartition("*") for axis in shape.split() if axis != "..."]
    return "..." in shape, [(letter, int(n or 1)) for n, _, letter in axes]


def check_shapes(specs, arrays):
    """Refuse arrays whose shapes do not fit what is written, or each other."""
    sizes = {}
    for name, array in arrays.items():
        leading, axes = specs[name]
        extra = len(array.shape) - len(axes)
        if extra < 0 or (extra and not leading):
            raise InputError(f"{name} of shape {array.shape} {_needed(specs[name])}.")
        for (letter, factor), size in zip(axes, array.shape[extra:], strict=True):
            if sizes.setdefault(letter, size // factor) * factor != size:
                raise InputError(
                    f"{name} of shape {array.shape} {_needed(specs[name])}, where "
                    f"{_source(specs, arrays, letter)}{sizes[letter]}."
                )


def _source(specs, arrays, letter):
    name = next(k for k in arrays if letter in dict(specs[k][1]))
    return f"{name} of shape {arrays[name].shape} gives {letter}="


def _needed(spec):
    leading, axes = spec
    names = [letter if n == 1 else f"{n}*{letter}" for letter, n in axes]
    return f"must have the shape ({', '.join(['...'] * leading + names)})"
