"""Note what libraries make of a query that may see no key: make frozen."""

import json
import os
from importlib.metadata import version
from pathlib import Path

os.environ["KERAS_BACKEND"] = "torch"

import jax
import keras
import numpy as np
import torch
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

FILE = Path(__file__).with_name("hidden_rows.json")
QUERY, KEY = np.ones((2, 1, 2, 4), np.float32)  # (B, T, d) each
VALUE = np.array([[[1, 2, 3, 4], [5, 6, 7, 9]]], np.float32)
MASK = np.array([[True, True], [False, False]])  # (T_q, T_k)


def torch_function():
    arrays = map(torch.from_numpy, (QUERY, KEY, VALUE))
    mask = torch.from_numpy(MASK)
    return torch.nn.functional.scaled_dot_product_attention(*arrays, attn_mask=mask)


def torch_module():
    module = torch.nn.MultiheadAttention(4, 1, batch_first=True)
    module.in_proj_weight.data = torch.eye(4).tile(3, 1)
    module.out_proj.weight.data = torch.eye(4)
    arrays = map(torch.from_numpy, (QUERY, KEY, VALUE))
    return module(*arrays, attn_mask=torch.from_numpy(~MASK))[0].detach()


def keras_layer(scores):
    layer = keras.layers.MultiHeadAttention(1, 4, use_bias=False)
    arrays = {"attention_mask": MASK[None], "return_attention_scores": scores}
    layer(QUERY, VALUE, KEY)  # makes its weights
    layer.set_weights([np.eye(4).reshape(w.shape) for w in layer.get_weights()])
    result = layer(QUERY, VALUE, KEY, **arrays)
    return (result[0] if scores else result).detach()


def onnx_node():
    names = ("Q", "K", "V", "mask")
    node = helper.make_node("Attention", names, ["Y"])
    kinds = [TensorProto.FLOAT] * 3 + [TensorProto.BOOL]
    inputs = [
        helper.make_tensor_value_info(name, kind, None)
        for name, kind in zip(names, kinds, strict=True)
    ]
    output = helper.make_tensor_value_info("Y", TensorProto.FLOAT, None)
    graph = helper.make_graph([node], "attention", inputs, [output])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 23)])
    arrays = (x[:, None] for x in (QUERY, KEY, VALUE))  # (B, h, T, d)
    given = dict(zip(names, (*arrays, MASK), strict=True))
    return ReferenceEvaluator(model).run(None, given)[0][:, 0]


def jax_function():
    arrays = (x[:, :, None] for x in (QUERY, KEY, VALUE))  # (B, T, h, d)
    return jax.nn.dot_product_attention(*arrays, mask=MASK[None, None])[:, :, 0]


TORCH = f"PyTorch {torch.__version__.partition('+')[0]}"
KERAS = f"Keras {keras.__version__}, `MultiHeadAttention`"
LIBRARIES = {
    f"{TORCH}, `scaled_dot_product_attention`": torch_function,
    f"{TORCH}, `nn.MultiheadAttention`, weights asked for": torch_module,
    f"{KERAS}, scores asked for": lambda: keras_layer(scores=True),
    f"{KERAS}, scores not asked for": lambda: keras_layer(scores=False),
    f"ONNX {version('onnx')}, `Attention`": onnx_node,
    f"JAX {jax.__version__}, `nn.dot_product_attention`": jax_function,
}


def told(row):
    """Say what a row is: 0, NaN, or the plain mean of all values."""
    if np.isnan(row).all():
        return "NaN"
    if np.allclose(row, VALUE[0].mean(axis=0)):
        return "the plain mean of all values"
    return "0" if (row == 0).all() else str(row.tolist())


if __name__ == "__main__":
    rows = {name: np.asarray(call())[0, 1] for name, call in LIBRARIES.items()}
    found = {name: told(row) for name, row in rows.items()}
    FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(found, indent=1))
