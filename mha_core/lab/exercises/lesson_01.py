"""Exercises of lesson 1: the bottleneck."""

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.catalogue.losing import LOSS
from mha_core.lab.exercises.catalogue.passing import MESSAGE, ends
from mha_core.lab.exercises.catalogue.reading import ENCODER
from mha_core.lab.exercises.curves_to_read import TWICE
from mha_core.lab.exercises.exercise import Exercise, made_of
from mha_core.lab.exercises.lost_words import MIDDLE

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
        sentence("each direction has 42 numbers in this network."),
    ),
    solution="answer = 2 * 42",
    praise=sentence("{right} numbers, for every word.", right=84),
)


LAST_STATES = Exercise(
    name="last_states",
    right=ends,
    hints=(
        sentence("forward ends at the last letter, backward at the first."),
        sentence("cut the width into two halves, and take each in its own row."),
        sentence("states[-1, :n] and states[0, n:], one behind the other."),
    ),
    solution="""import numpy as np

def answer(states):
    n = states.shape[-1] // 2
    return np.concatenate([states[-1, :n], states[0, n:]])
""",
    praise=sentence("each direction ends where the other one began."),
    **made_of(MESSAGE),
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
        sentence("two edits, and four sounds of the dictionary."),
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
        sentence("fourteen steps: 0.8 to the power of 14."),
    ),
    solution="answer = 0.8**14",
    praise=sentence("about {share:.1%} is left.", share=SHARE),
)

ENCODING = Exercise(
    name="encoder",
    right=lambda inputs, W, U, b: ENCODER.work((inputs, W, U, b), {}),
    hints=(
        sentence("inputs has a row for each letter; begin with a state of zeros."),
        sentence("each step: tanh of x @ W + state @ U + b; that is the next state."),
        sentence("keep every state in a list, and make one array of the list."),
    ),
    solution="""import numpy as np

def answer(inputs, W, U, b):
    state, states = np.zeros(len(b)), []
    for x in inputs:
        state = np.tanh(x @ W + state @ U + b)
        states.append(state)
    return np.array(states)
""",
    praise=sentence("letter by letter; each state has read all letters before it."),
    **made_of(ENCODER, "inputs"),
)

LOSING = Exercise(
    name="loss",
    right=lambda logits, target: LOSS.work((logits, target), {}),
    hints=(
        sentence("logits has a row for each example; softmax makes shares of it."),
        sentence("of each row, only the share of the right answer counts."),
        sentence("minus the mean of the logarithms of these shares."),
    ),
    solution="""import numpy as np

def answer(logits, target):
    exps = np.exp(logits - logits.max(axis=-1, keepdims=True))
    shares = exps / exps.sum(axis=-1, keepdims=True)
    return -np.log(shares[np.arange(len(target)), target]).mean()
""",
    praise=sentence("0 if the right answer gets everything; the more wrong, the more."),
    **made_of(LOSS),
)
EXERCISES = (
    *(PASSED_ON, LAST_STATES, PHONEME_ERROR, FADING),
    *(ENCODING, LOSING, MIDDLE, TWICE),
)
