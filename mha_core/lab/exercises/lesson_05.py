"""Exercises of lesson 5: self-attention."""

from itertools import permutations

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.exercise import Exercise, pairs
from mha_core.masking import causal_mask

CAUSAL = Exercise(
    name="causal",
    kind="function",
    right=lambda T: causal_mask(T),
    probes=((5,), (3,)),
    mistakes=pairs(
        lambda T: causal_mask(T).T,
        sentence("that hides the past: j runs along the columns"),
        lambda T: ~causal_mask(T),
        sentence("true means may attend: turn it round"),
        lambda T: causal_mask(T, offset=1),
        sentence("one step of the future can be seen"),
        lambda T: np.tri(T, k=-1),
        sentence("a position may see itself"),
        lambda T: np.ones((T, T)),
        sentence("nothing is hidden"),
        lambda T: np.eye(T),
        sentence("a position may see those before it, too"),
        lambda T: np.where(causal_mask(T), 0, -np.inf),
        sentence("that is a bias; return true where a position may attend"),
        lambda T: causal_mask(3),
        sentence("the mask has T rows and T columns, not always three"),
    ),
    hints=(
        sentence("compare a column of row numbers with a row of column numbers."),
        sentence("position i may see j if j is not larger than i."),
    ),
    solution="""import numpy as np

def answer(T):
    return np.arange(T) <= np.arange(T)[:, None]
""",
    praise=sentence("position i sees j up to i."),
)

LEAK = Exercise(
    name="leak",
    kind="choice",
    right="b",
    mistakes=(
        ("a", sentence("no output of a sees a later token")),
        ("c", sentence("each output of c sees only its own token: no leak")),
    ),
    hints=(
        sentence("look to the right of the diagonal."),
        sentence("output i of a causal layer moves with tokens 0 to i only."),
    ),
    solution='answer = "b"',
    praise=sentence("output {i} of b sees token {j}.", i=1, j=2),
)

READ, WRITTEN, ASKED = SHAPES_RIGHT = ((4, 6, 6), (4, 3, 3), (4, 3, 6))
IN_ORDER = sentence("keep the order: encoder, decoder on itself, decoder on the word")
SHAPES = Exercise(
    name="shapes",
    kind="array",
    right=SHAPES_RIGHT,
    mistakes=(
        (
            (READ, WRITTEN, (4, 6, 3)),
            sentence("rows are queries: the phonemes ask"),
        ),
        (
            (READ, READ, ASKED),
            sentence("second: phonemes look at phonemes, not at letters"),
        ),
        (((6, 6), (3, 3), (3, 6)), sentence("the four heads are missing")),
        (((6, 6, 4), (3, 3, 4), (3, 6, 4)), sentence("the heads come first")),
        (
            (READ, (4, 4, 4), (4, 4, 6)),
            sentence("count the phonemes; the start symbol is none of them"),
        ),
        (
            ((4, 7, 7), WRITTEN, (4, 3, 7)),
            sentence("count the letters; no symbol is added to them"),
        ),
        *((order, IN_ORDER) for order in [*permutations(SHAPES_RIGHT)][1:]),
    ),
    hints=(
        sentence("each is (heads, who asks, who is asked)."),
        sentence("in the third one phonemes ask and letters are asked."),
    ),
    solution="answer = [(4, 6, 6), (4, 3, 3), (4, 3, 6)]",
    praise=sentence("letters on letters, phonemes on phonemes, phonemes on letters."),
)

PATH = Exercise(
    name="path",
    kind="number",
    right=19,
    mistakes=(
        (20, sentence("one too many: do not count the first letter, where it begins")),
        (21, sentence("two too many: one step for each letter after the first")),
        (18, sentence("one too few: count the steps, not the letters between")),
        (1, sentence("that is self-attention; what is it in the recurrent one?")),
    ),
    hints=(
        sentence("two letters are one step apart, three letters two steps."),
        sentence("one step for each letter after the first."),
    ),
    solution="answer = 20 - 1",
    praise=sentence("{right} steps here, and 1 in self-attention.", right=19),
)
EXERCISES = (CAUSAL, LEAK, SHAPES, PATH)
