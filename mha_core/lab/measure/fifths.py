"""Where in long words sounds are missed, and what of it the bottleneck costs."""

import numpy as np

from mha_core._checks.arguments import check_count
from mha_core.evaluation import align, transcribe
from mha_core.lab.measure.held_out import AT_ONCE, follow_true_sounds
from mha_core.tasks import number_phonemes

DRAWS, LEVEL = 2000, 95


def missed_sounds(model, pairs, *, true_sounds=False):
    """Find which of the dictionary's sounds a model misses.

    Parameters
    ----------
    model : model of `mha_core.models`
    pairs : list of (str, sequence of str)
        Words and the dictionary's phonemes.
    true_sounds : bool
        Let the model read the true sounds before each, so that a fault is not carried
        on; else it reads what it wrote, and a best alignment says what is missed.

    Returns
    -------
    list of list of bool
        For each word, one for each of its sounds.
    """
    if not true_sounds:
        said = transcribe(model, [word for word, _ in pairs], AT_ONCE)
        both = zip(said, pairs, strict=True)
        return [align(sounds, a)[1] for a, (_, sounds) in both]
    right = [number_phonemes([sounds])[0, :-1] for _, sounds in pairs]
    ids, _ = follow_true_sounds(model, pairs)
    return [(a != b).tolist() for a, b in zip(ids, right, strict=True)]


def count_by_fifth(missed):
    """Count missed and all sounds in each fifth of each word.

    Parameters
    ----------
    missed : list of list of bool
        From `missed_sounds`.

    Returns
    -------
    missed, total : ndarray of int, shape (words, 5)
    """
    found = np.zeros((2, len(missed), 5), int)
    for word, flags in enumerate(missed):
        for i, miss in enumerate(flags):
            found[:, word, 5 * i // len(flags)] += miss, 1
    return found[0], found[1]


def cost_by_fifth(without, with_attention, *, seed=0):
    """Return how many more sounds are missed without attention, by fifth of the word.

    Parameters
    ----------
    without, with_attention : list of list of bool
        From `missed_sounds`, of two models on the same words.
    seed : int
        Of the drawing of words, with replacement, that gives the interval.

    Returns
    -------
    cost, low, high : ndarray, shape (5,)
        Share of sounds missed without attention, less that with it; and the ends of
        an interval that 95 of 100 drawings of as many words fall into.
    """
    (missed, total), (kept, _) = map(count_by_fifth, (without, with_attention))
    more, words = missed - kept, check_count("words", len(total))
    rng = np.random.default_rng(seed)
    times = rng.multinomial(words, np.full(words, 1 / words), size=DRAWS)
    drawn = (times @ more) / (times @ total)  # (draws, 5)
    ends = np.percentile(drawn, [(100 - LEVEL) / 2, (100 + LEVEL) / 2], axis=0)
    return more.sum(axis=0) / total.sum(axis=0), *ends
