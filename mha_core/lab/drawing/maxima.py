"""Cells that are smaller than a pixel: what is shown of several of them."""

import numpy as np


def largest(weights, shape):
    """Return the largest weight of each block of cells, as many blocks as `shape`.

    Parameters
    ----------
    weights : ndarray, shape (T_q, T_k)
    shape : (int, int)
        At most the shape of the weights; the blocks differ by one cell at most.
    """
    for axis, count in enumerate(shape):
        if count < weights.shape[axis]:
            starts = _starts(weights.shape[axis], count)
            weights = np.maximum.reduceat(weights, starts, axis=axis)
    return weights


def most_cells(T, count):
    """Return how many cells the largest of `count` blocks of T cells holds."""
    return -(-T // count)


def _starts(T, count):
    return -(-np.arange(count) * T // count)
