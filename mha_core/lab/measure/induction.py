"""Whether heads look at what followed the same letter before: doubled strings."""

import numpy as np

from mha_core.models.letter_model import reading

HALF = 5  # letters that come twice


def induction(model, count=500, seed=0):
    """Return what heads weigh the place behind the last occurrence of a letter.

    Five letters, drawn at random and all different, stand twice in a row; the control
    has five other letters in the second half.

    Parameters
    ----------
    model : Language
    count, seed : int

    Returns
    -------
    again, control : ndarray, shape (blocks, h)
        Mean weight, from the second half, on the place that followed the same letter
        before; and on the same place where it followed another one. Olsson 2022.
    """
    rng = np.random.default_rng(seed)
    letters = np.argsort(rng.random((count, 26)), axis=1)[:, : 2 * HALF] + 1
    twice = np.concatenate([letters[:, :HALF], letters[:, :HALF]], axis=1)
    return _weight(model, twice), _weight(model, letters)


def _weight(model, letters):
    """Return the mean weight on the place HALF - 1 back, from the second half."""
    weights = model.attention(reading(letters)[0])  # (blocks, B, h, T, T)
    rows = np.arange(HALF + 1, 2 * HALF)  # the last letter has nothing to guess
    return weights[:, :, :, rows, rows - HALF + 1].mean(axis=(1, 3))
