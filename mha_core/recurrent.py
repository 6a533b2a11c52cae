"""Recurrent cells, and running one over a sequence.

Every function refuses what it cannot answer with a ValueError that names the argument.
"""

import numpy as np

from mha_core._checks.arguments import check_flag
from mha_core._checks.checked import checked, finite
from mha_core._checks.masks import check_inputs


@checked
def rnn_cell(
    x: "... d_in",
    state: "... n",
    W: "... d_in n",
    U: "... n n",
    b: "... n",
):
    """Mix the input into the state: tanh(x W + state U + b).

    Parameters
    ----------
    x, state : ndarray, shapes (..., d_in) and (..., n)
    W, U, b : ndarray, shapes (d_in, n), (n, n) and (n,)

    Returns
    -------
    ndarray, shape (..., n)
        The next state, between -1 and 1. Elman 1990.
    """
    return np.tanh(finite(x @ W + state @ U + b))


@checked
def gru_cell(
    x: "... d_in",
    state: "... n",
    W: "... d_in 3*n",
    U: "... n 3*n",
    b: "... 3*n",
    b_U: "... 3*n" = None,
    *,
    reset_after=False,
):
    """Keep a share z of the state and renew the rest: (1 - z) * n + z * state.

    Parameters
    ----------
    x, state : ndarray, shapes (..., d_in) and (..., n)
    W, U : ndarray, shapes (d_in, 3 n) and (n, 3 n)
        Gates z | r | n on the last axis: keep, reset, new.
    b, b_U : ndarray, shape (3 n,)
        Biases of x W and of state U.
    reset_after : bool
        Reset after the product with U (cuDNN), not before it (Cho 2014).

    Returns
    -------
    ndarray, shape (..., n)
        The next state. Cho 2014, eq. 5 to 8.
    """
    n = state.shape[-1]
    b_U = np.zeros(b.shape, b.dtype) if b_U is None else b_U
    inputs, hidden = x @ W + b, state @ U + b_U  # (..., 3 n)
    gates = sigmoid(finite(inputs[..., : 2 * n] + hidden[..., : 2 * n]))
    z, r = gates[..., :n], gates[..., n:]
    if check_flag("reset_after", reset_after):
        kept = r * hidden[..., 2 * n :]
    else:
        kept = (r * state) @ U[..., 2 * n :] + b_U[..., 2 * n :]
    new = np.tanh(finite(inputs[..., 2 * n :] + kept))
    return (1 - z) * new + z * state


@checked
def lstm_cell(
    x: "... d_in",
    state: "... n",
    cell: "... n",
    W: "... d_in 4*n",
    U: "... n 4*n",
    b: "... 4*n",
):
    """Keep a cell beside the state: forget a share of it, write a share of the new.

    Parameters
    ----------
    x, state, cell : ndarray, shapes (..., d_in), (..., n) and (..., n)
    W, U, b : ndarray, shapes (d_in, 4 n), (n, 4 n) and (4 n,)
        Gates i | f | g | o on the last axis: write, forget, new, show.

    Returns
    -------
    state, cell : ndarray, shape (..., n)
        The next state, between -1 and 1, and the next cell. Hochreiter and
        Schmidhuber 1997, with the forget gate of Gers 2000.
    """
    n = state.shape[-1]
    gates = finite(x @ W + state @ U + b)  # (..., 4 n)
    i, f = sigmoid(gates[..., :n]), sigmoid(gates[..., n : 2 * n])
    g, o = np.tanh(gates[..., 2 * n : 3 * n]), sigmoid(gates[..., 3 * n :])
    cell = f * cell + i * g
    return o * np.tanh(cell), cell


def run(cell, inputs, state, *weights, mask=None, reverse=False, **options):
    """Run a cell over a sequence, from the left or from the right.

    Parameters
    ----------
    cell : function
        `rnn_cell`, `gru_cell` or `lstm_cell`; the last has (state, cell) as state.
    inputs : ndarray, shape (..., T, d_in)
    state : ndarray, shape (..., n)
    *weights, **options
        What the cell takes after its state.
    mask : ndarray of bool, shape (..., T)
        Where it is False, at padding, the state is kept as it is.

    Returns
    -------
    ndarray, shape (..., T, n)
        The state after each position; the last one read is ``[..., 0, :]`` if reversed.
    """
    inputs, mask = check_inputs(inputs, mask)
    carry, states = _as_tuple(state), []
    steps = range(inputs.shape[-2])
    for t in reversed(steps) if reverse else steps:
        new = _as_tuple(cell(inputs[..., t, :], *carry, *weights, **options))
        if mask is not None:
            pairs = zip(new, carry, strict=True)
            new = tuple(np.where(mask[..., t, None], n, old) for n, old in pairs)
        carry = new
        states.append(carry[0])
    return np.stack(states[::-1] if reverse else states, axis=-2)  # (..., T, n)


def sigmoid(x):
    """Return 1 / (1 + exp(-x)), written with tanh so that exp cannot overflow."""
    return 0.5 * np.tanh(0.5 * x) + 0.5


def _as_tuple(state):
    return state if isinstance(state, tuple) else (state,)
