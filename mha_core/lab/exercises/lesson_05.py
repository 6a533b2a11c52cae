"""Exercises of lesson 5: self-attention."""

import numpy as np

from mha_core.lab.exercises.compare import differs, not_chosen
from mha_core.lab.exercises.exercise import Exercise
from mha_core.masking import causal_mask


def _check_causal(function):
    return _causal_of(function, 5) or _causal_of(function, 3)


def _causal_of(function, T):
    later = causal_mask(T, offset=1)
    earlier = causal_mask(T, offset=-1)
    mistakes = [
        (causal_mask(T).T, "that hides the past: j runs along the columns"),
        (~causal_mask(T), "true means may attend: turn it round"),
        (later, "one step of the future can be seen"),
        (earlier, "a position may see itself"),
        (np.ones((T, T)), "nothing is hidden"),
    ]
    return differs(function(T), causal_mask(T), mistakes)


def _check_leak(answer):
    return not_chosen(
        answer,
        "b",
        {
            "a": "no output of a sees a later token",
            "c": "each output of c sees only its own token: no leak",
        },
    )


def _check_shapes(answer):
    right = [(4, 6, 6), (4, 3, 3), (4, 3, 6)]
    mistakes = [
        ([(4, 6, 6), (4, 3, 3), (4, 6, 3)], "rows are queries: the phonemes ask"),
        (
            [(4, 6, 6), (4, 6, 6), (4, 3, 6)],
            "second: phonemes look at phonemes, not at letters",
        ),
        ([(6, 6), (3, 3), (3, 6)], "the four heads are missing"),
    ]
    return differs(answer, right, mistakes)


def _check_path(answer):
    return differs(
        answer,
        19,
        [
            (20, "the path begins at the first letter: do not count it"),
            (1, "that is the path in self-attention; what is it in the recurrent one?"),
            (18, "count the steps, not the letters between"),
        ],
    )


EXERCISES = (
    Exercise(
        name="causal",
        check=_check_causal,
        hint="compare a column of row numbers with a row of column numbers.",
        solution=(
            "import numpy as np\n\n\n"
            "def answer(T):\n"
            "    return np.arange(T) <= np.arange(T)[:, None]"
        ),
        right="position i sees j up to i.",
        wrong=(
            (lambda T: np.arange(T) >= np.arange(T)[:, None], "past"),
            (lambda T: np.arange(T) > np.arange(T)[:, None], "turn it round"),
            (lambda T: np.tri(T, k=1), "future"),
            (lambda T: np.tri(T, k=-1), "itself"),
            (lambda T: np.ones((T, T)), "nothing"),
            (lambda T: np.tri(5), "its shape is (5, 5); expected (3, 3)"),
        ),
    ),
    Exercise(
        name="leak",
        check=_check_leak,
        hint="look to the right of the diagonal.",
        solution='answer = "b"',
        right="output 1 of b sees token 2.",
        wrong=(("a", "no output"), ("c", "no leak")),
    ),
    Exercise(
        name="shapes",
        check=_check_shapes,
        hint="each is (heads, who asks, who is asked).",
        solution="answer = [(4, 6, 6), (4, 3, 3), (4, 3, 6)]",
        right="letters on letters, phonemes on phonemes, phonemes on letters.",
        wrong=(
            ([(4, 6, 6), (4, 3, 3), (4, 6, 3)], "phonemes ask"),
            ([(4, 6, 6), (4, 6, 6), (4, 3, 6)], "not at letters"),
            ([(6, 6), (3, 3), (3, 6)], "heads"),
        ),
    ),
    Exercise(
        name="path",
        check=_check_path,
        hint="one step for each letter after the first.",
        solution="answer = 20 - 1",
        right="and 1 in self-attention.",
        wrong=((20, "do not count"), (1, "self-attention"), (18, "between")),
    ),
)
