"""Exercises of lesson 1: the bottleneck."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.exercise import Exercise, drawn, pairs

SHARE = 0.8**14
PASSED_ON = Exercise(
    name="passed_on",
    kind="number",
    right=84,
    mistakes=(
        (15 * 84, sentence("the encoder has that many; it passes on only the last")),
        ((1, 84), sentence("give the number, not the shape")),
        (42, sentence("that is one direction; both of them are passed on")),
        (15 * 42, sentence("count the last states only, and both directions")),
        (15, sentence("that is the number of letters; count what is passed on")),
    ),
    hints=(
        sentence("look at the shape of the last states; does it depend on the word?"),
        sentence("two directions, as wide as one another, are put side by side."),
    ),
    solution="answer = 2 * 42",
    praise=sentence("{right} numbers, for every word.", right=84),
)


def last_states(states):
    """Return the states that both directions end with, (2 n,)."""
    n = states.shape[-1] // 2
    return np.concatenate([states[-1, :n], states[0, n:]])


LAST_STATES = Exercise(
    name="last_states",
    kind="function",
    right=last_states,
    probes=(drawn((4, 6)), drawn((5, 4))),
    mistakes=pairs(
        lambda states: last_states(states[::-1]),
        sentence("each half is taken at the end where it starts reading"),
        lambda states: states[-1],
        sentence("at the last letter the backward half has read one letter only"),
        lambda states: states[0],
        sentence("at the first letter the forward half has read one letter only"),
        lambda states: states.mean(axis=0),
        sentence("the mean of all states is another message; take the last"),
        lambda states: np.roll(last_states(states), states.shape[-1] // 2),
        sentence("put the forward half first"),
        lambda states: [*states[-1, :3], *states[0, 3:]],
        sentence("n is half of the width of these states, not always the same"),
        lambda states: [*last_states(states[:4])],
        sentence("the last letter is states[-1]; words differ in length"),
    ),
    hints=(
        sentence("forward ends at the last letter, backward at the first."),
        sentence("cut the width into two halves, and take each in its own row."),
    ),
    solution="""import numpy as np

def answer(states):
    n = states.shape[-1] // 2
    return np.concatenate([states[-1, :n], states[0, n:]])
""",
    praise=sentence("each direction ends where the other one began."),
)

PHONEME_ERROR = Exercise(
    name="phoneme_error",
    kind="number",
    right=0.5,
    mistakes=(
        (2 / 5, sentence("divide by the phonemes of the dictionary, not the model's")),
        (2, sentence("these are the edits; divide by the dictionary's phonemes")),
        (1 / 4, sentence("two edits are needed: one phoneme differs, one is too many")),
        (3 / 4, sentence("two edits are enough: one phoneme differs, one is too many")),
        (50, sentence("give a fraction, not per cent")),
    ),
    hints=(
        sentence(
            "count changes, insertions and deletions; divide by {all}.",
            all=len(["b", "ɪ", "l", "d"]),
        ),
        sentence("one sound is changed, and one is too many."),
    ),
    solution="answer = 2 / 4",
    praise=sentence("two edits over four phonemes of the dictionary."),
)

FADING = Exercise(
    name="fading",
    kind="number",
    right=SHARE,
    decimals=2,
    mistakes=(
        (0.8**15, sentence("one step too many: count the steps, not the letters")),
        (
            0.8**13,
            sentence("one step too few: count from the last letter to the first"),
        ),
        (0.8 * 14, sentence("the factors of the steps are multiplied, not added")),
        (0.8 / 14, sentence("the factors of the steps are multiplied, not divided")),
        (1 - SHARE, sentence("that is what is lost; what is left?")),
        (100 * SHARE, sentence("give a fraction, not per cent")),
    ),
    hints=(
        sentence("how many steps lie between the last and the first of 15 letters?"),
        sentence("each step multiplies once more; a power does it all."),
    ),
    solution="answer = 0.8**14",
    praise=sentence("about {share:.1%} is left.", share=SHARE),
)
EXERCISES = (PASSED_ON, LAST_STATES, PHONEME_ERROR, FADING)
