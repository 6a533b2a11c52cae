"""Exercises of lesson 7: attention, written by the reader."""

from dataclasses import replace

from mha_core._checks.sentences import sentence
from mha_core.attention import masked_softmax
from mha_core.blocks import encoder_block
from mha_core.lab.exercises.catalogue.building import (
    BLOCK_WITH_MASK,
    COUNTED_LOSS,
    HEADS_OVER_KEY,
    MASKED_SOFTMAX,
)
from mha_core.lab.exercises.exercise import Exercise, made_of
from mha_core.lab.exercises.lesson_03 import ATTENDING
from mha_core.lab.exercises.lesson_04 import HEADS, MERGING, SPLITTING
from mha_core.lab.exercises.lesson_06 import BLOCKING, NORMALISING
from mha_core.lab.exercises.letters_to_expect import CERTAIN, UNMASKED
from mha_core.lab.exercises.training_by_hand import TRAINING
from mha_core.losses import cross_entropy
from mha_core.multihead import multi_head_attention

WEIGHING = Exercise(
    name="masked_softmax",
    right=lambda scores, visible: masked_softmax(scores, visible),
    hints=(
        sentence("a hidden score becomes minus infinity, and exp of it is 0."),
        sentence("np.where(visible, scores, -np.inf), then exp, then shares."),
        sentence("take the largest of each row away first: axis -1, keepdims."),
    ),
    solution="""import numpy as np

def answer(scores, visible):
    scores = np.where(visible, scores, -np.inf)
    shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return shares / shares.sum(axis=-1, keepdims=True)
""",
    praise=sentence("each row sums to 1, and what is hidden weighs 0."),
    **made_of(MASKED_SOFTMAX),
)

ATTEND = replace(
    ATTENDING,
    name="attention",
    hints=(
        sentence("how well does each query suit each key? One product gives all."),
        sentence("divide by the root of d_k; your masked_softmax makes weights."),
        sentence("the output is weights @ value; give back output, weights."),
    ),
    solution="""import numpy as np
from mha_core.attention import masked_softmax

def answer(query, key, value, mask):
    scores = query @ np.swapaxes(key, -1, -2) / key.shape[-1] ** 0.5
    weights = masked_softmax(scores, mask)
    return weights @ value, weights
""",
)

MANY = replace(
    HEADS,
    right=lambda X, W_Q, W_K, W_V, W_O, h, mask, key: multi_head_attention(
        X, W_Q, W_K, W_V, W_O, h, mask, key=key
    )[0],
    hints=(
        sentence("X asks, key is asked: X @ W_Q, key @ W_K, key @ W_V."),
        sentence("split each into h heads, and give them to your attention."),
        sentence("merge what comes back, multiply with W_O; weights go with it."),
    ),
    solution="""from mha_core.attention import scaled_dot_product_attention
from mha_core.multihead import merge_heads, split_heads

def answer(X, W_Q, W_K, W_V, W_O, h, mask=None, key=None):
    key = X if key is None else key
    Q, K, V = (split_heads(x, h) for x in (X @ W_Q, key @ W_K, key @ W_V))
    heads, weights = scaled_dot_product_attention(Q, K, V, mask=mask)
    return merge_heads(heads) @ W_O, weights
""",
    praise=sentence("project, split, attend, merge, project."),
    tokens=("key",),
    formula=HEADS_OVER_KEY,
    probes=HEADS_OVER_KEY.probes,
    mistakes=HEADS_OVER_KEY.mistakes,
)

STACKING = replace(
    BLOCKING,
    right=lambda x, p, h, mask: encoder_block(x[None], p, h, mask)[0][0],
    solution="""from mha_core import multi_head_attention
from mha_core.blocks import feed_forward, layer_norm

def answer(x, p, h, mask):
    normal = layer_norm(x, p["self gain"], p["self shift"])
    matrices = [p[f"self {name}"] for name in ("W_Q", "W_K", "W_V", "W_O")]
    seen, weights = multi_head_attention(normal, *matrices, h, mask)
    x = x + seen
    normal = layer_norm(x, p["think gain"], p["think shift"])
    thinking = [p[f"think {name}"] for name in ("W_1", "b_1", "W_2", "b_2")]
    return x + feed_forward(normal, *thinking), weights
""",
    formula=BLOCK_WITH_MASK,
    probes=BLOCK_WITH_MASK.probes,
    mistakes=BLOCK_WITH_MASK.mistakes,
)

LOSING = Exercise(
    name="padded_loss",
    right=lambda logits, target, counted: cross_entropy(logits, target, counted),
    hints=(
        sentence("softmax in each row; the share of the right answer; minus its log."),
        sentence("shares[np.arange(len(target)), target] picks the right ones."),
        sentence("sum where counted is true, divided by how many count."),
    ),
    solution="""import numpy as np
from mha_core import softmax

def answer(logits, target, counted):
    shares = softmax(logits)[np.arange(len(target)), target]
    return -(np.log(shares) * counted).sum() / counted.sum()
""",
    praise=sentence("the mean surprise, without the padding."),
    **made_of(COUNTED_LOSS),
)

EXERCISES = (
    *(WEIGHING, ATTEND, SPLITTING, MERGING, MANY, NORMALISING, STACKING),
    *(LOSING, TRAINING, UNMASKED, CERTAIN),
)
