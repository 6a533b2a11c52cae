"""Faults in the exercises: wrong answers that pass, right ones that do not."""

from ..fault import Fault

COMPARE = "lab/exercises/compare.py"
EXERCISE, SHEET = "lab/exercises/exercise.py", "lab/exercises/__init__.py"
ONE, TWO, THREE, FOUR, FIVE = (f"lab/exercises/lesson_0{n}.py" for n in range(1, 6))


def unanswered(name, file, old, new, unit="test_sheet"):
    """Return a fault that shows only once there are answers."""
    why = "the lessons leave their exercises open"
    return Fault(name, file, old, new, unit, exempt=why)


FAULTS = [
    unanswered(
        "one right number is enough",
        COMPARE,
        "np.isclose(array, expected, rtol, atol).all()",
        "np.isclose(array, expected, rtol, atol).any()",
    ),
    unanswered(
        "a choice in capitals refused",
        COMPARE,
        "choice = answer.strip().lower()",
        "choice = answer.strip()",
    ),
    Fault(
        "hint that gives the answer",
        EXERCISE,
        "Hint: {exercise.hint}",
        "Hint: {exercise.right}",
        "test_sheet",
        "03",
    ),
    unanswered(
        "a list with an open place judged",
        EXERCISE,
        "any(untouched(part)",
        "all(untouched(part)",
        "test_exercises",
    ),
    unanswered(
        "the truth left to the reader's function",
        EXERCISE,
        "function(*deepcopy(args), **deepcopy(kwargs))",
        "function(*args, **kwargs)",
        "test_exercises",
    ),
    Fault(
        "every answer counted as solved",
        SHEET,
        "done = [n for n in done if self.verdicts[n].solved]",
        "done = [*done]",
        "test_sheet",
        "03",
    ),
    unanswered(
        "solved once is solved for good",
        SHEET,
        "self.verdicts[name] = judge(self.exercises[name], answer)\n"
        "        return self.verdicts[name]",
        "verdict = judge(self.exercises[name], answer)\n"
        "        if name not in self.verdicts or verdict.solved:\n"
        "            self.verdicts[name] = verdict\n"
        "        return verdict",
    ),
    unanswered("15 steps accepted for 14", ONE, "rtol=0.1,", "rtol=0.3,"),
    unanswered(
        "backward half of the last letter expected",
        ONE,
        "right = np.concatenate([states[-1, :n], states[0, n:]])",
        "right = np.concatenate([states[-1, :n], states[-1, n:]])",
    ),
    Fault(
        "hint with another number of phonemes",
        ONE,
        "divide by 4.",
        "divide by 5.",
        "test_exercises",
        "01",
    ),
    Fault(
        "hint with weights in another order",
        TWO,
        "0.25 of the first state, 0.5 of the second",
        "0.5 of the first state, 0.25 of the second",
        "test_exercises",
        "02",
    ),
    unanswered(
        "the current state said to ask",
        TWO,
        '        answer,\n        "previous",\n        {\n            "current":',
        '        answer,\n        "current",\n        {\n            "previous":',
    ),
    unanswered(
        "scores without tanh accepted",
        TWO,
        "right = np.tanh(query + keys) @ v_a",
        "right = inside @ v_a",
    ),
    unanswered(
        "root of the lesson's width expected",
        THREE,
        "right = product / d_k**0.5",
        "right = product / 2**0.5",
    ),
    unanswered(
        "weight of hidden keys accepted",
        THREE,
        "        1.5,\n        [",
        "        7 / 3,\n        [",
    ),
    unanswered(
        "parameters without biases accepted",
        FOUR,
        "        4 * 768 * 769,\n        [",
        "        4 * 768 * 768,\n        [",
    ),
    unanswered(
        "merge by reshape accepted",
        FOUR,
        "right = merge_heads(heads)",
        "right = heads.reshape(3, 8)",
    ),
    unanswered(
        "mask with a step of the future accepted",
        FIVE,
        "differs(function(T), causal_mask(T), mistakes)",
        "differs(function(T), later, mistakes)",
    ),
    unanswered(
        "letters said to ask",
        FIVE,
        "right = [(4, 6, 6), (4, 3, 3), (4, 3, 6)]",
        "right = [(4, 6, 6), (4, 3, 3), (4, 6, 3)]",
    ),
]
