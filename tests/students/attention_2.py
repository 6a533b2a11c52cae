"""Attention with a mask: mask and values."""

import numpy as np

from .heard import sm, wrong

A = (3, "attention")


@wrong(*A, "keys are ignored")
def _(q, k, v, m):
    s = q @ q.T / q.shape[-1] ** 0.5
    s = np.where(m, s, -np.inf)
    return sm(s) @ v


@wrong(*A, "queries are ignored")
def _(q, k, v, m):
    s = np.einsum("id,jd->ij", k, k) / k.shape[-1] ** 0.5
    s = np.where(m, s, -np.inf)
    return sm(s) @ v


@wrong(*A, "keys stand where the values belong")
def _(q, k, v, m):
    s = q @ k.T / k.shape[-1] ** 0.5
    return sm(np.where(m, s, -np.inf)) @ k


@wrong(*A, "softmax is missing")
def _(q, k, v, m):
    s = q @ k.T / k.shape[-1] ** 0.5
    s = np.where(m, s, 0)
    return s @ v


@wrong(*A, "not divided by the sum")
def _(q, k, v, m):
    s = q @ k.T / k.shape[-1] ** 0.5
    return np.exp(np.where(m, s, -np.inf)) @ v


@wrong(*A, "exp is missing")
def _(q, k, v, m):
    s = np.where(m, q @ k.T / k.shape[-1] ** 0.5, 0)
    return (s / s.sum(1)[:, None]) @ v


@wrong(*A, "largest score takes all")
def _(q, k, v, m):
    s = np.where(m, q @ k.T, -np.inf)
    return v[s.argmax(axis=1)]


@wrong(*A, "sigmoid")
def _(q, k, v, m):
    s = np.where(m, q @ k.T / k.shape[-1] ** 0.5, -1e9)
    return np.einsum("ij,jd->id", 1 / (1 + np.exp(-s)), v)


@wrong(*A, "sign is turned")
def _(q, k, v, m):
    s = np.where(m, -(q @ k.T) / k.shape[-1] ** 0.5, -np.inf)
    return sm(s) @ v


@wrong(*A, "mean is taken")
def _(q, k, v, m):
    w = sm(np.where(m, q @ k.T / k.shape[-1] ** 0.5, -np.inf))
    return np.mean(w[:, :, None] * v[None], axis=1)


@wrong(*A, "these are the weights")
def _(q, k, v, m):
    return sm(np.where(m, q @ k.T / k.shape[-1] ** 0.5, -np.inf))


@wrong(*A, "query is added")
def _(q, k, v, m):
    o = sm(np.where(m, q @ k.T / k.shape[-1] ** 0.5, -np.inf)) @ v
    return o + q


@wrong(*A, "same weight")
def _(q, k, v, m):
    return np.stack([v[row].mean(axis=0) for row in m])


@wrong(*A, "cosine")
def _(q, k, v, m):
    qn = q / np.linalg.norm(q, axis=1)[:, None]
    kn = k / np.linalg.norm(k, axis=1)[:, None]
    return sm(np.where(m, qn @ kn.T / k.shape[-1] ** 0.5, -np.inf)) @ v


@wrong(*A, "softmax is taken twice")
def _(q, k, v, m):
    w = sm(np.where(m, q @ k.T / k.shape[-1] ** 0.5, -np.inf))
    w = sm(w)
    return w @ v


@wrong(*A, "one row of the mask")
def _(q, k, v, m):
    s = q @ k.T / k.shape[-1] ** 0.5
    s[:, ~m[0]] = -np.inf
    return sm(s) @ v
