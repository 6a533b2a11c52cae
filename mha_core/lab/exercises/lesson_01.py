"""Exercises of lesson 1: the bottleneck."""

import numpy as np

from mha_core.lab.exercises.compare import differs
from mha_core.lab.exercises.exercise import Exercise


def _check_passed_on(answer):
    return differs(
        answer,
        84,
        [
            (
                15 * 84,
                "the encoder has that many numbers, but it passes on only the last",
            ),
            ([1, 84], "give the number, not the shape"),
            ([84], "give the number, not the shape"),
            (42, "that is one direction; both of them are passed on"),
            (15 * 42, "count the last states only, and both directions"),
            (15, "that is the number of letters; count the numbers that are passed on"),
        ],
    )


def _check_last_states(function):
    return _last_states_of(function, 3) or _last_states_of(function, 2)


def _last_states_of(function, n):
    states = np.arange(8.0 * n).reshape(4, 2 * n)  # (T, 2 n)
    right = np.concatenate([states[-1, :n], states[0, n:]])
    right_swapped = np.concatenate([states[0, :n], states[-1, n:]])
    mistakes = [
        (right_swapped, "each half is taken at the end where it starts reading"),
        (states[-1], "at the last letter the backward half has read one letter only"),
        (states[0], "at the first letter the forward half has read one letter only"),
        (
            states.mean(axis=0),
            "the mean of all states is another message; take the last",
        ),
        (np.roll(right, n), "put the forward half first"),
        (
            np.concatenate([states[-1, :3], states[0, 3:]]),
            "n is half of the width of these states, not always the same number",
        ),
    ]
    return differs(function(states), right, mistakes)


def _check_phoneme_error(answer):
    return differs(
        answer,
        0.5,
        [
            (
                0.4,
                "divide by the phonemes of the dictionary, not by those of the model",
            ),
            (2, "that is the number of edits; divide it by the dictionary's phonemes"),
            (0.25, "two edits are needed: one phoneme differs and one is too many"),
            (50, "give a fraction, not per cent"),
        ],
        rtol=1e-3,
    )


def _check_fading(answer):
    return differs(
        answer,
        0.8**14,
        [
            (0.8**15, "from the last of 15 letters to the first there are 14 steps"),
            (0.8 * 14, "the factors of the steps are multiplied, not added"),
            (0.8 / 14, "the factors of the steps are multiplied"),
            (1 - 0.8**14, "that is what is lost; what is left?"),
        ],
        rtol=0.1,
    )


EXERCISES = (
    Exercise(
        name="passed_on",
        check=_check_passed_on,
        hint="look at the shape of the last states; does it depend on the word?",
        solution="answer = 2 * 42",
        right="84 numbers, for every word.",
        wrong=(
            (1260, "only the last"),
            ([1, 84], "not the shape"),
            (42, "both"),
            (630, "both directions"),
            (15, "number of letters"),
        ),
    ),
    Exercise(
        name="last_states",
        check=_check_last_states,
        hint="forward ends at the last letter, backward at the first.",
        solution=(
            "import numpy as np\n\n\n"
            "def answer(states):\n"
            "    n = states.shape[-1] // 2\n"
            "    return np.concatenate([states[-1, :n], states[0, n:]])"
        ),
        right="each direction ends where the other one began.",
        wrong=(
            (
                lambda states: np.concatenate([states[0, :3], states[-1, 3:]]),
                "starts reading",
            ),
            (lambda states: states[-1], "backward half"),
            (lambda states: states[0], "forward half"),
            (lambda states: states.mean(axis=0), "mean"),
            (lambda states: np.concatenate([states[0, 3:], states[-1, :3]]), "first"),
            (lambda states: [*states[-1, :3], *states[0, 3:]], "not always"),
        ),
    ),
    Exercise(
        name="phoneme_error",
        check=_check_phoneme_error,
        hint="count changes, insertions and deletions; divide by 4.",
        solution="answer = 2 / 4",
        right="two edits over four phonemes of the dictionary.",
        wrong=(
            (0.4, "dictionary"),
            (2, "divide"),
            (0.25, "two edits"),
            (50, "fraction"),
        ),
    ),
    Exercise(
        name="fading",
        check=_check_fading,
        hint="how many steps lie between the last and the first of 15 letters?",
        solution="answer = 0.8**14",
        right="about 4 per cent is left.",
        wrong=(
            (0.8**15, "14 steps"),
            (11.2, "multiplied"),
            (0.8 / 14, "multiplied"),
            (1 - 0.8**14, "what is left"),
        ),
    ),
)
