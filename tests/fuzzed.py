"""Arrays in every form, whole or spoiled, and other things that are no argument."""

import tempfile
from decimal import Decimal
from fractions import Fraction

import numpy as np

DTYPES = [
    "?",
    "i1",
    "u1",
    ">i4",
    "i8",
    "u8",
    "f2",
    ">f2",
    "f4",
    ">f4",
    "f8",
    ">f8",
    "g",
]
FLOATS = ["f2", ">f2", "f4", ">f4", "f8", ">f8", "g"]


class NoArray:
    """What refuses to be an array in its own way."""

    def __array__(self, *args, **kwargs):
        raise RuntimeError("this is no array")


class OwnArray(np.ndarray):
    """A subclass, as np.matrix is one."""


def set_one(x, value):
    x = np.array(x, x.dtype if x.dtype.kind == "f" else float)
    x.flat[x.size // 2] = value
    return x


def moved_axis(x):
    return np.moveaxis(x, 0, -1) if x.ndim > 1 else x[:, None]


# Each of these must be refused,
BAD = {
    "nan": lambda x: set_one(x, np.nan),
    "infinity": lambda x: set_one(x, np.inf),
    "minus infinity": lambda x: set_one(x, -np.inf),
    "complex": lambda x: x + 0j,
    "objects": lambda x: x.astype(object),
    "strings": lambda x: x.astype(float).astype(str),
    "bytes": lambda x: x.astype(float).astype("S9"),
    "dates": lambda x: np.zeros(x.shape, "M8[s]"),
    "durations": lambda x: np.zeros(x.shape, "m8[D]"),
    "records": lambda x: np.zeros(x.shape, [("a", float)]),
    "masked": lambda x: np.ma.masked_array(x, x > 0),
    "empty": lambda x: x[:0],
    "nothing in a row": lambda x: x[..., :0],
    "empty list": lambda x: [],
    "ragged": lambda x: [[1, 2], [3]],
    "text": lambda x: "abc",
    "dict": lambda x: {},
    "generator": lambda x: (row for row in x),
    "no array": lambda x: NoArray(),
    "huge integers": lambda x: [[2**70]],
    "nothing": lambda x: [None],
}
# and each of these refused or answered rightly.
RESHAPED = {
    "one number": lambda x: x.flat[0],
    "no axis": lambda x: np.array(x.flat[0]),
    "axis lost": lambda x: x[0],
    "axis more": lambda x: x[None],
    "axes more": lambda x: np.stack([x, x])[:, None],
    "five axes": lambda x: x.reshape(*(1,) * max(0, 5 - x.ndim), *x.shape),
    "row more": lambda x: np.concatenate([x, x[:1]]),
    "column more": lambda x: np.concatenate([x, x[..., :1]], axis=-1),
    "one column": lambda x: x[..., :1],
    "one row": lambda x: x[:1],
    "turned": moved_axis,
    "flat": lambda x: x.reshape(-1),
}
JUNK = [None, True, np.True_, -1, 0, 1, 3, 7, 10**30, -(10**30), 10**5000, 2.0, 0.5]
JUNK += [
    np.nan,
    np.inf,
    1j,
    np.complex128(2 + 1j),
    "2",
    b"2",
    "",
    np.str_("2"),
    [],
    [2],
]
JUNK += [
    (1, 2),
    {},
    {1},
    object,
    len,
    ...,
    range(3),
    NoArray(),
    [10**5000],
    [[1], [2, 3]],
]
JUNK += [
    np.array(x) for x in (2, [2], 2.0, "2", True, None, np.nan, 1j, [[1, 2], [3, 4]])
]
JUNK += [np.int8(2), np.uint64(7), np.float16(2), np.longdouble(2), Fraction(1, 2)]
JUNK += [Decimal(2), np.datetime64("2020"), np.timedelta64(3, "s"), np.ma.masked]
JUNK += [
    np.zeros((), [("a", int)])[()],
    np.zeros((), "V4")[()],
    2**31 + 1,
    10**12,
    "dot",
]


def on_disk(x):
    with tempfile.TemporaryFile() as file:
        file.write(x.tobytes())
        file.flush()
        return np.memmap(file, x.dtype, "c", shape=x.shape)


def read_only(x):
    x = x.copy()
    x.flags.writeable = False
    return x


LAYOUTS = {
    "C": lambda x: x,
    "F": np.asfortranarray,
    "backwards": lambda x: x[..., ::-1],
    "spaced": lambda x: np.repeat(x, 2, axis=-1)[..., ::2],
    "from an odd byte": lambda x: np.frombuffer(
        b"0" + x.tobytes(), x.dtype, x.size, 1
    ).reshape(x.shape),
    "one number everywhere": lambda x: np.broadcast_to(x.flat[0], x.shape),
    "read only": read_only,
    "file": on_disk,
    "subclass": lambda x: x.view(OwnArray),
    "list": lambda x: x.tolist(),
    "tuple": lambda x: tuple(x.tolist()),
}


def numbers(rng, shape, dtype, kind):
    """Return numbers of a dtype: usual ones, or with some tiny or huge ones between."""
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return rng.random(shape) > 0.5
    x = rng.standard_normal(shape) * rng.choice([0.3, 1, 2])
    info = np.finfo(dtype) if dtype.kind == "f" else np.iinfo(dtype)
    x = np.abs(x) if dtype.kind == "u" else x
    x = (x * (1 if dtype.kind == "f" else 3)).astype(dtype)
    if kind == "usual":
        return x
    some = rng.random(shape) < rng.choice([0.2, 0.5, 1])
    spots = small_or_large(info, kind)
    spots = np.array(spots if dtype.kind != "u" else np.abs(spots)).astype(dtype)
    return np.where(some, rng.choice(spots, shape), x).astype(dtype)


def small_or_large(info, kind):
    """Return the numbers at the limits of a dtype, and the roots of the largest."""
    if kind == "huge":
        most = np.longdouble(info.max)
        some = [most, most / 2, np.sqrt(most) * 2, np.sqrt(most), 1]
    else:
        some = [getattr(info, k, 1) for k in ("tiny", "smallest_subnormal")] + [0]
    return np.array([*some, *(-np.array(some, np.longdouble))], np.longdouble)
