import math
import re

import numpy as np
import pytest

from mha_core._checks.sentences import Sentence, sentence
from mha_core.lab import Sheet, locale
from mha_core.lab.exercises import Exercise, lessons
from mha_core.lab.exercises.compare import as_numbers, close, difference, without_ones
from mha_core.lab.exercises.exercise import pairs
from mha_core.lab.exercises.functions import fault_of_function
from mha_core.lab.exercises.running import in_words
from mha_core.lab.exercises.stepwise import drawn
from sheets import last_place, near_misses, prove

LISTED = [(n, e.name) for n in lessons() for e in Sheet(n).exercises.values()]
each_exercise = pytest.mark.parametrize(("lesson", "name"), LISTED)


def softmax(scores):
    return np.exp(scores) / np.exp(scores).sum()


EXERCISES = (
    Exercise(
        name="shape",
        kind="array",
        right=(2, 3),
        mistakes=(((3, 2), sentence("queries come first")),),
        hints=(
            sentence("Rows are queries."),
            sentence("Two."),
            sentence("Then three."),
        ),
        solution="answer = (2, 3)",
        praise=sentence("rows are queries, columns are keys."),
    ),
    Exercise(
        name="softmax",
        kind="function",
        right=softmax,
        probes=(drawn(2), drawn(3)),
        mistakes=pairs(np.exp, sentence("divide by the sum, so that it becomes 1")),
        hints=(sentence("Exponentials, divided by their sum."),),
        solution=(
            "import numpy as np\n"
            "def answer(scores):\n"
            "    return np.exp(scores) / np.exp(scores).sum()"
        ),
        praise=sentence("that is it."),
    ),
    Exercise(
        name="who",
        kind="choice",
        right="query",
        also=(("q", "query"), ("k", "key")),
        mistakes=(("key", sentence("keys are looked at")),),
        hints=(sentence("It asks."),),
        solution="answer = 'Query'",
        praise=sentence("it asks."),
    ),
    Exercise(
        name="share",
        kind="number",
        right=2 / 3,
        decimals=2,
        mistakes=((1 / 3, sentence("that is the rest")),),
        hints=(sentence("Count."),),
        solution="answer = 2 / 3",
        praise=sentence("two thirds."),
    ),
)
NAMES = [exercise.name for exercise in EXERCISES]


@pytest.fixture
def sheet():
    return Sheet(EXERCISES)


@pytest.mark.parametrize("name", NAMES)
def test_the_example_is_proved(sheet, name):
    prove(sheet, name)


@each_exercise
def test_every_exercise_of_every_lesson_is_proved(lesson, name):
    prove(Sheet(lesson), name)


@pytest.mark.parametrize("lesson", lessons())
def test_a_lesson_has_five_exercises_of_three_sorts_and_more(lesson):
    exercises = Sheet(lesson).exercises.values()
    assert len(exercises) >= 5
    kinds = [exercise.kind for exercise in exercises]
    assert kinds.count("function") >= 2
    assert [e for e in exercises if e.kind == "search" and not e.picture]
    assert [e for e in exercises if e.picture]
    assert [e for e in exercises if e.tokens], "judged by who can see whom"


def test_there_are_thirty_exercises():
    assert len({name for _, name in LISTED}) >= 30


@each_exercise
def test_a_table_is_whole(lesson, name):
    exercise = Sheet(lesson).exercises[name]
    said = [sentence for _, sentence in exercise.mistakes]
    assert said
    assert len(exercise.hints) == 3
    parts = str if exercise.kind == "search" else Sentence
    assert all(isinstance(part, parts) for part in said)
    assert all(isinstance(hint, Sentence) for hint in exercise.hints)
    assert isinstance(exercise.praise, Sentence)
    assert len(set(exercise.hints)) == len(exercise.hints)


def shape_of(part):
    """Return the shape of an array, of all weights by name, or a number itself."""
    if isinstance(part, dict):
        return sum((array.shape for array in part.values()), ())
    return np.shape(part) or (part,)


@each_exercise
def test_functions_are_tried_on_two_sizes_of_every_axis(lesson, name):
    exercise = Sheet(lesson).exercises[name]
    sizes = [[shape_of(part) for part in probe] for probe in exercise.probes]
    assert bool(sizes) == (exercise.kind == "function")
    for arguments in zip(*sizes, strict=True):
        for axis in zip(*arguments, strict=True):
            assert len(set(axis)) > 1


