"""Functions as students write them: 132 wrong ones, and 40 right ones.

They were written after the catalogue of mistakes, in other forms than its own.
"""

from . import (
    attention_1,
    attention_2,
    attention_right,
    blocks,
    cuts,
    head_matrices,
    heads,
    heads_right,
    norms,
    orders,
    places,
    sequences,
    steps,
)
from .heard import RIGHT, WRONG

PARTS = (
    *(attention_1, attention_2, attention_right, blocks, cuts),
    *(head_matrices, heads, heads_right, norms, orders, places, sequences, steps),
)
__all__ = ["PARTS", "RIGHT", "WRONG"]
