"""Exercises of lesson 4: splitting attention into heads."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.exercise import Exercise, drawn, pairs
from mha_core.multihead import merge_heads

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
    ),
    solution="answer = 4",
    praise=sentence("it runs only if T equals h, and a test with T = h would pass."),
)

MERGE = Exercise(
    name="merge",
    kind="function",
    right=lambda heads: merge_heads(heads),
    probes=(drawn((2, 3, 4)), drawn((3, 5, 2))),
    mistakes=pairs(
        lambda heads: heads.reshape(heads.shape[1], -1),
        sentence("the heads are still the first axis: move it back"),
        lambda heads: heads.swapaxes(0, 2).reshape(heads.shape[2], -1),
        sentence("swap heads and positions, not the width"),
        lambda heads: np.moveaxis(heads, 0, 2).reshape(heads.shape[1], -1),
        sentence("keep the numbers of a head together"),
        lambda heads: heads.swapaxes(0, 1),
        sentence("the axis is where it belongs; now put the heads side by side"),
        lambda heads: np.concatenate([heads[0], heads[1]], axis=-1),
        sentence("put all heads side by side, not always two"),
        lambda heads: heads.reshape(-1, heads.shape[2]),
        sentence("put the heads side by side, not below one another"),
        lambda heads: heads.mean(axis=0),
        sentence("put the heads side by side, do not average them"),
        lambda heads: heads.sum(axis=0),
        sentence("put the heads side by side, do not add them up"),
    ),
    hints=(
        sentence("position 0 of the result holds position 0 of every head."),
        sentence("move the head axis back before you reshape."),
    ),
    solution="""def answer(heads):
    h, T, d_k = heads.shape
    return heads.swapaxes(0, 1).reshape(T, h * d_k)
""",
    praise=sentence("first the axis, then the reshape."),
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
    ),
    solution='answer = "merge"',
    praise=sentence("each row of the output holds one head of several positions."),
)
EXERCISES = (FAULT, MERGE, PARAMETERS, WHO)
