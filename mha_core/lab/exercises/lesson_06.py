"""Exercises of lesson 6: the Transformer."""

from mha_core._checks.sentences import sentence
from mha_core.attention import scaled_dot_product_attention
from mha_core.blocks import encoder_block, layer_norm
from mha_core.lab.exercises.catalogue.block_parts import BLOCK
from mha_core.lab.exercises.catalogue.crossing import CROSS
from mha_core.lab.exercises.catalogue.normalising import LAYER_NORM
from mha_core.lab.exercises.curves_to_read import FIFTH
from mha_core.lab.exercises.exercise import Exercise, made_of
from mha_core.lab.exercises.heads_to_find import NEIGHBOUR
from mha_core.lab.exercises.lost_words import CUT_SHORT
from mha_core.lab.exercises.shapes_of_three import SHAPES

NORMALISING = Exercise(
    name="layer_norm",
    right=lambda x, gain, shift: layer_norm(x, gain, shift),
    hints=(
        sentence("each row by itself: its mean, its variance, axis -1, keepdims."),
        sentence("divide by the root of variance + 1e-5."),
        sentence("multiply by the gain, then add the shift."),
    ),
    solution="""import numpy as np

def answer(x, gain, shift):
    mean = x.mean(axis=-1, keepdims=True)
    variance = x.var(axis=-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + 1e-5) * gain + shift
""",
    praise=sentence("each position by itself: mean 0, spread 1, then gain and shift."),
    **made_of(LAYER_NORM, "x"),
)

BLOCKING = Exercise(
    name="block",
    right=lambda x, p, h: encoder_block(x[None], p, h)[0][0],
    hints=(
        sentence("two parts, each: normalise, let it work, add it to what was there."),
        sentence(
            "the first is multi_head_attention with the weights whose names begin with "
            "self; of its two results take the output."
        ),
        sentence(
            "the second normalises the sum, takes max(0, x @ W_1 + b_1) @ W_2 + b_2, "
            "and adds it to the sum."
        ),
    ),
    solution="""from mha_core import multi_head_attention
from mha_core.blocks import feed_forward, layer_norm

def answer(x, p, h):
    normal = layer_norm(x, p["self gain"], p["self shift"])
    matrices = [p[f"self {name}"] for name in ("W_Q", "W_K", "W_V", "W_O")]
    x = x + multi_head_attention(normal, *matrices, h)[0]
    normal = layer_norm(x, p["think gain"], p["think shift"])
    weights = [p[f"think {name}"] for name in ("W_1", "b_1", "W_2", "b_2")]
    return x + feed_forward(normal, *weights)
""",
    praise=sentence("normalise, attend, add; normalise, think, add."),
    **made_of(BLOCK, "x"),
)

CROSSING = Exercise(
    name="cross_attention",
    right=lambda x, memory, W_Q, W_K, W_V: scaled_dot_product_attention(
        x @ W_Q, memory @ W_K, memory @ W_V
    )[0],
    hints=(
        sentence("x holds the sounds written so far, memory the letters read."),
        sentence("who asks? x @ W_Q. Who is asked? memory @ W_K and memory @ W_V."),
        sentence("then attention as ever, without any mask."),
    ),
    solution="""import numpy as np

def answer(x, memory, W_Q, W_K, W_V):
    query, key, value = x @ W_Q, memory @ W_K, memory @ W_V
    scores = query @ key.T / key.shape[-1] ** 0.5
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ value
""",
    praise=sentence("the writer asks, the reader answers."),
    **made_of(CROSS, "memory"),
)

D, D_FF = 512, 2048
ATTEND, THINK, NORMS = 4 * D * D, 2 * D * D_FF + D_FF + D, 4 * D
BLOCK_SIZE = Exercise(
    name="block_size",
    kind="number",
    right=ATTEND + THINK + NORMS,
    mistakes=(
        (ATTEND + THINK, sentence("the two norms count: a gain and a shift each")),
        (ATTEND + THINK + 2 * D, sentence("there are two norms in a block")),
        (ATTEND + 2 * D * D_FF + NORMS, sentence("the feed-forward layer has biases")),
        (ATTEND + 2 * D * D_FF, sentence("the biases and the two norms are missing")),
        (3 * D * D + THINK + NORMS, sentence("W_O counts as well")),
        (
            THINK + NORMS,
            sentence("a matrix of d_model rows is missing, or all four of attention"),
        ),
        (ATTEND + NORMS, sentence("the feed-forward layer is missing")),
    ),
    hints=(
        sentence("four matrices of attention, here without biases."),
        sentence("two matrices of the feed-forward layer, and a bias for each."),
        sentence("two norms, each with a gain and a shift of d_model numbers."),
    ),
    solution="answer = 4 * 512**2 + 2 * 512 * 2048 + 2048 + 512 + 4 * 512",
    praise=sentence("two thirds of them are in the feed-forward layer."),
)
EXERCISES = (
    *(SHAPES, NORMALISING, BLOCKING, CROSSING, BLOCK_SIZE),
    *(NEIGHBOUR, CUT_SHORT, FIFTH),
)
