"""Faults in the exercises: wrong answers that pass, right ones that do not."""

from ..fault import Fault

COMPARE, RUNNING = "lab/exercises/compare.py", "lab/exercises/running.py"
JUDGING, SHEET = "lab/exercises/judging.py", "lab/exercises/__init__.py"
FUNCTIONS = "lab/exercises/functions.py"
ONE, TWO, THREE, FOUR, FIVE = (f"lab/exercises/lesson_0{n}.py" for n in range(1, 6))
PASSING, GLUING = (f"lab/exercises/catalogue/{k}.py" for k in ("passing", "gluing"))
TRIANGLES, MASKS = (f"lab/exercises/catalogue/{k}.py" for k in ("triangles", "hiding"))
ATTENDING, PLACING = (
    f"lab/exercises/catalogue/{k}.py" for k in ("attending", "placing")
)
NAMING, SMALLEST = "lab/exercises/naming.py", "lab/exercises/smallest.py"
WRITTEN, SEEING = "lab/exercises/written.py", "lab/exercises/seeing.py"
PREDICTING, SEARCHING = "lab/exercises/predicting.py", "lab/exercises/searching.py"
MAPS, SHAPES = "lab/exercises/maps_to_read.py", "lab/exercises/shapes_of_three.py"


def unanswered(name, file, old, new, unit="test_sheet"):
    """Return a fault that shows only once there are answers."""
    why = "the lessons leave their exercises open"
    return Fault(name, file, old, new, unit, exempt=why)


