"""Exercises of lesson 4: splitting attention into heads."""

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.catalogue.cutting import SPLIT
from mha_core.lab.exercises.catalogue.gluing import MERGE
from mha_core.lab.exercises.catalogue.many_heads import MULTI_HEAD
from mha_core.lab.exercises.exercise import Exercise, made_of
from mha_core.lab.exercises.heads_to_find import COSTLY, ROBUST
from mha_core.lab.exercises.maps_to_read import BACK
from mha_core.multihead import merge_heads, multi_head_attention, split_heads

D, H = 768, 12
FAULT = Exercise(
    name="fault",
    kind="number",
    right=4,
    mistakes=(
        (10, sentence("then T holds 4, and 160 numbers do not fit into (4, 16)")),
        (1, sentence("then T holds 4; count the numbers on both sides of reshape")),
        (16, sentence("that is the width; which axis does the name T get?")),
    ),
    hints=(
        sentence("which number does the name T hold after that line?"),
        sentence("the first axis of heads counts the heads."),
        sentence("reshape can only work if T is the number of heads."),
    ),
    solution="answer = 4",
    praise=sentence("it runs only if T equals h, and a test with T = h would pass."),
)

MERGING = Exercise(
    name="merge",
    right=lambda heads: merge_heads(heads),
    hints=(
        sentence("position 0 of the result holds position 0 of every head."),
        sentence("move the head axis back before you reshape."),
        sentence("swapaxes(0, 1) gives (T, h, d_k); the last two axes become one."),
    ),
    solution="""def answer(heads):
    h, T, d_k = heads.shape
    return heads.swapaxes(0, 1).reshape(T, h * d_k)
""",
    praise=sentence("first the axis, then the reshape."),
    **made_of(MERGE),
)

PARAMETERS = Exercise(
    name="parameters",
    kind="number",
    right=4 * D * (D + 1),
    mistakes=(
        (4 * D * D, sentence("the biases are missing")),
        (D * (D + 1), sentence("that is one of the four projections")),
        (3 * D * (D + 1), sentence("W_O counts as well")),
        (3 * D * D, sentence("W_O counts as well, and so do the biases")),
        (H * 4 * D * (D + 1), sentence("the heads share these: do not multiply by h")),
        (4 * D * D + D, sentence("each of the four projections has a bias")),
    ),
    hints=(
        sentence("does the number of heads matter?"),
        sentence("there are four matrices, and a vector of biases for each."),
        sentence("four times d_model rows and one more, of d_model numbers."),
    ),
    solution="answer = 4 * 768 * 768 + 4 * 768",
    praise=sentence("{right:,} for any number of heads.", right=4 * D * (D + 1)),
)

WHO = Exercise(
    name="who",
    kind="choice",
    right="merge",
    mistakes=(
        ("split", sentence("then output 0 would see tokens 0 and 3, one of each half")),
        ("mask", sentence("a wrong mask moves the diagonal, it does not repeat rows")),
    ),
    hints=(
        sentence("try the bugs of the explorer with the causal mask on."),
        sentence("which step makes rows of the output, after all heads have looked?"),
        sentence("the rows repeat: it is the last reshape that goes wrong."),
    ),
    solution='answer = "merge"',
    praise=sentence("each row of the output holds one head of several positions."),
)

SPLITTING = Exercise(
    name="split",
    right=lambda x, h: split_heads(x, h),
    hints=(
        sentence("x has the shape (T, d_model); each of h heads gets d_model / h."),
        sentence("cut the last axis in two: (T, h, d_k)."),
        sentence("then exchange the first two axes: (h, T, d_k)."),
    ),
    solution="""def answer(x, h):
    T, d_model = x.shape
    return x.reshape(T, h, d_model // h).swapaxes(0, 1)
""",
    praise=sentence("each head holds neighbouring features of all positions."),
    **made_of(SPLIT),
)

HEADS = Exercise(
    name="multi_head",
    right=lambda X, W_Q, W_K, W_V, W_O, h, mask: multi_head_attention(
        X, W_Q, W_K, W_V, W_O, h, mask
    )[0],
    hints=(
        sentence("project at full width first, then cut each into h heads."),
        sentence("in each head: scores, root of d_k, mask, softmax, values."),
        sentence("put the heads side by side, (T, d_model), and multiply with W_O."),
    ),
    solution="""import numpy as np

def answer(X, W_Q, W_K, W_V, W_O, h, mask):
    d_k, heads = W_Q.shape[1] // h, []
    for i in range(h):
        part = slice(i * d_k, (i + 1) * d_k)
        query, key, value = X @ W_Q[:, part], X @ W_K[:, part], X @ W_V[:, part]
        scores = np.where(mask, query @ key.T / d_k**0.5, -np.inf)
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        heads.append(weights / weights.sum(axis=-1, keepdims=True) @ value)
    return np.concatenate(heads, axis=-1) @ W_O
""",
    praise=sentence("split, attend, merge, mix: the whole layer."),
    **made_of(MULTI_HEAD, "X"),
)
EXERCISES = (
    *(FAULT, MERGING, PARAMETERS, WHO),
    *(SPLITTING, HEADS, COSTLY, ROBUST, BACK),
)
