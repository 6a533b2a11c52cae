"""Attention with a mask: scores, scale and softmax."""

import math

import numpy as np

from .heard import sm, wrong

A = (3, "attention")


@wrong(*A, "not scaled")
def _(q, k, v, m):
    out = np.zeros((len(q), v.shape[1]))
    for i in range(len(q)):
        s = np.array([q[i] @ k[j] if m[i, j] else -np.inf for j in range(len(k))])
        w = np.exp(s) / np.exp(s).sum()
        for j in range(len(k)):
            out[i] += w[j] * v[j]
    return out


@wrong(*A, "divided by d_k")
def _(q, k, v, m):
    d = q.shape[1]
    s = np.einsum("id,jd->ij", q, k) / d
    return sm(np.where(m, s, -1e30)) @ v


@wrong(*A, "multiplied by the root")
def _(q, k, v, m):
    s = np.einsum("id,jd->ij", q * math.sqrt(q.shape[-1]), k)
    s[~m] = -np.inf
    return sm(s) @ v


@wrong(*A, "number of keys")
def _(q, k, v, m):
    s = np.matmul(q, np.transpose(k)) / np.sqrt(len(k))
    s = np.where(m, s, -1e9)
    return sm(s) @ v


@wrong(*A, "half: ** comes before")
def _(q, k, v, m):
    s = (q @ k.T) / k.shape[1] ** 1 / 2
    s = np.where(m, s, -np.inf)
    return sm(s) @ v


@wrong(*A, "softmax runs over the queries")
def _(q, k, v, m):
    s = q @ k.T / np.sqrt(k.shape[1])
    s = np.where(m, s, -1e9)
    w = np.empty_like(s)
    for j in range(s.shape[1]):
        e = np.exp(s[:, j])
        w[:, j] = e / e.sum()
    return w @ v


@wrong(*A, "over all numbers at once")
def _(q, k, v, m):
    s = q @ k.T / np.sqrt(k.shape[1])
    e = np.exp(np.where(m, s, -np.inf))
    return (e / np.sum(e)) @ v


@wrong(*A, "mask is ignored")
def _(q, k, v, m):
    return np.stack([sm(k @ row / len(row) ** 0.5) @ v for row in q])


@wrong(*A, "upside down")
def _(q, k, v, m):
    s = q @ k.T / k.shape[-1] ** 0.5
    s[m] = -1e9
    return sm(s) @ v


@wrong(*A, "after the softmax")
def _(q, k, v, m):
    w = sm(q @ k.T / k.shape[-1] ** 0.5)
    w[np.logical_not(m)] = 0.0
    return np.einsum("ij,jd->id", w, v)


@wrong(*A, "exp(0) is 1")
def _(q, k, v, m):
    s = (q @ k.T / k.shape[-1] ** 0.5) * m
    return sm(s) @ v


@wrong(*A, "added to the scores as 0 and 1")
def _(q, k, v, m):
    s = q @ k.T / k.shape[-1] ** 0.5 + m.astype(float)
    return sm(s) @ v


@wrong(*A, "NaN, as 0 times infinity")
def _(q, k, v, m):
    s = q @ k.T / k.shape[-1] ** 0.5 + (1 - m) * -np.inf
    return sm(s) @ v


@wrong(*A, "not low enough")
def _(q, k, v, m):
    s = q @ k.T / k.shape[-1] ** 0.5
    for i in range(s.shape[0]):
        for j in range(s.shape[1]):
            if not m[i, j]:
                s[i, j] = -5
    return sm(s) @ v
