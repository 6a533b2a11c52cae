"""Cross-attention in steps: one sequence asks, another one answers."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.catalogue.attending import ATTEND, RETURNS, UNMASKED
from mha_core.lab.exercises.catalogue.comparing import OTHER_SCORES, scaled_by
from mha_core.lab.exercises.catalogue.mixing import OTHER_VALUES
from mha_core.lab.exercises.stepwise import Formula, drawn, slip

CROSSED = (
    slip(
        sentence("the roles are exchanged: x asks, memory gives keys and values"),
        query=lambda a: a.memory @ a.W_Q,
        key=lambda a: a.x @ a.W_K,
        value=lambda a: a.x @ a.W_V,
    ),
    slip(
        sentence("that is self-attention of x; keys and values come from memory"),
        key=lambda a: a.x @ a.W_K,
        value=lambda a: a.x @ a.W_V,
    ),
    slip(
        sentence("that is self-attention of memory; x asks"),
        query=lambda a: a.memory @ a.W_Q,
    ),
    slip(
        sentence("the keys come from x; they belong to memory, as the values do"),
        key=lambda a: a.x @ a.W_K,
    ),
    slip(
        sentence("the values come from x; they belong to memory, as the keys do"),
        value=lambda a: a.x @ a.W_V,
    ),
    slip(
        sentence("the queries are made with W_K; W_Q makes them"),
        query=lambda a: a.x @ a.W_K,
    ),
    slip(
        sentence("the keys stand where the values belong: values are memory @ W_V"),
        value=lambda a: a.memory @ a.W_K,
    ),
    slip(
        sentence("x is compared with the values: the keys are memory @ W_K"),
        key=lambda a: a.memory @ a.W_V,
    ),
    slip(
        sentence("the keys are made with W_Q; W_K makes them"),
        {"key": lambda a: a.memory @ a.W_Q},
        {"key": lambda a: a.memory @ a.W_Q, "query": lambda a: a.x @ a.W_K},
    ),
    slip(
        sentence("the values are made with W_Q; W_V makes them"),
        value=lambda a: a.memory @ a.W_Q,
    ),
    slip(
        sentence("keys and values are exchanged: W_K makes the keys"),
        key=lambda a: a.memory @ a.W_V,
        value=lambda a: a.memory @ a.W_K,
    ),
    slip(
        sentence("nothing is projected: W_Q, W_K and W_V come first"),
        query=lambda a: a.x,
        key=lambda a: a.memory,
        value=lambda a: a.memory,
    ),
    slip(
        sentence("the values are not projected: memory @ W_V"),
        value=lambda a: a.memory,
    ),
    slip(
        sentence("the keys are not projected: memory @ W_K"),
        key=lambda a: a.memory,
    ),
    slip(
        sentence("the queries are not projected: x @ W_Q"),
        query=lambda a: a.x,
    ),
    slip(
        sentence("the matrices are turned; arrays multiply as x @ W here, without .T"),
        query=lambda a: a.x @ a.W_Q.T,
        key=lambda a: a.memory @ a.W_K.T,
        value=lambda a: a.memory @ a.W_V.T,
    ),
    slip(
        sentence("a causal mask is applied; all of memory may be seen at any time"),
        {"mask": lambda a: np.tri(len(a.x), len(a.memory), dtype=bool)},
        {"mask": lambda a: np.tri(len(a.memory), len(a.x), dtype=bool).T},
    ),
    slip(
        sentence("divide by the root of d_k, the width of a key, not of d_model"),
        scaled_by(lambda a: np.sqrt(a.x.shape[-1])),
    ),
    slip(
        sentence("x is added to the output; that belongs to the block"),
        output=lambda a: a.x + a.kept @ a.value,
    ),
)

CROSS = Formula(
    inputs="x memory W_Q W_K W_V",
    steps={
        "query": lambda a: a.x @ a.W_Q,
        "key": lambda a: a.memory @ a.W_K,
        "value": lambda a: a.memory @ a.W_V,
        "mask": lambda a: np.True_,
        **ATTEND,
    },
    slips=(*CROSSED, *OTHER_SCORES[:3], *OTHER_VALUES[1:], *UNMASKED, *RETURNS),
    draw=lambda T_q, T_k, d, d_k: drawn((T_q, d), (T_k, d), *3 * [(d, d_k)]),
    sizes=((3, 4, 5, 2), (4, 2, 3, 5), (4, 4, 5, 3), (3, 5, 4, 4), (3, 3, 3, 3)),
)
