"""Heads of attention: their matrices, slices and masks."""

import numpy as np

from .heads import M, heads_of
from .heard import one, wrong


@wrong(*M, "features of head 0")
def _(X, Q, K, V, W_O, h, m):
    return (
        np.hstack(
            [
                one(
                    *(heads_of(X, W, h, 0) for W in (Q, K, V)),
                    m,
                    (X.shape[1] / h) ** 0.5,
                )
                for i in range(h)
            ]
        )
        @ W_O
    )


@wrong(*M, "reverse order")
def _(X, Q, K, V, W_O, h, m):
    return (
        np.hstack(
            [
                one(
                    *(heads_of(X, W, h, i) for W in (Q, K, V)),
                    m,
                    (X.shape[1] / h) ** 0.5,
                )
                for i in reversed(range(h))
            ]
        )
        @ W_O
    )


@wrong(*M, "values are X @ W_V")
def _(X, Q, K, V, W_O, h, m):
    return (
        np.hstack(
            [
                one(
                    *(heads_of(X, W, h, i) for W in (Q, K, K)),
                    m,
                    (X.shape[1] / h) ** 0.5,
                )
                for i in range(h)
            ]
        )
        @ W_O
    )


@wrong(*M, "queries and keys are exchanged")
def _(X, Q, K, V, W_O, h, m):
    return (
        np.hstack(
            [
                one(
                    *(heads_of(X, W, h, i) for W in (K, Q, V)),
                    m,
                    (X.shape[1] / h) ** 0.5,
                )
                for i in range(h)
            ]
        )
        @ W_O
    )


@wrong(*M, "one matrix makes")
def _(X, Q, K, V, W_O, h, m):
    return (
        np.hstack(
            [
                one(
                    *(heads_of(X, W, h, i) for W in (Q, Q, Q)),
                    m,
                    (X.shape[1] / h) ** 0.5,
                )
                for i in range(h)
            ]
        )
        @ W_O
    )


@wrong(*M, "nothing is projected")
def _(X, Q, K, V, W_O, h, m):
    return (
        np.hstack(
            [
                one(
                    *(heads_of(X, W, h, i) for W in (np.eye(len(Q)),) * 3),
                    m,
                    (X.shape[1] / h) ** 0.5,
                )
                for i in range(h)
            ]
        )
        @ W_O
    )


@wrong(*M, "W_O is turned")
def _(X, Q, K, V, W_O, h, m):
    o = np.hstack(
        [
            one(*(heads_of(X, W, h, i) for W in (Q, K, V)), m, (X.shape[1] / h) ** 0.5)
            for i in range(h)
        ]
    )
    return np.einsum("td,ed->te", o, W_O)


@wrong(*M, "matrices are turned")
def _(X, Q, K, V, W_O, h, m):
    Q, K, V = Q.T, K.T, V.T
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


@wrong(*M, "cut before it is projected")
def _(X, Q, K, V, W_O, h, m):
    d = X.shape[1] // h
    o = []
    for i in range(h):
        s = slice(i * d, i * d + d)
        x = X[:, s]
        o.append(one(x @ Q[s, s], x @ K[s, s], x @ V[s, s], m, d**0.5))
    return np.concatenate(o, axis=1) @ W_O


@wrong(*M, "slices overlap")
def _(X, Q, K, V, W_O, h, m):
    d = X.shape[1] // h
    o = []
    for i in range(h):
        o.append(
            one(
                (X @ Q)[:, i : i + d],
                (X @ K)[:, i : i + d],
                (X @ V)[:, i : i + d],
                m,
                d**0.5,
            )
        )
    return np.concatenate(o, axis=1) @ W_O


@wrong(*M, "do not average", "side by side")
def _(X, Q, K, V, W_O, h, m):
    return (
        np.mean(
            [
                one(
                    *(heads_of(X, W, h, i) for W in (Q, K, V)),
                    m,
                    (X.shape[1] / h) ** 0.5,
                )
                for i in range(h)
            ],
            axis=0,
        )
        @ W_O
    )
