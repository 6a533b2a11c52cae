"""Splitting and merging."""

import numpy as np

from .heard import right, wrong

S, G = (4, "split"), (4, "merge")


@wrong(*S, "reshape alone")
def _(x, h):
    return np.reshape(x, (h, x.shape[0], x.shape[1] // h))


@wrong(*S, "still the second")
def _(x, h):
    return np.array(
        [
            [row[i * len(row) // h : (i + 1) * len(row) // h] for i in range(h)]
            for row in x
        ]
    )


@wrong(*S, "dealt out")
def _(x, h):
    return np.stack([x[:, i::h] for i in range(h)])


@wrong(*S, "width and positions are exchanged")
def _(x, h):
    return np.stack([p.T for p in np.split(x, h, axis=1)])


@wrong(*S, "features of head 0")
def _(x, h):
    d = x.shape[1] // h
    return np.stack([x[:, :d] for _ in range(h)])


@wrong(*S, "d_k heads of width h")
def _(x, h):
    return np.einsum("tdh->dth", x.reshape(len(x), -1, h))


@wrong(*G, "reshape alone")
def _(x):
    h, T, d = x.shape
    return np.reshape(x, (T, h * d))


@wrong(*G, "do not average")
def _(x):
    return sum(x) / len(x)


@wrong(*G, "do not add")
def _(x):
    return np.einsum("htd->td", x)


@wrong(*G, "keep the numbers of a head together")
def _(x):
    return np.einsum("htd->tdh", x).reshape(x.shape[1], -1)


@wrong(*G, "below one another")
def _(x):
    return np.concatenate(list(x), axis=0)


@wrong(*G, "reverse order")
def _(x):
    return np.concatenate([x[i] for i in range(len(x) - 1, -1, -1)], axis=1)


@right(*S)
def _(x, h):
    return np.stack(np.split(x, h, axis=1))


@right(*S)
def _(x, h):
    return np.einsum("thd->htd", x.reshape(x.shape[0], h, -1))


@right(*S)
def _(x, h):
    d = x.shape[1] // h
    return [x[:, i * d : (i + 1) * d] for i in range(h)]


@right(*S)
def _(x, h):
    return np.array(
        [
            [
                [x[t, i * (x.shape[1] // h) + c] for c in range(x.shape[1] // h)]
                for t in range(len(x))
            ]
            for i in range(h)
        ]
    )


@right(*G)
def _(x):
    return np.column_stack(list(x))


@right(*G)
def _(x):
    h, T, d = x.shape
    o = np.empty((T, h * d))
    [o.__setitem__((slice(None), slice(i * d, i * d + d)), x[i]) for i in range(h)]
    return o


@right(*G)
def _(x):
    return np.einsum("htd->thd", x).reshape(x.shape[1], -1)
