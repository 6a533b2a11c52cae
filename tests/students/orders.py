"""Causal masks, and causal self-attention with positions."""

import numpy as np

from mha_core.blocks import positions

from .heard import sm, wrong

K = (5, "causal")


@wrong(*K, "hides the past")
def _(T):
    return np.array([[j >= i for j in range(T)] for i in range(T)])


@wrong(*K, "upside down")
def _(T):
    return np.triu(np.ones((T, T)), k=1).astype(bool)


@wrong(*K, "may see itself")
def _(T):
    m = np.zeros((T, T), bool)
    for i in range(T):
        m[i, :i] = True
    return m


@wrong(*K, "one step of the future")
def _(T):
    m = np.zeros((T, T), bool)
    for i in range(T):
        m[i, : i + 2] = True
    return m


@wrong(*K, "bias")
def _(T):
    return np.where(np.arange(T)[None] > np.arange(T)[:, None], -1e9, 0.0)


@wrong(*K, "nothing is hidden")
def _(T):
    return np.ones((T, T))


C = (5, "causal_attention")


def att(X, Q, Kk, V, m, s=None):
    q, k, v = X @ Q, X @ Kk, X @ V
    s = s or k.shape[1] ** 0.5
    return sm(np.where(m, q @ k.T / s, -np.inf)) @ v


@wrong(*C, "positions are missing")
def _(X, Q, Kk, V):
    return att(X, Q, Kk, V, np.tri(len(X), dtype=bool))


@wrong(*C, "nothing is hidden")
def _(X, Q, Kk, V):
    return att(X + positions(*X.shape), Q, Kk, V, True)


@wrong(*C, "one step of the future")
def _(X, Q, Kk, V):
    X = X + positions(*X.shape)
    q, k, v = X @ Q, X @ Kk, X @ V
    return np.array(
        [sm(k[: t + 2] @ q[t] / q.shape[1] ** 0.5) @ v[: t + 2] for t in range(len(X))]
    )


@wrong(*C, "hides the past")
def _(X, Q, Kk, V):
    return att(X + positions(*X.shape), Q, Kk, V, np.triu(np.ones((len(X),) * 2, bool)))


@wrong(*C, "not scaled")
def _(X, Q, Kk, V):
    return att(X + positions(*X.shape), Q, Kk, V, np.tri(len(X), dtype=bool), 1.0)


@wrong(*C, "positions are multiplied")
def _(X, Q, Kk, V):
    return att(X * positions(*X.shape), Q, Kk, V, np.tri(len(X), dtype=bool))


@wrong(*C, "values have no positions")
def _(X, Q, Kk, V):
    Y = X + positions(*X.shape)
    q, k, v = Y @ Q, Y @ Kk, X @ V
    s = q @ k.T / k.shape[1] ** 0.5
    s[np.triu_indices(len(X), 1)] = -np.inf
    return sm(s) @ v


@wrong(*C, "after the softmax")
def _(X, Q, Kk, V):
    Y = X + positions(*X.shape)
    return np.tril(sm((Y @ Q) @ (Y @ Kk).T / Q.shape[1] ** 0.5)) @ (Y @ V)


@wrong(*C, "may see itself")
def _(X, Q, Kk, V):
    Y = X + positions(*X.shape)
    s = (Y @ Q) @ (Y @ Kk).T / Q.shape[1] ** 0.5
    s[np.triu_indices(len(X))] = -1e9
    return sm(s) @ (Y @ V)
