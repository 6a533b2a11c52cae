"""A reader's own functions inside the trained Transformer."""

import numpy as np
import pytest

from mha_core import lab
from mha_core.attention import masked_softmax, scaled_dot_product_attention
from mha_core.blocks import (
    OURS,
    Formulas,
    attend_and_add,
    encoder_block,
    feed_forward,
    layer_norm,
    think_and_add,
)
from mha_core.lab.measure.by_parts import attention_of, multi_head_of
from mha_core.lab.measure.guarding import SHAPES, guarded
from mha_core.lab.measure.held_out import held_out_error, some_held_out
from mha_core.lab.measure.plugging import check_names, formulas_of, not_written
from mha_core.multihead import merge_heads, multi_head_attention, split_heads
from mha_core.pretrained import load, pronounce

WORDS = "knight", "phone", "attention"


def my_softmax(scores, visible):
    shares = np.exp(np.where(visible, scores, -np.inf) - scores.max(-1, keepdims=True))
    return shares / shares.sum(axis=-1, keepdims=True)


def my_attention(query, key, value, mask):
    scores = query @ np.swapaxes(key, -1, -2) / query.shape[-1] ** 0.5
    weights = my_softmax(scores, mask)
    return weights @ value, weights


def my_split(x, h):
    return np.stack(np.split(x, h, axis=1))


def my_merge(x):
    return np.concatenate(list(x), axis=1)


def my_heads(X, W_Q, W_K, W_V, W_O, h, mask=None, key=None):
    key = X if key is None else key
    whole = (X @ W_Q, key @ W_K, key @ W_V)
    heads, weights = my_attention(*(my_split(x, h) for x in whole), mask)
    return my_merge(heads) @ W_O, weights


def my_norm(x, gain, shift):
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / np.sqrt(x.var(axis=-1, keepdims=True) + 1e-5) * gain + shift


def my_feed(x, W_1, b_1, W_2, b_2):
    return np.maximum(x @ W_1 + b_1, 0) @ W_2 + b_2


def my_block(x, p, h, mask):
    normal = my_norm(x, p["self gain"], p["self shift"])
    names = ("W_Q", "W_K", "W_V", "W_O")
    seen, weights = my_heads(normal, *(p[f"self {n}"] for n in names), h, mask)
    x = x + seen
    normal = my_norm(x, p["think gain"], p["think shift"])
    names = ("W_1", "b_1", "W_2", "b_2")
    return x + my_feed(normal, *(p[f"think {n}"] for n in names)), weights


MINE = {
    "masked_softmax": my_softmax,
    "scaled_dot_product_attention": my_attention,
    "split_heads": my_split,
    "merge_heads": my_merge,
    "multi_head_attention": my_heads,
    "layer_norm": my_norm,
    "feed_forward": my_feed,
    "block": my_block,
}


def counting(function):
    """Return a function that counts its calls in its attribute ``calls``."""

    def call(*args, **kwargs):
        call.calls += 1
        return function(*args, **kwargs)

    call.calls = 0
    return call


def test_every_part_can_be_plugged_in():
    assert MINE.keys() == SHAPES.keys()


@pytest.mark.parametrize("names", [*((name,) for name in MINE), tuple(MINE)])
def test_a_right_function_is_called_and_changes_nothing(names):
    model = load("transformer")
    mine = {name: counting(MINE[name]) for name in names}
    changed = lab.plugged(model, **mine)
    for word in WORDS:
        said, whole = pronounce(changed, word), pronounce(model, word)
        assert said.phonemes == whole.phonemes
        np.testing.assert_allclose(said.weights, whole.weights, atol=2e-4)
    called = {name for name, function in mine.items() if function.calls}
    outer = {"multi_head_attention", "layer_norm", "feed_forward", "block"}
    assert called == (set(names) if len(names) == 1 else outer)


def inverted(scores, visible):
    return masked_softmax(scores, ~visible)


def unscaled(query, key, value, mask):
    return scaled_dot_product_attention(query, key, value, mask=mask, scale=1)


def reshaped(x, h):
    return x.reshape(h, len(x), -1)


def over_queries(scores, visible):
    shares = np.exp(np.where(visible, scores, -np.inf))
    return shares / np.maximum(shares.sum(axis=-2, keepdims=True), 1e-30)


FAULTS = {
    "no_scale": {"scaled_dot_product_attention": unscaled},
    "mask_inverted": {"masked_softmax": inverted},
    "split_by_reshape": {"split_heads": reshaped},
    "softmax_over_queries": {"masked_softmax": over_queries},
}


def test_a_wrong_function_harms_the_network_and_the_bars_say_how_much():
    picture = lab.plugged_bars(as_trained={}, **FAULTS)
    assert picture.layout.x == (
        *("as trained", "no scale", "mask inverted", "split by reshape"),
        "softmax over queries",
    )
    right, *wrong = picture.array[0]
    pairs = some_held_out(200)
    assert right == held_out_error(load("transformer"), pairs)
    assert min(wrong) > 1.5 * right
    assert picture.layout.limits[1] >= max(wrong)


def test_the_view_speaks_with_the_reader_s_functions():
    view = lab.plug(masked_softmax=my_softmax)
    error = held_out_error(load("transformer"), some_held_out(500))
    assert "knight: n aɪ t" in view.message
    assert view.message.count(f"{error:.3f}") == 2
    assert view.picture.data.title == "“knight”, with your masked_softmax"
    expected = pronounce(load("transformer"), "knight").weights
    np.testing.assert_allclose(view.picture.array, expected, atol=2e-4)
    assert view.code() == "lab.plug(word='knight', masked_softmax=my_softmax)"
    view.set(word="phone")
    assert "phone: f oʊ n" in view.message
    view.close()


