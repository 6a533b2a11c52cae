"""A wrong function hears its mistake by name, or sees the smallest case of it."""

import numpy as np
import pytest

from mha_core import lab
from mha_core._checks.sentences import Sentence
from mha_core.lab import Sheet
from mha_core.lab.exercises import lessons
from mha_core.lab.exercises.exercise import made_of
from mha_core.lab.exercises.naming import alike, slips_of
from mha_core.lab.exercises.seeing import sights, with_sight
from mha_core.lab.exercises.side_by_side import sight_maps
from mha_core.lab.exercises.smallest import example
from mha_core.lab.exercises.stepwise import Formula, drawn, slip
from mha_core.lab.exercises.trying import attempt, fault_in, named, right_result
from mha_core.lab.exercises.written import compared, in_full, written
from students import RIGHT, WRONG

FORMULAS = {
    (n, name): exercise
    for n in lessons()
    for name, exercise in Sheet(n).exercises.items()
    if exercise.formula
}
each_formula = pytest.mark.parametrize(("lesson", "name"), FORMULAS)


def softmax(x):
    exps = np.exp(x - x.max(axis=-1, keepdims=True))
    return exps / exps.sum(axis=-1, keepdims=True)


def attend(query, key, value, mask, scale=None):
    scale = scale or key.shape[-1] ** 0.5
    return softmax(np.where(mask, query @ key.T / scale, -np.inf)) @ value


def said(lesson, name, function):
    return repr(Sheet(lesson).check(name, function))


def test_the_catalogue_has_forty_wrong_implementations_and_more():
    sentences = {slip.said for e in FORMULAS.values() for slip in e.formula.known}
    assert len(sentences) >= 40
    assert all(isinstance(each, Sentence) for each in sentences)


@each_formula
def test_a_formula_without_slips_is_the_right_function(lesson, name):
    exercise = FORMULAS[lesson, name]
    assert len(exercise.formula.sizes) >= 2
    for probe in exercise.formula.probes:
        mine = exercise.formula.attempt(probe, {})
        assert np.allclose(mine, exercise.right(*probe), atol=1e-12)
        assert np.array_equal(mine, exercise.formula.with_steps({})(*probe))


