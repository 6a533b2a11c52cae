"""The classic bugs of attention, each of them in a small Transformer of its own.

Nearly all run without an error: the shapes are right, and the loss falls.
"""

import math

import numpy as np

from mha_core._checks.arrays import InputError
from mha_core._checks.checked import trusted
from mha_core.attention import masked_softmax
from mha_core.blocks import OURS
from mha_core.masking import causal_mask
from mha_core.models.initial import drawn
from mha_core.models.transformer import Transformer, shapes
from mha_core.multihead import merge_heads, split_heads
from mha_core.tasks import LETTERS

H = 4
CLASSIC = (
    "none",
    "split",
    "merge",
    "mask upside down",
    "mask one late",
    "mask after softmax",
    "mask added",
    "empty rows",
    "-1e9 in half precision",
    "batch as heads",
    "softmax over queries",
    "no scale",
    "scale by d_model",
    "no positions",
    "padding in the loss",
)


class Buggy(Transformer):
    """A Transformer of one encoder block and one decoder block, with one of the bugs.

    Parameters
    ----------
    params : dict of str to ndarray
    bug : str
        One of `CLASSIC`; "padding in the loss" is one of its training only.
    """

    layers = (0,)

    def __init__(self, params, bug):
        call = attention_with(bug)
        super().__init__(params, H, OURS._replace(multi_head_attention=call))
        self.bug = bug

    def with_params(self, params):
        """Return a network with the same bug and other parameters."""
        return Buggy(params, self.bug)

    def _embed(self, name, ids):
        if self.bug == "no positions":
            return self.params[name][ids]  # (B, T, d_model)
        return super()._embed(name, ids)


def untrained(bug, rng, phonemes, d=32, d_ff=64):
    """Return a network as its training begins: the same for every bug."""
    network = Buggy({}, bug)
    own = shapes(len(LETTERS) + 1, phonemes, d, d_ff)
    network.params = {
        name: drawn(rng, name, shape, 1.0)
        for name, shape in own.items()
        if not name.startswith(("encoder 1", "decoder 1"))
    }
    return network


def attention_with(bug):
    """Return multi-head attention with a bug; it takes a batch, (B, T, d_model).

    Parameters
    ----------
    bug : str
        One of `CLASSIC`; those that are not in attention leave it right.

    Returns
    -------
    function of X, W_Q, W_K, W_V, W_O, h, mask, key, value, causal
        Gives output and weights, (B, T_q, d_model) and (B, h, T_q, T_k).
    """
    if bug not in CLASSIC:
        raise InputError(f"bug must be one of {', '.join(CLASSIC)}, not {bug!r}.")
    if bug in ("none", "no positions", "padding in the loss"):
        return OURS.multi_head_attention

    @trusted()  # so that NaN is what it becomes
    def attend(X, W_Q, W_K, W_V, W_O, h, mask=None, *, key, value=None, causal=False):
        split = _pieces if bug == "split" else split_heads
        Q, K, V = split(X @ W_Q, h), split(key @ W_K, h), split(key @ W_V, h)
        scores = Q @ np.swapaxes(K, -1, -2) * _scale(bug, *Q.shape[-1:], h)
        visible = _visible(bug, scores.shape, mask, causal, key is X)
        weights = _soften(bug, scores, visible)
        merge = _glued if bug == "merge" else merge_heads
        return merge(weights @ V) @ W_O, weights

    return attend


def _pieces(x, h):
    B, T, d_model = x.shape
    return np.reshape(x, (B, h, T, d_model // h))


def _glued(x):
    B, h, T, d_k = x.shape
    return np.reshape(x, (B, T, h * d_k))


def _scale(bug, d_k, h):
    if bug == "no scale":
        return 1.0
    return 1 / math.sqrt(d_k * h if bug == "scale by d_model" else d_k)


def _visible(bug, shape, mask, causal, own):
    """Return what may be seen, as the bug has it, (B, h, T_q, T_k)."""
    B, h, T_q, T_k = shape
    late = 1 if bug == "mask one late" else 0
    visible = causal_mask(T_q, T_k, late) if causal else np.ones((T_q, T_k), bool)
    if mask is not None:
        visible = visible & _padding(bug, mask, B, h)
        if bug == "empty rows" and own:  # padding asks nothing, either
            visible = visible & np.swapaxes(mask, -1, -2)[:, None]
    return np.broadcast_to(~visible if bug == "mask upside down" else visible, shape)


def _padding(bug, mask, B, h):
    """Return a mask, (B, 1, T_k), beside heads: those of the samples, by mistake."""
    if bug != "batch as heads" or B % h:
        return mask[:, None]  # (B, 1, 1, T_k)
    by_four = np.reshape(mask, (B // h, h, 1, mask.shape[-1]))
    return np.repeat(by_four, h, axis=0)  # sample b, head i: the mask of sample i


def _soften(bug, scores, visible):
    """Return the weights of scores, (B, h, T_q, T_k), as the bug has them."""
    if bug == "softmax over queries":
        turned = np.swapaxes(scores, -1, -2), np.swapaxes(visible, -1, -2)
        return np.swapaxes(masked_softmax(*turned), -1, -2)
    if bug == "mask after softmax":
        return masked_softmax(scores) * visible
    if bug == "mask added":
        return masked_softmax(scores + visible.astype(scores.dtype))
    if bug == "-1e9 in half precision":
        return _plain(scores + _in_half(visible).astype(scores.dtype))
    if bug == "empty rows":
        return _plain(np.where(visible, scores, -np.inf))
    return masked_softmax(scores, visible)


def _in_half(visible):
    """Return (1 - visible) * -1e9, which float16 has not: it is minus infinity."""
    with np.errstate(over="ignore", invalid="ignore"):
        return (1 - visible).astype(np.float16) * np.float16(-1e9)


def _plain(scores):
    """Return exp(scores) / sum(exp(scores)), which nothing guards."""
    with np.errstate(invalid="ignore"):
        below = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
        return below / np.sum(below, axis=-1, keepdims=True)
