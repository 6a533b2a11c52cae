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
    if length < 4:
        return sentence("begin at {n} letters and go to the right", n=4)
    if error <= limit:
        return sentence(
            "at {n} letters the error is {error:.2f}, not above {limit:.2f}", **what
        )
    return sentence("at {n} letters it is above {limit:.2f}, and was so before", **what)


@judged
def _fault_of_fifth(answer):
    """Tell why a fifth is not where the Transformer misses more than twice as many."""
    errors = load_errors()
    other, own = (
        np.array(errors[kind]["0"]["by_fifth"]) for kind in ("bahdanau", "transformer")
    )
    times = dict(zip(FIFTHS, own / other, strict=True))
    chosen = a_word(answer).removesuffix("fifth").strip()
    if chosen not in times:
        return sentence("choose one of {choices}", choices=", ".join(FIFTHS))
    if times[chosen] > 2:
        return None
    return sentence(
        "in the {fifth} fifth it misses {times:.1f} times as many",
        fifth=chosen,
        times=times[chosen],
    )


TWICE = Exercise(
    name="twice",
    kind="search",
    right=_fault_of_twice,
    picture=partial(error_curves, "last_state"),
    mistakes=(
        (8, "at 8 letters the error is 0.16, not above 0.20"),
        (2, "begin at 4 letters and go to the right"),
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
        ("fourth", "in the fourth fifth it misses 1.7 times"),
        ("middle", "choose one of first"),
    ),
    hints=(
        sentence("compare the two bars of each group: one twice as high as the other."),
        sentence("a ratio can be large where both bars are low."),
        sentence("what is missing if a network stops too early?"),
    ),
    solution='answer = "last"',
    praise=sentence("at the end of long words it misses several times as many."),
)
