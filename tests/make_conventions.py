"""Measure the conventions of libraries of attention, and ship them: make frozen.

Queries and keys are zeros and the values a unit matrix, so that the output is the
weights: the same for each key that is seen, 0 for those that are not.
"""

import inspect
import json
import os

os.environ["KERAS_BACKEND"] = "torch"

import jax
import keras
import numpy as np
import onnx
import torch
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator
from torch import nn
from torch.nn import functional as F

from mha_core import multi_head_attention
from mha_core.shipped import DATA, ship
from mha_core.tables import CONVENTIONS

COMMAND = "make frozen"
SEEN = np.array([[True, False, False], [True, True, False]])  # (T_q, T_k)


def sequences(T_q, T_k):
    """Return queries and keys of zeros, and values that are a unit matrix."""
    one = np.eye(T_k, dtype=np.float32)
    return np.zeros((1, T_q, T_k), np.float32), np.zeros_like(one)[None], one[None]


def torch_function(T_q, T_k, mask=None, causal=False, dropout=0.0):
    arrays = map(torch.from_numpy, sequences(T_q, T_k))
    mask = None if mask is None else torch.from_numpy(mask)
    return F.scaled_dot_product_attention(
        *arrays, attn_mask=mask, is_causal=causal, dropout_p=dropout
    )[0]


def torch_module(T_q, T_k, mask=None, causal=False, dropout=0.0):
    made = nn.MultiheadAttention(T_k, 1, batch_first=True, dropout=dropout).eval()
    made.in_proj_weight.data = torch.eye(T_k).tile(3, 1)
    made.out_proj.weight.data = torch.eye(T_k)
    arrays = map(torch.from_numpy, sequences(T_q, T_k))
    mask = None if mask is None else torch.from_numpy(mask)
    return made(*arrays, attn_mask=mask, is_causal=causal)[0][0].detach()


def keras_layer(T_q, T_k, mask=None, causal=False, dropout=0.0, scores=False):
    layer = keras.layers.MultiHeadAttention(1, T_k, use_bias=False, dropout=dropout)
    query, key, value = sequences(T_q, T_k)
    layer(query, value, key)  # makes its weights
    layer.set_weights([np.eye(T_k).reshape(w.shape) for w in layer.get_weights()])
    options = {"use_causal_mask": causal, "return_attention_scores": scores}
    mask = None if mask is None else mask[None]
    found = layer(query, value, key, attention_mask=mask, training=False, **options)
    return (found[0] if scores else found)[0].detach()


def jax_function(T_q, T_k, mask=None, causal=False):
    arrays = (x[:, :, None] for x in sequences(T_q, T_k))  # (B, T, h, d)
    mask = None if mask is None else mask[None, None]
    found = jax.nn.dot_product_attention(*arrays, mask=mask, is_causal=causal)
    return found[0, :, 0]


def onnx_node(T_q, T_k, mask=None, causal=False):
    arrays = [x[:, None] for x in sequences(T_q, T_k)] + [mask] * (mask is not None)
    names = ("Q", "K", "V", "mask")[: len(arrays)]
    node = helper.make_node("Attention", names, ["Y"], is_causal=int(causal))
    inputs = [
        helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(x.dtype), None)
        for n, x in zip(names, arrays, strict=True)
    ]
    output = helper.make_tensor_value_info("Y", TensorProto.FLOAT, None)
    graph = helper.make_graph([node], "attention", inputs, [output])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 23)])
    given = dict(zip(names, arrays, strict=True))
    return ReferenceEvaluator(model).run(None, given)[0][0, 0]


def ours(T_q, T_k, mask=None, causal=False):
    query, key, value = (x[0] for x in sequences(T_q, T_k))
    one, options = np.eye(T_k), {"key": key, "value": value, "causal": causal}
    return multi_head_attention(query, one, one, one, one, 1, mask, **options)[0]


LIBRARIES = {
    "torch, function": torch_function,
    "torch, layer": torch_module,
    "Keras, layer": keras_layer,
    "JAX, function": jax_function,
    "ONNX, operator": onnx_node,
    "mha_core": ours,
}
ORDERS = {
    "torch, function": F.scaled_dot_product_attention.__doc__,
    "torch, layer": nn.MultiheadAttention.forward,
    "Keras, layer": keras.layers.MultiHeadAttention.call,
    "JAX, function": jax.nn.dot_product_attention,
    "mha_core": multi_head_attention,
}


