"""Small arrays in a sentence, and two of them compared."""

import numpy as np

from mha_core._checks.sentences import sentence

ROWS = 2


def in_full(arguments):
    """Yield arguments as a reader would write them, each in one line."""
    for name, value in arguments.items():
        if isinstance(value, dict):
            yield from in_full({k: v for k, v in value.items() if np.any(v)})
        else:
            yield f"{name} = {written(np.asarray(value))}"


def written(array):
    """Return an array in one line, with three digits for each number."""
    if array.ndim:
        return f"[{', '.join(map(written, array))}]"
    number = float(f"{float(array):.3g}") + 0.0
    return f"{number:g}"


def compared(array, right):
    """Return a sentence on what came and what is right, in two rows at most."""
    if array.ndim < 2:
        came, wanted = written(array), written(right)
        return sentence("{came} came, right is {right}", came=came, right=wanted)
    far = ~np.isclose(array, right, 1e-5, 1e-5).all(axis=-1)
    rows = [tuple(map(int, at)) for at in np.argwhere(far)[:ROWS]]
    told = [_row(at, array[at], right[at]) for at in rows]
    if len(told) == 1:
        return told[0]
    return sentence("{one}; {two}", one=told[0], two=told[1])


def _row(at, came, right):
    place = at[0] if len(at) == 1 else at
    said = {"at": place, "came": written(came), "right": written(right)}
    return sentence("row {at} came as {came}, right is {right}", **said)
