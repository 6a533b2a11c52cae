"""Probes: change something in a model, or differentiate it, and see what moves."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.gradients import gradients
from mha_core.models import Bahdanau
from mha_core.multihead import multi_head_attention
from mha_core.recurrent import gru_cell, rnn_cell, run
from mha_core.tasks import spell

BATCH = 32
CELLS = {"rnn": (rnn_cell, 1), "gru": (gru_cell, 3)}


def influence(f, X):
    """Find which outputs move when one token is changed: who can see whom.

    Parameters
    ----------
    f : function
        Maps X to an output of shape (T_out, d_out).
    X : ndarray, shape (T_in, d_in)

    Returns
    -------
    ndarray of bool, shape (T_out, T_in)
        True in row i and column j if changing token j changes output i.
    """
    X = np.array(X, dtype=float)  # a copy
    if X.ndim != 2 or not X.size:
        raise ValueError(f"X must be of shape (T_in, d_in), but it is {X.shape}.")
    if not np.isfinite(X).all():
        raise ValueError("X must hold finite numbers, neither NaN nor infinity.")
    before, columns = np.array(f(X.copy())), []
    far = np.linspace(2, 3, X.shape[1])  # a layer norm takes equal changes away
    for j in range(len(X)):
        changed = X.copy()
        changed[j] += far * (1 + np.abs(changed[j]))
        columns.append(np.any(np.asarray(f(changed)) != before, axis=-1))
    return np.stack(columns, axis=-1)  # (T_out, T_in)


def gradient_reach(f, inputs):
    """Measure how strongly each position of a sequence moves one number.

    Parameters
    ----------
    f : function
        Maps inputs to one number, with NumPy.
    inputs : ndarray, shape (B, T, d)

    Returns
    -------
    ndarray, shape (T,)
        Norm of the gradient at each position, mean over the batch.
    """
    _, gradient = gradients(lambda p: f(p["inputs"]), {"inputs": inputs})
    return np.linalg.norm(gradient["inputs"], axis=-1).mean(axis=0)


def untrained_reach(cell, *, gain=1.0, keep=0.0, T=50, n=64, seed=0):
    """Measure how far back the last state of an untrained network reaches.

    Parameters
    ----------
    cell : {"rnn", "gru"}
    gain : float
        Factor of the recurrent weights, which are drawn with variance 1 / n.
    keep : float
        Bias of the GRU's gate that keeps the state.
    T, n, seed : int
        Steps, width and seed of weights and inputs.

    Returns
    -------
    ndarray, shape (T,)
        Gradient at 0, 1, ... steps back, relative to the last step.
    """
    if cell not in CELLS:
        raise ValueError(sentence("cell must be rnn or gru, not {cell!r}.", cell=cell))
    function, gates = CELLS[cell]
    rng = np.random.default_rng(seed)
    inputs = 0.5 * rng.standard_normal((BATCH, T, n))
    W, U = rng.standard_normal((2, n, gates * n)) / np.sqrt(n)
    b = np.zeros(gates * n)
    b[:n] = keep if cell == "gru" else 0.0
    start, direction = np.zeros((BATCH, n)), rng.standard_normal(n)

    def last(x):
        states = run(function, x, start, W, gain * U, b)  # (B, T, n)
        return np.sum(states[:, -1] * direction)

    reach = gradient_reach(last, inputs)[::-1]
    return reach / reach[0]


def attention_reach(*, T=50, n=64, h=4, seed=0, relative=True):
    """Measure how far back one layer of untrained self-attention reaches.

    Parameters
    ----------
    T, n, h, seed : int
        Positions, width, heads, and the seed of weights and inputs.
    relative : bool
        Divide by the gradient at the position before the last; without, one sees that
        all positions share it, so that each has less where there are more.

    Returns
    -------
    ndarray, shape (T,)
        Gradient at 0, 1, ... positions back.
    """
    rng = np.random.default_rng(seed)
    inputs = 0.5 * rng.standard_normal((BATCH, T, n))
    weights = rng.standard_normal((4, n, n)) / np.sqrt(n)
    direction = rng.standard_normal(n)

    def last(x):
        output, _ = multi_head_attention(x, *weights, h)
        return np.sum(output[:, -1] * direction)

    reach = gradient_reach(last, inputs)[::-1]
    return reach / reach[1] if relative else reach


def cosines(rows):
    """Return the cosine of the angle between every two rows, (T, T)."""
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)  # (T, 1)
    if not lengths.all():
        raise ValueError("A row of zeros has no direction; leave it out.")
    rows = rows / lengths
    return rows @ rows.T


def encoder_reach(model, words):
    """Measure how strongly each letter moves the two last states of an encoder.

    Parameters
    ----------
    model : model of `mha_core.models`
    words : list of str
        Words of T letters each.

    Returns
    -------
    forward, backward : ndarray, shape (T,)
        Norm of the gradient at each letter, over all numbers of the state that ends
        at the last letter, and of the one that ends at the first; mean over words.
    """
    source = spell(words)
    if (source == 0).any():
        raise ValueError("The words must all have the same number of letters.")
    letters = model.params["E_source"][source]  # (B, T, d)
    n = model.params["U_encoder"].shape[-2]

    def squares(end, number):
        def f(p):
            states = model.read(p["letters"], source > 0)  # (B, T, 2 n)
            return np.sum(states[:, end, number])

        _, gradient = gradients(f, {"letters": letters})
        return np.sum(gradient["letters"] ** 2, axis=-1)  # (B, T)

    halves = [(-1, range(n)), (0, range(n, 2 * n))]
    sums = [sum(squares(end, number) for number in half) for end, half in halves]
    return [np.sqrt(total).mean(axis=0) for total in sums]


class Uniform(Bahdanau):
    """A trained model whose weights are replaced: every letter counts alike."""

    kind = "uniform"

    def look(self, state, memory):
        """Return the mean of the states, and weights of 1 / letters."""
        states, _, mask = memory
        letters = np.sum(mask, axis=-1, keepdims=True)  # (B, 1, 1)
        weights = mask / np.maximum(letters, 1)  # (B, 1, T)
        weights = weights.astype(states.dtype)
        return (weights @ states)[:, 0], weights


def without_attention(model):
    """Return a trained Bahdanau model with uniform weights in place of its own."""
    if not isinstance(model, Bahdanau):
        raise ValueError(
            sentence(
                "A model of kind {kind} has no attention to replace.", kind=model.kind
            )
        )
    return Uniform(model.params)