def test_near_misses_are_near():
    places = [last_place(k) for k in (0.5, 0.44, 10, 1.5, 84, 2362368)]
    assert places == [0.1, 0.01, 1, 0.1, 1, 1]
    near = [float(k) for k in near_misses(EXERCISES[3])]
    for wanted in (0.9 * 2 / 3, 1.1 * 2 / 3, 0.66, 0.68, 0.666, 0.668):
        assert any(math.isclose(wanted, k) for k in near)


def test_verdicts_read_well(sheet):
    assert repr(sheet.check("shape", ...)) == (
        "shape: not answered yet. Hint: Rows are queries."
    )
    assert repr(sheet.check("shape", (3, 2))) == "shape: not yet: queries come first"
    assert repr(sheet.check("shape", np.array([2, 3]))) == (
        "shape: right: rows are queries, columns are keys."
    )


def test_a_verdict_can_be_translated(sheet):
    for answer in (..., (3, 2), (2, 3), "x"):
        said = sheet.check("shape", answer).sentence
        assert isinstance(said, Sentence)
        assert all(isinstance(k, (Sentence, str)) for k in said.fields.values())
    assert isinstance(sheet.hint("shape").sentence, Sentence)
    assert isinstance(sheet.progress().sentence, Sentence)


def test_a_verdict_is_told_in_the_language_of_its_time(sheet, monkeypatch):
    where = "mha_core.lab.exercises.exercise.translated"
    monkeypatch.setattr(where, lambda text, name: f"{name}: {text}")
    english = sheet.check("shape", (3, 2))
    locale.language("zh")
    try:
        assert repr(sheet.hint("shape")).startswith("zh: shape: hint 1 of 3")
    finally:
        locale.language("en")
    assert repr(english) == f"en: {english.sentence}"


def test_hints_come_one_by_one_and_the_last_one_stays(sheet):
    said = [repr(sheet.hint("shape")) for _ in range(4)]
    assert said == [
        "shape: hint 1 of 3: Rows are queries.",
        "shape: hint 2 of 3: Two.",
        "shape: hint 3 of 3: Then three.",
        "shape: hint 3 of 3: Then three.",
    ]
    assert "Hint: Rows are queries." in repr(sheet.check("shape", ...))


def test_an_open_answer_shows_the_first_hint_so_the_next_is_another(sheet):
    for _ in range(2):
        assert "Rows are queries." in repr(sheet.check("shape", ...))
    assert repr(sheet.hint("shape")) == "shape: hint 2 of 3: Two."
    assert not sheet.hint("shape").solved
    sheet.check("shape", (2, 3))
    assert sheet.hint("shape").solved
    with pytest.raises(ValueError, match="no exercise 'size'; there are shape, soft"):
        sheet.hint("size")


def test_progress_counts_what_is_solved_now(sheet):
    assert repr(sheet.progress()) == (
        "0 of 4 solved; still open: shape, softmax, who, share"
    )
    sheet.check("shape", (2, 3))
    assert repr(sheet.progress()) == "1 of 1 solved"
    sheet.check("softmax", ...)
    assert repr(sheet.progress()) == "1 of 2 solved; still open: softmax"
    sheet.check("share", 1 / 3)
    sheet.check("who", "query")
    assert repr(sheet.progress()) == "2 of 4 solved; still open: softmax, share"
    sheet.check("who", "key")
    assert not sheet.progress().solved
    assert repr(sheet.progress()).startswith("1 of 4")
    for exercise in EXERCISES:
        sheet.verdicts[exercise.name] = sheet.check("shape", (2, 3))
    assert repr(sheet.progress()) == "4 of 4 solved"


def unfinished(scores):
    raise NotImplementedError


def documented(scores):
    """Return the weights."""


def dots(scores): ...


OPEN = [None, ..., (..., ...), [None], unfinished, documented, dots]
OPEN += [lambda scores: ..., lambda scores: None]


@pytest.mark.parametrize("answer", OPEN, ids=range(len(OPEN)))
def test_what_is_untouched_is_not_wrong(sheet, answer):
    assert "not answered yet" in repr(sheet.check("softmax", answer))


