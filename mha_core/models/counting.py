"""Predict the next letter by counting what followed the last few letters."""

import collections
import math

END = "."


def count_letters(words, n):
    """Count which letter follows each run of at most n - 1 letters.

    Parameters
    ----------
    words : list of str
    n : int
        Letters that are looked at together, the next one among them.

    Returns
    -------
    dict of str to Counter
        Letters before to how often each letter came next; "." starts and ends a word.
    """
    counts = collections.defaultdict(collections.Counter)
    for text in (f"{END}{word}{END}" for word in words):
        for i in range(1, len(text)):
            for k in range(min(n - 1, i) + 1):
                counts[text[i - k : i]][text[i]] += 1
    return counts


def chance(counts, before, letter):
    """Return how likely a letter is after others, longer runs mixed with shorter ones.

    Each run of letters trusts its own counts the more, the more it has seen, and the
    fewer different letters came next (Witten and Bell 1991, method C).
    """
    likely = 1 / 27
    for k in range(len(before) + 1):
        seen = counts.get(before[len(before) - k :])
        if seen:
            total, different = seen.total(), len(seen)
            likely = (seen[letter] + different * likely) / (total + different)
    return likely


def bits_by_counting(counts, words):
    """Return the mean number of bits that counting needs for a letter of words.

    The end of a word counts as a letter; -log2 of each chance.
    """
    longest = max(map(len, counts))
    bits = [
        -math.log2(chance(counts, text[max(0, i - longest) : i], text[i]))
        for text in (f"{END}{word}{END}" for word in words)
        for i in range(1, len(text))
    ]
    return sum(bits) / len(bits)
