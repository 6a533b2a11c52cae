"""English words and their phonemes, and both as arrays of numbers."""

import collections
import gzip
import itertools

import numpy as np

from mha_core._checks.arguments import check_count, told
from mha_core._checks.sentences import sentence
from mha_core.shipped import read_shipped
from mha_core.tasks.sounds import check_some, number_phonemes, padded

SPLITS = ("train", "dev", "test")
LETTERS = "abcdefghijklmnopqrstuvwxyz"
LONGEST = 20


def pronunciation(split):
    """Return the words of one split of CMUdict, each with its phonemes.

    A word and its inflected relatives ("attend", "attending") stand in one split as far
    as a crude stem finds them; a few pairs ("courier", "couriers") are torn apart.

    Parameters
    ----------
    split : {"train", "dev", "test"}

    Returns
    -------
    list of (str, tuple of str)
        A word of 2 to 20 letters a to z; its phonemes in ARPAbet, without stress.
    """
    if split not in SPLITS:
        raise ValueError(
            sentence("split must be train, dev or test, not {split!r}.", split=split)
        )
    content = gzip.decompress(read_shipped(f"cmudict-{split}.txt.gz"))
    entries = [line.split() for line in content.decode("utf-8").splitlines()]
    return [(word, tuple(phonemes)) for word, *phonemes in entries]


def spell(words):
    """Return words as numbers: letters from 1 to 26, 0 for the padding.

    Parameters
    ----------
    words : list of str
        Words of the letters a to z; capitals are refused.

    Returns
    -------
    ndarray of int, shape (B, T)
        T is the length of the longest word.
    """
    several = np.iterable(words) and not isinstance(words, str)
    wrong = [word for word in words if not _is_word(word)] if several else [words]
    if wrong:
        raise ValueError(
            sentence(
                "words must be a list of words of letters a to z, not {word}.",
                word=told(wrong[0]),
            )
        )
    return padded([[LETTERS.index(letter) + 1 for letter in word] for word in words])


def as_arrays(pairs):
    """Return words and phonemes as arrays of numbers, (B, T) and (B, T_q)."""
    words = spell([word for word, _ in pairs])
    return words, number_phonemes([phonemes for _, phonemes in pairs])


def batches(pairs, rng, size=128, chunk=32):
    """Cut shuffled pairs into batches of words of about the same length.

    Parameters
    ----------
    pairs : list of (str, tuple of str)
        Words and their phonemes.
    rng : numpy.random.Generator
    size, chunk : int
        Words in a batch; batches that are sorted by length together.

    Yields
    ------
    source, target : ndarray of int, shapes (B, T) and (B, T_q)
    """
    size, chunk = check_count("size", size), check_count("chunk", chunk)
    order = rng.permutation(len(pairs))
    for start in range(0, len(order), size * chunk):
        some = [pairs[i] for i in order[start : start + size * chunk]]
        some.sort(key=lambda pair: (len(pair[0]), len(pair[1])))
        cut = [some[i : i + size] for i in range(0, len(some), size)]
        for i in rng.permutation(len(cut)):
            yield as_arrays(cut[i])


def batches_of_letters(pairs, rng, size=64, most=None):
    """Cut shuffled words into batches of about one length, without their phonemes.

    Parameters
    ----------
    pairs : list of (str, tuple of str)
    rng : numpy.random.Generator
    size, most : int
        Words in a batch; batches, if not all.

    Yields
    ------
    tuple of one ndarray of int, shape (B, T)
    """
    for source, _ in itertools.islice(batches(pairs, rng, size), most):
        yield (source,)


def batches_of_one_length(pairs, rng, size=64, count=100):
    """Draw batches of words of one length each, long words more often than they are.

    Parameters
    ----------
    pairs : list of (str, tuple of str)
    rng : numpy.random.Generator
    size, count : int
        Words in a batch, drawn with replacement; number of batches.

    Yields
    ------
    source, target : ndarray of int, shapes (B, T) and (B, T_q)
    """
    check_some(pairs)
    size, count = check_count("size", size), check_count("count", count, 0)
    by_length = collections.defaultdict(list)
    for pair in pairs:
        by_length[len(pair[0])].append(pair)
    lengths = sorted(by_length)
    share = np.sqrt([len(by_length[length]) for length in lengths])
    for length in rng.choice(lengths, size=count, p=share / share.sum()):
        some = by_length[length]
        yield as_arrays([some[i] for i in rng.integers(len(some), size=size)])


def _is_word(word):
    return isinstance(word, (str, tuple)) and word and not set(word) - set(LETTERS)