def tried(call, *args, **options):
    """Return what a library gives for the shape, or None if it refuses."""
    try:
        found = np.asarray(call(*args, **options))
    except Exception:
        return None
    return found


def polarity(call):
    seen = tried(call, 2, 3, mask=SEEN)
    if np.allclose(seen[0], [1, 0, 0]):
        return "may be seen"
    return "is hidden" if np.allclose(seen[0], [0, 0.5, 0.5]) else str(seen[0])


def of_floats(call):
    found = tried(call, 2, 3, mask=SEEN.astype(np.float32))
    if found is None:
        return "refused"
    if np.allclose(found[0], [1, 0, 0]):
        return "1 may be seen, 0 is hidden"
    added = np.exp([1, 0, 0]) / np.exp([1, 0, 0]).sum()
    return "added to the scores" if np.allclose(found[0], added) else str(found[0])


def corner(call):
    found = tried(call, 2, 3, causal=True)
    if found is None:
        return "refused without a mask"
    if np.allclose(found[0], [1, 0, 0]):
        return "top left"
    if np.allclose(found[0], [0.5, 0.5, 0]):
        return "bottom right"
    return "nothing hidden" if np.allclose(found, 1 / 3) else str(found)


def empty_row(call):
    hides = polarity(call) == "is hidden"
    mask = np.full((2, 3), hides)
    mask[0] = not hides
    row = tried(call, 2, 3, mask=mask)[1]
    if np.isnan(row).all():
        return "NaN"
    if np.allclose(row, 1 / 3):
        return "the plain mean of all values"
    return "0" if (row == 0).all() else str(row)


def dropped(call):
    """Tell whether dropout works although nothing is trained."""
    if "dropout" not in inspect.signature(call).parameters:
        return "has none"
    found = tried(call, 2, 3, dropout=0.5)
    return "off" if np.allclose(found, 1 / 3) else "on: it is an argument"


def causal_with_scores():
    """Tell what Keras hides if the causal mask and the scores are both asked for."""
    found = keras_layer(3, 3, causal=True, scores=True)
    return "hidden" if np.allclose(found[0], [1, 0, 0]) else "seen"


def order(name):
    if name == "torch, function":
        first = ORDERS[name].split("(")[1].split(")")[0].split(", ")
    elif name not in ORDERS:
        first = ["Q", "K", "V"]  # what the operator's definition calls its inputs
    else:
        first = [n for n in inspect.signature(ORDERS[name]).parameters if n != "self"]
    if name == "mha_core":
        return "X, then key= and value= by name"
    return ", ".join(first[:3])


ROWS = {
    "True in a mask": polarity,
    "a mask of 1.0 and 0.0": of_floats,
    "causal, 2 queries and 3 keys": corner,
    "a query that may see no key": empty_row,
    "dropout when nothing is trained": dropped,
}


def layouts():
    """Return the shapes of weights, of d_model 8 and h 2."""
    layer = keras.layers.MultiHeadAttention(2, 4)
    layer(np.zeros((1, 3, 8)), np.zeros((1, 3, 8)))
    torch_names = nn.MultiheadAttention(8, 2).state_dict()
    return {
        "torch, layer": {k: list(v.shape) for k, v in torch_names.items()},
        "Keras, layer": {
            "/".join(w.path.split("/")[-2:]): list(w.shape) for w in layer.weights
        },
    }


if __name__ == "__main__":
    rows = {
        row: {name: probe(call) for name, call in LIBRARIES.items()}
        for row, probe in ROWS.items()
    }
    rows["order of arguments"] = {name: order(name) for name in LIBRARIES}
    modules = torch, keras, jax, onnx
    versions = {m.__name__: m.__version__.partition("+")[0] for m in modules}
    table = {"versions": versions, "rows": rows, "weights": layouts()}
    table["Keras, causal, scores asked for: the future is"] = causal_with_scores()
    text = json.dumps(table, indent=1) + "\n"
    ship(CONVENTIONS, text.encode("utf-8"), COMMAND, DATA)
    print(text)