FAULTS = [
    unanswered(
        "one right number is enough",
        COMPARE,
        "equal_nan=True).all()",
        "equal_nan=True).any()",
    ),
    unanswered(
        "the next integer accepted",
        COMPARE,
        "LESS_THAN_HALF = 0.4",
        "LESS_THAN_HALF = 9",
    ),
    unanswered(
        "rounded to fewer places than asked",
        COMPARE,
        "range(decimals, MOST_DECIMALS)",
        "range(decimals - 1, MOST_DECIMALS)",
    ),
    unanswered(
        "truth taken for a number", COMPARE, 'if kind == "b" and', 'if kind == "?" and'
    ),
    unanswered(
        "a container of one number refused",
        COMPARE,
        "array.ndim > ndim and len(array) == 1",
        "array.ndim > ndim and len(array) == 0",
    ),
    unanswered("a choice in capitals refused", JUDGING, ".casefold())", ")"),
    unanswered(
        "braces of a formula not folded",
        JUDGING,
        r"[\s{}()",
        r"[\s()",
        "test_exercises",
    ),
    unanswered(
        "a mistake not told by its sentence",
        JUDGING,
        "next(known, None) or difference",
        "difference",
    ),
    unanswered(
        "a list with an open place judged",
        RUNNING,
        "any(untouched(part)",
        "all(untouched(part)",
        "test_exercises",
    ),
    unanswered(
        "the truth left to the reader's function",
        RUNNING,
        "function(*deepcopy([*named.values()]))",
        "function(*named.values())",
        "test_exercises",
    ),
    unanswered(
        "a forgotten return taken for a stub",
        RUNNING,
        "if result is None and _computes(function):",
        "if False:",
    ),
    unanswered(
        "a .T asked for the wrong argument",
        RUNNING,
        "cannot be multiplied; turn the {two}: .T",
        "cannot be multiplied; turn the {one}: .T",
        "test_exercises",
    ),
    unanswered(
        "functions tried on one size only",
        FUNCTIONS,
        "for probe in exercise.probes]\n    rights",
        "for probe in exercise.probes[:1]]\n    rights",
    ),
    unanswered(
        "a right function taken for one with a mistake",
        FUNCTIONS,
        "return wrong and all(",
        "return wrong or all(",
    ),
    Fault(
        "hint that gives the answer",
        SHEET,
        "name, hint = exercise.name, exercise.hints[0]",
        "name, hint = exercise.name, exercise.praise",
        "test_sheet",
        "03",
    ),
    unanswered(
        "the same hint for ever",
        SHEET,
        "min(self.hinted[name] + 1, len(hints))",
        "min(1, len(hints))",
    ),
    unanswered(
        "a hint that was shown is shown again",
        SHEET,
        "self.hinted[name] = max(self.hinted[name], 1)",
        "self.hinted[name] = 0",
    ),
    Fault(
        "every answer counted as solved",
        SHEET,
        "for name, verdict in self.verdicts.items() if verdict.solved]",
        "for name, verdict in self.verdicts.items()]",
        "test_sheet",
        "03",
    ),
    unanswered(
        "solved once is solved for good",
        SHEET,
        "self.verdicts[name] = judge(exercise, answer) or self._open(exercise)\n"
        "        return self.verdicts[name]",
        "verdict = judge(exercise, answer) or self._open(exercise)\n"
        "        if name not in self.verdicts or verdict.solved:\n"
        "            self.verdicts[name] = verdict\n"
        "        return verdict",
    ),
    unanswered("one digit accepted for two", ONE, "decimals=2", "decimals=1"),
    unanswered("15 steps expected for 14", ONE, "SHARE = 0.8**14", "SHARE = 0.8**15"),
    unanswered(
        "praise with another share",
        ONE,
        'about {share:.1%} is left.", share=SHARE',
        'about {share:.1%} is left.", share=2 * SHARE',
        "test_exercises",
    ),
    unanswered(
        "backward half of the last letter expected",
        PASSING,
        "return np.concatenate([states[-1, :n], states[0, n:]])",
        "return np.concatenate([states[-1, :n], states[-1, n:]])",
    ),
    Fault(
        "hint with another number of phonemes",
        ONE,
        'all=len(["b", "ɪ", "l", "d"])',
        'all=len(["b", "ɪ", "l", "d", "ə"])',
        "test_exercises",
        "01",
    ),
    unanswered(
        "hint with weights in another order",
        TWO,
        '("first", "second", "third"), WEIGHTS.right',
        '("second", "first", "third"), WEIGHTS.right',
        "test_exercises",
    ),
    unanswered(
        "the current state said to ask",
        TWO,
        'right="previous"',
        'right="current"',
    ),
    unanswered(
        "scores without tanh accepted",
        TWO,
        "right=lambda query, keys, v_a: np.tanh(query + keys) @ v_a",
        "right=lambda query, keys, v_a: (query + keys) @ v_a",
    ),
    unanswered(
        "root of the lesson's width expected",
        THREE,
        "right=lambda query, key: query @ key.T / key.shape[-1] ** 0.5",
        "right=lambda query, key: query @ key.T / 2**0.5",
    ),
    unanswered("weight of hidden keys accepted", THREE, "right=1.5", "right=7 / 3"),
    unanswered("a spread of 9.7 accepted for 10", THREE, "rtol=0.005", "rtol=0.1"),
    unanswered(
        "parameters without biases accepted",
        FOUR,
        "    right=4 * D * (D + 1),\n    mis",
        "    right=4 * D * D,\n    mis",
    ),
    unanswered(
        "merge by reshape accepted",
        FOUR,
        "right=lambda heads: merge_heads(heads)",
        "right=lambda heads: heads.reshape(heads.shape[1], -1)",
    ),
    unanswered(
        "merge tried on two heads only",
        GLUING,
        "sizes=((2, 3, 4), (3, 5, 2), (4, 4, 3), (3, 3, 3))",
        "sizes=((2, 3, 4), (2, 5, 2))",
    ),
    unanswered(
        "mask with a step of the future accepted",
        FIVE,
        "right=lambda T: causal_mask(T),",
        "right=lambda T: causal_mask(T, offset=1),",
    ),
    unanswered(
        "mask of three positions accepted",
        TRIANGLES,
        "sizes=((5,), (3,), (4,), (2,), (1,))",
        "sizes=((3,), (3,))",
    ),
    unanswered(
        "praise of another leak", FIVE, "i=1, j=2", "i=0, j=2", "test_exercises"
    ),
    unanswered(
        "letters said to ask",
        SHAPES,
        "((4, 6, 6), (4, 3, 3), (4, 3, 6))\nIN",
        "((4, 6, 6), (4, 3, 3), (4, 6, 3))\nIN",
    ),
    unanswered(
        "one mistake at a time", NAMING, "MOST = 2", "MOST = 1", "test_mistakes"
    ),
    unanswered("float32 refused", NAMING, "ROOM = 1e-5", "ROOM = 1e-12", "test_sheet"),
    unanswered(
        "a mistake known by one size alone",
        NAMING,
        "all(alike(tried[n], theirs[n]) for n in shown)",
        "any(alike(tried[n], theirs[n]) for n in shown)",
        "test_mistakes",
    ),
    unanswered(
        "an example as it was drawn",
        SMALLEST,
        "        if _errs(exercise, function, simpler):\n            probe = simpler",
        "        if False:\n            probe = simpler",
        "test_mistakes",
    ),
    unanswered("all rows shown", WRITTEN, "ROWS = 2", "ROWS = 9", "test_mistakes"),
    unanswered(
        "what is right shown as what came",
        WRITTEN,
        '"came": written(came), "right": written(right)',
        '"came": written(right), "right": written(came)',
        "test_mistakes",
    ),
    unanswered(
        "a token said to be seen that is not",
        SEEING,
        "if not mine[i, j]:",
        "if mine[i, j]:",
        "test_sheet",
    ),
    unanswered(
        "no scale called right",
        ATTENDING,
        '"scaled": lambda a: a.scores / np.sqrt(width(a))',
        '"scaled": lambda a: a.scores',
        "test_mistakes",
    ),
    unanswered(
        "a mask that is ignored called turned",
        MASKS,
        "hidden=lambda a: np.where(turned(a.mask), a.scaled, -np.inf)",
        "hidden=lambda a: a.scaled",
    ),
    unanswered(
        "positions of another base called right",
        PLACING,
        "base=10000.0, start=0",
        "base=1000.0, start=0",
        "test_mistakes",
    ),
    unanswered(
        "too high said for too low",
        PREDICTING,
        "high, close = mine > right",
        "high, close = mine < right",
        "test_predicting",
    ),
    unanswered(
        "a prediction forgotten",
        SHEET,
        "self.expected[name] = expected",
        "self.expected = {}",
        "test_predicting",
    ),
    unanswered(
        "words of training taken",
        SEARCHING,
        "    if said.seen:",
        "    if False:",
        "test_searches",
    ),
    unanswered(
        "weight of the padding shared out again",
        MAPS,
        "softmax(scores) * mask, by_columns",
        "softmax(hidden) * mask, by_columns",
        "test_searches",
    ),
    unanswered(
        "exercises of other pages counted",
        SHEET,
        "met = list(self.verdicts) or list(self.exercises)",
        "met = list(self.exercises)",
    ),
]
