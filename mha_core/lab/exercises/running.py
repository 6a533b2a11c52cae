"""Running a reader's function, so that whatever it does becomes a sentence."""

import dis
import re
from copy import deepcopy
from itertools import permutations
from traceback import format_exception_only

import numpy as np

from mha_core._checks.sentences import sentence

ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
INNER_SIZES = (
    re.compile(r"matmul: .*size (?P<second>\d+) is different from (?P<first>\d+)"),
    re.compile(r"not aligned: (?P<first>\d+) .* != (?P<second>\d+)"),
)
IDLE = {"RESUME", "NOP", "LOAD_CONST", "POP_TOP", "RETURN_CONST", "RETURN_VALUE"}


class Untouched(Exception):
    """The reader's function is still the one of the exercise."""


def untouched(answer):
    """Tell whether an answer is still the ``...`` of the exercise, or has some."""
    if isinstance(answer, (tuple, list)):
        return any(untouched(part) for part in answer)
    return answer is None or answer is ...


def run(function, named):
    """Return what a function makes of arguments, and what failed: one of them None.

    Parameters
    ----------
    function : callable
    named : dict
        The arguments by name; the function gets copies of them, in this order.

    Raises
    ------
    Untouched
        If the function is a stub.
    """
    try:
        with np.errstate(all="ignore"):
            result = function(*deepcopy([*named.values()]))
    except NotImplementedError:
        raise Untouched from None
    except (Exception, SystemExit) as error:
        return None, _product(error, named) or sentence(
            "your function raised {error}", error=in_words(error)
        )
    if result is None and _computes(function):
        return None, sentence("your function returns nothing: end it with return")
    if untouched(result):
        raise Untouched
    return result, None


def _computes(function):
    """Tell whether a function does anything; what has no code to look at does."""
    code = getattr(function, "__code__", None)
    steps = dis.get_instructions(code) if code else ()
    return not code or any(step.opname not in IDLE for step in steps)


def _product(error, named):
    """Return a sentence about a product whose inner sizes differ, else None."""
    found = [match for sizes in INNER_SIZES if (match := sizes.search(str(error)))]
    if not found:
        return None
    sizes = {side: int(size) for side, size in found[0].groupdict().items()}
    arrays = [(k, v.shape) for k, v in named.items() if np.ndim(v)]
    pairs = [pair for pair in permutations(arrays, 2) if _unturned(*pair, **sizes)]
    if len(pairs) != 1:
        return sentence(
            "a product needs equal sizes inside, here {first} and {second}: "
            "is a .T missing?",
            **sizes,
        )
    ((one, left), (two, right)) = pairs[0]
    return sentence(
        "{one} {left} and {two} {right} cannot be multiplied; turn the {two}: .T",
        **{"one": one, "left": left, "two": two, "right": right},
    )


def _unturned(one, two, first, second):
    """Tell whether one times two fails for these sizes, and would do turned."""
    (_, left), (_, right) = one, two
    return left[-1] == right[-1] == first and right[:-1][-1:] == (second,)


def in_words(error):
    """Return the last line of an error, without addresses."""
    last = format_exception_only(error)[-1].strip().splitlines()[-1]
    return ADDRESS.sub("", last)[:200]
