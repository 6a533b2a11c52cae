"""A sentence to find, and maps of the sentence reader to read."""

from functools import cache

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.exercise import Exercise
from mha_core.lab.exercises.searching import Unfit, judged
from mha_core.lab.pictures import head_grid
from mha_core.pretrained import load_reader
from mha_core.tasks.relation_sentences import PAIRS

LAYER, HEAD = 1, 3  # right about gender nearly always
OTHER = {"he": "she", "she": "he"}
MEANT = dict(zip(OTHER, zip(*PAIRS, strict=True), strict=True))
TEXT = "The king thanked the queen because she was kind."
MAPS = {"a": (1, 11), "b": (LAYER, HEAD), "c": None}


@cache
def reader():
    """Return the shipped network."""
    return load_reader()


def read(text):
    """Return what the network sees in a sentence, or raise `Unfit` with its word."""
    try:
        return reader().read(text)
    except ValueError as error:
        raise Unfit(error.args[0]) from None


def _places(tokens):
    """Return where the pronoun stands, and the persons by the pronoun meaning them."""
    asks = [n for n, token in enumerate(tokens) if token in OTHER]
    if len(asks) != 1:
        raise Unfit(sentence("the sentence needs he or she, once"))
    found = {}
    for word, persons in MEANT.items():
        places = [n for n, token in enumerate(tokens[: asks[0]]) if token in persons]
        if len(places) != 1:
            raise Unfit(
                sentence(
                    "before {word} stand {n} of these: {persons}; one is needed",
                    word=tokens[asks[0]],
                    n=len(places),
                    persons=", ".join(persons),
                )
            )
        found[word] = places[0]
    return asks[0], found


@judged
def _fault_of_who(answer):
    """Tell why a head does not find the person, with both pronouns."""
    if isinstance(answer, (list, tuple)) and len(answer) == 1:
        (answer,) = answer
    seen = read(answer)
    query, persons = _places(seen.tokens)
    words = list(seen.tokens[1:-1])
    for word in (seen.tokens[query], OTHER[seen.tokens[query]]):
        words[query - 1] = word
        weights = read(" ".join(words)).weights[LAYER, HEAD, query]
        right, wrong = persons[word], persons[OTHER[word]]
        if weights[right] <= weights[wrong]:
            return sentence(
                "with {word} it weighs {other} {more:.2f} and {person} {less:.2f}",
                word=word,
                other=seen.tokens[wrong],
                more=weights[wrong],
                person=seen.tokens[right],
                less=weights[right],
            )
    return None


def two_heads():
    """Return two heads and the mean of all on one sentence, named a to c."""
    seen = read(TEXT)
    mean = seen.weights.mean(axis=(0, 1))
    return head_grid(
        np.array([mean if at is None else seen.weights[at] for at in MAPS.values()]),
        seen.tokens,
        seen.tokens,
        titles=list(MAPS),
        title=sentence("Two heads of MiniLM, and the mean of all 48"),
        query_name="word",
        key_name="word",
    )


WHO = Exercise(
    name="who",
    kind="search",
    right=_fault_of_who,
    mistakes=(
        ("The zyzzyva met the king because he was kind.", "is not among the"),
        ("The cat sat on the mat.", "needs he or she, once"),
        ("The king met the boy because he was kind.", "before he stand 2 of these"),
        ("He saw the king and the queen.", "before he stand 0 of these"),
        ("The queen met the king because she was kind.", "with he it weighs queen"),
        ("The queen met the king because he was kind.", "with he it weighs queen"),
        (12, "must be text"),
    ),
    hints=(
        sentence("two persons of the list, and later he or she; layer 1, head 3."),
        sentence("your sentence is read twice, with he and with she: try both."),
        sentence("put the man first, or take other persons than king and queen."),
    ),
    solution='answer = "The king thanked the queen because she was kind."',
    praise=sentence("with he and with she: it follows the word, not the place."),
)

READ_MAP = Exercise(
    name="read_map",
    kind="choice",
    right="b",
    picture=two_heads,
    mistakes=(
        ("a", sentence("there nearly all weight rests on [CLS]")),
        (
            "c",
            sentence("there she weighs [CLS] most: the mean blurs what one head saw"),
        ),
    ),
    hints=(
        sentence("go to the row of she: which column is darkest?"),
        sentence("in one map all rows are dark at the same place."),
        sentence("she should weigh queen most."),
    ),
    solution='answer = "b"',
    praise=sentence("one head sees it, and the mean of all does not show it."),
)