def forgets(scores):
    weights = np.exp(scores) / np.exp(scores).sum()
    weights.sum()


def forgets_for_three(scores):
    if len(scores) == 2:
        return softmax(scores)


@pytest.mark.parametrize("answer", [forgets, print, lambda scores: scores.sort()])
def test_a_forgotten_return_is_told(sheet, answer):
    assert repr(sheet.check("softmax", answer)) == (
        "softmax: not yet: for scores (2,): your function returns nothing: end it "
        "with return"
    )
    assert repr(sheet.check("softmax", forgets_for_three)) == (
        "softmax: not yet: right for scores (2,), but not for scores (3,): your "
        "function returns nothing: end it with return"
    )


@pytest.mark.parametrize("answer", [softmax(np.ones(3)), 0.5, [1], "softmax", True])
def test_a_result_in_place_of_the_function_is_told(sheet, answer):
    said = repr(sheet.check("softmax", answer))
    assert "hand in the function itself, without calling it" in said
    assert f"of type {type(answer).__name__}" in said


@pytest.mark.parametrize("name", ["shape", "share"])
def test_a_function_in_place_of_its_value_is_told(sheet, name):
    for answer in (softmax, print, lambda: (2, 3)):
        assert "a value is expected, not a function: call it" in repr(
            sheet.check(name, answer)
        )


SLIPS = [
    (lambda scores: scores, "for scores (2,): 2 of 2 numbers differ, the first at [0]"),
    (lambda scores: 1 / 0, "for scores (2,): your function raised ZeroDivisionError"),
    (lambda: 1, "your function raised TypeError"),
    (lambda scores: scores + np.ones(4), "(2,) (4,)"),
    (lambda scores: scores @ np.ones(4), "equal sizes inside, here 2 and 4"),
    (lambda scores: np.nan * scores, "NaN or infinity"),
    (lambda scores: softmax(scores)[:, None], "its shape is (2, 1); expected (2,)"),
    (lambda scores: softmax(scores)[::-1], "right numbers in wrong places"),
    (lambda scores: softmax(scores) > 0, "neither true nor false"),
    (lambda scores: softmax, "not a function: call it"),
    (lambda scores: softmax(scores) + 0j, "neither masked nor complex"),
    (lambda scores: [[1], [1, 2]], "cannot be read as numbers"),
    (lambda scores: "weights", "without quotes"),
    (lambda scores: scores[2], "IndexError"),
    (lambda scores: softmax(scores)[[0, 1]], "not for scores (3,): its shape is (2,)"),
    (lambda scores: np.exp(scores).reshape(2), "divide by the sum"),
]


@pytest.mark.parametrize(("answer", "part"), SLIPS, ids=[part for _, part in SLIPS])
def test_a_slip_is_named(sheet, answer, part):
    verdict = sheet.check("softmax", answer)
    assert not verdict.solved
    assert part in verdict.sentence


CHOICES = [("key", "keys are looked at"), (" K ", "keys are looked at")]
CHOICES += [("x", "'key', 'query'"), (3, "'key', 'query'"), (print, "'key', 'query'")]


@pytest.mark.parametrize(("answer", "part"), CHOICES, ids=repr)
def test_a_wrong_choice_is_told(sheet, answer, part):
    verdict = sheet.check("who", answer)
    assert not verdict.solved
    assert part in verdict.sentence


class Odd:
    def __array__(self, dtype=None, copy=None):
        raise RuntimeError("no array of <Odd object at 0x7f00>")

    def __eq__(self, other):
        raise RuntimeError("not comparable")


def leaves(scores):
    raise SystemExit(1)


def endless(scores):
    return endless(scores)


nested = []
nested.append(nested)
ODD = ["", "text", b"x", 1j, 10**400, np.nan, [[1], [1, 2]], {}, {1}, object(), Odd()]
ODD += [type, np, leaves, np.zeros((2, 0)), np.array("a"), range(9), Odd, print]
ODD += [True, np.True_, "0.67", ["0.67"], nested, endless, lambda scores: Odd()]
ODD += [np.datetime64("2020"), iter([1]), set(), {2, 3}, {"query", "key"}]


