"""Words that a letter model invents: which of them exist, and what comes next."""

import numpy as np

from mha_core._checks.arguments import check_positive
from mha_core._checks.sentences import sentence
from mha_core.attention import softmax
from mha_core.pronouncing import check_word, look_up
from mha_core.tasks import LONGEST, spell


def chances(model, start="", temperature=1.0):
    """Return how likely each next letter is after some others.

    Parameters
    ----------
    model : Language
    start : str
        Letters a to z, at most 19, or none.
    temperature : float
        Divides the scores.

    Returns
    -------
    ndarray, shape (27,)
        Sums to 1; the first is the end of the word, then a to z.
    """
    temperature = check_positive("temperature", temperature)
    ids = np.pad(as_letters(start), [(0, 0), (1, 0)])  # (1, T + 1)
    return softmax(model.logits(ids)[0, -1].astype(float) / temperature)


def as_letters(start):
    """Return the letters that a word begins with as numbers, (1, T)."""
    if isinstance(start, str) and not start.strip():
        return np.zeros((1, 0), int)
    start = check_word(start)
    if len(start) >= LONGEST:
        raise ValueError(
            sentence(
                "{n} letters leave no room: the model writes words of at most {most}; "
                "give it fewer.",
                n=len(start),
                most=LONGEST,
            )
        )
    return spell([start])


def known(words):
    """Return how many words training had, how many were held out, how many are new.

    Parameters
    ----------
    words : list of str

    Returns
    -------
    dict of str to int
        ``seen``, ``held out`` and ``new``; they add up to the number of words.
    """
    kinds = {"seen": 0, "held out": 0, "new": 0}
    for word in words:
        expected, seen = look_up(word)
        kinds["seen" if seen else "new" if expected is None else "held out"] += 1
    return kinds
