"""Answers that are tried out: a word that networks read, checked as the reader's own.

A judge takes an answer and returns None if it does what was asked, else a sentence.
"""

from functools import cache

import numpy as np

from mha_core._checks.sentences import counted, sentence
from mha_core.pretrained import load
from mha_core.pronouncing import pronounce
from mha_core.tasks import to_ipa


class Unfit(ValueError):
    """An answer that cannot be tried; says why in a sentence."""


@cache
def network(kind):
    """Return a trained network."""
    return load(kind)


def said_by(kind, word):
    """Return what a trained network says of a word.

    Raises
    ------
    Unfit
        If the word cannot be read.
    """
    try:
        return pronounce(network(kind), word)
    except ValueError as error:
        raise Unfit(error.args[0]) from None


def a_word(answer):
    """Return a word, handed in as a text or as the only one of a list."""
    if isinstance(answer, (list, tuple, set)) and len(answer) == 1:
        (answer,) = answer
    if not isinstance(answer, str):
        kind = type(answer).__name__
        raise Unfit(sentence("hand in a word as text, not {kind}", kind=kind))
    return answer.strip().strip("\"'").lower()


def held_out(answer, least):
    """Return a word of the dictionary that was held out, of so many letters or more."""
    word = a_word(answer)
    said = said_by("last_state", word)
    what = {"word": word, "least": least}
    if said.expected is None:
        raise Unfit(
            sentence("{word} is not in the dictionary: what is right?", word=word)
        )
    if len(word) < least:
        raise Unfit(
            counted(
                "{word} has {n} letter; take a word of {least} or more",
                "{word} has {n} letters; take a word of {least} or more",
                n=len(word),
                **what,
            )
        )
    if said.seen:
        raise Unfit(sentence("{word} was in training; take a held-out word", word=word))
    return word


def a_number(answer):
    """Return a whole number, handed in as one or as the only one of a list."""
    array = np.asarray(answer)
    if array.size != 1 or array.dtype.kind not in "iuf" or array.ravel()[0] % 1:
        raise Unfit(sentence("one whole number is expected"))
    return int(array.ravel()[0])


def in_ipa(phonemes):
    """Return phonemes as a reader sees them."""
    return " ".join(to_ipa(phonemes))


def judged(judge):
    """Return a judge for which what cannot be tried has its sentence, too."""

    def fault(answer):
        try:
            return judge(answer)
        except Unfit as unfit:
            return unfit.args[0]

    return fault
