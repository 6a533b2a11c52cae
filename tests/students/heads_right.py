"""Heads of attention, rightly."""

import math

import numpy as np

from .heads import M, heads_of
from .heard import one, right, sm


def base(X, Q, K, V, W_O, h, m):
    return (
        np.hstack(
            [
                one(
                    *(heads_of(X, W, h, i) for W in (Q, K, V)),
                    m,
                    (X.shape[1] / h) ** 0.5,
                )
                for i in range(h)
            ]
        )
        @ W_O
    )


right(*M)(base)


@right(*M)
def _(X, Q, K, V, W_O, h, m):
    d = X.shape[1] // h
    out = np.zeros((len(X), W_O.shape[1]))
    for i in range(h):
        out += (
            one(*(heads_of(X, W, h, i) for W in (Q, K, V)), m, d**0.5)
            @ W_O[i * d : (i + 1) * d]
        )
    return out


@right(*M)
def _(X, Q, K, V, W_O, h, m):
    T, d = X.shape
    q, k, v = ((X @ W).reshape(T, h, -1) for W in (Q, K, V))
    s = np.einsum("thd,shd->hts", q, k) / np.sqrt(d / h)
    w = sm(np.where(m, s, -np.inf))
    return np.einsum("hts,shd->thd", w, v).reshape(T, d) @ W_O


@right(*M)
def _(X, Q, K, V, W_O, h, m):
    X = X[None]
    B_, T, d = X.shape
    q, k, v = ((X @ W).reshape(B_, T, h, -1).swapaxes(1, 2) for W in (Q, K, V))
    w = sm(np.where(m, q @ k.swapaxes(-1, -2) / (d // h) ** 0.5, -1e9))
    return (w @ v).swapaxes(1, 2).reshape(B_, T, d) @ W_O, w


@right(*M)
def _(X, Q, K, V, W_O, h, m):
    return base(*(a.astype("f4") for a in (X, Q, K, V, W_O)), h, m)


@right(*M)
def _(X, Q, K, V, W_O, h, m):
    d = X.shape[1] // h
    T = len(X)
    out = [[0.0] * X.shape[1] for _ in range(T)]
    q, k, v = X @ Q, X @ K, X @ V
    for i in range(h):
        for t in range(T):
            e = [
                math.exp(
                    sum(q[t, i * d + c] * k[u, i * d + c] for c in range(d))
                    / math.sqrt(d)
                )
                if m[t, u]
                else 0.0
                for u in range(T)
            ]
            for c in range(d):
                out[t][i * d + c] = sum(e[u] * v[u, i * d + c] for u in range(T)) / sum(
                    e
                )
    return np.array(out) @ W_O
