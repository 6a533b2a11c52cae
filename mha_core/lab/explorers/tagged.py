"""A sentence of one's own for the four relations: words with tags, read and checked."""

import numpy as np

from mha_core._checks.arguments import told, whole
from mha_core._checks.sentences import sentence
from mha_core.tasks.tagged_sentences import LETTERS, TAGS, T, sentences


def read_sentence(given):
    """Return words and tags, both (1, 12), and a name, of a seed or a list of words.

    Parameters
    ----------
    given : int or sequence of str or of (str, int)
        A seed, or twelve words such as "A0" or ("A", 0).

    Raises
    ------
    ValueError
        If a word is none, or a tag does not stand on two of twelve words.
    """
    seed = whole(given)
    if seed is not None and seed >= 0:
        words, tags = sentences(np.random.default_rng(seed), 1)
        return words, tags, sentence("sentence {number}", number=seed)
    if isinstance(given, str) or not hasattr(given, "__len__") or len(given) != T:
        raise ValueError(_refusal(given))
    words, tags = zip(*map(_read_word, given), strict=True)
    _check_pairs(tags)
    return np.array([words]), np.array([tags]), sentence("own sentence")


def _read_word(word):
    try:
        letter, tag = word
        return [*LETTERS].index(letter), range(TAGS).index(int(tag))
    except (TypeError, ValueError):
        raise ValueError(
            sentence(
                "{word} is no word of this task; write a letter from A to P with a tag "
                "from 0 to 5, such as 'A0' or ('A', 0).",
                word=told(word),
            )
        ) from None


def _check_pairs(tags):
    wrong = [tag for tag in range(TAGS) if tags.count(tag) != 2]
    if wrong:
        raise ValueError(
            sentence(
                "Tag {tag} stands on {count} of the twelve words; each of the tags 0 "
                "to 5 must stand on two, which are partners.",
                tag=wrong[0],
                count=tags.count(wrong[0]),
            )
        )


def _refusal(given):
    return sentence(
        "sentence must be a seed, 0 or more, or twelve words such as 'A0' or ('A', 0), "
        "not {given}.",
        given=told(given),
    )