@pytest.mark.parametrize("answer", ODD, ids=range(len(ODD)))
@pytest.mark.parametrize("name", NAMES)
def test_no_answer_raises_or_passes(sheet, name, answer):
    verdict = sheet.check(name, answer)
    assert not verdict.solved
    assert "0x" not in repr(verdict)
    assert "\n" not in repr(verdict)


def test_unknown_names_are_refused_with_those_there_are(sheet):
    for name in ("size", ["a"], 3):
        with pytest.raises(ValueError, match="no exercise .*; there are shape, soft"):
            sheet.check(name, 1)
    for lesson in (99, 4.0, "4", True, None):
        with pytest.raises(ValueError, match=f"The lesson '?{lesson}'? has no exerc"):
            Sheet(lesson)
    assert list(Sheet(np.int64(4)).exercises) == list(Sheet(4).exercises)


def fault(answer, expected):
    array, said = as_numbers(answer, expected)
    array = array if said else without_ones(array, np.ndim(expected))
    if said or close(array, expected, 1e-6):
        return said
    return difference(array, expected, 1e-6)


def test_numbers_are_compared_with_what_to_say():
    assert fault(0.5, 0.5) is None
    assert fault(np.float32(0.1), 0.1) is None
    assert fault([[0.5]], 0.5) is None
    assert fault([[1, 2]], [1, 2]) is None
    masked = np.ma.masked_array(0.5, True)
    for odd in (0.5 + 5j, np.complex128(0.5), [[1j], [1]], masked):
        assert fault(odd, 0.5) == "a number is expected, neither masked nor complex"
    assert fault(0.6, 0.5) == "0.6 is not the number"
    for turned in (-0.5, [-1, -2]):
        assert "plus and minus are exchanged" in fault(turned, np.negative(turned))
    assert fault([0.5, 0.5], 0.5) == (
        "one number is expected; the shape of this is (2,)"
    )
    assert fault([1, np.nan], [1, 2]) == "there is NaN or infinity in it"
    assert fault([1, 3], [1, 2]) == "1 of 2 numbers differs, the first at [1]"
    assert fault([2, 3], [1, 2]) == "2 of 2 numbers differ, the first at [0]"
    assert fault([2, 1], [1, 2]) == (
        "these are the right numbers in wrong places, the first at [0]"
    )
    assert fault([[1, 3, 5], [2, 4, 6]], [[1, 2], [3, 4], [5, 6]]) == (
        "its shape is (2, 3); expected (3, 2): rows and columns are swapped"
    )


def test_a_large_number_is_not_taken_for_the_next():
    assert close(np.array(2362368.0), 2362368, 1e-6)
    for wrong in (2362367, 2362369):
        assert not close(np.array(wrong), 2362368, 1e-6)


def test_a_rounded_number_is_taken_but_no_neighbour():
    for right in (0.67, 0.667, 0.6667, 2 / 3):
        assert close(np.array(right), 2 / 3, 1e-6, decimals=2)
    for wrong in (0.7, 0.66, 0.68, 0.666, 0.668, 0.6666, 0.69):
        assert not close(np.array(wrong), 2 / 3, 1e-6, decimals=2)


def test_a_function_is_known_by_what_it_does_where_it_returns():
    exercise = EXERCISES[1]
    assert fault_of_function(exercise, softmax) is None
    for wrong in (np.exp, lambda scores: [np.exp(k) for k in scores]):
        assert fault_of_function(exercise, wrong) == exercise.mistakes[0][1]
    half = fault_of_function(exercise, lambda scores: softmax(scores)[:2])
    assert half.startswith("right for scores (2,), but not for scores (3,): its shape")


def test_an_error_is_told_in_one_line_without_addresses():
    error = ValueError(f"two lines\nof {object()}" + 300 * "x")
    assert in_words(error).startswith("of <object object>xxx")
    assert len(in_words(error)) == 200
    assert in_words(KeyError("a")) == "KeyError: 'a'"


def test_a_verdict_is_the_same_every_time(sheet):
    answer = SLIPS[0][0]
    assert len({repr(sheet.check("softmax", answer)) for _ in range(3)}) == 1
    assert not re.search("0x", repr(sheet.check("softmax", object())))
