"""Attention with a mask, rightly, in many ways."""

import math

import numpy as np

from .heard import right, sm

A = (3, "attention")


@right(*A)
def _(q, k, v, m):
    out = []
    for i in range(len(q)):
        num, den = np.zeros(v.shape[1]), 0.0
        for j in range(len(k)):
            if m[i][j]:
                e = math.exp(float(np.dot(q[i], k[j])) / math.sqrt(len(k[j])))
                num = num + e * v[j]
                den += e
        out.append(num / den)
    return out


@right(*A)
def _(q, k, v, m):
    s = np.einsum("id,jd->ij", q, k) * k.shape[1] ** -0.5
    e = np.exp(s) * m
    return np.einsum("ij,jd->id", e / e.sum(1, keepdims=True), v)


@right(*A)
def _(q, k, v, m):
    return (v.T @ sm(np.where(m.T, k @ (q / np.sqrt(q.shape[1])).T, -1e9), axis=0)).T


@right(*A)
def _(q, k, v, m):
    q, k, v, m = q[None], k[None], v[None], m[None]
    return sm(np.where(m, q @ k.transpose(0, 2, 1) / k.shape[-1] ** 0.5, -np.inf)) @ v


@right(*A)
def _(q, k, v, m):
    q, k, v = (a.astype(np.float32) for a in (q, k, v))
    return (
        sm(np.where(m, q @ k.T / np.float32(k.shape[1] ** 0.5), np.float32(-1e9))) @ v
    )


@right(*A)
def _(q, k, v, m):
    w = sm(np.where(m, q @ k.T / k.shape[1] ** 0.5, -np.inf))
    return w @ v, w


@right(*A)
def _(q, k, v, m):
    w = sm(q @ k.T / k.shape[1] ** 0.5) * m
    return w / w.sum(1, keepdims=True) @ v


@right(*A)
def _(q, k, v, m):
    s = np.where(m, q @ k.T / k.shape[1] ** 0.5, -np.inf)
    top = s.max(1, keepdims=True)
    return np.exp(s - (top + np.log(np.exp(s - top).sum(1, keepdims=True)))) @ v


@right(*A)
def _(q, k, v, m):
    return (
        np.ma.getdata(
            sm(
                np.array(
                    np.ma.filled(
                        np.ma.masked_array(q @ k.T / k.shape[1] ** 0.5, ~m), -1e30
                    )
                )
            )
        )
        @ v
    )


@right(*A)
def _(q, k, v, m):
    pairs = zip(q, m, strict=True)
    return np.array([sm((k[row] @ a) / len(a) ** 0.5) @ v[row] for a, row in pairs])
