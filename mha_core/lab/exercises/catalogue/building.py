"""The formulas of a network that a reader builds: as in other lessons, and a bit more.

The softmax takes a mask, heads may look at another sequence, the block hands a mask on,
and the loss leaves padding out.
"""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.catalogue.attending import ATTEND, WEIGHTS, some_visible
from mha_core.lab.exercises.catalogue.block_parts import BLOCK, weights
from mha_core.lab.exercises.catalogue.hiding import HOW, WHICH
from mha_core.lab.exercises.catalogue.losing import LOSING, LOSS
from mha_core.lab.exercises.catalogue.many_heads import (
    CRASHES,
    INSIDE,
    MANY,
    SPLITS,
    projections,
)
from mha_core.lab.exercises.catalogue.merging import AFTER
from mha_core.lab.exercises.catalogue.stacking import AROUND, attend
from mha_core.lab.exercises.catalogue.weighing import shares
from mha_core.lab.exercises.stepwise import Formula, Slip, drawn, slip


def scores_and_mask(T_q, T_k):
    """Return scores, those of the last row large, and a mask."""
    (scores,) = drawn((T_q, T_k))
    large = np.concatenate([scores[:-1], 500 * (3 + scores[-1:])])
    return large, some_visible(T_q, T_k)


MASKED_SOFTMAX = Formula(
    inputs="scaled mask",
    steps={"scores": lambda a: a.scaled}
    | {name: ATTEND[name] for name in ("hidden", "weights", "kept")},
    slips=(
        *(*WHICH, *HOW, *WEIGHTS),
        slip(
            sentence("large scores overflow in exp: take the largest of the row away"),
            weights=lambda a: shares(np.exp(a.hidden)),
        ),
    ),
    draw=scores_and_mask,
    sizes=((3, 5), (4, 2), (4, 4)),
)


def two_sequences(T, h, d_k):
    """Return X, four matrices, h, a mask, and the sequence that is looked at."""
    return *projections(T, h, d_k), drawn((T + 1, h * d_k))[0][1:]


HEADS_OVER_KEY = Formula(
    inputs="X W_Q W_K W_V W_O h mask source",
    steps=MANY | {"K": lambda a: a.source @ a.W_K, "V": lambda a: a.source @ a.W_V},
    slips=(
        slip(
            sentence("key is ignored: keys and values are key @ W_K and key @ W_V"),
            K=lambda a: a.X @ a.W_K,
            V=lambda a: a.X @ a.W_V,
        ),
        slip(
            sentence("the values come from key as well: key @ W_V"),
            V=lambda a: a.X @ a.W_V,
        ),
        slip(
            sentence("the keys come from key as well: key @ W_K"),
            K=lambda a: a.X @ a.W_K,
        ),
        slip(
            sentence("the queries come from X: X @ W_Q"),
            Q=lambda a: a.source @ a.W_Q,
        ),
        *(*SPLITS, *INSIDE, *AFTER, *WHICH, *HOW, *WEIGHTS),
    ),
    crashes=CRASHES,
    draw=two_sequences,
    sizes=((3, 2, 4), (5, 3, 2), (4, 4, 3), (6, 2, 3), (3, 3, 3), (2, 2, 2)),
)


def _felt(slip):
    """Return a slip without the ways that hardly change a number here.

    What is normalised second is a sum that is not small, so that an epsilon under its
    root is not felt.
    """
    if "epsilon" not in slip.said:
        return slip
    ways = (way for way in slip.ways if way.keys() != {"again"})
    return Slip(slip.said, tuple(ways))


BLOCK_WITH_MASK = Formula(
    inputs="x p h mask",
    steps=BLOCK.steps,
    slips=(
        slip(
            sentence("the mask is not handed on to attention"),
            seen=lambda a: attend(_without_mask(a), a.normal),
        ),
        *AROUND,
    ),
    rare=tuple(map(_felt, BLOCK.rare)),
    crashes=BLOCK.crashes,
    draw=lambda T, h, d_k, d_ff: (*weights(T, h, d_k, d_ff), some_visible(T, T)),
    sizes=BLOCK.sizes,
)


def _without_mask(a):
    """Return the same names, with a mask that hides nothing."""
    return type(a)(**{**vars(a), "mask": np.True_})


def with_padding(B, V):
    """Return logits, targets, and which of them count."""
    logits, target = LOSS.draw(B, V)
    return logits, target, np.arange(B) % 3 != 2


COUNTED_LOSS = Formula(
    inputs="logits target counted",
    steps=LOSS.steps
    | {"loss": lambda a: (a.surprise * a.counted).sum() / a.counted.sum()},
    slips=(
        slip(
            sentence("padding counts too: leave out what counted says is false"),
            loss=lambda a: a.surprise.mean(),
        ),
        slip(
            sentence("divide by the number of places that count, not by all"),
            loss=lambda a: (a.surprise * a.counted).mean(),
        ),
        slip(
            sentence("only padding counts: true means that a place counts"),
            loss=lambda a: a.surprise[~a.counted].mean(),
        ),
        *LOSING,
    ),
    draw=with_padding,
    sizes=((4, 3), (7, 5), (5, 5)),
)
