import numpy as np
import pytest

from mha_core.lab import Sheet
from mha_core.lab.exercises import Exercise, lessons
from mha_core.lab.exercises.compare import differs, not_chosen
from sheets import prove


def check_softmax(f):
    expected = [0.25, 0.75]
    plain = (np.exp([0, np.log(3)]), "divide by the sum, so that it becomes 1")
    return differs(f(np.array([0, np.log(3)])), expected, [plain])


EXERCISES = (
    Exercise(
        "shape",
        lambda answer: differs(answer, (2, 3), [((3, 2), "queries come first")]),
        "Rows are queries.",
        "answer = (2, 3)",
        "rows are queries, columns are keys.",
        (
            ((3, 2), "queries come first"),
            ((2,), "its shape is (1,)"),
            ("x", "type str"),
        ),
    ),
    Exercise(
        "softmax",
        check_softmax,
        "Exponentials, divided by their sum.",
        "import numpy as np\n"
        "def answer(scores):\n"
        "    return np.exp(scores) / np.exp(scores).sum()",
        wrong=(
            (np.exp, "divide by the sum"),
            (lambda scores: scores, "2 of 2 numbers differ"),
            (lambda scores: 1 / 0, "your function raised ZeroDivisionError"),
            (lambda: 1, "your function raised TypeError"),
        ),
    ),
    Exercise(
        "who",
        lambda answer: not_chosen(answer, "query", {"key": "keys are looked at"}),
        "It asks.",
        "answer = 'Query'",
        wrong=(("key", "keys are looked at"), ("x", "'key', 'query'"), (3, "texts")),
    ),
    Exercise(
        "weights",
        lambda answer: differs(answer, [[1, 2], [3, 4], [5, 6]]),
        "Count.",
        "answer = [[1, 2], [3, 4], [5, 6]]",
        wrong=(([[1, 3, 5], [2, 4, 6]], "rows and columns are swapped"),),
    ),
)


@pytest.fixture
def sheet():
    return Sheet(EXERCISES)


@pytest.mark.parametrize("name", [exercise.name for exercise in EXERCISES])
def test_the_example_is_proved(sheet, name):
    prove(sheet, name)


@pytest.mark.parametrize("lesson", lessons())
def test_every_exercise_of_every_lesson_is_proved(lesson):
    sheet = Sheet(lesson)
    assert len(sheet.exercises) == 4
    for name, exercise in sheet.exercises.items():
        assert exercise.wrong
        assert exercise.hint
        prove(sheet, name)


def test_verdicts_read_well(sheet):
    assert repr(sheet.check("shape", ...)) == (
        "shape: not answered yet. Hint: Rows are queries."
    )
    assert repr(sheet.check("shape", (3, 2))) == "shape: not yet: queries come first"
    assert repr(sheet.check("shape", np.array([2, 3]))) == (
        "shape: right: rows are queries, columns are keys."
    )


def test_progress_counts_what_is_solved_now(sheet):
    assert repr(sheet.progress()) == (
        "0 of 4 solved; still open: shape, softmax, who, weights"
    )
    sheet.check("shape", (2, 3))
    sheet.check("who", "query")
    assert repr(sheet.progress()) == "2 of 4 solved; still open: softmax, weights"
    sheet.check("who", "key")
    assert not sheet.progress().solved
    assert repr(sheet.progress()).startswith("1 of 4")
    for exercise in EXERCISES:
        sheet.verdicts[exercise.name] = sheet.check("shape", (2, 3))
    assert repr(sheet.progress()) == "4 of 4 solved"


def unfinished(scores):
    raise NotImplementedError


@pytest.mark.parametrize(
    "answer", [None, ..., (..., ...), [None], unfinished, lambda scores: ...]
)
def test_what_is_untouched_is_not_wrong(sheet, answer):
    assert "not answered yet" in repr(sheet.check("softmax", answer))


class Odd:
    def __array__(self, dtype=None, copy=None):
        raise RuntimeError("no array of <Odd object at 0x7f00>")

    def __eq__(self, other):
        raise RuntimeError("not comparable")


def leaves(scores):
    raise SystemExit(1)


ODD = ["", "text", b"x", 1j, 10**400, np.nan, [[1], [1, 2]], {}, {1}, object(), Odd()]
ODD += [type, np, leaves, np.zeros((2, 0)), np.array("a"), range(9), Odd, print]


@pytest.mark.parametrize("answer", ODD, ids=range(len(ODD)))
@pytest.mark.parametrize("name", [exercise.name for exercise in EXERCISES])
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


def test_numbers_are_compared_with_what_to_say():
    assert differs(0.5, 0.5) is None
    assert differs(np.float32(0.1), 0.1) is None
    masked = np.ma.masked_array(0.5, True)
    for odd in (0.5 + 5j, np.complex128(0.5), [[1j], [1]], masked):
        assert differs(odd, 0.5) == "a number is expected, neither masked nor complex"
    assert differs(0.6, 0.5) == "0.6 is not the number"
    assert differs([0.5], 0.5) == "its shape is (1,); expected ()"
    assert differs([1, np.nan], [1, 2]) == "there is NaN or infinity in it"
    assert differs([1, 3], [1, 2]) == "1 of 2 numbers differ, the first at [1]"
