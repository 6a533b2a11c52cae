"""Exercises of lesson 4: splitting attention into heads."""

import numpy as np

from mha_core.lab.exercises.compare import differs, not_chosen
from mha_core.lab.exercises.exercise import Exercise
from mha_core.multihead import merge_heads


def _check_fault(answer):
    return differs(
        answer,
        4,
        [
            (10, "then T holds 4, and 160 numbers do not fit into (4, 16)"),
            (1, "then T holds 4; count the numbers on both sides of the reshape"),
            (16, "that is the width; which axis does the name T get?"),
        ],
    )


def _check_merge(function):
    heads = np.arange(24.0).reshape(2, 3, 4)  # (h, T, d_k)
    mistakes = [
        (heads.reshape(3, 8), "the heads are still the first axis: move it back"),
        (heads.swapaxes(0, 2).reshape(4, 6), "swap heads and positions, not the width"),
        (np.moveaxis(heads, 0, 2).reshape(3, 8), "keep the numbers of a head together"),
        (heads.mean(axis=0), "put the heads side by side, do not average them"),
        (heads.sum(axis=0), "put the heads side by side, do not add them up"),
    ]
    right = merge_heads(heads)
    return differs(function(heads), right, mistakes)


def _check_parameters(answer):
    return differs(
        answer,
        4 * 768 * 769,
        [
            (4 * 768 * 768, "the biases are missing"),
            (768 * 769, "that is one of the four projections"),
            (3 * 768 * 769, "W_O counts as well"),
            (3 * 768 * 768, "W_O counts as well, and so do the biases"),
            (
                12 * 4 * 768 * 769,
                "the heads share these: do not multiply by h",
            ),
            (4 * 768 * 768 + 768, "each of the four projections has a bias"),
        ],
        rtol=1e-9,
    )


def _check_who(answer):
    return not_chosen(
        answer,
        "merge",
        {
            "split": "then output 0 would see tokens 0 and 3, one of each half",
            "mask": "a wrong mask moves the diagonal, it does not repeat rows",
        },
    )


EXERCISES = (
    Exercise(
        name="fault",
        check=_check_fault,
        hint="which number does the name T hold after that line?",
        solution="answer = 4",
        right="it runs only if T equals h, and a test with T = h would pass.",
        wrong=((10, "T holds 4"), (1, "both sides"), (16, "width")),
    ),
    Exercise(
        name="merge",
        check=_check_merge,
        hint="position 0 of the result holds position 0 of every head.",
        solution=(
            "def answer(heads):\n"
            "    h, T, d_k = heads.shape\n"
            "    return heads.swapaxes(0, 1).reshape(T, h * d_k)"
        ),
        right="first the axis, then the reshape.",
        wrong=(
            (lambda heads: heads.reshape(heads.shape[1], -1), "move it back"),
            (lambda heads: heads.swapaxes(0, 2).reshape(4, 6), "not the width"),
            (lambda heads: np.moveaxis(heads, 0, 2).reshape(3, 8), "together"),
            (lambda heads: heads.mean(axis=0), "average"),
            (lambda heads: heads.sum(axis=0), "add them up"),
        ),
    ),
    Exercise(
        name="parameters",
        check=_check_parameters,
        hint="does the number of heads matter?",
        solution="answer = 4 * 768 * 768 + 4 * 768",
        right="for any number of heads.",
        wrong=(
            (2359296, "biases"),
            (590592, "one of the four"),
            (1771776, "W_O"),
            (1769472, "W_O counts as well, and"),
            (28348416, "do not multiply"),
            (2360064, "each of the four"),
        ),
    ),
    Exercise(
        name="who",
        check=_check_who,
        hint="try the bugs of the explorer with the causal mask on.",
        solution='answer = "merge"',
        right="each row of the output holds one head of several positions.",
        wrong=(("split", "0 and 3"), ("mask", "diagonal")),
    ),
)
