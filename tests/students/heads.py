"""Heads of attention."""

import numpy as np

from .heard import one, sm, wrong

M = (4, "multi_head")


def heads_of(X, W, h, i):
    d = W.shape[1] // h
    return X @ W[:, i * d : (i + 1) * d]


@wrong(*M, "not of d_model")
def _(X, Q, K, V, W_O, h, m):
    return (
        np.hstack(
            [
                one(*(heads_of(X, W, h, i) for W in (Q, K, V)), m, X.shape[1] ** 0.5)
                for i in range(h)
            ]
        )
        @ W_O
    )


@wrong(*M, "W_O is forgotten")
def _(X, Q, K, V, W_O, h, m):
    return np.hstack(
        [
            one(*(heads_of(X, W, h, i) for W in (Q, K, V)), m, (X.shape[1] / h) ** 0.5)
            for i in range(h)
        ]
    )


@wrong(*M, "not scaled")
def _(X, Q, K, V, W_O, h, m):
    return (
        np.hstack(
            [one(*(heads_of(X, W, h, i) for W in (Q, K, V)), m, 1.0) for i in range(h)]
        )
        @ W_O
    )


@wrong(*M, "h is ignored", "full width")
def _(X, Q, K, V, W_O, h, m):
    return one(X @ Q, X @ K, X @ V, m, Q.shape[1] ** 0.5) @ W_O


@wrong(*M, "split by reshape alone")
def _(X, Q, K, V, W_O, h, m):
    T, d = X.shape
    q, k, v = (np.reshape(X @ W, (h, T, d // h)) for W in (Q, K, V))
    s = np.einsum("htd,hsd->hts", q, k) / (d // h) ** 0.5
    w = sm(np.where(m, s, -np.inf))
    return np.einsum("hts,hsd->thd", w, v).reshape(T, d) @ W_O


@wrong(*M, "merged by reshape alone")
def _(X, Q, K, V, W_O, h, m):
    T, d = X.shape
    q, k, v = ((X @ W).reshape(T, h, -1).transpose(1, 0, 2) for W in (Q, K, V))
    w = sm(np.where(m[None], q @ k.transpose(0, 2, 1) / np.sqrt(d / h), -1e9))
    return (w @ v).reshape(T, d) @ W_O


@wrong(*M, "dealt out")
def _(X, Q, K, V, W_O, h, m):
    o = [
        one(
            (X @ Q)[:, i::h],
            (X @ K)[:, i::h],
            (X @ V)[:, i::h],
            m,
            (len(Q) // h) ** 0.5,
        )
        for i in range(h)
    ]
    return np.concatenate(o, 1) @ W_O


@wrong(*M, "mask is ignored")
def _(X, Q, K, V, W_O, h, m):
    return (
        np.hstack(
            [
                one(
                    *(heads_of(X, W, h, i) for W in (Q, K, V)),
                    True,
                    (X.shape[1] / h) ** 0.5,
                )
                for i in range(h)
            ]
        )
        @ W_O
    )


@wrong(*M, "upside down")
def _(X, Q, K, V, W_O, h, m):
    return (
        np.hstack(
            [
                one(
                    *(heads_of(X, W, h, i) for W in (Q, K, V)),
                    ~m,
                    (X.shape[1] / h) ** 0.5,
                )
                for i in range(h)
            ]
        )
        @ W_O
    )
