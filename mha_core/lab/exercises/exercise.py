"""One exercise as data, and the verdict on an answer to it."""

from collections.abc import Callable
from dataclasses import dataclass, field

from mha_core.lab.exercises.stepwise import Formula
from mha_core.lab.locale import current, translated


@dataclass(frozen=True)
class Exercise:
    """A question as data: what is right, what is wrong, and what to say of it.

    Parameters
    ----------
    name, kind : str
        What the reader calls it; "number", "array", "choice", "function" or "search".
    right : object
        The value, the key of a choice, a function to compare with, or a judge: it
        takes what was found, and returns None or a sentence.
    mistakes : tuple of (object, str)
        Wrong values or functions, each with its sentence (of a judge, with a part).
    hints, solution, praise : tuple of str, str, str
        Three steps; code that ends with an `answer`; said when it is right.
    probes : tuple of tuple
        Arguments of at least two sizes, on which functions are compared.
    rtol, decimals, also : float, int, tuple of (str, str)
        How near is right, rounded to how many digits; other spellings of choices.
    formula, tokens : Formula, tuple of str
        What names the mistakes in a function; arguments whose rows are tokens.
    picture : function
        Makes what is to be read.
    """

    name: str
    kind: str
    right: object
    mistakes: tuple
    hints: tuple
    solution: str
    praise: str
    probes: tuple = ()
    rtol: float = 1e-6
    decimals: int | None = None
    also: tuple = ()
    formula: Formula | None = None
    tokens: tuple = ()
    picture: Callable | None = None


@dataclass(frozen=True, repr=False)
class Verdict:
    """Whether something is solved, and a sentence, told in the reader's language."""

    solved: bool
    sentence: str
    language: str = field(default_factory=current)

    def __repr__(self):
        """Return the sentence: the one place where it is shown."""
        return translated(self.sentence, self.language)


def made_of(formula, *tokens):
    """Return the fields of an exercise whose mistakes come from a formula."""
    return {
        "kind": "function",
        "formula": formula,
        "probes": formula.probes,
        "mistakes": formula.mistakes,
        "tokens": tokens,
    }


def pairs(*rows):
    """Return wrong functions with their sentences, written one after the other."""
    return tuple(zip(rows[::2], rows[1::2], strict=True))
