"""Curves and bars to read, and what they show."""

from functools import partial

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.exercise import Exercise
from mha_core.lab.exercises.searching import a_number, a_word, judged
from mha_core.lab.pictures.errors import error_curves, missed_bars
from mha_core.pretrained import load_errors

FIFTHS = ("first", "second", "third", "fourth", "last")


@judged
def _fault_of_twice(answer):
    """Tell why the error is not twice that of short words from so many letters on."""
    rows = load_errors()["last_state"]["0"]["by_length"]
    groups = {range(low, high + 1): error for low, high, error, _ in rows}
    length = a_number(answer)
    found = [(group, error) for group, error in groups.items() if length in group]
    if not found:
        return sentence("no word of {n} letters is in the picture", n=length)
    limit = 2 * next(error for group, error in groups.items() if 4 in group)
    high = [group for group, error in groups.items() if error > limit and 4 < group[0]]
    ((group, error),) = found
    if group == high[0]:
        return None
    what = {"n": length, "error": error, "limit": limit}
    if error <= limit or length < 4:
        return sentence(
            "at {n} letters the error is {error:.2f}, not above {limit:.2f}", **what
        )
    return sentence("at {n} letters it is above {limit:.2f}, and was so before", **what)


@judged
def _fault_of_fifth(answer):
    """Tell why a fifth of the word is not where the Transformer falls behind most."""
    errors = load_errors()
    fifths = [errors[kind]["0"]["by_fifth"] for kind in ("bahdanau", "transformer")]
    behind = dict(zip(FIFTHS, np.subtract(*fifths[::-1]), strict=True))
    chosen = a_word(answer).removesuffix("fifth").strip()
    if chosen not in behind:
        return sentence("choose one of {choices}", choices=", ".join(FIFTHS))
    most = max(behind, key=behind.get)
    what = {"fifth": chosen, "more": behind[chosen], "most": behind[most]}
    if chosen == most:
        return None
    return sentence(
        "in the {fifth} fifth it misses {more:.2f} more, elsewhere {most:.2f} more",
        **what,
    )


TWICE = Exercise(
    name="twice",
    kind="search",
    right=_fault_of_twice,
    picture=partial(error_curves, "last_state"),
    mistakes=(
        (8, "at 8 letters the error is 0.16, not above 0.20"),
        (2, "not above 0.20"),
        (14, "and was so before"),
        (40, "no word of 40 letters"),
        ("ten", "one whole number is expected"),
    ),
    hints=(
        sentence("read the error at 4 and 5 letters, and double it."),
        sentence("draw a level line at that height: where does the curve cross it?"),
        sentence("give the first number of letters of the group behind the crossing."),
    ),
    solution="answer = 10",
    praise=sentence("at ten letters the error has more than doubled."),
)

FIFTH = Exercise(
    name="fifth",
    kind="search",
    right=_fault_of_fifth,
    picture=partial(missed_bars, "bahdanau", "transformer"),
    mistakes=(
        ("second", "in the second fifth it misses"),
        ("third", "in the third fifth it misses"),
        ("middle", "choose one of first"),
    ),
    hints=(
        sentence("compare two bars of each group, not the heights of one colour."),
        sentence("the additive network is almost never wrong there."),
        sentence("what is missing if a network stops too early?"),
    ),
    solution='answer = "last"',
    praise=sentence("it lags most at the end of long words."),
)
