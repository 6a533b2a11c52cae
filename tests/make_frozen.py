"""Freeze what torch and Keras compute on random weights: make frozen.

The inputs are drawn again by the test, from the seed and the shapes that are stored;
only the results are stored in full, in float64.
"""

import json
import os
from pathlib import Path

os.environ["KERAS_BACKEND"] = "torch"

import keras
import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

FILE = Path(__file__).with_name("frozen.json")
CASES = []


def case(kind, shapes, **options):
    """Return a decorator that freezes what a function makes of random arrays."""

    def freeze(function):
        seed = len(CASES)
        arrays = {k: torch.from_numpy(x) for k, x in draw(seed, shapes).items()}
        with torch.no_grad():
            results = function(**arrays)
        stored = [np.asarray(result).tolist() for result in results]
        CASES.append(
            {"name": function.__name__, "kind": kind, "seed": seed}
            | {"shapes": shapes, "options": options, "results": stored}
        )
        return function

    return freeze


def draw(seed, shapes):
    """Return random arrays by name; those whose name starts with mask are boolean."""
    random = np.random.RandomState(seed)
    arrays = {name: random.standard_normal(shape) for name, shape in shapes.items()}
    return {k: x > -0.5 if k.startswith("mask") else x for k, x in arrays.items()}


B, T_q, T_k, h, d_model = 2, 3, 5, 2, 4
SELF = {"X": (B, T_q, d_model), "W_Q": (4, 4), "W_K": (4, 4), "W_V": (4, 4)}
SELF |= {"W_O": (4, 4)}
CROSS = SELF | {"X": (B, T_q, 4), "key": (B, T_k, 6), "value": (B, T_k, 7)}
CROSS |= {"W_K": (6, 4), "W_V": (7, 4)}
BIASES = {"b_Q": (4,), "b_K": (4,), "b_V": (4,), "b_O": (4,)}


def module(W_Q, W_K, W_V, W_O, b_Q=None, b_K=None, b_V=None, b_O=None):
    """Return torch's module with these weights, on batches first, in float64."""
    made = nn.MultiheadAttention(
        4,
        h,
        bias=b_Q is not None,
        kdim=W_K.shape[0] + 1,  # anything but d_model keeps the three weights apart
        vdim=W_V.shape[0],
        batch_first=True,
        dtype=torch.float64,
    )
    made.q_proj_weight.data, made.v_proj_weight.data = W_Q.T, W_V.T
    made.k_proj_weight.data, made.out_proj.weight.data = W_K.T, W_O.T
    if b_Q is not None:
        made.in_proj_bias.data = torch.cat([b_Q, b_K, b_V])
        made.out_proj.bias.data = b_O
    return made


def attend(weights, X, key=None, value=None, **options):
    """Return output and weights, head by head, of torch's module."""
    key = X if key is None else key
    value = key if value is None else value
    return module(**weights)(X, key, value, average_attn_weights=False, **options)


@case("multi_head", SELF)
def self_attention(X, **weights):
    return attend(weights, X)


@case("multi_head", SELF | BIASES)
def self_attention_with_biases(X, **weights):
    return attend(weights, X)


@case("multi_head", SELF | BIASES | {"X": (T_q, d_model)})
def self_attention_without_batch(X, **weights):
    return attend(weights, X)


@case("multi_head", CROSS)
def cross_attention(X, key, value, **weights):
    return attend(weights, X, key, value)


@case("multi_head", CROSS | BIASES)
def cross_attention_with_biases(X, key, value, **weights):
    return attend(weights, X, key, value)


@case("multi_head", SELF | BIASES, causal=True)
def causal(X, **weights):
    hidden = torch.ones(T_q, T_q, dtype=bool).triu(1)
    return attend(weights, X, attn_mask=hidden)


@case("multi_head", CROSS | BIASES | {"mask": (T_q, T_k)})
def mask_for_all(X, key, value, mask, **weights):
    return attend(weights, X, key, value, attn_mask=~mask)


