"""The blocks of a Transformer: normalise, attend, think for itself, add it all up.

A block takes its weights as a dict: of attention ``W_Q W_K W_V W_O``, of the
feed-forward layer ``W_1 b_1 W_2 b_2``, of the normalisations ``gain`` and ``shift``.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from mha_core._checks.arguments import check_count, check_positive, check_size
from mha_core._checks.arrays import InputError
from mha_core._checks.checked import checked, finite
from mha_core.multihead import multi_head_attention

PROJECTIONS = ("W_Q", "W_K", "W_V", "W_O")
BIASES = ("b_Q", "b_K", "b_V", "b_O")  # where a block has them
NORM = {"gain": "d_model", "shift": "d_model"}
ATTEND = NORM | {name: "d_model d_model" for name in PROJECTIONS}
THINK = {
    "W_1": "d_model d_ff",
    "b_1": " d_ff",
    "W_2": "d_ff d_model",
    "b_2": " d_model",
}
PARTS = {"self": ATTEND, "cross": ATTEND, "think": NORM | THINK}


def _weights(*parts):
    """Return the names in p of the weights of some parts, with their shapes."""
    return {f"{part} {k}": PARTS[part][k] for part in parts for k in PARTS[part]}


def positions(T, d_model):
    """Return a vector for each position, made of sines and cosines.

    Parameters
    ----------
    T, d_model : int
        Number of positions; their width, even.

    Returns
    -------
    ndarray, shape (T, d_model)
        sin(t / 10000^(2 i / d_model)) in column 2 i, the cosine in column 2 i + 1.
        Vaswani 2017, section 3.5.
    """
    T, d_model = check_count("T", T), check_count("d_model", d_model)
    if d_model % 2:
        raise InputError(f"d_model must be even, sines and cosines, not {d_model}.")
    check_size("T and d_model", T, d_model)
    rates = 10000 ** (-np.arange(0, d_model, 2) / d_model)
    angles = np.arange(T)[:, None] * rates  # (T, d_model / 2)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(T, d_model)


@checked
def layer_norm(x: "... d_model", gain: " d_model", shift: " d_model", epsilon=1e-5):
    """Give each position mean 0 and variance 1, then a learned gain and shift.

    Parameters
    ----------
    x : ndarray, shape (..., d_model)
    gain, shift : ndarray, shape (d_model,)
    epsilon : float
        Added to the variance; positive.

    Returns
    -------
    ndarray, shape (..., d_model)
        Ba, Kiros and Hinton 2016, eq. 4.
    """
    epsilon = check_positive("epsilon", epsilon)
    if not x.dtype.type(epsilon):
        raise InputError(f"epsilon={epsilon} is 0 in {x.dtype}; 1e-5 would work.")
    centred = x - np.mean(x, axis=-1, keepdims=True)
    variance = np.mean(centred * centred, axis=-1, keepdims=True)
    return centred / np.sqrt(finite(variance) + epsilon) * gain + shift


@checked
def feed_forward(
    x: "... d_model",
    W_1: "d_model d_ff",
    b_1: " d_ff",
    W_2: "d_ff d_out",
    b_2: " d_out",
):
    """Put each position through a small network of its own.

    Parameters
    ----------
    x : ndarray, shape (..., d_model)
    W_1, b_1 : ndarray, shapes (d_model, d_ff) and (d_ff,)
    W_2, b_2 : ndarray, shapes (d_ff, d_model) and (d_model,)

    Returns
    -------
    ndarray, shape (..., d_model)
        Vaswani 2017, eq. 2.
    """
    return np.maximum(finite(x @ W_1 + b_1), 0) @ W_2 + b_2


@checked
def encoder_block(
    x: "B T d_model", p: _weights("self", "think"), h, mask=None, formulas=None
):
    """Let every position look at all, then think for itself; add both to what it had.

    Parameters
    ----------
    x : ndarray, shape (B, T, d_model)
    p : dict of str to ndarray
        Weights, their names beginning with ``self`` and ``think``.
    h : int
    mask : ndarray of bool, shape (B, 1, T)
    formulas : Formulas, optional
        Others in place of `OURS`.

    Returns
    -------
    x, weights : ndarray, shapes (B, T, d_model) and (B, h, T, T)
        Normalised before each part (Xiong 2020), not after it.
    """
    x, weights = attend_and_add(x, None, p, "self", h, mask, formulas=formulas)
    return think_and_add(x, p, formulas), weights


@checked
def decoder_block(
    x: "B T_q d_model",
    memory: "B T_k d_model",
    p: _weights("self", "cross", "think"),
    h,
    mask=None,
    formulas=None,
):
    """Look at the past, then at the source, then think; add each to what was there.

    Parameters
    ----------
    x, memory : ndarray, shapes (B, T_q, d_model) and (B, T_k, d_model)
    p : dict of str to ndarray
        Weights, their names beginning with ``self``, ``cross`` and ``think``.
    h : int
    mask : ndarray of bool, shape (B, 1, T_k)
        Hides the padding of the source; the future is hidden always.
    formulas : Formulas, optional
        Others in place of `OURS`.

    Returns
    -------
    x : ndarray, shape (B, T_q, d_model)
    own, cross : ndarray, shapes (B, h, T_q, T_q) and (B, h, T_q, T_k)
        Weights of self-attention and of cross-attention.
    """
    x, own = attend_and_add(x, None, p, "self", h, causal=True, formulas=formulas)
    x, cross = attend_and_add(x, memory, p, "cross", h, mask, formulas=formulas)
    return think_and_add(x, p, formulas), own, cross


def attend_and_add(x, memory, p, part, h, mask=None, causal=False, formulas=None):
    """Normalise, attend to itself or to a memory, add to what was there."""
    formulas = formulas or OURS
    normal = formulas.layer_norm(x, p[f"{part} gain"], p[f"{part} shift"])
    key = normal if memory is None else memory
    projections = (p[f"{part} {name}"] for name in PROJECTIONS)
    options = {"key": key, "value": key, "causal": causal}
    if f"{part} b_Q" in p:
        options["projection_bias"] = [p[f"{part} {name}"] for name in BIASES]
    seen, weights = formulas.multi_head_attention(
        normal, *projections, h, mask, **options
    )
    return x + seen, weights


def think_and_add(x, p, formulas=None):
    """Normalise, put each position through its network, add to what was there."""
    formulas = formulas or OURS
    normal = formulas.layer_norm(x, p["think gain"], p["think shift"])
    names = ("W_1", "b_1", "W_2", "b_2")
    return x + formulas.feed_forward(normal, *(p[f"think {name}"] for name in names))


class Formulas(NamedTuple):
    """What a network of blocks calls, in one record, so that others can stand in.

    Each takes and returns what the function of that name does.
    """

    multi_head_attention: Callable = multi_head_attention
    layer_norm: Callable = layer_norm
    feed_forward: Callable = feed_forward
    encoder_block: Callable = encoder_block


OURS = Formulas()
