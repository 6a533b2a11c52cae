"""Which letters move a sound: gradients of trained networks, beside their weights."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.gradients import gradients
from mha_core.lab.measure.knockout import straight_line
from mha_core.tasks import as_arrays


def letter_gradients(model, pairs):
    """Measure how strongly each letter moves the score of each sound.

    Parameters
    ----------
    model : model of `mha_core.models`
    pairs : list of (str, sequence of str)
        Words of T letters and their T_q sounds, as many in each; the model reads the
        true sounds before each.

    Returns
    -------
    ndarray, shape (words, T_q, T)
        Norm of the gradient of the true sound's score, less the mean of all scores,
        at each embedded letter.
    """
    source, target = as_arrays(pairs)
    letters, sounds = source.shape[1], target.shape[1] - 1
    if not source.all() or any(len(said) != sounds for _, said in pairs):
        raise ValueError(
            sentence("The words must all have as many letters, and as many sounds.")
        )
    places = np.arange(1, source.size + 1).reshape(source.shape)  # each letter apart
    vectors = model.params["E_source"][np.append(0, source)]  # (1 + B T, d)
    target_in = np.pad(target, [(0, 0), (1, 0)])[:, :sounds]

    def moved(i):
        def f(p):
            scores = model.with_params(model.params | p).logits(places, target_in)
            true = scores[np.arange(len(pairs)), i, target[:, i]]
            return np.sum(true) - np.sum(scores[:, i]) / scores.shape[-1]

        _, found = gradients(f, {"E_source": vectors})
        return np.linalg.norm(found["E_source"][1:], axis=-1).reshape(-1, letters)

    return np.stack([moved(i) for i in range(sounds)], axis=1)


def gradient_shares(model, pairs):
    """Return which share of what moves a sound comes from each letter.

    Parameters
    ----------
    model, pairs
        As in `letter_gradients`.

    Returns
    -------
    ndarray, shape (words, T_q, T)
        Norms of gradients, each row divided by its sum.
    """
    norms = letter_gradients(model, pairs)
    return norms / norms.sum(axis=-1, keepdims=True)


def near_the_line(shares):
    """Return the share that falls on three letters: as far in the word, and beside it.

    Parameters
    ----------
    shares : ndarray, shape (words, T_q, T)

    Returns
    -------
    float
        Mean over words and sounds.
    """
    T_q, T = shares.shape[1:]
    line = straight_line([("-" * T, "-" * T_q)])[0]
    beside = np.abs(np.arange(T) - line[:, None]) <= 1  # (T_q, T)
    return float((shares * beside).sum(axis=-1).mean())


def at_the_strongest(shares, weights):
    """Return the mean weight of each row's strongest letter, and its mean share.

    Parameters
    ----------
    shares, weights : ndarray, shape (words, T_q, T)

    Returns
    -------
    weight, share : float
    """
    strongest = weights.argmax(axis=-1)[..., None]
    share = np.take_along_axis(shares, strongest, axis=-1)
    return float(weights.max(axis=-1).mean()), float(share.mean())
