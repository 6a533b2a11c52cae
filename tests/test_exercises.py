"""What the exercises ask is what the package computes, however it is answered."""

import numpy as np
import pytest

from mha_core import lab, softmax
from mha_core.evaluation import align, phoneme_error
from mha_core.lab.exercises import lessons
from mha_core.lab.exercises.exercise import judge, untouched
from mha_core.lab.exercises.lesson_02 import SCORES, STATES
from mha_core.pretrained import load
from mha_core.tasks import spell
from sheets import answer_of

EXERCISES = [(n, name) for n in lessons() for name in lab.Sheet(n).exercises]
BUILD = "bɪld", ["b", "aɪ", "l", "d", "ə"]


def by_the_model(states):
    return load("last_state").last_states(states[None])[0]


def of_one_query(query, keys, v_a):
    return np.tanh(query + keys) @ v_a


RIGHT = [
    (1, "passed_on", len(load("last_state").params["b_start"])),
    (1, "passed_on", 84.0),
    (1, "passed_on", np.int64(84)),
    (1, "last_states", by_the_model),
    (1, "last_states", lambda s: [*s[-1, : len(s[0]) // 2], *s[0, len(s[0]) // 2 :]]),
    (1, "phoneme_error", phoneme_error([BUILD[1]], [("build", list(BUILD[0]))])),
    (1, "phoneme_error", align(*BUILD)[0] / 4),
    (1, "fading", np.prod([0.8] * 14)),
    (1, "fading", 0.044),
    (1, "fading", 0.04),
    (2, "weights", softmax(SCORES)),
    (2, "weights", (1 / 4, 2 / 4, 1 / 4)),
    (2, "context", softmax(SCORES) @ STATES),
    (2, "context", [2, 2]),
    (2, "scores", of_one_query),
    (2, "scores", lambda q, k, v: [sum(v * np.tanh(q + key)) for key in k]),
    (2, "asks", " Previous "),
]
ODD = ["", "text", b"x", 1j, -1, np.nan, np.inf, [[1], [1, 2]], {}, object(), print]
ODD += [np.zeros((2, 0)), np.zeros((3, 3)), True, lambda *args: args, lambda: 1 / 0]


@pytest.mark.parametrize(("lesson", "name", "answer"), RIGHT)
def test_a_right_answer_passes_in_any_form(lesson, name, answer):
    verdict = lab.Sheet(lesson).check(name, answer)
    assert verdict.solved, verdict


@pytest.mark.parametrize(("lesson", "name"), EXERCISES)
def test_an_odd_answer_gets_one_sentence(lesson, name):
    sheet = lab.Sheet(lesson)
    for answer in ODD:
        verdict = sheet.check(name, answer)
        assert not verdict.solved, answer
        assert "0x" not in repr(verdict)
        assert "\n" not in repr(verdict)


def emptied(array):
    array[:] = 0
    return array


def reshaped(heads):
    heads.shape = 3, 8
    return heads


SPOILS = [
    (1, "last_states", lambda states: emptied(states)[0]),
    (2, "scores", lambda query, keys, v_a: emptied(keys)[:, 0]),
    (3, "scaled", lambda query, key: emptied(query) @ key.T),
    (4, "merge", lambda heads: emptied(heads).swapaxes(0, 1).reshape(3, 8)),
    (4, "merge", reshaped),
]


@pytest.mark.parametrize(("lesson", "name", "answer"), SPOILS)
def test_a_function_that_spoils_its_arguments_changes_no_truth(lesson, name, answer):
    verdict = lab.Sheet(lesson).check(name, answer)
    assert not verdict.solved
    assert "numbers differ" in repr(verdict) or "move it back" in repr(verdict)


@pytest.mark.parametrize("answer", [None, ..., (1, ...), [[None]]])
def test_open_is_not_wrong(answer):
    assert untouched(answer)
    for exercise in lab.Sheet(1).exercises.values():
        assert "not answered yet" in repr(judge(exercise, answer))


@pytest.mark.parametrize("answer", [0, "", False, (), np.zeros(3), print])
def test_nothing_much_is_an_answer(answer):
    assert not untouched(answer)


@pytest.mark.parametrize("lesson", lessons())
def test_a_sheet_is_done_when_every_exercise_is(lesson):
    sheet = lab.Sheet(lesson)
    for name, exercise in sheet.exercises.items():
        assert not sheet.progress().solved
        sheet.check(name, answer_of(exercise))
    assert sheet.progress().solved


@pytest.mark.parametrize(("lesson", "name"), EXERCISES)
def test_Y08_a_hint_does_not_give_the_answer_away(lesson, name):
    sheet = lab.Sheet(lesson)
    hint = sheet.exercises[name].hint
    last = sheet.exercises[name].solution.splitlines()[-1]
    assert last.removeprefix("answer = ").strip('"') not in hint
    assert hint in repr(sheet.check(name, ...))


def test_numbers_in_hints_are_those_of_the_solution():
    exercises = lab.Sheet(2).exercises
    weights = answer_of(exercises["weights"])
    parts = zip(weights, ("first", "second", "third"), strict=True)
    for weight, place in parts:
        assert f"{weight:g} of the {place}" in exercises["context"].hint
    assert f"divide by {len(BUILD[0])}" in lab.Sheet(1).exercises["phoneme_error"].hint


def test_the_message_of_lesson_1_is_the_one_of_the_model():
    source = spell(["internationalization"])
    model = load("last_state")
    states = model.encode(source, source > 0)[0]
    answer = answer_of(lab.Sheet(1).exercises["last_states"])
    assert np.array_equal(answer(states), model.last_states(states[None])[0])
    assert len(answer(states)) == answer_of(lab.Sheet(1).exercises["passed_on"])
