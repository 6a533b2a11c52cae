"""Exercises on the letter model: where it is sure, and which one saw the future."""

from functools import cache

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.exercise import Exercise
from mha_core.lab.exercises.searching import a_word, judged
from mha_core.lab.measure.invented import as_letters, chances
from mha_core.lab.pictures import head_grid
from mha_core.models.letter_model import reading
from mha_core.pretrained import load_language
from mha_core.tasks import LETTERS, spell

SURE, LONGEST = 0.9, 4
WORD, MAPS = "garden", ("a", "b", "c")
model = cache(load_language)


@judged
def _unsure(answer):
    """Tell why no letter is nearly certain after an answer."""
    start = a_word(answer)
    letters = len(as_letters(start)[0])
    if not 1 <= letters <= LONGEST:
        what = {"most": LONGEST, "letters": letters}
        return sentence(
            "between 1 and {most} letters, please; these are {letters}", **what
        )
    found = chances(model(), start)
    likeliest = int(found.argmax())
    if not likeliest:
        return sentence("after “{start}” it expects the end", start=start)
    if found[likeliest] >= SURE:
        return None
    what = {"start": start, "name": LETTERS[likeliest - 1], "chance": found[likeliest]}
    return sentence(
        "after “{start}” the likeliest letter, {name}, has {chance:.2f}", **what
    )


def three_maps():
    """Return a head of three letter models on one word, named a to c."""
    ids = reading(spell([WORD]))[0]  # (1, T + 1)
    models = load_language(), load_language(causal=False), load_language()
    heads = zip(models, ((0, 1), (0, 1), (1, 2)), strict=True)
    maps = [found.attention(ids)[layer, 0, head] for found, (layer, head) in heads]
    tokens = ["start", *WORD]
    return head_grid(
        np.array(maps),
        tokens,
        tokens,
        titles=MAPS,
        title=sentence("“{word}”, three letter models, trained", word=WORD),
        query_name="letter that looks",
        key_name="letter",
    )


CERTAIN = Exercise(
    name="certain",
    kind="search",
    right=_unsure,
    mistakes=(
        ("th", "the likeliest letter"),
        ("garden", "between 1 and 4 letters"),
        (5, "as text, not int"),
    ),
    hints=(
        sentence("one letter of English is followed by the same one nearly always."),
        sentence("try beginnings in explore_writing, at temperature 1."),
        sentence("the letter that queen and quiet begin with will do."),
    ),
    solution='answer = "q"',
    praise=sentence("one letter is nearly certain there."),
)

UNMASKED = Exercise(
    name="unmasked",
    kind="choice",
    right="b",
    picture=three_maps,
    mistakes=(
        ("a", sentence("there the upper right half is empty: the mask is on")),
        ("c", sentence("there no letter looks at one behind it: the mask is on")),
    ),
    hints=(
        sentence("rows are letters that look; which columns come after them?"),
        sentence("what comes after a letter stands to the right of the diagonal."),
        sentence("look for weight in the upper right half."),
    ),
    solution='answer = "b"',
    praise=sentence("it looks at the letter that it is to guess."),
)
