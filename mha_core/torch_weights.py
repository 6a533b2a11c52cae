"""Weights that PyTorch trained, by our names and in our order.

PyTorch keeps a matrix as (out, in), and multiplies by its transpose; here it is
(in, out).
"""

from collections.abc import Mapping

import numpy as np

from mha_core._checks.arguments import told
from mha_core._checks.arrays import InputError, as_floats, check_finite
from mha_core._checks.projections import check_heads

ATTENTION = ("in_proj_weight", "in_proj_bias", "out_proj.weight", "out_proj.bias")
APART = ("q_proj_weight", "k_proj_weight", "v_proj_weight")  # where kdim or vdim is set
ORDER = ("W_Q", "W_K", "W_V", "W_O")
LAYER = {"norm1": "self", "norm2": "think"}


def from_torch(state_dict, h, prefix=""):
    """Return the weights of a layer of PyTorch as our functions take them.

    Parameters
    ----------
    state_dict : mapping of str to array or tensor
        Of ``nn.MultiheadAttention`` or ``nn.TransformerEncoderLayer``.
    h : int
        Number of heads, which the names and shapes do not tell.
    prefix : str
        What stands before the names, such as ``encoder.layers.0.``.

    Returns
    -------
    dict
        ``multi_head_attention(X, **from_torch(...))`` of attention. Of a layer
        ``encoder_block(x, **from_torch(...))``: its numbers if it was made with
        ``norm_first=True`` and ReLU, which the names do not tell, either.

    Raises
    ------
    ValueError
        If a name is missing or unknown, or a shape does not fit. A mask is not turned:
        PyTorch's layers hide where it is True, so hand over ``~mask``.
    """
    if not isinstance(state_dict, Mapping):
        raise InputError(
            "state_dict must be names with arrays, such as layer.state_dict(), not "
            f"{told(state_dict)}."
        )
    found = {k.removeprefix(prefix): state_dict[k] for k in _named(state_dict, prefix)}
    read = _layer if "linear1.weight" in found else _attention
    weights, left = read(found, h), sorted(found)
    if left:
        raise InputError(
            f"There is no place for {', '.join(left)}: only the names of "
            "nn.MultiheadAttention and nn.TransformerEncoderLayer are read, without "
            "add_bias_kv."
        )
    return weights


def _named(state_dict, prefix):
    names = [name for name in state_dict if str(name).startswith(prefix)]
    if not names:
        known = ", ".join(map(str, list(state_dict)[:4])) or "nothing"
        raise InputError(f"No name begins with {prefix!r}; there is {known}.")
    return names


def _attention(found, h):
    """Take the weights of attention; those that are taken are no longer found."""
    matrices = _matrices(found)
    d_model = matrices[0].shape[1]
    check_heads(d_model, h)
    W_O = _take(found, "out_proj.weight", (d_model, d_model)).T
    weights = dict(zip(ORDER, (*matrices, W_O), strict=True)) | {"h": h}
    if "in_proj_bias" in found:
        biases = np.split(_take(found, "in_proj_bias", (3 * d_model,)), 3)
        biases.append(_take(found, "out_proj.bias", (d_model,)))
        weights["projection_bias"] = biases
    return weights


def _matrices(found):
    """Return W_Q, W_K and W_V, which may be packed below each other."""
    if "in_proj_weight" in found or APART[0] not in found:
        packed = _take(found, "in_proj_weight", (None, None))
        d_model = packed.shape[1]
        if packed.shape[0] != 3 * d_model:
            raise _wrong("in_proj_weight", packed.shape, (3 * d_model, d_model))
        return [W.T for W in np.split(packed, 3)]
    d_model = _take(dict(found), APART[0], (None, None)).shape[0]
    W_Q = _take(found, APART[0], (d_model, d_model))
    return [W_Q.T, *(_take(found, name, (d_model, None)).T for name in APART[1:])]


def _layer(found, h):
    """Take the weights of an encoder layer: those of a block, and h."""
    own = {
        k.removeprefix("self_attn."): found.pop(k) for k in list(found) if "attn" in k
    }
    weights = _attention(own, h)
    found |= {f"self_attn.{name}": array for name, array in own.items()}
    d_model = len(weights["W_Q"])
    biases = weights.get("projection_bias", ())
    p = {f"self {name}": weights[name] for name in ORDER}
    p |= {f"self b_{W[-1]}": b for W, b in zip(ORDER, biases, strict=False)}
    for name, part in LAYER.items():
        p[f"{part} gain"] = _take(found, f"{name}.weight", (d_model,))
        p[f"{part} shift"] = _bias(found, f"{name}.bias", d_model)
    p["think W_1"] = _take(found, "linear1.weight", (None, d_model)).T
    d_ff = p["think W_1"].shape[1]
    p["think b_1"] = _bias(found, "linear1.bias", d_ff)
    p["think W_2"] = _take(found, "linear2.weight", (d_model, d_ff)).T
    p["think b_2"] = _bias(found, "linear2.bias", d_model)
    return {"p": p, "h": h}


def _bias(found, name, width):
    """Take a bias; a layer that is made with bias=False has none, which is 0."""
    return _take(found, name, (width,)) if name in found else np.zeros(width)


def _take(found, name, shape):
    """Take one array out of what is found, of a shape; None is any length."""
    if name not in found:
        there = ", ".join(sorted(found)[:4]) or "nothing else"
        raise InputError(f"There is no {name}; found: {there}.")
    array = as_floats(name, found.pop(name))
    check_finite(name, array)
    pairs = zip(shape, array.shape, strict=False)
    if array.ndim != len(shape) or any(n not in (None, m) for n, m in pairs):
        raise _wrong(name, array.shape, shape)
    return array


def _wrong(name, given, shape):
    wanted = str(shape).replace("None", "any")
    return InputError(f"{name} has the shape {given}; {wanted} is needed.")
