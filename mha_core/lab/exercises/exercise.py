"""One exercise as data, and the verdict on an answer to it."""

from dataclasses import dataclass, field

import numpy as np

from mha_core.lab.locale import current, translated


@dataclass(frozen=True)
class Exercise:
    """A question as data: what is right, what is wrong, and what to say of it.

    Parameters
    ----------
    name, kind : str
        What the reader calls it; "number", "array", "choice" or "function".
    right : object
        The value, the key of a choice, or a function to compare with.
    mistakes : tuple of (object, str)
        Wrong values or functions, each with its sentence.
    hints, solution, praise : tuple of str, str, str
        Up to three steps; code that ends with an `answer`; said when it is right.
    probes : tuple of tuple
        Arguments of at least two sizes, on which functions are compared.
    rtol, decimals, also : float, int, tuple of (str, str)
        How near is right, rounded to how many digits; other spellings of choices.
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


@dataclass(frozen=True, repr=False)
class Verdict:
    """Whether something is solved, and a sentence, told in the reader's language."""

    solved: bool
    sentence: str
    language: str = field(default_factory=current)

    def __repr__(self):
        """Return the sentence: the one place where it is shown."""
        return translated(self.sentence, self.language)


def drawn(*shapes):
    """Return arrays of these shapes, drawn at random but always the same."""
    rng = np.random.default_rng(0)
    return tuple(rng.standard_normal(shape) for shape in shapes)


def pairs(*rows):
    """Return wrong functions with their sentences, written one after the other."""
    return tuple(zip(rows[::2], rows[1::2], strict=True))
