"""Cross-attention, an encoder letter by letter, and the loss."""

import math

import numpy as np

from .heard import sm, wrong

R = (6, "cross_attention")


@wrong(*R, "roles are exchanged")
def _(x, m, Q, Kk, V):
    q, k, v = m @ Q, x @ Kk, x @ V
    return sm(q @ k.T / k.shape[1] ** 0.5) @ v


@wrong(*R, "self-attention of x")
def _(x, m, Q, Kk, V):
    q, k, v = x @ Q, x @ Kk, x @ V
    return sm(q @ k.T / k.shape[1] ** 0.5) @ v


@wrong(*R, "values come from x")
def _(x, m, Q, Kk, V):
    q, k, v = x @ Q, m @ Kk, x @ V
    return sm(q @ k.T / k.shape[1] ** 0.5) @ v


@wrong(*R, "not of d_model")
def _(x, m, Q, Kk, V):
    return np.array([sm(m @ Kk @ (r @ Q) / math.sqrt(len(r))) @ (m @ V) for r in x])


@wrong(*R, "causal mask")
def _(x, m, Q, Kk, V):
    s = (x @ Q) @ (m @ Kk).T / Q.shape[1] ** 0.5
    for i in range(len(x)):
        s[i, i + 1 :] = -np.inf
    return sm(s) @ (m @ V)


@wrong(*R, "x is added")
def _(x, m, Q, Kk, V):
    return x + sm((x @ Q) @ (m @ Kk).T / Q.shape[1] ** 0.5) @ (m @ V)


E_ = (1, "encoder")


@wrong(*E_, "not handed on")
def _(rows, W_, U, b):
    return np.tanh(rows @ W_ + b)


@wrong(*E_, "last state alone")
def _(rows, W_, U, b):
    s = np.zeros(len(b))
    for x in rows:
        s = np.tanh(x @ W_ + s @ U + b)
    return s


@wrong(*E_, "every row is the last")
def _(rows, W_, U, b):
    s = np.zeros(len(b))
    out = []
    for x in rows:
        s[:] = np.tanh(x @ W_ + s @ U + b)
        out.append(s)
    return np.array(out)


@wrong(*E_, "before each letter")
def _(rows, W_, U, b):
    s = np.zeros(len(b))
    out = []
    for x in rows:
        out.append(s)
        s = np.tanh(x @ W_ + s @ U + b)
    return np.array(out)


@wrong(*E_, "read from the right")
def _(rows, W_, U, b):
    s = np.zeros(len(b))
    out = []
    for x in rows[::-1]:
        s = np.tanh(x @ W_ + s @ U + b)
        out.append(s)
    return np.array(out)


LOSS = (1, "loss")


@wrong(*LOSS, "sign is missing")
def _(logits, t):
    return np.mean([np.log(sm(r)[i]) for r, i in zip(logits, t, strict=True)])


@wrong(*LOSS, "added up")
def _(logits, t):
    return sum(-np.log(sm(r)[i]) for r, i in zip(logits, t, strict=True))


@wrong(*LOSS, "over the examples")
def _(logits, t):
    return -np.mean(np.log(sm(logits, 0)[range(len(t)), t]))


@wrong(*LOSS, "log is missing")
def _(logits, t):
    return np.mean([1 - sm(r)[i] for r, i in zip(logits, t, strict=True)])


@wrong(*LOSS, "natural one")
def _(logits, t):
    return -np.mean([math.log2(sm(r)[i]) for r, i in zip(logits, t, strict=True)])


@wrong(*LOSS, "softmax is missing")
def _(logits, t):
    return -logits[np.arange(len(t)), t].mean()
