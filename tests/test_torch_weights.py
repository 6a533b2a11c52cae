"""PyTorch's weights give PyTorch's numbers; a name or shape that is wrong is said."""

import json
from pathlib import Path

import numpy as np
import pytest

from mha_core import causal_mask, multi_head_attention
from mha_core.blocks import encoder_block
from mha_core.torch_weights import from_torch

FILE = Path(__file__).with_name("torch_weights.json")
FROZEN = json.loads(FILE.read_text(encoding="utf-8"))
CASES, h = FROZEN["cases"], FROZEN["h"]


def state_of(name):
    return {k: np.array(v) for k, v in CASES[name]["state"].items()}


def numbers_of(name, state, prefix=""):
    """Return what our function makes of the weights and of what torch was given."""
    given = [np.array(x) for x in CASES[name]["given"]]
    if name.startswith("layer"):
        return encoder_block(*given, **from_torch(state, h, prefix))[0]
    X, key, value = given
    more = {"key": key, "value": value}
    return multi_head_attention(X, **from_torch(state, h, prefix), **more)[0]


@pytest.mark.parametrize("name", CASES)
def test_the_weights_of_torch_give_its_numbers(name):
    output = numbers_of(name, state_of(name))
    assert np.allclose(output, CASES[name]["output"], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", CASES)
def test_each_array_counts(name):
    """With another in place of one of them, the numbers are not torch's."""
    state = state_of(name)
    for key in state:
        other = state | {
            key: state[key] + np.arange(state[key].size).reshape(state[key].shape)
        }
        assert not np.allclose(numbers_of(name, other), CASES[name]["output"]), key


def test_names_may_stand_below_a_prefix():
    state = {f"encoder.layers.0.{k}": v for k, v in state_of("layer").items()}
    state["encoder.norm.weight"] = np.ones(8)  # of something else
    output = numbers_of("layer", state, "encoder.layers.0.")
    assert np.allclose(output, CASES["layer"]["output"], rtol=1e-12, atol=1e-12)


def test_the_state_is_not_changed():
    state = state_of("layer")
    kept = {name: array.copy() for name, array in state.items()}
    from_torch(state, h)
    assert list(state) == list(kept)
    assert all(np.array_equal(state[name], kept[name]) for name in kept)


def test_biases_of_a_block_reach_both_floats_and_halves():
    block = from_torch(state_of("layer"), h)
    x = np.array(CASES["layer"]["given"][0], np.float32)
    block["p"] = {k: v.astype(np.float32) for k, v in block["p"].items()}
    output, _ = encoder_block(x, **block)
    assert output.dtype == np.float32
    assert np.allclose(output, CASES["layer"]["output"], atol=1e-4)


def test_a_mask_of_torch_is_turned_by_the_one_who_hands_it_over():
    weights = from_torch(state_of("attention without biases"), h)
    X = np.array(CASES["attention"]["given"][1])
    hidden = np.triu(np.ones((5, 5), bool), 1)  # torch: True hides
    output, _ = multi_head_attention(X, **weights, mask=~hidden)
    expected, _ = multi_head_attention(X, **weights, mask=causal_mask(5))
    assert np.array_equal(output, expected)


def changed(name, **arrays):
    return state_of(name) | {k.replace("__", "."): v for k, v in arrays.items()}


def without(name, key):
    return {k: v for k, v in state_of(name).items() if k != key}


WRONG = {
    "none": (None, "names with arrays"),
    "empty": ({}, "No name begins with ''; there is nothing"),
    "no in": (without("attention", "in_proj_weight"), "There is no in_proj_weight"),
    "no out": (without("attention", "out_proj.weight"), "There is no out_proj.weight"),
    "half": (without("attention", "out_proj.bias"), "There is no out_proj.bias"),
    "no norm": (without("layer", "norm2.weight"), "There is no norm2.weight"),
    "no attention": (without("layer", "self_attn.in_proj_weight"), "no in_proj_weight"),
    "shape": (
        changed("attention", in_proj_weight=np.ones((8, 24))),
        r"in_proj_weight has the shape \(8, 24\); \(72, 24\) is needed",
    ),
    "flat": (changed("attention", in_proj_weight=np.ones(24)), r"\(any, any\)"),
    "NaN": (changed("attention", in_proj_bias=np.full(24, np.nan)), "holds nan"),
    "words": (changed("attention", in_proj_bias=["a"]), "real numbers"),
    "extra": (changed("attention", bias_k=np.ones((1, 1, 8))), "no place for bias_k"),
    "extra attention": (
        changed("layer", self_attn__bias_k=np.ones((1, 1, 8))),
        "no place for self_attn.bias_k",
    ),
    "prefix": ({"a.b": np.ones(2)}, "There is no in_proj_weight"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_said(case):
    state, said = WRONG[case]
    with pytest.raises(ValueError, match=said):
        from_torch(state, h)


def test_a_wrong_prefix_or_number_of_heads_is_said():
    with pytest.raises(ValueError, match="No name begins with 'x.'"):
        from_torch(state_of("layer"), h, "x.")
    with pytest.raises(ValueError, match="h=3 does not divide"):
        from_torch(state_of("layer"), 3)
