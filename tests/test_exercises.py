"""What the exercises ask is what the package computes, however it is answered."""

import ast
import re
from pathlib import Path

import numpy as np
import pytest

from mha_core import lab, softmax
from mha_core._checks.sentences import Sentence
from mha_core.attention import additive_attention, scaled_dot_product_attention
from mha_core.blocks import layer_norm
from mha_core.evaluation import align, phoneme_error
from mha_core.lab.exercises import lessons
from mha_core.lab.exercises.judging import judge
from mha_core.lab.exercises.lesson_02 import LOGS as SCORES
from mha_core.lab.exercises.lesson_02 import STATES
from mha_core.lab.exercises.running import untouched
from mha_core.lab.measure.guarding import SHAPES
from mha_core.losses import surprise
from mha_core.masking import causal_mask
from mha_core.multihead import count_parameters
from mha_core.pretrained import load, load_language
from mha_core.pronouncing import pronounce
from mha_core.tasks import spell
from sheets import answer_of

SOURCES = sorted(
    Path(__file__).parent.parent.joinpath("notebooks/source").glob("[0-9]*.py")
)
EXERCISES = [(n, name) for n in lessons() for name in lab.Sheet(n).exercises]
each_exercise = pytest.mark.parametrize(("lesson", "name"), EXERCISES)
BUILD = "bɪld", ["b", "aɪ", "l", "d", "ə"]


def by_the_model(states):
    return load("last_state").last_states(states[None])[0]


def of_one_query(query, keys, v_a):
    return np.tanh(query + keys) @ v_a


def looped(heads):
    return [[k for head in heads for k in head[t]] for t in range(len(heads[0]))]


def by_einsum(query, key):
    return np.einsum("id,jd->ij", query, key / np.sqrt(query.shape[1]))


def by_attention():
    nothing, value = np.zeros((3, 1)), np.array([[1.0], [2.0], [4.0]])
    mask = np.array([[True, True, False]])
    return scaled_dot_product_attention(nothing[:1], nothing, value, mask=mask)[0]


def filled(T):
    mask = np.zeros((T, T), dtype=int)
    for i in range(T):
        mask[i, : i + 1] = 1
    return mask


