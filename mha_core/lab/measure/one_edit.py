"""How near the held-out words are to words that were trained on."""

from mha_core.evaluation import BUCKETS
from mha_core.tasks import pronunciation


def near_training(buckets=BUCKETS):
    """Return the share of held-out words that one edit makes a word of the training.

    An edit puts one letter in, takes one out or changes one. It takes about 2 s.

    Parameters
    ----------
    buckets : sequence of (int, int)
        Shortest and longest word; ranges without a word are left out.

    Returns
    -------
    dict of (int, int) to float
    """
    train, test = (_words(split) for split in ("train", "test"))
    near = dict(zip(test, near_words(test, train), strict=True))
    found = {}
    for low, high in buckets:
        some = [near[word] for word in test if low <= len(word) <= high]
        if some:
            found[low, high] = sum(some) / len(some)
    return found


def near_words(words, others):
    """Tell for each word whether another one is at most one edit away.

    Two words differ in one letter if both are the same with a gap in its place; one has
    a letter more if taking one of its letters out makes the other.

    Parameters
    ----------
    words, others : list of str

    Returns
    -------
    list of bool
    """
    whole = set(others)
    shorter = {short for word in others for short in _each_out(word, "")}
    gaps = {gap for word in others for gap in _each_out(word, "_")}
    return [
        word in whole
        or word in shorter
        or any(short in whole for short in _each_out(word, ""))
        or any(gap in gaps for gap in _each_out(word, "_"))
        for word in words
    ]


def _each_out(word, mark):
    """Return the word once for each letter, with a mark in that letter's place."""
    return [f"{word[:i]}{mark}{word[i + 1 :]}" for i in range(len(word))]


def _words(split):
    return [word for word, _ in pronunciation(split)]
