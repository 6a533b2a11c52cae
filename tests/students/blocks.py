"""A block of a Transformer."""

import numpy as np

from .heard import one, right, wrong

B = (6, "block")


def ln(x, g, b):
    c = x - x.mean(-1, keepdims=True)
    return c / np.sqrt((c * c).mean(-1, keepdims=True) + 1e-5) * g + b


def mh(x, p, h, kv=None, m=True):
    kv = x if kv is None else kv
    d = x.shape[1] // h
    o = []
    for i in range(h):
        s = slice(i * d, i * d + d)
        o.append(
            one(
                x @ p["self W_Q"][:, s],
                kv @ p["self W_K"][:, s],
                kv @ p["self W_V"][:, s],
                m,
                d**0.5,
            )
        )
    return np.hstack(o) @ p["self W_O"]


def ff(x, p):
    return (
        np.clip(x @ p["think W_1"] + p["think b_1"], 0, None) @ p["think W_2"]
        + p["think b_2"]
    )


def n1(x, p):
    return ln(x, p["self gain"], p["self shift"])


def n2(x, p):
    return ln(x, p["think gain"], p["think shift"])


@wrong(*B, "post-norm")
def _(x, p, h):
    x = n1(x + mh(x, p, h), p)
    return n2(x + ff(x, p), p)


@wrong(*B, "first norm is missing")
def _(x, p, h):
    y = x + mh(x, p, h)
    return y + ff(n2(y, p), p)


@wrong(*B, "second norm is missing")
def _(x, p, h):
    y = x + mh(n1(x, p), p, h)
    y += ff(y, p)
    return y


@wrong(*B, "not added after attention")
def _(x, p, h):
    y = mh(n1(x, p), p, h)
    return y + ff(n2(y, p), p)


@wrong(*B, "keep it, then add")
def _(x, p, h):
    y = x + mh(n1(x, p), p, h)
    return ff(n2(y, p), p)


@wrong(*B, "add x itself")
def _(x, p, h):
    x = n1(x, p)
    x = x + mh(x, p, h)
    x = n2(x, p)
    return x + ff(x, p)


@wrong(*B, "feed-forward layer comes first")
def _(x, p, h):
    y = x + ff(n2(x, p), p)
    return y + mh(n1(y, p), p, h)


@wrong(*B, "ReLU is missing")
def _(x, p, h):
    y = x + mh(n1(x, p), p, h)
    z = n2(y, p)
    return y + (z @ p["think W_1"] + p["think b_1"]) @ p["think W_2"] + p["think b_2"]


@wrong(*B, "same gain and shift")
def _(x, p, h):
    y = x + mh(n1(x, p), p, h)
    return y + ff(n1(y, p), p)


@wrong(*B, "without what attention found")
def _(x, p, h):
    y = x + mh(n1(x, p), p, h)
    return x + ff(n2(y, p), p)


@right(*B)
def _(x, p, h):
    y = x + mh(n1(x, p), p, h)
    return y + ff(n2(y, p), p)


@right(*B)
def _(x, p, h):
    x = x.copy()
    x += mh(n1(x, p), p, h)
    x += np.stack([ff(r, p) for r in n2(x, p)])
    return x


@right(*B)
def _(x, p, h):
    p = {k: v.astype("f4") for k, v in p.items()}
    x = x.astype("f4")
    y = x + mh(n1(x, p), p, h)
    return (y + ff(n2(y, p), p))[None]