RIGHT = [
    (1, "passed_on", len(load("last_state").params["b_start"])),
    (1, "last_states", by_the_model),
    (1, "last_states", lambda s: [*s[-1, : len(s[0]) // 2], *s[0, len(s[0]) // 2 :]]),
    (1, "last_states", lambda s: s[[-1, 0]].reshape(2, 2, -1)[[0, 1], [0, 1]].ravel()),
    (1, "phoneme_error", phoneme_error([BUILD[1]], [("build", list(BUILD[0]))])),
    (1, "phoneme_error", align(*BUILD)[0] / 4),
    (1, "fading", np.prod([0.8] * 14)),
    (1, "fading", 0.044),
    (1, "fading", 0.04),
    (1, "fading", 0.04398),
    (2, "weights", softmax(SCORES)),
    (2, "weights", softmax(SCORES[None])),
    (2, "weights", softmax(SCORES.astype("f4"))),
    (2, "weights", (1 / 4, 2 / 4, 1 / 4)),
    (2, "weights", softmax(np.array([0, 0.693, 0]))),
    (2, "context", softmax(np.array([0, 0.693, 0])) @ STATES),
    (2, "context", softmax(SCORES) @ STATES),
    (2, "context", softmax(SCORES[None]) @ STATES),
    (2, "context", [2, 2]),
    (2, "scores", of_one_query),
    (2, "scores", lambda q, k, v: [sum(v * np.tanh(q + key)) for key in k]),
    (2, "scores", lambda q, k, v: (v * np.tanh(k + q)).sum(axis=-1)),
    (2, "scores", lambda q, k, v: np.einsum("td,d", np.tanh(q + k), v)),
    *((2, "asks", text) for text in ("s_{i-1}", "s_{j-1}", "s_i-1", "s_{i - 1}")),
    *((2, "asks", text) for text in ("$s_{i-1}$", "S_{i\N{MINUS SIGN}1}", "s_(i-1)")),
    *((2, "asks", text) for text in (" Previous ", "the previous state", "s[i-1]")),
    (3, "spread", 100**0.5),
    (3, "spread", np.sqrt(100)),
    (3, "scaled", by_einsum),
    (3, "scaled", lambda q, k: (k / k.shape[1] ** (1 / 2) @ q.T).T),
    (3, "scaled", lambda q, k: [[sum(a * b) / len(a) ** 0.5 for b in k] for a in q]),
    (3, "masked", by_attention()),
    (3, "role", "V"),
    (4, "merge", looped),
    (4, "merge", lambda heads: np.concatenate([*heads], axis=-1)),
    (4, "merge", lambda heads: np.hstack(heads)),
    (
        4,
        "merge",
        lambda heads: np.einsum("htd->thd", heads).reshape(heads.shape[1], -1),
    ),
    (4, "parameters", count_parameters(768, 12, projection_bias=True)),
    (5, "causal", causal_mask),
    (5, "causal", np.tri),
    (5, "causal", filled),
    (5, "causal", lambda T: [[j <= i for j in range(T)] for i in range(T)]),
    (5, "causal", lambda T: ~np.triu(np.ones((T, T), dtype=bool), 1)),
    (5, "shapes", [[4, 6, 6], [4, 3, 3], [4, 3, 6]]),
]


@pytest.mark.parametrize(("lesson", "name", "answer"), RIGHT, ids=range(len(RIGHT)))
def test_a_right_answer_passes_in_any_form(lesson, name, answer):
    verdict = lab.Sheet(lesson).check(name, answer)
    assert verdict.solved, verdict


WRONG = [
    (1, "passed_on", [1, 84], "not the shape"),
    (
        1,
        "last_states",
        lambda s: [*s[3, : len(s[0]) // 2], *s[0, len(s[0]) // 2 :]],
        "words differ in length",
    ),
    (1, "last_states", lambda s: np.r_[s[-1, :3], s[0, 3:]], "not always the same"),
    (1, "phoneme_error", 0.45, "0.45 is not the number"),
    (1, "phoneme_error", 0.6, "0.6 is not the number"),
    (1, "fading", 0.8**13, "one step too few"),
    (1, "fading", 0.055, "one step too few"),
    (1, "fading", 0.8**15, "one step too many"),
    (1, "fading", 0.035, "one step too many"),
    (1, "fading", 4.4, "not per cent"),
    (2, "weights", [0.3, 0.4, 0.3], "3 of 3 numbers differ"),
    (2, "weights", [0.25, 0.25, 0.5], "right numbers in wrong places"),
    (2, "scores", lambda q, k, v: np.tanh(q - k) @ v, "add query and keys"),
    (
        2,
        "scores",
        lambda q, k, v: v @ np.tanh(q + k),
        "equal sizes inside, here 3 and 4: is a .T missing?",
    ),
    (2, "asks", "s_j", "comes later"),
    (2, "asks", "s_i", "comes later"),
    (2, "asks", "s_{i+1}", "choose one of"),
    (3, "spread", 8, "8 is not the number"),
    (
        3,
        "scaled",
        lambda q, k: q @ k / k.shape[-1] ** 0.5,
        "not yet: query (3, 4) and key (5, 4) cannot be multiplied; turn the key: .T",
    ),
    (
        3,
        "scaled",
        lambda q, k: np.dot(q, k),
        "query (3, 4) and key (5, 4) cannot be multiplied; turn the key: .T",
    ),
    (
        3,
        "scaled",
        lambda q, k: k @ q,
        "key (5, 4) and query (3, 4) cannot be multiplied; turn the query: .T",
    ),
    (3, "scaled", lambda q, k: q.T @ k, "the key is not turned: query @ key.T"),
    (3, "scaled", lambda q, k: np.dot(q.T, k), "the scores are not scaled"),
    (3, "scaled", lambda q, k: q @ k.T / k.shape[-1] ** 1 / 2, "** comes before /"),
    (3, "scaled", lambda q, k: q @ k.T / k.shape[-2] ** 0.5, "the number of keys"),
    (3, "masked", 1.7, "1.7 is not the number"),
    (3, "masked", 2.33, "third key is hidden"),
    (4, "merge", lambda heads: heads.reshape(3, 8), "move it back"),
    (
        4,
        "merge",
        lambda heads: heads.swapaxes(0, 1).reshape(3, 8),
        "right for heads (2, 3, 4), but not for heads (3, 5, 2): your function raised",
    ),
    (
        4,
        "merge",
        lambda heads: np.hstack([heads[0], heads[1]]),
        "not always the same number",
    ),
    (4, "parameters", 2362367, "2362367 is not the number"),
    (4, "parameters", 2362369, "2362369 is not the number"),
    (5, "causal", lambda T: np.tri(3), "not always the same number"),
    (
        5,
        "causal",
        lambda T: np.tri(5),
        "right for T = 5, but not for T = 3: its shape is (5, 5); expected (3, 3)",
    ),
    (5, "causal", lambda T: np.triu(np.full((T, T), -np.inf), 1), "that is a bias"),
    (5, "shapes", [(4, 3, 6), (4, 3, 3), (4, 6, 6)], "keep the order"),
    (5, "shapes", [(4, 6, 6), (4, 4, 4), (4, 4, 6)], "start symbol"),
    (5, "path", 21, "two too many"),
]


@pytest.mark.parametrize(
    ("lesson", "name", "answer", "part"), WRONG, ids=range(len(WRONG))
)
def test_a_likely_slip_is_named(lesson, name, answer, part):
    verdict = lab.Sheet(lesson).check(name, answer)
    assert not verdict.solved
    assert part in verdict.sentence, verdict


ODD = ["", "text", b"x", 1j, -1, np.nan, np.inf, [[1], [1, 2]], {}, object(), print]
ODD += [np.zeros((2, 0)), np.zeros((3, 3)), True, lambda *args: args, lambda: 1 / 0]


@each_exercise
def test_an_odd_answer_gets_one_sentence(lesson, name):
    sheet = lab.Sheet(lesson)
    for answer in ODD:
        verdict = sheet.check(name, answer)
        assert not verdict.solved, answer
        assert isinstance(verdict.sentence, Sentence)
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


@pytest.mark.parametrize(("lesson", "name", "answer"), SPOILS, ids=range(len(SPOILS)))
def test_a_function_that_spoils_its_arguments_changes_no_truth(lesson, name, answer):
    sheet = lab.Sheet(lesson)
    verdict = sheet.check(name, answer)
    assert not verdict.solved
    assert re.search("came|numbers differ|move it back", repr(verdict))
    assert sheet.check(name, answer) == verdict
    assert sheet.check(name, answer_of(sheet.exercises[name])).solved


@pytest.mark.parametrize("answer", [None, ..., (1, ...), [[None]]], ids=range(4))
def test_open_is_not_wrong(answer):
    assert untouched(answer)
    for exercise in lab.Sheet(1).exercises.values():
        assert judge(exercise, answer) is None


@pytest.mark.parametrize("answer", [0, "", False, (), np.zeros(3), print], ids=range(6))
def test_nothing_much_is_an_answer(answer):
    assert not untouched(answer)


@pytest.mark.parametrize("lesson", lessons())
def test_a_sheet_is_done_when_every_exercise_is(lesson):
    sheet = lab.Sheet(lesson)
    for name, exercise in sheet.exercises.items():
        sheet.check(name, ...)
        assert not sheet.progress().solved
        sheet.check(name, answer_of(exercise))
        assert sheet.progress().solved


@each_exercise
def test_Y08_a_hint_does_not_give_the_answer_away(lesson, name):
    sheet = lab.Sheet(lesson)
    exercise = sheet.exercises[name]
    last = exercise.solution.strip().splitlines()[-1]
    answer = re.escape(last.strip().removeprefix("answer = ").strip('"'))
    for hint in exercise.hints:
        assert not re.search(rf"(?<!\w){answer}(?!\w)", hint)
    assert exercise.hints[0] in repr(sheet.check(name, ...))


def moved_by_b():
    """The output of layer b that moves with a later token, and that token."""
    moved = np.array([list("#.."), list("###"), list("###")]) == "#"
    ((i, j),) = np.argwhere(np.triu(moved, 1))
    return int(i), int(j)


def spread_of_norm():
    """Mean and spread of a row that layer norm has made."""
    row = layer_norm(np.arange(9.0)[None], np.ones(9), np.zeros(9))
    return abs(row.mean()), row.std()


def true_praise():
    """What each praise must say, computed where it is a number."""
    return {
        "passed_on": f"{len(load('last_state').params['b_start'])} numbers",
        "last_states": "ends where the other one began",
        "phoneme_error": "two edits over four phonemes of the dictionary",
        "fading": f"about {100 * np.prod([0.8] * 14):.1f}% is left",
        "weights": f"larger by log {np.exp(SCORES[1] - SCORES[0]):.0f} doubles",
        "context": "as wide as a state, a weighted sum of all",
        "scores": "one number for each key",
        "asks": "s_{i-1} asks, the context answers, then s_i is made",
        "spread": "the root of d_k, here of 100",
        "scaled": "scaling the query or the product is the same",
        "masked": "two keys with half of the weight each",
        "role": "values are what the weights weigh",
        "fault": "runs only if T equals h, and a test with T = h would pass",
        "merge": "first the axis, then the reshape",
        "parameters": f"{count_parameters(768, 12, projection_bias=True):,} for any",
        "4 who": "each row of the output holds one head of several positions",
        "8 who": "follows the word, not the place",
        "causal": "position i sees j up to i",
        "leak": "output {} of b sees token {}".format(*moved_by_b()),
        "shapes": "letters on letters, phonemes on phonemes, phonemes on letters",
        "path": f"{len(range(1, 20))} steps here, and 1 in self-attention",
        "softmax": f"sums to {softmax(SCORES).sum():.0f}",
        "loss": f"{np.mean(surprise(np.array([[0.0, 99.0]]), np.array([1]))):.0f} if",
        "masked_softmax": f"row sums to {softmax(SCORES).sum():.0f}",
        "layer_norm": "mean {:.0f}, spread {:.0f}, then".format(*spread_of_norm()),
        "afterwards": "rows sum to less than 1",
        "twice": "at ten letters the error has more than doubled",
        "cache": f"{np.zeros((2, 1024, 768), np.float16).nbytes:,} bytes",
        "grouped": f"{np.zeros((2, 4, 1024, 64), np.float16).nbytes:,} bytes",
        "block_size": "two thirds of them are in the feed-forward layer",
    }


@each_exercise
def test_the_praise_is_true(lesson, name):
    praise = lab.Sheet(lesson).exercises[name].praise
    known = true_praise()
    assert name in known or not re.search(r"\d", praise), "a number that nobody counts"
    assert known.get(name, known.get(f"{lesson} {name}", "")) in praise


@each_exercise
def test_a_number_in_the_praise_is_the_right_one(lesson, name):
    exercise = lab.Sheet(lesson).exercises[name]
    if "right" in exercise.praise.fields:
        assert exercise.praise.fields["right"] == exercise.right
    if exercise.kind == "number" and np.ndim(exercise.right) == 0:
        told = re.findall(r"\d+\.\d+%", exercise.praise)
        assert all(abs(float(k[:-1]) - 100 * exercise.right) < 0.05 for k in told)


def test_numbers_in_hints_are_those_of_the_solution():
    exercises = lab.Sheet(2).exercises
    weights = answer_of(exercises["weights"])
    parts = zip(weights, ("first", "second", "third"), strict=True)
    for weight, place in parts:
        assert f"{weight:g} of the {place}" in exercises["context"].hints[1]
    hints = lab.Sheet(1).exercises["phoneme_error"].hints
    assert f"divide by {len(BUILD[0])}" in hints[0]
    assert align(*BUILD)[0] == 2
    assert "one sound is changed, and one is too many" in hints[1]
    assert f"exp(log 2) is {np.exp(np.log(2)):.0f}" in exercises["weights"].hints[0]
    assert f"exp(0) is {np.exp(0):.0f}" in exercises["weights"].hints[1]
    assert np.allclose(SCORES, [0, np.log(2), 0])


def test_the_message_of_lesson_1_is_the_one_of_the_model():
    source = spell(["internationalization"])
    model = load("last_state")
    states = model.encode(source, source > 0)[0]
    answer = answer_of(lab.Sheet(1).exercises["last_states"])
    assert np.array_equal(answer(states), model.last_states(states[None])[0])
    assert len(answer(states)) == answer_of(lab.Sheet(1).exercises["passed_on"])


def test_the_scores_of_lesson_2_are_those_of_the_package():
    exercise = lab.Sheet(2).exercises["scores"]
    for query, keys, v_a in exercise.probes:
        same = np.eye(len(query)), np.eye(len(query)), v_a
        _, weights = additive_attention(query[None], keys, keys, *same)
        assert np.allclose(softmax(exercise.right(query, keys, v_a)), weights[0])


def solutions(path):
    """Return (exercise, code) of what a lesson shows as solutions, in any language."""
    shown = []
    for cell in re.split(r"^# %%", path.read_text(encoding="utf-8"), flags=re.M):
        if cell.startswith(" [markdown]"):
            text = re.sub(r"^# ?", "", cell, flags=re.M)
            shown += re.findall(r"<details><summary>Solution.*?</details>", text, re.S)
        elif shown and (found := re.search(r'sheet\.check\("(\w+)"', cell)):
            yield from (
                (found.group(1), code) for text in shown for code in codes(text)
            )
            shown = []
        elif cell.strip() and "sheet.show(" not in cell:
            shown = []


def codes(text):
    """Return the code in a passage, each as one that ends with a value."""
    fenced = re.findall(r"```python\n(.*?)```", text, re.S)
    return fenced + re.findall(r"<code>(.*?)</code>", text, re.S)


def imported(path):
    """Return the names that the first code cell of a lesson imports."""
    names = {"np": np}
    text = path.read_text(encoding="utf-8")
    first = re.search(r"^# %%(?! \[markdown\]).*\n((?:(?!# %%).*\n)*)", text, re.M)
    if "import" in first.group(1):
        exec(first.group(1), names)
    return names


def value_of(code, names):
    """Return what a code is worth, or the function that it defines."""
    try:
        return eval(code, names)
    except SyntaxError:
        exec(code, names)
    last = ast.parse(code).body[-1]
    return names[last.name]


def checked(path):
    """Return the names of the exercises that a lesson asks."""
    return set(re.findall(r'sheet\.check\("(\w+)"', path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_every_solution_that_a_lesson_shows_passes_its_check(path):
    sheet = lab.Sheet(int(path.name[:2]))
    shown = [*solutions(path)]
    assert {name for name, _ in shown} == checked(path)
    names = imported(path)
    for name, code in shown:
        answer = value_of(code, names)
        verdict = sheet.check(name, answer)
        assert verdict.solved, (code, verdict)
        names |= {answer.__name__: answer} if callable(answer) else {}


def test_what_lesson_7_shows_speaks_when_it_is_plugged_in():
    path = next(path for path in SOURCES if path.name.startswith("07"))
    names = imported(path)
    for _, code in solutions(path):
        answer = value_of(code, names)
        names |= {answer.__name__: answer} if callable(answer) else {}
    parts = {name: names[name] for name in (*SHAPES, "block") if name in names}
    assert len(parts) == 7
    for mine in ({name: part} for name, part in parts.items()):
        said = pronounce(lab.plugged(load("transformer"), **mine), "knight")
        assert "knight: n aɪ t" in said.sentence
        words = lab.plugged(load_language(), **mine).write(np.random.default_rng(0), 4)
        assert words == load_language().write(np.random.default_rng(0), 4)


WRONGLY_SOLVED = """# %% [markdown] lang="en"
# <details><summary>Solution</summary>
#
# ```python
# def scaled_scores(query, key):
#     return query @ key.T / key.shape[-2] ** 0.5
# ```
#
# </details>

# %%
sheet.check("scaled", ...)
"""


def test_a_wrong_solution_would_be_noticed(tmp_path):
    lesson = tmp_path / "lesson.py"
    lesson.write_text(WRONGLY_SOLVED, encoding="utf-8")
    ((name, code),) = solutions(lesson)
    assert name == "scaled"
    assert "number of keys" in repr(
        lab.Sheet(3).check(name, value_of(code, {"np": np}))
    )
