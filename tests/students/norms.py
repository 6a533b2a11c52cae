"""Layer norm."""

import math

import numpy as np

from .heard import right, wrong

N = (6, "layer_norm")


@wrong(*N, "over the positions")
def _(x, g, b):
    return (x - x.mean(0)) / np.sqrt(x.var(0) + 1e-5) * g + b


@wrong(*N, "epsilon is missing")
def _(x, g, b):
    return np.stack([(r - r.mean()) / r.std() for r in x]) * g + b


@wrong(*N, "under the root")
def _(x, g, b):
    return np.stack([(r - r.mean()) / (r.std() + 1e-5) for r in x]) * g + b


@wrong(*N, "ddof")
def _(x, g, b):
    n = x.shape[1]
    c = x - x.sum(1)[:, None] / n
    v = (c**2).sum(1)[:, None] / (n - 1)
    return c / np.sqrt(v + 1e-5) * g + b


@wrong(*N, "root of the variance, not by")
def _(x, g, b):
    return (x - x.mean(1, keepdims=True)) / (x.var(1, keepdims=True) + 1e-5) * g + b


@wrong(*N, "gain and shift are forgotten")
def _(x, g, b):
    return np.array([(r - np.mean(r)) / np.sqrt(np.var(r) + 1e-5) for r in x])


@wrong(*N, "gain and shift are exchanged")
def _(x, g, b):
    return np.array([(r - np.mean(r)) / np.sqrt(np.var(r) + 1e-5) * b + g for r in x])


@wrong(*N, "one mean serves all")
def _(x, g, b):
    return g * (x - x.mean()) / np.sqrt(x.var() + 1e-5) + b


@wrong(*N, "mean is not taken away")
def _(x, g, b):
    return x / np.sqrt(x.var(-1)[:, None] + 1e-5) * g + b


@wrong(*N, "shift is forgotten")
def _(x, g, b):
    return np.einsum(
        "td,d->td", (x - x.mean(1)[:, None]) / np.sqrt(x.var(1)[:, None] + 1e-5), g
    )


def ln(x, g, b):
    c = x - x.mean(-1, keepdims=True)
    return c / np.sqrt((c * c).mean(-1, keepdims=True) + 1e-5) * g + b


@right(*N)
def _(x, g, b):
    return [list((r - np.mean(r)) / math.sqrt(np.var(r) + 1e-5) * g + b) for r in x]


@right(*N)
def _(x, g, b):
    m1 = x.mean(1)
    m2 = (x * x).mean(1)
    return ((x.T - m1) / np.sqrt(m2 - m1**2 + 1e-5)).T * g + b


@right(*N)
def _(x, g, b):
    return ln(x[None].astype("f4"), g.astype("f4"), b.astype("f4"))
