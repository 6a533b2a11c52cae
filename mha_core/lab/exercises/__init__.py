"""Exercises that say what is wrong: a sheet of them for each lesson.

The exercises of lesson 1 stand in ``lesson_01.py``, as a tuple ``EXERCISES``. A new
one is one more `Exercise` there: the tests try its solution, its mistakes and answers
just beside the right one from the same table.
"""

import importlib
import pkgutil

from mha_core._checks.arguments import told, whole
from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.exercise import Exercise, Verdict
from mha_core.lab.exercises.judging import judge
from mha_core.lab.exercises.predicting import came_true, comparison, kept
from mha_core.lab.exercises.running import untouched
from mha_core.lab.exercises.side_by_side import sight_maps

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
        self.hinted = dict.fromkeys(self.exercises, 0)
        self.expected = {}

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
        exercise = self._known(name)
        self.verdicts[name] = judge(exercise, answer) or self._open(exercise)
        return self.verdicts[name]

    def hint(self, name):
        """Return the next hint; after the last one, the last one again.

        Raises
        ------
        ValueError
            If there is no such exercise.
        """
        hints = self._known(name).hints
        at = self.hinted[name] = min(self.hinted[name] + 1, len(hints))
        fields = {"name": name, "at": at, "all": len(hints), "hint": hints[at - 1]}
        said = sentence("{name}: hint {at} of {all}: {hint}", **fields)
        return Verdict(name in self._done(), said)

    def predict(self, name, expected=..., true=...):
        """Keep what you expect before a cell runs; say after it how far off it was.

        Put your number, or the shape, in place of ``...`` and run the cell. The page
        gives the true value when it is known. What is still ``...`` says nothing.

        Parameters
        ----------
        name : str
            What is predicted, such as "parameters".
        expected, true : number, tuple, bool or str, optional
            What you expect; what came.

        Returns
        -------
        Verdict or None
        """
        if not untouched(expected):
            self.expected[name] = expected
        if name not in self.expected:
            return None
        mine = self.expected[name]
        if untouched(true):
            return Verdict(False, kept(name, mine))
        return Verdict(came_true(mine, true), comparison(name, mine, true))

    def compare(self, name, answer):
        """Draw who can see whom in a function of yours, beside the right one.

        Parameters
        ----------
        name : str
            Of an exercise whose function reads tokens, such as "attention".
        answer : function

        Returns
        -------
        Picture
            Two maps of 0 and 1: outputs in rows, changed tokens in columns.

        Raises
        ------
        ValueError
            If there is no such exercise, or no such map of the answer.
        """
        return sight_maps(self._known(name), answer)

    def show(self, name):
        """Draw what an exercise asks to read.

        Parameters
        ----------
        name : str
            Of an exercise with a picture, such as "leak".

        Returns
        -------
        Picture

        Raises
        ------
        ValueError
            If there is no such exercise, or if it has no picture.
        """
        made = self._known(name).picture
        if made is None:
            having = [n for n, one in self.exercises.items() if one.picture]
            known = ", ".join(having) or "none has one"
            raise ValueError(f"{name} has no picture; those with one: {known}.")
        return made()

    def progress(self):
        """Return how many of the exercises met so far are solved; which are open.

        Those are met that were checked once, as all are when a page has run.
        """
        met = list(self.verdicts) or list(self.exercises)
        done = self._done()
        still = [name for name in met if name not in done]
        fields = {"done": len(done), "all": len(met)}
        if not still:
            return Verdict(True, sentence("{done} of {all} solved", **fields))
        fields["still"] = ", ".join(still)
        said = sentence("{done} of {all} solved; still open: {still}", **fields)
        return Verdict(False, said)

    def _done(self):
        return [name for name, verdict in self.verdicts.items() if verdict.solved]

    def _open(self, exercise):
        """Return the verdict on what is not answered yet, with the first hint."""
        name, hint = exercise.name, exercise.hints[0]
        self.hinted[name] = max(self.hinted[name], 1)
        said = sentence("{name}: not answered yet. Hint: {hint}", name=name, hint=hint)
        return Verdict(False, said)

    def _known(self, name):
        if not isinstance(name, str) or name not in self.exercises:
            known = ", ".join(self.exercises)
            raise ValueError(f"There is no exercise {told(name)}; there are {known}.")
        return self.exercises[name]


def _of_lesson(number):
    if whole(number) not in lessons():
        known = ", ".join(str(n) for n in lessons())
        raise ValueError(
            f"The lesson {told(number)} has no exercises; the integers that have some "
            f"are {known}."
        )
    return importlib.import_module(f"{__name__}.lesson_{number:02d}").EXERCISES
