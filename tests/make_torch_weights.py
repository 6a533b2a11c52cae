"""Freeze layers of PyTorch, their weights and what they compute: make frozen."""

import json
from pathlib import Path

import numpy as np
import torch
from torch import nn

FILE = Path(__file__).with_name("torch_weights.json")
B, T, d_model, h = 2, 5, 8, 2
OWN = {"dtype": torch.float64, "batch_first": True}
LAYER = OWN | {"norm_first": True, "dropout": 0.0}


def attention(**options):
    """Return a module of attention and the sequences that it is given."""
    made = nn.MultiheadAttention(d_model, h, **OWN, **options)
    sizes = (3, d_model), (T, made.kdim), (T, made.vdim)
    return made, [torch.randn(B, *size).double() for size in sizes]


def layer(**options):
    """Return an encoder layer and the sequence that it is given."""
    made = nn.TransformerEncoderLayer(d_model, h, 12, **LAYER, **options).eval()
    return made, [torch.randn(B, T, d_model).double()]


CASES = {
    "attention": attention,
    "attention without biases": lambda: attention(bias=False),
    "attention with other widths": lambda: attention(kdim=6, vdim=7),
    "layer": layer,
    "layer without biases": lambda: layer(bias=False),
}


def frozen(make):
    """Return what a layer is made of, what it gets and what it gives."""
    made, given = make()
    for parameter in made.parameters():  # torch starts biases at 0
        parameter.data = torch.randn(parameter.shape).double()
    with torch.no_grad():
        result = made(*given)
    output = result[0] if isinstance(result, tuple) else result
    state = {name: array.tolist() for name, array in made.state_dict().items()}
    return {"given": [x.tolist() for x in given], "state": state} | {
        "output": np.asarray(output).tolist()
    }


if __name__ == "__main__":
    torch.manual_seed(0)
    found = {name: frozen(make) for name, make in CASES.items()}
    text = json.dumps({"torch": torch.__version__, "h": h, "cases": found})
    FILE.write_text(text + "\n", encoding="utf-8")
    print(f"{FILE.name}: {len(found)} cases, {FILE.stat().st_size} bytes")
