"""The feed-forward layer of a block, and what readers do otherwise."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.stepwise import slip


def think(a, x, between=lambda x: np.maximum(x, 0)):
    """Return the feed-forward layer of x, with any function between its halves."""
    W_1, b_1, W_2, b_2 = (a.p[f"think {name}"] for name in ("W_1", "b_1", "W_2", "b_2"))
    return between(x @ W_1 + b_1) @ W_2 + b_2


THINKING = (
    slip(
        sentence("ReLU is missing between the two halves of the feed-forward layer"),
        thought=lambda a: think(a, a.again, lambda x: x),
    ),
    slip(
        sentence("between the halves of the feed-forward layer stands ReLU, max(x, 0)"),
        *(
            {"thought": lambda a, f=f: think(a, a.again, f)}
            for f in (
                np.tanh,
                lambda x: 1 / (1 + np.exp(-x)),
                np.abs,
                lambda x: np.minimum(x, 0),
                lambda x: np.maximum(x, 0.01 * x),
                lambda x: np.maximum(x, 0.1 * x),
                lambda x: x / (1 + np.exp(-x)),
                lambda x: 0.5 * x * (1 + np.tanh(0.7978845608 * (x + 0.044715 * x**3))),
                np.exp,
                lambda x: np.maximum(x, 0) ** 2,
            )
        ),
    ),
    slip(
        sentence("ReLU stands at the end as well; only between the halves"),
        {"thought": lambda a: np.maximum(think(a, a.again), 0)},
        {"result": lambda a: np.maximum(a.added + a.thought, 0)},
        {"thought": lambda a: np.maximum(think(a, a.again, lambda x: x), 0)},
    ),
    slip(
        sentence("the biases of the feed-forward layer are missing"),
        {"thought": lambda a: _bare(a, 0, 0)},
        {"thought": lambda a: _bare(a, 1, 0)},
        {"thought": lambda a: _bare(a, 0, 1)},
    ),
    slip(
        sentence("the feed-forward layer is missing"),
        result=lambda a: a.added,
    ),
)


def _bare(a, first, second):
    names = ("W_1", "b_1", "W_2", "b_2")
    W_1, b_1, W_2, b_2 = (a.p[f"think {name}"] for name in names)
    return np.maximum(a.again @ W_1 + first * b_1, 0) @ W_2 + second * b_2
