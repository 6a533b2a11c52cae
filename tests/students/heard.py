"""Where wrong functions are kept, with what they must hear, and right ones."""

import numpy as np

WRONG, RIGHT = [], []


def wrong(lesson, name, *parts):
    """Keep a function, and parts of replies, of which it must hear one."""

    def keep(function):
        WRONG.append((lesson, name, function, parts))
        return function

    return keep


def right(lesson, name):
    """Keep a function that must be accepted."""

    def keep(function):
        RIGHT.append((lesson, name, function))
        return function

    return keep


def sm(x, axis=-1):
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)


def one(q, k, v, m, scale):
    return sm(np.where(m, q @ k.T / scale, -np.inf)) @ v
