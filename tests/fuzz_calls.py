"""Arguments to try a function with: mostly good ones, some with a thing or two spoiled.

A `Case` says which arrays a function takes, by their shapes, and which other arguments.
The strategy `calls` draws one call of it. Numbers come from a generator that is drawn
with the call, shapes, dtypes, layouts and what is spoiled from hypothesis itself.
"""

import math
import os
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from hypothesis import HealthCheck, Phase, event, settings
from hypothesis import strategies as st

from fuzzed import BAD, DTYPES, FLOATS, JUNK, LAYOUTS, RESHAPED, numbers

MISSING = object()
fuzz = settings(
    deadline=None,
    max_examples=int(os.environ.get("FUZZ", 200)),
    derandomize="FUZZ" not in os.environ,
    database=None,
    phases=[Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)
NOT_OURS = re.compile(
    "could not|operand|zero-size|cannot reshape|ufunc|broadcast together|ambiguous|"
    "out of bounds|Exceeds the limit|\n"
)


@dataclass
class Case:
    """A function, the slow one that it must equal, and what they take.

    A shape such as ``"... T_q 3*n"`` names sizes; an argument in `optional` may be
    None. Each option is a function of ``draw`` and the sizes.
    """

    function: Callable
    slow: Callable
    shapes: dict
    options: dict = field(default_factory=dict)
    optional: tuple = ()
    sizes: dict = field(default_factory=dict)  # those that are not drawn
    one_batch: bool = False  # no or one leading axis, the same in all arrays
    saturates: bool = False  # huge numbers behind tanh are lost to rounding


@dataclass
class Call:
    """Arguments, those that are spoiled and how, and the kind of numbers."""

    arguments: dict
    spoiled: dict
    numbers: str


def size_of(axis, sizes):
    """Return the size of an axis such as ``d_k`` or ``3*n``."""
    first, _, rest = axis.partition("+")
    if rest:
        return size_of(first, sizes) + size_of(rest, sizes)
    return math.prod(int(f) if f.isdigit() else sizes[f] for f in axis.split("*"))


@st.composite
def calls(draw, case):
    """Draw a call of a case's function, with up to two spoiled arguments."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    letters = re.findall(r"[a-z]\w*", " ".join(case.shapes.values()), re.IGNORECASE)
    sizes = {f: draw(st.integers(1, 4)) for f in sorted(set(letters))}
    sizes |= case.sizes
    sizes["..."] = draw(
        st.lists(st.integers(1, 3), max_size=1 if case.one_batch else 2)
    )
    kind = draw(st.sampled_from(["usual"] * 6 + ["tiny"] * 2 + ["huge"] * 3))
    dtypes = [draw(st.sampled_from(DTYPES))] * 4 + [draw(st.sampled_from(DTYPES))]
    arrays = {}
    for name, spec in case.shapes.items():
        if name in case.optional and draw(st.booleans()):
            continue
        lead = leading(draw, sizes["..."], case) if "..." in spec else ()
        axes = [size_of(axis, sizes) for axis in spec.split() if axis != "..."]
        dtype = draw(st.sampled_from(dtypes))
        arrays[name] = numbers(rng, (*lead, *axes), dtype, kind)
    sizes |= {
        "shapes": {k: x.shape for k, x in arrays.items()},
        "rng": rng,
        "wrong": {},
    }
    options = {k: option(draw, sizes) for k, option in case.options.items()}
    options = {k: v for k, v in options.items() if v is not MISSING}
    most = draw(st.sampled_from([0, 0, 0, 1, 2]))
    how = dict(draw(st.lists(spoils(case, arrays), max_size=most)))
    layouts = {k: draw(st.sampled_from(sorted(LAYOUTS))) for k in arrays}
    given = {k: LAYOUTS[layouts[k]](x) for k, x in arrays.items() if k not in how}
    given |= options
    for name, (kind_of, spoil) in how.items():
        if kind_of == "junk":
            given[name] = spoil
        else:
            with np.errstate(over="ignore"):  # a narrower dtype may hold less
                given[name] = (BAD | RESHAPED)[kind_of](arrays[name])
    wrong = {k: v for k, v in sizes["wrong"].items() if k not in how}
    return Call(given, wrong | {k: v[0] for k, v in how.items()}, kind)


def leading(draw, lead, case):
    """Return leading axes that broadcast onto the drawn ones: fewer, or of size 1."""
    if case.one_batch or draw(st.booleans()):
        return tuple(lead)
    cut = draw(st.integers(0, len(lead)))
    return tuple(size if draw(st.booleans()) else 1 for size in lead[cut:])


def spoils(case, arrays):
    """Draw the name of an argument and how it is spoiled."""
    kinds = st.sampled_from([*BAD, *RESHAPED, *RESHAPED]).map(lambda k: (k, None))
    ways = []
    if arrays:
        ways.append(st.tuples(st.sampled_from(sorted(arrays)), kinds))
    if case.options:
        junk = st.sampled_from(JUNK).map(lambda x: ("junk", x))
        ways.append(st.tuples(st.sampled_from(sorted(case.options)), junk))
    return st.one_of(ways)


WRONG_MASKS = {
    "two": lambda x: x * 2 + 2,
    "half": lambda x: x * 0.25 + 0.5,
    "minus a billion": lambda x: x * -1e9 - 1,
    "zeros": lambda x: x * 0.0,
    "whole zeros": lambda x: (x * 0).astype(int),
    **{
        k: BAD[k] for k in ("nan", "infinity", "complex", "objects", "strings", "dates")
    },
    **{
        k: BAD[k]
        for k in ("records", "masked", "ragged", "no array", "nothing", "text")
    },
}
WRONG_BIASES = {k: BAD[k] for k in BAD.keys() - {"minus infinity", "empty list"}}
WRONG_BIASES |= {"flags": lambda x: x > 0, "integers": lambda x: x.astype(int)}


def laid_over(name, shapes_of):
    """Return an option: a mask or bias that is missing, good, or wrong in one way."""

    def draw_one(draw, sizes):
        legal, wrong = shapes_of(sizes), WRONG_MASKS if name == "mask" else WRONG_BIASES
        how = draw(st.sampled_from([None, *["good"] * 6, "shape", "values"]))
        if how is None:
            return draw(st.sampled_from([None, MISSING]))
        x = overlay(draw, name, draw(st.sampled_from(legal)), sizes["rng"])
        if how == "good":
            return LAYOUTS[draw(st.sampled_from(sorted(LAYOUTS)))](x) if x.ndim else x
        if how == "shape":
            sizes["wrong"][name] = draw(st.sampled_from(sorted(RESHAPED)))
            return RESHAPED[sizes["wrong"][name]](x) if x.ndim else x
        kind = draw(st.sampled_from(sorted(wrong)))
        sizes["wrong"][name] = f"bad {kind}"
        return wrong[kind](np.atleast_1d(x).astype(float))

    return draw_one


def overlay(draw, name, shape, rng):
    keep = np.atleast_1d(rng.random(shape) > rng.choice([0, 0.3, 0.6]))
    if name == "bias":
        dtype = draw(st.sampled_from(FLOATS))
        x = numbers(rng, keep.shape, dtype, "usual")
        x = np.where(keep, x, -np.inf).astype(dtype) if x.dtype.kind == "f" else x
    else:
        keep.flat[0] = True  # a mask of numbers needs a 1
        x = keep.astype(draw(st.sampled_from(["?"] * 5 + DTYPES)))
    return x.reshape(shape)


def onto_scores(query, key):
    """Return what gives shapes that broadcast onto the scores of attention."""

    def shapes_of(sizes):
        q, k = (sizes["shapes"][name] for name in (query, key))
        full = (*np.broadcast_shapes(q[:-2], k[:-2]), q[-2], k[-2])
        cut = [full[i:] for i in range(len(full) + 1)]
        ones = [
            tuple(s if j != i else 1 for j, s in enumerate(full))
            for i in range(len(full))
        ]
        return cut + ones

    return shapes_of


def onto_heads(query, key):
    """Return what gives the shapes that multi-head attention takes."""

    def shapes_of(sizes):
        q, k, h = sizes["shapes"][query], sizes["shapes"][key], sizes["h"]
        T_q, T_k, B = q[-2], k[-2], q[0] if len(q) == 3 else 1
        four = [(b, i, t, T_k) for b in (1, B) for i in (1, h) for t in (1, T_q)]
        three = [(B, 1, T_k), (B, T_q, T_k)] if len(q) == 3 else []
        return [(T_q, T_k), (1, T_k), *three, *four]

    return shapes_of


def onto_split_heads(query, key):
    """Return what gives the shapes that attention takes where axis -3 is heads."""

    def shapes_of(sizes):
        q, k = (sizes["shapes"][name] for name in (query, key))
        two = [(q[-2], k[-2]), (1, k[-2])]
        if len(q) not in (3, 4):
            return two
        batch = {"h": q[-3], "shapes": {query: q[:-3] + q[-2:], key: k[-2:]}}
        return onto_heads(query, key)(batch)

    return shapes_of


def answer(function, *args, names, good, **kwargs):
    """Return what a function says, or None if it refused as it may."""
    try:
        with warnings.catch_warnings(), np.errstate(all="raise"):
            warnings.simplefilter("error")
            result = function(*args, **kwargs)
    except ValueError as error:
        sentence = str(error)
        event("refused")
        assert not good, sentence
        assert sentence.endswith(".") and len(sentence) < 400, sentence
        assert not NOT_OURS.search(sentence) and re.search(names, sentence), sentence
        return None
    event("answered")
    return result
