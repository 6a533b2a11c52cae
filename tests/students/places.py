"""Positions, and what is done in order."""

import math

import numpy as np

from mha_core.blocks import positions as pos_table

from .heard import right, sm, wrong

P = (5, "positions")


def table(T, d, f=np.sin, g=np.cos, base=1e4, t0=0):
    P_ = np.zeros((T, d))
    for t in range(T):
        for i in range(0, d, 2):
            a = (t + t0) / base ** (i / d)
            P_[t, i] = f(a)
            P_[t, i + 1] = g(a)
    return P_


@wrong(*P, "exchanged: sines in the even")
def _(T, d):
    return table(T, d, np.cos, np.sin)


@wrong(*P, "base is 10000")
def _(T, d):
    return table(T, d, base=1000)


@wrong(*P, "shifted by one")
def _(T, d):
    return table(T, d, t0=1)


@wrong(*P, "all sines come first")
def _(T, d):
    a = np.arange(T)[:, None] * np.exp(-np.log(1e4) * np.arange(0, d, 2) / d)
    return np.hstack([np.sin(a), np.cos(a)])


@wrong(*P, "each column has a rate")
def _(T, d):
    return np.array(
        [
            [
                (math.sin if i % 2 == 0 else math.cos)(t / 10000 ** (i / d))
                for i in range(d)
            ]
            for t in range(T)
        ]
    )


@wrong(*P, "sines too")
def _(T, d):
    return table(T, d, np.sin, np.sin)


@wrong(*P, "multiply")
def _(T, d):
    return table(T, d, base=1e-4)


@wrong(*P, "2 is missing or doubled")
def _(T, d):
    P_ = np.zeros((T, d))
    for t in range(T):
        for i in range(d // 2):
            a = t / 10000 ** (i / d)
            P_[t, 2 * i], P_[t, 2 * i + 1] = np.sin(a), np.cos(a)
    return P_


right(*P)(table)


@right(*P)
def _(T, d):
    i = np.arange(d)
    a = np.arange(T)[:, None] / 10000 ** (2 * (i // 2) / d)
    return np.where(i % 2, np.cos(a), np.sin(a))


@right(*P)
def _(T, d):
    z = np.exp(1j * np.outer(np.arange(T), 1e4 ** (-np.arange(0, d, 2) / d)))
    return np.stack([z.imag, z.real], -1).reshape(T, d)


C = (5, "causal_attention")


@right(*C)
def _(X, Q, K, V):
    X = X + pos_table(*X.shape)
    q, k, v = X @ Q, X @ K, X @ V
    return np.array(
        [sm(k[: t + 1] @ q[t] / q.shape[1] ** 0.5) @ v[: t + 1] for t in range(len(X))]
    )


@right(*C)
def _(X, Q, K, V):
    X = X + table(*X.shape)
    s = (X @ Q) @ (X @ K).T / Q.shape[1] ** 0.5
    s[np.triu_indices(len(X), 1)] = -np.inf
    return sm(s) @ (X @ V)


@right(*C)
def _(X, Q, K, V):
    X = X + pos_table(*X.shape)
    s = np.exp((X @ Q) @ (X @ K).T / Q.shape[1] ** 0.5) * np.tri(len(X))
    return s / s.sum(1)[:, None] @ (X @ V)