@each_formula
def test_each_way_to_make_a_mistake_is_wrong(lesson, name):
    exercise, sheet = FORMULAS[lesson, name], Sheet(lesson)
    ways = [(each.said, way) for each in exercise.formula.known for way in each.ways]
    for sentence, way in ways[:: 1 + len(ways) // 60]:
        function = exercise.formula.with_steps(way)
        assert not sheet.check(name, function).solved, sentence


def test_two_mistakes_at_once_are_both_named():
    def wrong(query, key, value, mask):
        scores = query @ key.T
        return softmax(np.where(mask, -np.inf, scores)) @ value

    told = said(3, "attention", wrong)
    assert told.startswith("attention: not yet: two things. First: ")
    assert "the scores are not scaled" in told
    assert "true means may attend" in told


def test_what_is_right_at_one_size_only_is_named_by_the_other():
    told = said(3, "attention", lambda *probe: attend(*probe, scale=8))
    assert "the scale is a fixed number" in told


def test_a_mistake_without_a_name_shows_the_smallest_input():
    told = said(3, "softmax", lambda x: softmax(x) ** 1.5)
    assert told == (
        "softmax: not yet: right for scores (1, 2), but not for scores (3, 4): with "
        "scores = [[0, 0], [0, 0]]: row 0 came as [0.354, 0.354], right is [0.5, "
        "0.5]; row 1 came as [0.354, 0.354], right is [0.5, 0.5]"
    )


def averaged(X, W_Q, W_K, W_V, W_O, h, mask):
    parts = [np.split(X @ W, h, axis=1) for W in (W_Q, W_K, W_V)]
    heads = [attend(*part, mask) for part in zip(*parts, strict=True)]
    return np.mean(heads, axis=0) @ W_O


def turned_all(X, W_Q, W_K, W_V, W_O, h, mask):
    T, d_model = X.shape
    query, key, value = (
        (X @ W).reshape(T, h, -1).swapaxes(0, 1) for W in (W_Q, W_K, W_V)
    )
    scores = query @ key.T / (d_model // h) ** 0.5
    heads = softmax(np.where(mask, scores, -np.inf)) @ value
    return heads.swapaxes(0, 1).reshape(T, d_model) @ W_O


def without_keepdims(x, p, h):
    normal = (x - x.mean(axis=-1)) / np.sqrt(x.var(axis=-1) + 1e-5)
    return normal * p["self gain"]


CRASHES = [
    (4, "multi_head", averaged, "W_O needs the heads side by side, (T, d_model)"),
    (4, "multi_head", turned_all, "of three axes .T turns all"),
    (6, "block", without_keepdims, "add keepdims=True"),
    (6, "block", lambda x, p, h: x[:, :1] @ p["self W_Q"], "a product needs equal"),
]


@pytest.mark.parametrize(("lesson", "name", "wrong", "part"), CRASHES)
def test_what_raises_at_every_size_is_known_by_its_error(lesson, name, wrong, part):
    assert part in said(lesson, name, wrong)


def test_two_rows_are_shown_at_most():
    right = np.zeros((4, 2))
    assert compared(right + 1, right) == (
        "row 0 came as [1, 1], right is [0, 0]; row 1 came as [1, 1], right is [0, 0]"
    )
    assert compared(np.array(0.25), np.array(0.5)) == "0.25 came, right is 0.5"
    assert written(np.array([[1.0, -0.0], [2 / 3, 1e-9]])) == "[[1, 0], [0.667, 1e-09]]"
    told = [*in_full({"p": {"W": np.ones(2), "b": np.zeros(2)}, "h": np.array(2)})]
    assert told == ["W = [1, 1]", "h = 2"]


def test_an_example_has_as_many_zeros_as_it_can():
    exercise = Sheet(3).exercises["attention"]
    assert example(exercise, exercise.right) is None
    shown = example(exercise, lambda *probe: attend(*probe) * 1.5)
    assert shown == (
        "with query = [[0]], key = [[0]], value = [[1]], mask = [[1]]: "
        "row 0 came as [1.5], right is [1]"
    )


def test_who_is_seen_wrongly_is_told():
    def leaks(X, W_Q, W_K, W_V):
        return softmax(X @ W_Q @ (X @ W_K).T) @ X @ W_V

    told = said(5, "causal_attention", leaks)
    assert told.endswith("(output 0 sees token 1: the future leaks in)")
    exercise = Sheet(5).exercises["causal_attention"]
    mine, right = sights(exercise, leaks)
    assert mine.all()
    assert np.array_equal(right, np.tri(len(right)))
    assert sights(Sheet(3).exercises["spread"], leaks) is None
    assert with_sight(exercise, exercise.right, "as it was") == "as it was"


def test_a_function_is_drawn_beside_the_right_one():
    sheet = Sheet(6)
    picture = sheet.compare("layer_norm", lambda x, gain, shift: x - x.mean(axis=0))
    assert picture.array.shape == (2, 3, 3)
    assert picture.array[0].all()
    assert np.array_equal(picture.array[1], np.eye(3))
    assert "who can see whom" in picture.sentence
    same = sight_maps(
        sheet.exercises["layer_norm"], sheet.exercises["layer_norm"].right
    )
    assert np.array_equal(*same.array)
    for open_or_wrong in (..., None, 3, lambda x, gain, shift: ..., lambda x: x):
        with pytest.raises(ValueError, match="no map of who can see whom"):
            sheet.compare("layer_norm", open_or_wrong)
    with pytest.raises(ValueError, match="no exercise 'size'"):
        sheet.compare("size", softmax)


def test_a_result_may_come_with_its_weights():
    def both(query, key, value, mask):
        output = attend(query, key, value, mask)
        return output, np.zeros((3, 3))

    assert Sheet(3).check("attention", both).solved
    exercise = Sheet(3).exercises["attention"]
    probe = exercise.probes[0]
    right = right_result(exercise, probe)
    array, fault = attempt(both, named(exercise, probe), right)
    assert fault is None
    assert fault_in(array, fault, right) is None
    assert "numbers differ" in fault_in(array + 1, None, right)


HALVES = slip("half is missing", double=lambda a: a.x)
DOUBLE = Formula(
    inputs="x",
    steps={"double": lambda a: 2 * a.x, "more": lambda a: a.double + 1},
    slips=(HALVES, slip("one is missing", {"more": lambda a: a.double})),
    draw=lambda n: drawn((n,)),
    sizes=((2,), (3,)),
)


def test_slips_are_known_by_the_numbers_they_give():
    def named_by(function):
        tried = [function(*probe) for probe in DOUBLE.probes]
        return [s.said for s in slips_of(DOUBLE, DOUBLE.probes, tried, ["wrong"] * 2)]

    assert named_by(lambda x: x + 1) == ["half is missing"]
    assert named_by(lambda x: x) == ["half is missing", "one is missing"]
    assert named_by(lambda x: 7 * x) == []
    assert made_of(DOUBLE, "x")["tokens"] == ("x",)
    assert not alike(None, np.ones(2))
    assert not alike(np.ones(2), np.ones(3))
    assert alike(np.ones(2), np.ones(2) + 1e-9)


READ = [(1, "twice"), (2, "silent"), (3, "afterwards"), (4, "back"), (6, "fifth")]
READ += [(8, "read_map")]


@pytest.mark.parametrize(("lesson", "name"), READ)
def test_an_exercise_shows_what_is_to_be_read(lesson, name):
    assert isinstance(Sheet(lesson).show(name), lab.Picture)
    with pytest.raises(ValueError, match=f"has no picture; those with one: .*{name}"):
        Sheet(lesson).show(next(iter(Sheet(lesson).exercises)))


@pytest.mark.parametrize(("lesson", "name", "wrong", "parts"), WRONG)
def test_a_mistake_of_a_student_is_named(lesson, name, wrong, parts):
    told = said(lesson, name, wrong)
    assert told.startswith(f"{name}: not yet: ")
    assert any(part in told for part in parts), told
    assert "two things" not in told


@pytest.mark.parametrize(("lesson", "name", "right"), RIGHT)
def test_a_rewriting_of_a_student_is_not_refused(lesson, name, right):
    assert Sheet(lesson).check(name, right).solved


def test_there_are_132_wrong_ones_and_forty_right_ones():
    assert (len(WRONG), len(RIGHT)) == (132, 40)