@case("multi_head", CROSS | BIASES | {"mask": (B, 1, T_k)})
def mask_of_padding(X, key, value, mask, **weights):
    return attend(weights, X, key, value, key_padding_mask=~mask[:, 0])


@case("multi_head", CROSS | BIASES | {"mask": (B, h, T_q, T_k)})
def mask_of_each_head(X, key, value, mask, **weights):
    return attend(weights, X, key, value, attn_mask=~mask.flatten(0, 1))


@case("multi_head", CROSS | BIASES | {"bias": (B, h, T_q, T_k)})
def bias_of_each_head(X, key, value, bias, **weights):
    return attend(weights, X, key, value, attn_mask=bias.flatten(0, 1))


QKV = {"query": (B, h, T_q, 4), "key": (B, h, T_k, 4), "value": (B, h, T_k, 7)}


@case("scaled_dot_product", QKV)
def dot_product(query, key, value):
    return (F.scaled_dot_product_attention(query, key, value),)


@case("scaled_dot_product", QKV, scale=1.7)
def dot_product_with_scale(query, key, value):
    return (F.scaled_dot_product_attention(query, key, value, scale=1.7),)


@case("scaled_dot_product", QKV, causal=True)
def dot_product_causal(query, key, value):
    return (F.scaled_dot_product_attention(query, key, value, is_causal=True),)


@case("scaled_dot_product", QKV | {"mask": (B, 1, T_q, T_k)})
def dot_product_with_mask(query, key, value, mask):
    return (F.scaled_dot_product_attention(query, key, value, mask),)


@case("scaled_dot_product", QKV | {"bias": (h, T_q, T_k)})
def dot_product_with_bias(query, key, value, bias):
    return (F.scaled_dot_product_attention(query, key, value, bias),)


def pairs(query, key):
    """Return the query and the key of each pair, (B, T_q, T_k, d) twice."""
    across = query.unsqueeze(2).expand(-1, -1, T_k, -1).contiguous()
    return across, key.unsqueeze(1).expand(-1, T_q, -1, -1).contiguous()


ADDITIVE = {"query": (B, T_q, 4), "key": (B, T_k, 6), "value": (B, T_k, 7)}


@case("additive", ADDITIVE | {"W_a": (4, 3), "U_a": (6, 3), "v_a": (3,)})
def additive(query, key, value, W_a, U_a, v_a):
    mixed = (query @ W_a).unsqueeze(2) + (key @ U_a).unsqueeze(1)
    weights = F.softmax(torch.einsum("bqka,a->bqk", mixed.tanh(), v_a), -1)
    return torch.bmm(weights, value), weights


# Keras multiplies by the values in float32: only its weights are in float64.
@case("keras", {"query": (B, T_q, 4), "key": (B, T_k, 4)})
def additive_in_keras(query, key):
    layer = keras.layers.AdditiveAttention(use_scale=False, dtype="float64")
    return layer([query, key], return_attention_scores=True)[1:]


@case("keras", {"query": (B, T_q, 4), "key": (B, T_k, 4), "v_a": (4,)})
def additive_in_keras_with_scale(query, key, v_a):
    layer = keras.layers.AdditiveAttention(dtype="float64")
    layer.build([query.shape, key.shape, key.shape])
    layer.set_weights([v_a.numpy()])
    return layer([query, key], return_attention_scores=True)[1:]


@case("keras", {"query": (B, T_q, 4), "key": (B, T_k, 4), "mask": (B, T_k)})
def additive_in_keras_with_mask(query, key, mask):
    layer = keras.layers.AdditiveAttention(use_scale=False, dtype="float64")
    return layer([query, key], mask=[None, mask], return_attention_scores=True)[1:]


@case("luong", ADDITIVE | {"key": (B, T_k, 4)}, score="dot")
def luong_dot(query, key, value):
    weights = F.softmax(torch.bmm(query, key.mT), -1)
    return torch.bmm(weights, value), weights


