"""Positions as sines and cosines, and what readers write in place of them."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.stepwise import Formula, slip


def halves(d):
    """Return 0, 0, 1, 1, 2, ...: which pair of columns each column belongs to."""
    return np.arange(d) // 2


def exponents(d):
    """Return 2 i / d for both columns of each pair."""
    return 2 * halves(d) / d


def waves(angles, even=np.sin, odd=np.cos):
    """Return a wave of each angle, one kind in the even columns, one in the odd."""
    return np.where(np.arange(angles.shape[1]) % 2 == 0, even(angles), odd(angles))


def angles(T, d, base=10000.0, start=0):
    """Return the angle of each place in each column, (T, d)."""
    return (start + np.arange(T))[:, None] / base ** exponents(d)


def table(T, d):
    """Return the right positions."""
    return waves(angles(T, d))


def _flat(x):
    return np.concatenate([x[:, ::2], x[:, 1::2]], axis=1)


# Each takes T and d and returns a table; what to say of it.
TABLES = (
    (
        sentence("sine and cosine are exchanged: sines in the even columns"),
        lambda T, d: waves(angles(T, d), np.cos, np.sin),
    ),
    (
        sentence("the base is 10000, not another number"),
        *(lambda T, d, n=n: waves(angles(T, d, n)) for n in (1000, 10, 100000)),
        *(lambda T, d, n=n: waves(angles(T, d, n)) for n in (np.e, 2, 500000, 1024)),
    ),
    (
        sentence("the positions are shifted by one: the first is 0"),
        lambda T, d: waves(angles(T, d, start=1)),
        lambda T, d: waves(angles(T, d, start=-1)),
    ),
    (
        sentence("all sines come first; sine and cosine take turns, column by column"),
        lambda T, d: _flat(table(T, d)),
        lambda T, d: np.roll(_flat(table(T, d)), d // 2, axis=1),
    ),
    (
        sentence("the odd columns are missing or sines too: they are cosines"),
        lambda T, d: waves(angles(T, d), np.sin, np.sin),
        lambda T, d: waves(angles(T, d), np.sin, np.zeros_like),
    ),
    (
        sentence("the even columns are missing or cosines too: they are sines"),
        lambda T, d: waves(angles(T, d), np.cos, np.cos),
        lambda T, d: waves(angles(T, d), np.zeros_like, np.cos),
    ),
    (
        sentence(
            "each column has a rate of its own; sine and cosine of a pair share it"
        ),
        lambda T, d: waves(_by(T, np.arange(d) / d)),
        lambda T, d: waves(_by(T, 2 * np.arange(d) / d)),
    ),
    (
        sentence(
            "the exponent is 2 i / d_model: the 2 is missing or doubled (a base of 100)"
        ),
        lambda T, d: waves(_by(T, halves(d) / d)),
        lambda T, d: waves(_by(T, 4 * halves(d) / d)),
    ),
    (
        sentence("pairs count from 0: the first rate is 1"),
        lambda T, d: waves(_by(T, 2 * (halves(d) + 1) / d)),
    ),
    (
        sentence("divide by the power of 10000, do not multiply with it"),
        lambda T, d: waves(_by(T, -exponents(d))),
    ),
    (
        sentence("the exponent is 2 i / d_model, with d_model itself below the line"),
        lambda T, d: waves(_by(T, halves(d) / max(d // 2 - 1, 1))),
        lambda T, d: waves(_by(T, 2 * halves(d) / T)),
        lambda T, d: waves(_by(T, 2 * halves(d))),
    ),
    (
        sentence("divide the position by 10000 ** (2 i / d_model), not by the product"),
        lambda T, d: waves(
            np.arange(T)[:, None] / (1 + 0 * _by(T, exponents(d))) / 10000
        ),
        lambda T, d: waves(np.arange(T)[:, None] + 0 * exponents(d)),
        lambda T, d: waves(np.arange(T)[:, None] * exponents(d)),
    ),
    (
        sentence("the angle counts in radians: leave the factor of pi or 180 out"),
        lambda T, d: waves(2 * np.pi * angles(T, d)),
        lambda T, d: waves(np.pi * angles(T, d)),
        lambda T, d: waves(np.pi / 180 * angles(T, d)),
    ),
    (
        sentence("these are the angles; take their sines and cosines"),
        angles,
    ),
    (
        sentence("the places count from the end; begin with the first"),
        lambda T, d: table(T, d)[::-1],
    ),
    (
        sentence("the columns come in the reverse order"),
        lambda T, d: table(T, d)[:, ::-1],
    ),
    (
        sentence("the table is turned: a row for each position"),
        lambda T, d: table(T, d).T,
        lambda T, d: table(d, T) if T % 2 == 0 else table(T, d).T,
    ),
    (
        sentence("the waves need no factor: they run from -1 to 1"),
        lambda T, d: table(T, d) / np.sqrt(d),
        lambda T, d: table(T, d) * np.sqrt(d),
        lambda T, d: table(T, d) / np.linalg.norm(table(T, d), axis=1)[:, None],
    ),
    (
        sentence("T and d_model are given; they are not always the same numbers"),
        lambda T, d: table(4, d),
        lambda T, d: table(T, 6),
        lambda T, d: table(T, 4),
    ),
)


def _by(T, exponent):
    return np.arange(T)[:, None] / 10000.0**exponent


def _table(way):
    return {"table": lambda a: way(a.T, a.d_model)}


POSITIONS = Formula(
    inputs="T d_model",
    steps=_table(table),
    slips=tuple(slip(said, *map(_table, ways)) for said, *ways in TABLES),
    draw=lambda T, pairs: (T, 2 * pairs),
    sizes=((4, 3), (7, 4), (6, 3), (3, 1), (2, 2)),
)
