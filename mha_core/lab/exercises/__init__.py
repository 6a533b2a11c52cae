"""Exercises that say what is wrong: a sheet of them for each lesson.

The exercises of lesson 1 stand in ``lesson_01.py``, as a tuple ``EXERCISES``.
"""

import importlib
import pkgutil

from mha_core._checks.arguments import told, whole
from mha_core.lab.exercises.exercise import Exercise, Verdict, judge

__all__ = ["Exercise", "Sheet", "Verdict", "lessons"]


def lessons():
    """Return the numbers of the lessons that have exercises."""
    names = (module.name for module in pkgutil.iter_modules(__path__))
    return sorted(int(n[7:]) for n in names if n.startswith("lesson_"))


class Sheet:
    """The exercises of one lesson and how far the reader has come.

    Parameters
    ----------
    lesson : int or sequence of Exercise
        The number of a lesson, or exercises of one's own.

    Raises
    ------
    ValueError
        If the lesson has no exercises.
    """

    def __init__(self, lesson):
        own = isinstance(lesson, (list, tuple))
        found = lesson if own else _of_lesson(lesson)
        self.exercises = {exercise.name: exercise for exercise in found}
        self.verdicts = {}

    def check(self, name, answer):
        """Judge an answer; the verdict says what is wrong with it.

        Parameters
        ----------
        name : str
            Of the exercise.
        answer : object
            Anything: a number, an array, a text, a function; ``...`` while open.

        Raises
        ------
        ValueError
            If there is no such exercise. No answer raises anything.
        """
        if not isinstance(name, str) or name not in self.exercises:
            known = ", ".join(self.exercises)
            raise ValueError(f"There is no exercise {told(name)}; there are {known}.")
        self.verdicts[name] = judge(self.exercises[name], answer)
        return self.verdicts[name]

    def progress(self):
        """Return how many exercises are solved, and which are open."""
        done = [n for n in self.exercises if n in self.verdicts]
        done = [n for n in done if self.verdicts[n].solved]
        still = [n for n in self.exercises if n not in done]
        rest = f"; still open: {', '.join(still)}" if still else ""
        return Verdict(not still, f"{len(done)} of {len(self.exercises)} solved{rest}")


def _of_lesson(number):
    if whole(number) not in lessons():
        known = ", ".join(str(n) for n in lessons())
        raise ValueError(
            f"The lesson {told(number)} has no exercises; the integers that have some "
            f"are {known}."
        )
    return importlib.import_module(f"{__name__}.lesson_{number:02d}").EXERCISES
