"""One look, and one step of a decoder."""

import math

import numpy as np

from .heard import right, sm, wrong

L, D = (2, "look"), (2, "step")


@wrong(*L, "tanh is missing")
def _(q, s, W, U, v):
    e = np.array([v @ (W.T @ q + U.T @ r) for r in s])
    return sm(e) @ s


@wrong(*L, "softmax is missing")
def _(q, s, W, U, v):
    return sum(v @ np.tanh(q @ W + r @ U) * r for r in s)


@wrong(*L, "keys are mixed")
def _(q, s, W, U, v):
    k = s @ U
    e = np.tanh(q @ W + k) @ v
    return np.einsum("t,td->d", sm(e), k)


@wrong(*L, "v_a is forgotten")
def _(q, s, W, U, v):
    return sm(np.tanh(q @ W + s @ U).sum(1)) @ s


@wrong(*L, "no scale")
def _(q, s, W, U, v):
    e = np.tanh(q @ W + s @ U) @ v
    return sm(e / math.sqrt(len(v))) @ s


@wrong(*D, "a new state asks")
def _(s, x, S, W, U, b):
    n = np.tanh(np.r_[x, np.zeros(len(s))] @ W + s @ U + b)
    c = sm(S @ n) @ S
    return np.tanh(np.r_[x, c] @ W + s @ U + b)


@wrong(*D, "context is not read")
def _(s, x, S, W, U, b):
    return np.tanh(x @ W[: len(x)] + s @ U + b)


@wrong(*D, "sound comes first")
def _(s, x, S, W, U, b):
    c = sm(S @ s) @ S
    return np.tanh(np.r_[c, x] @ W + s @ U + b)


@wrong(*D, "not handed on")
def _(s, x, S, W, U, b):
    a = [r @ s for r in S]
    c = sum(w * r for w, r in zip(sm(np.array(a)), S, strict=True))
    return np.tanh(np.r_[x, c] @ W + b)


@wrong(*D, "tanh is missing")
def _(s, x, S, W, U, b):
    c = np.einsum("t,td->d", sm(S @ s), S)
    return np.concatenate((x, c)) @ W + s @ U + b


@right(*L)
def _(q, s, W, U, v):
    e = [math.exp(v @ np.tanh(W.T @ q + U.T @ r)) for r in s]
    return sum(a * r for a, r in zip(e, s, strict=True)) / sum(e)


@right(*L)
def _(q, s, W, U, v):
    w = sm(np.tanh(q[None] @ W + s @ U) @ v)
    return (w[None] @ s), w


@right(*L)
def _(q, s, W, U, v):
    return s.T @ sm(
        np.einsum(
            "ta,a->t",
            np.tanh(np.einsum("q,qa->a", q, W) + np.einsum("td,da->ta", s, U)),
            v,
        )
    )


@right(*D)
def _(s, x, S, W, U, b):
    c = S.T @ sm(S @ s)
    return np.tanh(x @ W[: len(x)] + c @ W[len(x) :] + s @ U + b)


@right(*D)
def _(s, x, S, W, U, b):
    w = sm(np.array([r @ s for r in S]))
    return np.tanh(np.hstack([x, w @ S, s, 1]) @ np.vstack([W, U, b]))