@case("luong", ADDITIVE | {"W_a": (4, 6)}, score="general")
def luong_general(query, key, value, W_a):
    weights = F.softmax(F.bilinear(*pairs(query, key), W_a[None])[..., 0], -1)
    return torch.bmm(weights, value), weights


@case("luong", ADDITIVE | {"W_a": (10, 3), "v_a": (3,)}, score="concat")
def luong_concat(query, key, value, W_a, v_a):
    hidden = torch.tanh(torch.cat(pairs(query, key), -1) @ W_a)
    weights = F.softmax(hidden @ v_a, -1)
    return torch.bmm(weights, value), weights


def cell_shapes(gates, biases=("b",)):
    """Return the shapes of a batch of sequences, and of the weights of both ways."""
    shapes = {"inputs": (B, T_k, 3), "start": (2, B, 4)}
    for way in "lr":
        shapes |= {f"W_{way}": (3, gates * 4), f"U_{way}": (4, gates * 4)}
        shapes |= {f"{name}_{way}": (gates * 4,) for name in biases}
    return shapes


def both_ways(made, inputs, start, gates, **weights):
    """Return the states of a torch module that reads both ways, side by side."""
    for way, suffix in ("l", "l0"), ("r", "l0_reverse"):
        b = weights[f"b_{way}"]
        set_weight(made, f"weight_ih_{suffix}", weights[f"W_{way}"], gates)
        set_weight(made, f"weight_hh_{suffix}", weights[f"U_{way}"], gates)
        set_weight(made, f"bias_ih_{suffix}", b, gates)
        b_U = weights.get(f"b_U_{way}", torch.zeros_like(b))
        set_weight(made, f"bias_hh_{suffix}", b_U, gates)
    return made(inputs, start)


def set_weight(made, name, ours, gates):
    """Give a module one weight, with the gates in torch's order."""
    parts = ours.chunk(len(gates), -1)
    getattr(made, name).data = torch.cat([parts[g] for g in gates], -1).transpose(0, -1)


OPTIONS = {"batch_first": True, "bidirectional": True, "dtype": torch.float64}


@case("rnn", cell_shapes(1))
def rnn(inputs, start, **weights):
    return (both_ways(nn.RNN(3, 4, **OPTIONS), inputs, start, [0], **weights)[0],)


@case("gru", cell_shapes(3, ("b", "b_U")), reset_after=True)
def gru_reset_after(inputs, start, **weights):
    made = nn.GRU(3, 4, **OPTIONS)  # gates r | z | n
    return (both_ways(made, inputs, start, [1, 0, 2], **weights)[0],)


def reset_before(inputs, start, weights, way):
    """Return the states of the GRU of Cho 2014, which torch has not, read one way."""
    names = ("W", "U", "b", "b_U")
    W, U, b, b_U = (weights[f"{name}_{way}"].chunk(3, -1) for name in names)
    state, states = start["lr".index(way)], []
    for x in inputs.unbind(1) if way == "l" else inputs.flip(1).unbind(1):
        z, r = (
            torch.sigmoid(x @ W[g] + b[g] + state @ U[g] + b_U[g]) for g in range(2)
        )
        new = torch.tanh(x @ W[2] + b[2] + (r * state) @ U[2] + b_U[2])
        state = (1 - z) * new + z * state
        states.append(state)
    return torch.stack(states if way == "l" else states[::-1], 1)


@case("gru", cell_shapes(3, ("b", "b_U")), reset_after=False)
def gru_reset_before(inputs, start, **weights):
    return (torch.cat([reset_before(inputs, start, weights, w) for w in "lr"], -1),)


@case("lstm", cell_shapes(4) | {"cell": (2, B, 4)})
def lstm(inputs, start, cell, **weights):
    made = nn.LSTM(3, 4, **OPTIONS)
    states, (_, cells) = both_ways(made, inputs, (start, cell), [0, 1, 2, 3], **weights)
    return states, cells


