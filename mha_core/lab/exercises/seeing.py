"""Who can see whom in a reader's function, beside who should."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.trying import attempt, named, right_result
from mha_core.lab.measure.probes import influence

DIGITS = 9  # what moves less than that moves by rounding


def with_sight(exercise, function, said):
    """Return a sentence, and who sees a token wrongly if that is at fault."""
    maps = sights(exercise, function)
    if maps is None or np.array_equal(*maps):
        return said
    mine, right = maps
    i, j = map(int, np.argwhere(mine != right)[0])
    told = {"fault": said, "i": i, "j": j}
    if not mine[i, j]:
        return sentence("{fault} (output {i} does not see token {j})", **told)
    if j > i and not np.triu(right, 1).any():
        return sentence(
            "{fault} (output {i} sees token {j}: the future leaks in)", **told
        )
    return sentence("{fault} (output {i} sees token {j}, and should not)", **told)


def sights(exercise, function):
    """Return who sees whom in a function and in the right one, or None.

    Two arrays of bool, (T_out, T_in). None if the exercise has no tokens, or if the
    function gives no output with a row for each of them.
    """
    if not exercise.tokens:
        return None
    arguments = named(exercise, exercise.probes[0])
    tokens = {name: arguments[name] for name in exercise.tokens}
    right = right_result(exercise, exercise.probes[0])

    def apart(f):
        def of_tokens(rows):
            parts = _cut(rows, tokens)
            return np.round(f(arguments | parts), DIGITS)

        return influence(of_tokens, np.concatenate([*tokens.values()], axis=-1))

    try:
        mine = apart(lambda given: _numbers(function, given, right))
    except ValueError:
        return None
    if mine.shape[0] != len(right):
        return None
    return mine, apart(lambda given: right_result(exercise, given.values()))


def _cut(rows, tokens):
    """Return columns that stood side by side as arrays by name."""
    ends = np.cumsum([array.shape[-1] for array in tokens.values()])[:-1]
    return dict(zip(tokens, np.split(rows, ends, axis=-1), strict=True))


def _numbers(function, given, right):
    array, fault = attempt(function, given, right)
    if fault or array.ndim != np.ndim(right):
        raise ValueError(fault)
    return array
