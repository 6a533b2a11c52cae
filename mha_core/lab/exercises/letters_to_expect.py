"""The exercise of a beginning after which the letter model is nearly sure."""

from functools import cache

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.exercise import Exercise
from mha_core.lab.measure.invented import as_letters, chances
from mha_core.pretrained import load_language
from mha_core.tasks import LETTERS

SURE, LONGEST = 0.9, 4
model = cache(load_language)


def judged(answer):
    """Return None if one letter is nearly certain after an answer, else a sentence."""
    if not isinstance(answer, str):
        kind = type(answer).__name__
        return sentence("hand in the letters as text, not {kind}", kind=kind)
    letters = len(as_letters(answer)[0])
    if not 1 <= letters <= LONGEST:
        what = {"most": LONGEST, "letters": letters}
        return sentence(
            "between 1 and {most} letters, please; these are {letters}", **what
        )
    return _unsure(answer, chances(model(), answer))


def _unsure(answer, found):
    """Return None if a letter is nearly certain, else which one is likeliest."""
    likeliest = int(found.argmax())
    if not likeliest:
        return sentence("after “{answer}” it expects the end", answer=answer)
    if found[likeliest] >= SURE:
        return None
    return sentence(
        "after “{answer}” the likeliest letter, {name}, has {chance:.2f}",
        answer=answer,
        name=LETTERS[likeliest - 1],
        chance=found[likeliest],
    )


CERTAIN = Exercise(
    name="certain",
    kind="search",
    right=judged,
    mistakes=(
        ("th", sentence("the likeliest letter")),
        ("", sentence("between 1 and")),
        (5, sentence("as text, not int")),
    ),
    hints=(
        sentence("one letter of English is followed by the same one nearly always."),
        sentence("try beginnings in explore_writing, at temperature 1."),
        sentence("the letter that queen and quiet begin with will do."),
    ),
    solution='answer = "q"',
    praise=sentence("one letter is nearly certain there."),
)
