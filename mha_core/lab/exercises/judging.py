"""Judging an answer: right, still open, or wrong with a sentence that says why."""

import re

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.compare import as_numbers, close, difference, without_ones
from mha_core.lab.exercises.exercise import Verdict
from mha_core.lab.exercises.functions import fault_of_function
from mha_core.lab.exercises.running import Untouched, in_words, untouched

SIGNS = re.compile(r"[\s{}()\[\]$\\_\"'.]")


def judge(exercise, answer):
    """Return the verdict on an answer, whatever it is; None while it is open."""
    try:
        if untouched(answer):
            return None
        fault = KINDS[exercise.kind](exercise, answer)
    except Untouched:
        return None
    except (Exception, SystemExit) as error:
        fault = sentence("this answer cannot be read: {error}", error=in_words(error))
    name, praise = exercise.name, exercise.praise
    if fault is None:
        return Verdict(
            True, sentence("{name}: right: {praise}", name=name, praise=praise)
        )
    return Verdict(False, sentence("{name}: not yet: {fault}", name=name, fault=fault))


def _fault_of_value(exercise, answer):
    array, fault = as_numbers(answer, exercise.right)
    if fault:
        return fault
    rule = {"rtol": exercise.rtol, "decimals": exercise.decimals}
    array = without_ones(array, np.ndim(exercise.right))
    if close(array, exercise.right, **rule):
        return None
    known = (said for wrong, said in exercise.mistakes if close(array, wrong, **rule))
    return next(known, None) or difference(array, exercise.right, exercise.rtol)


def _fault_of_choice(exercise, answer):
    if isinstance(answer, (tuple, list, set)) and len(answer) == 1:
        (answer,) = answer
    also = {_folded(text): key for text, key in exercise.also}
    choice = _folded(answer) if isinstance(answer, str) else None
    choice = _folded(also.get(choice, choice or ""))
    if choice == _folded(exercise.right):
        return None
    known = {_folded(key): said for key, said in exercise.mistakes}
    keys = sorted([exercise.right, *(key for key, _ in exercise.mistakes)])
    return known.get(choice) or sentence(
        "choose one of {choices}", choices=", ".join(map(repr, keys))
    )


def _folded(text):
    """Return a text without case, spaces, quotes and the signs of formulas."""
    return SIGNS.sub("", text.replace("\N{MINUS SIGN}", "-").casefold())


KINDS = {
    "number": _fault_of_value,
    "array": _fault_of_value,
    "choice": _fault_of_choice,
    "function": fault_of_function,
    "search": lambda exercise, answer: exercise.right(answer),
}