def test_rows_that_do_not_sum_to_1_are_told():
    view = lab.plug(masked_softmax=over_queries)
    total = view.picture.array.sum(axis=-1)[0, 0]
    assert f"does not sum to 1: {total:.2f}" in view.message
    view.close()


def test_what_is_not_written_yet_leaves_the_library_s_inside():
    def stub(scores, visible):
        """Say what it will do."""
        return ...

    view = lab.plug(masked_softmax=stub, layer_norm=my_norm)
    assert "masked_softmax is not written yet" in view.message
    assert "n aɪ t" in view.message
    assert view.picture.data.title == "“knight”, with your layer_norm"
    alone = lab.plug(masked_softmax=stub)
    assert alone.message.startswith("masked_softmax is not written yet")
    assert alone.picture.data.title == "“knight”, the Transformer as trained"
    assert not_written({"a": stub, "b": my_norm, "c": len}) == ["a"]
    view.close()
    alone.close()


def raising(scores, visible):
    raise KeyError("scores")


def spoiling(scores, visible):
    scores[:] = 0
    return my_softmax(scores, visible)


@pytest.mark.parametrize(
    ("name", "function", "told"),
    [
        ("masked_softmax", raising, "stops with KeyError"),
        ("masked_softmax", lambda scores: scores, "stops with TypeError"),
        ("masked_softmax", lambda scores, visible: None, "gives back nothing"),
        ("masked_softmax", lambda s, v: s[0], "the shape (6, 6), where (4, 6, 6)"),
        ("masked_softmax", lambda s, v: s * np.nan, "NaN or infinity"),
        ("masked_softmax", lambda s, v: "weights", "gives back str"),
        (
            "masked_softmax",
            lambda s, v: s * 1j,
            "gives back ndarray, where an array of real",
        ),
        ("split_heads", lambda x, h: x, "where (4, 6, 12) is needed"),
        ("merge_heads", lambda x: x, "where (6, 48) is needed"),
        ("multi_head_attention", lambda *a, **k: a[0], "two things are needed"),
        ("multi_head_attention", lambda *a, **k: None, "gives back nothing"),
        ("layer_norm", lambda x, gain, shift: 0, "the shape (), where (6, 48)"),
        ("block", lambda x, p, h, mask: (x, x), "where (4, 6, 6) is needed"),
    ],
)
def test_a_function_that_breaks_is_a_sentence_and_not_a_traceback(name, function, told):
    view = lab.plug(**{name: function})
    assert view.message.startswith(name)
    assert told in view.message
    assert view.picture.data.title == "“knight”, the Transformer as trained"
    view.set(word="phone")
    assert view.message.startswith(name)
    view.close()


def test_a_function_that_spoils_what_it_gets_spoils_a_copy():
    x = np.ones((2, 3, 3), np.float32)
    guarded("masked_softmax", spoiling)(x, np.ones((3, 3), bool))
    assert (x == 1).all()
    p = {"self gain": np.ones(3)}

    def block(x, p, h, mask):
        p["self gain"].fill(9)
        return x, x[None]

    guarded("block", block)(x[0], p, 1, None)
    assert (p["self gain"] == 1).all()


def test_the_library_is_as_before():
    lab.plugged(load("transformer"), masked_softmax=inverted)
    lab.plug(masked_softmax=raising).close()
    assert OURS == Formulas()
    assert OURS.multi_head_attention is multi_head_attention
    assert load("transformer").formulas is OURS
    assert "n aɪ t" in pronounce(load("transformer"), "knight").sentence


@pytest.mark.parametrize(
    ("functions", "told"),
    [
        ({"softmax": my_softmax}, "no softmax to plug in, only masked_softmax"),
        ({"masked_softmax": np.ones(3)}, "a function, not ndarray"),
    ],
)
def test_what_cannot_be_plugged_in_is_refused(functions, told):
    for use in (check_names, lambda given: lab.plug(**given)):
        with pytest.raises(ValueError, match=told):
            use(functions)


def test_another_kind_is_refused():
    with pytest.raises(ValueError, match="must be a Transformer"):
        lab.plug(model=load("bahdanau"), masked_softmax=my_softmax)


def test_parts_that_are_not_given_are_the_library_s():
    rng = np.random.default_rng(0)
    X, *matrices = rng.normal(size=(5, 6, 6))
    mask = np.tri(6, dtype=bool)
    whole = multi_head_of(attention_of(masked_softmax), split_heads, merge_heads)
    found = whole(X, *matrices, 2, mask, X)
    expected = multi_head_attention(X, *matrices, 2, mask)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-12)


def test_blocks_call_the_formulas_that_they_are_given():
    rng = np.random.default_rng(0)
    formulas = formulas_of({"layer_norm": lambda x, gain, shift: 0 * x})
    assert formulas.feed_forward is feed_forward
    names = ("W_Q", "W_K", "W_V", "W_O")
    p = {f"self {n}": rng.normal(size=(4, 4)) for n in names}
    p |= {
        f"{part} {n}": np.ones(4)
        for part in ("self", "think")
        for n in ("gain", "shift")
    }
    p |= {"think W_1": np.ones((4, 3)), "think b_1": np.ones(3)}
    p |= {"think W_2": np.ones((3, 4)), "think b_2": np.ones(4)}
    x = rng.normal(size=(2, 5, 4))
    added, _ = attend_and_add(x, None, p, "self", 2, formulas=formulas)
    np.testing.assert_allclose(added, x)
    np.testing.assert_allclose(think_and_add(x, p, formulas), x + 4)
    block, _ = encoder_block(x, p, 2, formulas=formulas)
    np.testing.assert_allclose(block, x + 4)
    assert layer_norm is OURS.layer_norm and encoder_block is OURS.encoder_block
