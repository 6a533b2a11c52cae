"""The shapes of the three attentions of a Transformer."""

from itertools import permutations

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.exercise import Exercise

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
        sentence("the first is (4, 6, 6): four heads, six letters, six letters."),
    ),
    solution="answer = [(4, 6, 6), (4, 3, 3), (4, 3, 6)]",
    praise=sentence("letters on letters, phonemes on phonemes, phonemes on letters."),
)
