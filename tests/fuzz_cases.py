"""What each function of attention and each cell takes, and the loops it equals."""

import functools

import numpy as np
from hypothesis import strategies as st

import slow
import slow_cells
from fuzz_calls import (
    MISSING,
    Case,
    laid_over,
    onto_heads,
    onto_scores,
    onto_split_heads,
)
from fuzzed import numbers
from mha_core import (
    MultiHeadAttention,
    additive_attention,
    gru_cell,
    lstm_cell,
    luong_attention,
    merge_heads,
    multi_head_attention,
    rnn_cell,
    scaled_dot_product_attention,
    softmax,
    split_heads,
)
from mha_core.blocks import decoder_block, encoder_block, feed_forward, layer_norm


def slow_attn(Q, K, V, mask=None, **more):
    """Attention, head by head; a batch of masks serves all heads."""
    if np.ndim(mask) == 3 and Q.ndim == 4:
        mask = mask[:, None]
    elif np.ndim(mask) == 4 and Q.ndim == 3:
        mask = mask[0]
    return slow.scaled_dot_product_attention(Q, K, V, mask=mask, **more)


def flag(draw, sizes):
    return draw(st.sampled_from([MISSING, False, True, True, 0, 1, np.True_]))


def scale(draw, sizes):
    return draw(
        st.sampled_from([MISSING, None, 1, 0.5, -2.0, 0, np.float32(0.1), 1e-30])
    )


def heads(draw, sizes):
    return draw(st.sampled_from([int, np.int8, np.uint64]))(sizes["h"])


def axis(draw, sizes):
    return draw(st.integers(-len(sizes["shapes"]["x"]), len(sizes["shapes"]["x"]) - 1))


def projection_bias(draw, sizes):
    shapes, rng = sizes["shapes"], sizes["rng"]
    if draw(st.booleans()):
        return draw(st.sampled_from([None, MISSING]))
    widths = [shapes[f"W_{letter}"][-1:] for letter in "QKVO"]
    dtype = draw(st.sampled_from(["f4", "f8", "f2", "i4"]))
    return [numbers(rng, width, dtype, "usual") for width in widths]


def epsilon(draw, sizes):
    return draw(st.sampled_from([MISSING, 1e-5, 0.1, 1, np.float32(1e-3)]))


def same(value):
    return lambda draw, sizes: value


def case(function, like, shapes, names=None, where=onto_scores, bias=False, **more):
    """Return a case with a mask, and whatever else the function lays over scores."""
    if names:
        kinds = ("mask", "bias") if bias else ("mask",)
        over = {kind: laid_over(kind, where(*names)) for kind in kinds}
        more["options"] = more.get("options", {}) | over
    return Case(function, like, shapes, **more)


QKV = {"query": "... T_q d", "key": "... T_k d", "value": "... T_k d_v"}
LOOSE = QKV | {"key": "... T_k d_key"}
ASKING = ("query", "key")
X = {"X": "... T_q d_model"}
WEIGHTS = {"W_Q": "d_model h*d", "W_K": "d_key h*d", "W_V": "d_value h*d_v"}
WEIGHTS |= {"W_O": "h*d_v d_out"}
KEY, VALUE = {"key": "... T_k d_key"}, {"value": "... T_k d_value"}
OWN = {
    k: v.replace("d_key", "d_model").replace("d_value", "d_model")
    for k, v in WEIGHTS.items()
}
CROSS = {k: v.replace("d_value", "d_key") for k, v in WEIGHTS.items()}
MULTI = {"h": heads, "causal": flag, "projection_bias": projection_bias}
STATE = {"x": "... d_in", "state": "... n"}


def cell(gates):
    return {"W": f"d_in {gates}*n", "U": f"n {gates}*n", "b": f"{gates}*n"}


THINK = {"W_1": "h*d d_ff", "b_1": "d_ff", "W_2": "d_ff h*d", "b_2": "h*d"}
NORM = {"gain": "h*d", "shift": "h*d"}
ATTEND = {name: "h*d h*d" for name in ("W_Q", "W_K", "W_V", "W_O")}
PARTS = {"self": NORM | ATTEND, "cross": NORM | ATTEND, "think": NORM | THINK}


def block(*parts):
    return {
        f"{part} {name}": PARTS[part][name] for part in parts for name in PARTS[part]
    }


