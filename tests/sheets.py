"""Proof that an exercise can be solved, and only by solving it.

All that is tried comes from the table of the exercise itself: its mistakes, its
solution, answers just beside the right one, and the right one in other forms.
"""

import re
from decimal import Decimal
from fractions import Fraction
from functools import partial

import numpy as np


def answer_of(exercise):
    """Return the `answer` that the code of a solution ends with."""
    names = {}
    exec(exercise.solution, names)
    return names["answer"]


def prove(sheet, name):
    """Prove one exercise: open, solved, and each mistake answered by its sentence."""
    exercise = sheet.exercises[name]
    for still_open in (None, ...):
        verdict = sheet.check(name, still_open)
        assert not verdict.solved
        assert "not answered yet" in verdict.sentence
        assert exercise.hints[0] in verdict.sentence
    for wrong, said in exercise.mistakes:
        verdict = sheet.check(name, wrong)
        assert not verdict.solved, said
        if exercise.kind == "search":
            assert said in verdict.sentence
            continue
        assert without_sight(verdict.sentence) == f"{name}: not yet: {said}"
    for near in near_misses(exercise):
        assert not sheet.check(name, near).solved, near
    right = [] if exercise.kind == "search" else [exercise.right]
    for form in [answer_of(exercise), *right, *natural_forms(exercise)]:
        verdict = sheet.check(name, form)
        assert verdict.solved, (form, verdict)
        assert verdict.sentence == f"{name}: right: {exercise.praise}"


def without_sight(said):
    """Return a reply without the token that is seen wrongly."""
    return re.sub(r" \(output \d+ (sees|does not see) token .*\)$", "", said)


def near_misses(exercise):
    """Return answers that lie just beside the right one."""
    if exercise.kind == "choice":
        keys = [exercise.right, *(key for key, _ in exercise.mistakes)]
        return [*keys[1:], *(f"{key}x" for key in keys), "", ", ".join(keys)]
    if exercise.kind == "function":
        return _near_functions(exercise)
    if exercise.kind == "search":
        return ["", [], {}, [[]], np.zeros((2, 3)), print, 1.5, float("nan")]
    return [*_near_values(np.asarray(exercise.right, dtype=float), exercise.decimals)]


def _near_values(right, decimals):
    yield from (part * right for part in (0.9, 1.1, 0.98, 1.02, 0, -1))
    yield from [right.round()] if (right.round() != right).any() else []
    forms = [right] if decimals is None else [right.round(n) for n in (decimals, 3)]
    for form in forms:
        for at in np.ndindex(form.shape):
            for step in (1, -1):
                near = np.array(form)
                near[at] += step * last_place(form[at])
                yield near
    turned = np.roll(right, 1, axis=-1) if right.ndim else right
    yield from [turned] if not np.array_equal(turned, right) else []


def last_place(number):
    """Return one in the last digit that a number is written with: .1 for 0.5."""
    digits = Decimal(f"{number:.10g}").normalize().as_tuple()
    return float(Decimal(1).scaleb(min(digits.exponent, 0)))


def _near_functions(exercise):
    right, first = exercise.right, exercise.probes[0]
    changes = [
        lambda made: made * 1.1,
        lambda made: made * 0.9,
    ]
    changes += [
        lambda made: made[..., None],
        lambda made: made[..., :-1],
        lambda made: made[::-1],
        lambda made: np.where(made == made.flat[0], np.nan, made),
        partial(changed, at=0),
        partial(changed, at=-1),
    ]
    for change in changes if np.ndim(right(*first)) else changes[:2]:
        yield lambda *probe, change=change: change(right(*probe).astype(float))
    for probe in exercise.probes:
        yield lambda *_, probe=probe: right(*probe)
    if np.ndim(right(*first)):
        yield lambda *probe: changed_unless(right(*probe), right(*first))


def changed(made, at):
    """Return an array with one number changed."""
    made.flat[at] = 1 - made.flat[at] + 0.01
    return made


def changed_unless(made, first):
    """Return what is right for the first probe, and wrong for any other."""
    return made if made.shape == first.shape else changed(made.astype(float), 0)


def natural_forms(exercise):
    """Return the right answer in the forms that readers give it."""
    forms = {"number": _of_number, "array": _of_array, "choice": _of_choice}
    forms |= {"search": _of_search}
    return forms.get(exercise.kind, _of_function)(exercise)


def _of_search(exercise):
    found = answer_of(exercise)
    if isinstance(found, str):
        yield from (found.upper(), f" {found} ", [found], np.str_(found))
    elif isinstance(found, int):
        yield from (float(found), np.int64(found), [found], np.array([[found]]))
    else:
        yield from (list(found), tuple(found))


def _of_number(exercise):
    right = float(exercise.right)
    kinds = [float, np.float64, np.float32, np.array, Fraction, Decimal, np.longdouble]
    yield from (kind(right) for kind in kinds)
    yield from ([right], (right,), [[right]], {right}, frozenset([right]))
    yield from (np.array([right]), np.array([[right]]), np.array([[[right]]]))
    if right == int(right):
        yield from (int(right), np.int64(right), np.array([[int(right)]]))
    if exercise.decimals is not None:
        yield from (round(right, n) for n in range(exercise.decimals, 9))


def _of_array(exercise):
    right = np.asarray(exercise.right, dtype=float)
    yield from (right, right.astype("f4"), right.tolist(), tuple(right), right[None])
    yield [*right]
    if np.array_equal(right, right.astype(int)):
        yield right.astype(int)


def _of_choice(exercise):
    key = exercise.right
    yield from (key.upper(), key.title(), f" {key} ", f"{key}\n", [key], np.str_(key))
    yield from (f'"{key}"', f"'{key}'")
    yield from (text for text, meant in exercise.also if meant == key)


def as_short(value):
    """Return numbers in float32, also those that stand in a dict by their names."""
    if isinstance(value, dict):
        return {name: as_short(part) for name, part in value.items()}
    return value.astype("f4") if np.asarray(value).dtype.kind == "f" else value


def _of_function(exercise):
    answer = answer_of(exercise)
    yield answer

    def right(*probe):
        result = answer(*probe)
        return result[0] if isinstance(result, tuple) else result

    def spoils(*probe):
        made = np.array(right(*probe))
        for array in probe:
            if np.ndim(array):
                array[:] = 0
        return made

    def prints(*probe):
        print(*probe)
        return right(*probe)

    def short(*probe):
        return right(*(as_short(a) for a in probe))

    yield from (right, spoils, prints, short, partial(right))
    yield lambda *probe: np.asarray(right(*probe)).tolist()
    yield lambda *probe: np.asarray(right(*probe), dtype="f4")
    if not np.ndim(right(*exercise.probes[0])):
        return
    yield lambda *probe: [*right(*probe)]
    yield lambda *probe: np.asarray(right(*probe))[None]
    yield lambda *probe: (np.asarray(right(*probe)), np.zeros_like(right(*probe)))
