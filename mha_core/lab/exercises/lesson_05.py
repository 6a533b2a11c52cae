"""Exercises of lesson 5: self-attention."""

from mha_core._checks.sentences import sentence
from mha_core.attention import scaled_dot_product_attention
from mha_core.blocks import positions
from mha_core.lab.exercises.asking_back import SAME_END
from mha_core.lab.exercises.catalogue.ordering import CAUSAL as CAUSAL_ATTENTION
from mha_core.lab.exercises.catalogue.placing import POSITIONS
from mha_core.lab.exercises.catalogue.triangles import CAUSAL_MASK
from mha_core.lab.exercises.exercise import Exercise, made_of
from mha_core.lab.exercises.maps_to_read import leaking_maps
from mha_core.lab.exercises.shapes_of_three import SHAPES
from mha_core.masking import causal_mask


def causal(X, W_Q, W_K, W_V):
    """Return what causal self-attention with positions makes of X, (T, d_v)."""
    X = X + positions(*X.shape)
    mask = causal_mask(len(X))
    return scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V, mask=mask)[0]


CAUSAL = Exercise(
    name="causal",
    right=lambda T: causal_mask(T),
    hints=(
        sentence("compare a column of row numbers with a row of column numbers."),
        sentence("position i may see j if j is not larger than i."),
        sentence("np.arange(T) once as a row, once as a column: [:, None]."),
    ),
    solution="""import numpy as np

def answer(T):
    return np.arange(T) <= np.arange(T)[:, None]
""",
    praise=sentence("position i sees j up to i."),
    **made_of(CAUSAL_MASK),
)

LEAK = Exercise(
    name="leak",
    kind="choice",
    right="b",
    mistakes=(
        ("a", sentence("no output of a sees a later token")),
        ("c", sentence("each output of c sees only its own token: no leak")),
    ),
    hints=(
        sentence("look to the right of the diagonal."),
        sentence("output i of a causal layer moves with tokens 0 to i only."),
        sentence("one map has a dark cell above the diagonal."),
    ),
    picture=leaking_maps,
    solution='answer = "b"',
    praise=sentence("output {i} of b sees token {j}.", i=1, j=2),
)

PATH = Exercise(
    name="path",
    kind="number",
    right=19,
    mistakes=(
        (20, sentence("one too many: do not count the first letter, where it begins")),
        (21, sentence("two too many: one step for each letter after the first")),
        (18, sentence("one too few: count the steps, not the letters between")),
        (1, sentence("that is self-attention; what is it in the recurrent one?")),
    ),
    hints=(
        sentence("two letters are one step apart, three letters two steps."),
        sentence("one step for each letter after the first."),
        sentence("the last of 20 letters is 19 steps away."),
    ),
    solution="answer = 20 - 1",
    praise=sentence("{right} steps here, and 1 in self-attention.", right=19),
)

PLACING = Exercise(
    name="positions",
    right=lambda T, d_model: positions(T, d_model),
    hints=(
        sentence("a row for each place, a pair of columns for each rate."),
        sentence("pair i has the rate 10000 ** (-2 i / d_model); i counts from 0."),
        sentence("sines go into [:, 0::2], cosines of the same angles into [:, 1::2]."),
    ),
    solution="""import numpy as np

def answer(T, d_model):
    rates = 10000 ** (-np.arange(0, d_model, 2) / d_model)
    angles = np.arange(T)[:, None] * rates
    table = np.zeros((T, d_model))
    table[:, 0::2], table[:, 1::2] = np.sin(angles), np.cos(angles)
    return table
""",
    praise=sentence("hands of clocks that turn at different rates."),
    **made_of(POSITIONS),
)

LOOKING_BACK = Exercise(
    name="causal_attention",
    right=lambda X, W_Q, W_K, W_V: causal(X, W_Q, W_K, W_V),
    hints=(
        sentence("first X + positions(T, d_model); then project: Q, K and V."),
        sentence("scores over the root of d_k; hide all j > i with minus infinity."),
        sentence("softmax by rows, then weights @ V."),
    ),
    solution="""import numpy as np
from mha_core.blocks import positions

def answer(X, W_Q, W_K, W_V):
    X = X + positions(*X.shape)
    query, key, value = X @ W_Q, X @ W_K, X @ W_V
    scores = query @ key.T / key.shape[-1] ** 0.5
    scores = np.where(np.tri(len(X), dtype=bool), scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ value
""",
    praise=sentence("in order, and without a look ahead: what a writer needs."),
    **made_of(CAUSAL_ATTENTION, "X"),
)
EXERCISES = (
    *(CAUSAL, LEAK, SHAPES, PATH),
    *(PLACING, LOOKING_BACK, SAME_END),
)
