"""Exercises of lesson 9: symptoms and their bugs, sizes and what they cost."""

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.catalogue.sparing import SHARED, WINDOW
from mha_core.lab.exercises.exercise import Exercise, made_of
from mha_core.lab.exercises.sizes_to_find import OUTGROWN
from mha_core.lab.exercises.symptoms import (
    FIRST_STEP,
    LOWER,
    ONE_SIZE,
    PADDED,
    TOO_GOOD,
)

T, D_MODEL, H, GROUPS = 1024, 768, 12, 4  # of the layer that is sized
D_K, BYTES = D_MODEL // H, 2  # of each number in float16

CACHE = Exercise(
    name="cache",
    kind="number",
    right=2 * T * D_MODEL * BYTES,
    mistakes=(
        (
            T * D_MODEL * BYTES,
            sentence("half of it: keys and values are kept, each number in two bytes"),
        ),
        (2 * T * D_K * BYTES, sentence("that is a single head; all of them are kept")),
        (
            H * T * T * BYTES,
            sentence("those are the scores; kept are keys and values"),
        ),
    ),
    hints=(
        sentence("what does a new token need of those before it?"),
        sentence("keys and values, each as wide as the model, for each token."),
        sentence("two, times tokens, times the width, times two bytes."),
    ),
    solution=f"answer = 2 * {T} * {D_MODEL} * {BYTES}",
    praise=sentence("{right:,} bytes for one layer.", right=2 * T * D_MODEL * BYTES),
)

GROUPED = Exercise(
    name="grouped",
    kind="number",
    right=2 * T * GROUPS * D_K * BYTES,
    mistakes=(
        (
            2 * T * D_MODEL * BYTES,
            sentence("that is with as many keys and values as queries have heads"),
        ),
        (
            2 * T * D_K * BYTES,
            sentence("that is a single head of keys and values; here are some"),
        ),
        (
            2 * T * D_MODEL * BYTES // GROUPS,
            sentence("divide by how many queries share, not by how many groups are"),
        ),
    ),
    hints=(
        sentence("only heads of keys and values are kept, each d_k wide."),
        sentence("the queries keep their heads; how many of the others are there?"),
        sentence("two, times tokens, times groups, times d_k, times two bytes."),
    ),
    solution=f"answer = 2 * {T} * {GROUPS} * {D_K} * {BYTES}",
    praise=sentence("{right:,} bytes.", right=2 * T * GROUPS * D_K * BYTES),
)

WINDOWED = Exercise(
    name="window",
    right=lambda query, key, value, w: WINDOW.work((query, key, value, w), {}),
    hints=(
        sentence("token i sees itself and the w - 1 tokens before it."),
        sentence("i - j says how far key j lies behind: at least 0, less than w."),
        sentence("what is not in the window becomes minus infinity; then softmax."),
    ),
    solution="""import numpy as np
from mha_core import scaled_dot_product_attention

def answer(query, key, value, w):
    behind = np.arange(len(key))[:, None] - np.arange(len(key))
    seen = (behind >= 0) & (behind < w)
    return scaled_dot_product_attention(query, key, value, mask=seen)[0]
""",
    praise=sentence("the cost now grows with the length, not with its square."),
    **made_of(WINDOW, "value"),
)

SHARING = Exercise(
    name="shared_heads",
    right=lambda Q, K, V: SHARED.work((Q, K, V), {}),
    hints=(
        sentence("h heads of queries, fewer of keys: how many share one of them?"),
        sentence("len(Q) // len(K) heads beside each other share one."),
        sentence("np.repeat along axis 0 makes as many keys as queries; values, too."),
    ),
    solution="""import numpy as np
from mha_core import scaled_dot_product_attention

def answer(Q, K, V):
    K, V = (np.repeat(x, len(Q) // len(K), axis=0) for x in (K, V))
    return scaled_dot_product_attention(Q, K, V)[0]
""",
    praise=sentence("the queries keep their heads; keys and values are kept once."),
    **made_of(SHARED),
)

EXERCISES = (
    *(TOO_GOOD, FIRST_STEP, ONE_SIZE, LOWER, PADDED),
    *(OUTGROWN, CACHE, GROUPED, WINDOWED, SHARING),
)
