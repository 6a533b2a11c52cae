"""What vectors carry: how much of their differences a label accounts for."""

import numpy as np

from mha_core._checks.arrays import as_floats


def carried(vectors, labels):
    """Return how much of what tells vectors apart their labels account for.

    It is the share of the variance that lies between groups of equal labels (in
    statistics, eta squared), summed over all numbers of a vector.

    Parameters
    ----------
    vectors : ndarray, shape (..., d)
    labels : ndarray, shape (...)
        One for each vector.

    Returns
    -------
    float
        0 if all groups have the same mean, 1 if equal labels mean equal vectors.

    Raises
    ------
    ValueError
        If there is not one label for each vector, or all vectors are the same.
    """
    vectors, labels = as_floats("vectors", vectors), np.asarray(labels)
    if vectors.shape[:-1] != labels.shape:
        raise ValueError(
            f"labels must have the shape {vectors.shape[:-1]}, one for each vector, "
            f"but they have {labels.shape}."
        )
    rows = vectors.reshape(labels.size, -1)  # (vectors, d)
    rows = rows - rows.mean(axis=0)
    if not rows.any():
        raise ValueError("vectors must differ, but all of them are the same.")
    groups = [rows[labels.ravel() == label] for label in np.unique(labels)]
    between = sum(len(group) * (group.mean(axis=0) ** 2).sum() for group in groups)
    return float(between / (rows**2).sum())