def encoder(x, h, **p):
    return encoder_block(x, p, h)


def slow_encoder(x, h, **p):
    return slow_cells.encoder_block(x, p, int(h))


def decoder(x, memory, h, **p):
    return decoder_block(x, memory, p, h)


def slow_decoder(x, memory, h, **p):
    return slow_cells.decoder_block(x, memory, p, int(h))


LAYER = MultiHeadAttention(4, 2, 7, init_scale=0.5)


def slow_forward(Q, K, V, **options):
    randn = np.random.RandomState(7).randn
    W = [randn(4, 4).astype(np.longdouble) * 0.5 for _ in range(4)]
    return slow.multi_head_attention(Q, *W, 2, key=K, value=V, **options)


multi = functools.partial(
    case,
    multi_head_attention,
    slow.multi_head_attention,
    where=onto_heads,
    one_batch=True,
    bias=True,
)
CASES = {
    "softmax": case(softmax, slow.softmax, {"x": "... n"}, options={"axis": axis}),
    "scaled": case(
        scaled_dot_product_attention,
        slow.scaled_dot_product_attention,
        QKV,
        ASKING,
        bias=True,
        options={"scale": scale, "causal": flag},
    ),
    "additive": case(
        additive_attention,
        slow.additive_attention,
        LOOSE | {"W_a": "d a", "U_a": "d_key a", "v_a": "a"},
        ASKING,
        saturates=True,
    ),
    "dot": case(
        luong_attention,
        slow.luong_attention,
        QKV,
        ASKING,
        options={"score": same("dot")},
    ),
    "general": case(
        luong_attention,
        slow.luong_attention,
        LOOSE | {"W_a": "d d_key"},
        ASKING,
        options={"score": same("general")},
    ),
    "concat": case(
        luong_attention,
        slow.luong_attention,
        LOOSE | {"W_a": "d+d_key a", "v_a": "a"},
        ASKING,
        options={"score": same("concat")},
        saturates=True,
    ),
    "split": case(
        split_heads, slow.split_heads, {"x": "... T h*d"}, options={"h": heads}
    ),
    "merge": case(merge_heads, slow.merge_heads, {"x": "... h T d"}),
    "multi-head, self": multi(X | OWN, ("X", "X"), options=MULTI),
    "multi-head, key": multi(X | CROSS | KEY, ("X", "key"), options=MULTI),
    "multi-head, value": multi(X | WEIGHTS | KEY | VALUE, ("X", "key"), options=MULTI),
    "forward": case(
        functools.partial(LAYER.forward, return_weights=True),
        slow_forward,
        {"Q": "... T_q 4", "K": "... T_k 4", "V": "... T_k 4"},
        ("Q", "K"),
        where=onto_heads,
        one_batch=True,
        sizes={"h": 2},
        options={"causal": flag},
    ),
    "attn": case(
        LAYER.attn,
        slow_attn,
        {"Q": "... T_q d", "K": "... T_k d", "V": "... T_k d_v"},
        ("Q", "K"),
        where=onto_split_heads,
        one_batch=True,
        options={"causal": flag},
    ),
    "rnn": case(rnn_cell, slow_cells.rnn_cell, STATE | cell(1)),
    "gru": case(
        gru_cell,
        slow_cells.gru_cell,
        STATE | cell(3) | {"b_U": "3*n"},
        options={"reset_after": flag},
        optional=("b_U",),
        saturates=True,
    ),
    "lstm": case(
        lstm_cell,
        slow_cells.lstm_cell,
        STATE | {"cell": "... n"} | cell(4),
        saturates=True,
    ),
    "layer norm": case(
        layer_norm,
        slow_cells.layer_norm,
        {"x": "... d_model", "gain": "d_model", "shift": "d_model"},
        options={"epsilon": epsilon},
    ),
    "feed-forward": case(
        feed_forward,
        slow_cells.feed_forward,
        {"x": "... h*d"} | THINK,
    ),
    "encoder": case(
        encoder,
        slow_encoder,
        {"x": "B T h*d"} | block("self", "think"),
        options={"h": heads},
        saturates=True,
    ),
    "decoder": case(
        decoder,
        slow_decoder,
        {"x": "B T_q h*d", "memory": "B T_k h*d"} | block("self", "cross", "think"),
        options={"h": heads},
        saturates=True,
    ),
}