NORM = {"gain": (8,), "shift": (8,)}
LOOK = NORM | {"W_Q": (8, 8), "W_K": (8, 8), "W_V": (8, 8), "W_O": (8, 8)}
THINK = {"W_1": (8, 9), "b_1": (9,), "W_2": (9, 8), "b_2": (8,)}
BLOCK = {f"self {name}": shape for name, shape in LOOK.items()}
BLOCK |= {f"think {name}": shape for name, shape in (NORM | THINK).items()}
CROSS_BLOCK = BLOCK | {f"cross {name}": shape for name, shape in LOOK.items()}
INPUT, MEMORY, PADDING = {"x": (3, 5, 8)}, {"memory": (3, 6, 8)}, {"mask": (3, 1, 6)}


def normal(x, p, part):
    return F.layer_norm(x, (8,), p[f"{part} gain"], p[f"{part} shift"])


def heads(x, W):
    return F.linear(x, W.T).unflatten(-1, (2, 4)).transpose(1, 2)


def look(x, p, part, memory=None, **options):
    """Return x and what two heads see, and their weights: what they see of ones."""
    query = normal(x, p, part)
    key = query if memory is None else memory
    W_Q, W_K, W_V, W_O = (p[f"{part} {name}"] for name in list(LOOK)[2:])
    asked, found = heads(query, W_Q), heads(key, W_K)
    one = torch.eye(key.shape[1]).double().expand(*found.shape[:2], -1, -1)
    seen, weights = (
        F.scaled_dot_product_attention(asked, found, value, **options)
        for value in (heads(key, W_V), one)
    )
    return x + F.linear(seen.transpose(1, 2).flatten(2), W_O.T), weights


def think(x, p):
    W_1, b_1, W_2, b_2 = (p[f"think {name}"] for name in THINK)
    hidden = F.relu(F.linear(normal(x, p, "think"), W_1.T, b_1))
    return x + F.linear(hidden, W_2.T, b_2)


@case("layer_norm", INPUT | NORM)
def layer_norm(x, gain, shift):
    return (F.layer_norm(x, (8,), gain, shift),)


@case("layer_norm", INPUT | NORM, epsilon=0.1)
def layer_norm_with_epsilon(x, gain, shift):
    return (F.layer_norm(x, (8,), gain, shift, 0.1),)


@case("feed_forward", INPUT | THINK)
def feed_forward(x, W_1, b_1, W_2, b_2):
    return (F.linear(F.relu(F.linear(x, W_1.T, b_1)), W_2.T, b_2),)


@case("encoder_block", INPUT | BLOCK)
def encoder_block(x, **p):
    x, weights = look(x, p, "self")
    return think(x, p), weights


@case("encoder_block", INPUT | BLOCK | {"mask": (3, 1, 5)})
def encoder_block_with_padding(x, mask, **p):
    x, weights = look(x, p, "self", attn_mask=mask[:, None])
    return think(x, p), weights


@case("decoder_block", INPUT | MEMORY | CROSS_BLOCK)
def decoder_block(x, memory, **p):
    x, own = look(x, p, "self", is_causal=True)
    x, cross = look(x, p, "cross", memory)
    return think(x, p), own, cross


@case("decoder_block", INPUT | MEMORY | CROSS_BLOCK | PADDING)
def decoder_block_with_padding(x, memory, mask, **p):
    x, own = look(x, p, "self", is_causal=True)
    x, cross = look(x, p, "cross", memory, attn_mask=mask[:, None])
    return think(x, p), own, cross


if __name__ == "__main__":
    made_with = {"torch": torch.__version__, "keras": keras.__version__}
    text = json.dumps({"made_with": made_with, "cases": CASES}, separators=(",", ":"))
    FILE.write_text(text.replace('{"name"', '\n{"name"') + "\n", encoding="utf-8")
    print(f"{FILE.name}: {len(CASES)} cases, {FILE.stat().st_size} bytes")
