"""One exercise, and the verdict on an answer to it."""

import re
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from traceback import format_exception_only

ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


@dataclass(frozen=True)
class Exercise:
    """A question with a check, a hint, a solution and known wrong answers.

    Parameters
    ----------
    name : str
        By which the reader calls it.
    check : callable
        Takes the answer; returns None if it is right, else a sentence that says
        what is wrong.
    hint : str
        Shown while there is no answer.
    solution : str
        Python code that ends with the right `answer` under that name.
    right : str
        What a right answer tells.
    wrong : tuple of (answer, str)
        Answers that readers give, each with a part of the sentence it must get.
    """

    name: str
    check: Callable
    hint: str
    solution: str
    right: str = "that is it."
    wrong: tuple = ()


@dataclass(frozen=True, repr=False)
class Verdict:
    """Whether something is solved, and a sentence."""

    solved: bool
    sentence: str

    def __repr__(self):
        """Return the sentence."""
        return self.sentence


class _Untouched(Exception):
    """The reader's function returned nothing."""


class _Failed(Exception):
    """The reader's function raised an error."""


def judge(exercise, answer):
    """Return the verdict on an answer, whatever it is."""
    try:
        return _judged(exercise, answer)
    except _Untouched:
        return _open(exercise)
    except _Failed as failure:
        cause = _in_words(failure.__cause__)
        return _wrong(exercise, f"your function raised {cause}")
    except (Exception, SystemExit) as error:
        return _wrong(exercise, f"this answer cannot be read: {_in_words(error)}")


def _judged(exercise, answer):
    if untouched(answer):
        return _open(exercise)
    fault = exercise.check(_guarded(answer) if callable(answer) else answer)
    if fault is not None:
        return _wrong(exercise, fault)
    return Verdict(True, f"{exercise.name}: right: {exercise.right}")


def untouched(answer):
    """Tell whether an answer is still the ``...`` of the exercise, or has some."""
    if isinstance(answer, (tuple, list)):
        return any(untouched(part) for part in answer)
    return answer is None or answer is ...


def _open(exercise):
    return Verdict(False, f"{exercise.name}: not answered yet. Hint: {exercise.hint}")


def _wrong(exercise, fault):
    return Verdict(False, f"{exercise.name}: not yet: {fault}")


def _guarded(function):
    """Return the reader's function as one that leaves the check's arrays alone."""

    def tried(*args, **kwargs):
        try:
            result = function(*deepcopy(args), **deepcopy(kwargs))
        except NotImplementedError:
            raise _Untouched from None
        except (Exception, SystemExit) as error:
            raise _Failed from error
        if untouched(result):
            raise _Untouched
        return result

    return tried


def _in_words(error):
    last = format_exception_only(error)[-1].strip().splitlines()[-1]
    return ADDRESS.sub("", last)[:200]
