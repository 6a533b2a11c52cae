"""What follows the heads, merged and mixed, and what readers do otherwise."""

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.catalogue.gluing import GLUES
from mha_core.lab.exercises.catalogue.weighing import softmax
from mha_core.lab.exercises.stepwise import slip


def merged_by(way):
    """Return the step that puts the heads together in another way."""
    return {"merged": lambda a: way(a.output)}


AFTER = (
    *(slip(said, *map(merged_by, ways)) for said, *ways in GLUES),
    slip(
        sentence("W_O is forgotten: it mixes the heads at the end"),
        result=lambda a: a.merged,
    ),
    slip(
        sentence("W_O is turned: merged @ W_O, without .T"),
        {"result": lambda a: a.merged @ a.W_O.T},
        {"result": lambda a: a.W_O @ a.merged},
        {"result": lambda a: a.W_O.T @ a.merged},
    ),
    slip(
        sentence("another matrix stands where W_O belongs"),
        *(
            {"result": lambda a, name=name: a.merged @ getattr(a, name)}
            for name in ("W_V", "W_Q", "W_K")
        ),
    ),
    slip(
        sentence("W_O is used twice"),
        result=lambda a: a.merged @ a.W_O @ a.W_O,
    ),
    slip(
        sentence("the input is added to the output; that belongs to the block"),
        result=lambda a: a.X + a.merged @ a.W_O,
    ),
    slip(
        sentence("the output goes through a softmax; leave it out"),
        result=lambda a: softmax(a.merged @ a.W_O),
    ),
    slip(
        sentence("all heads meet the first rows of W_O; each has rows of its own"),
        {"result": lambda a: _with_rows(a, 0)},
        {"result": lambda a: _with_rows(a, 0) / a.h},
        {"result": lambda a: _with_rows(a, 1 - a.h)},
    ),
    slip(
        sentence("these are the weights; the output is wanted first"),
        {"result": lambda a: a.weights},
        {"result": lambda a: a.weights.mean(axis=0)},
    ),
    slip(
        sentence("these are the heads; merge them, then W_O"),
        result=lambda a: a.output,
    ),
)


def _with_rows(a, at):
    d_k = a.output.shape[-1]
    rows = a.W_O[:d_k] if at == 0 else a.W_O[-d_k:]
    return a.output.sum(axis=0) @ rows
