"""Queries and sequences to find, handed to attention as the reader's own."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.attention import scaled_dot_product_attention
from mha_core.lab.exercises.compare import as_numbers, without_ones
from mha_core.lab.exercises.exercise import Exercise
from mha_core.lab.exercises.searching import Unfit, a_number, a_word, judged
from mha_core.lab.measure.random_scores import random_attention
from mha_core.masking import causal_mask

KEYS = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
ASKED, SURE = 1, 0.9
WIDTHS = (1, 4, 16, 64, 256, 1024)
SHORTEST = 3
SAME = 1e-9


@judged
def _fault_of_query(answer):
    """Tell why a query does not find the second of three keys."""
    query, fault = as_numbers(answer, np.zeros(2))
    if fault:
        return fault
    query = without_ones(query, 1)
    if query.shape != (2,) or not np.isfinite(query).all():
        return sentence("a query is two numbers, such as [1, 0]")
    _, weights = scaled_dot_product_attention(query[None], KEYS, KEYS)
    return None if weights[0, ASKED] >= SURE else _of_weights(*weights[0])


def _of_weights(first, weight, other):
    """Tell who gets the weight that key 1 should have."""
    if other >= max(first, weight) or np.isclose(other, weight):
        return sentence(
            "key 1 gets {weight:.2f}, and key 2, which holds it, {other:.2f}",
            weight=weight,
            other=other,
        )
    if weight > first:
        return sentence(
            "key 1 gets {weight:.2f}: right direction, not far yet", weight=weight
        )
    return sentence(
        "key 1 gets {weight:.2f}, and key 0 {first:.2f}", weight=weight, first=first
    )


def largest_weight(d_k, scaled):
    """Return the largest weight of a row of the explorer, on average."""
    return random_attention(d_k, scaled=scaled).max(axis=-1).mean()


@judged
def _fault_of_sharp(answer):
    """Tell why a width is not the first at which one key nearly takes all."""
    d_k = a_number(answer)
    if d_k not in WIDTHS:
        return sentence("the slider has {widths}", widths=", ".join(map(str, WIDTHS)))
    right = next(n for n in WIDTHS if largest_weight(n, False) > SURE)
    if d_k == right:
        return None
    what = {"d_k": d_k, "most": largest_weight(d_k, False), "sure": SURE}
    if d_k < right:
        return sentence("at {d_k} it is {most:.2f}, not above {sure}", **what)
    return sentence("at {d_k} it is {most:.2f}, but a narrower one does it", **what)


def look_back(word):
    """Return outputs of a causal layer without positions, a row for each letter."""
    rng = np.random.default_rng(0)
    letters, *matrices = (rng.standard_normal((n, 8)) for n in (26, 8, 8, 8))
    X = letters[[ord(letter) - ord("a") for letter in word]]  # (T, 8)
    Q, K, V = (X @ W for W in matrices)
    return scaled_dot_product_attention(Q, K, V, mask=causal_mask(len(word)))[0]


def _two_words(answer):
    if not isinstance(answer, (tuple, list)) or len(answer) != 2:
        raise Unfit(sentence("hand in two texts, such as {pair}", pair='("ab", "cd")'))
    words = [a_word(part) for part in answer]
    if not all(w.isascii() and w.isalpha() and len(w) >= SHORTEST for w in words):
        raise Unfit(sentence("take {n} letters a to z or more each", n=SHORTEST))
    return words


@judged
def _fault_of_same_end(answer):
    """Tell why a causal layer without positions tells two texts apart at their end."""
    one, two = _two_words(answer)
    if one == two:
        return sentence("these are the same; take two different texts")
    if len(one) == len(two) and one[-1] != two[-1] and sorted(one) == sorted(two):
        return sentence("the same letters, but the last one asks: it differs")
    apart = np.abs(look_back(one)[-1] - look_back(two)[-1]).max()
    if apart < SAME:
        return None
    return sentence("their last outputs differ by {apart:.2g}", apart=apart)


QUERY = Exercise(
    name="query",
    kind="search",
    right=_fault_of_query,
    mistakes=(
        ([1, 0], "key 1 gets 0.20, and key 2, which holds it, 0.40"),
        ([0, 100], "key 1 gets 0.50, and key 2, which holds it, 0.50"),
        ([-1, 1], "right direction, not far yet"),
        ([5, -5], "key 1 gets 0.00, and key 0"),
        ([1, 2, 3], "a query is two numbers"),
        ("up", "without quotes"),
    ),
    hints=(
        sentence("the scores are query @ key.T: which number helps key 1 alone?"),
        sentence("key 2 holds key 1: what must the first number do, to push it down?"),
        sentence("make the second number large, the first one negative."),
    ),
    solution="answer = [-5, 5]",
    praise=sentence("a query says what to look for, and what not to."),
)

SHARP = Exercise(
    name="sharp",
    kind="search",
    right=_fault_of_sharp,
    mistakes=(
        (64, "at 64 it is 0.76, not above 0.9"),
        (256, "at 256 it is 0.89, not above 0.9"),
        (100, "the slider has 1, 4, 16"),
    ),
    hints=(
        sentence("switch the scale off, and move the slider of d_k."),
        sentence("the line below the map has the largest weight of a row, on average."),
        sentence("look closely at the second digit, and go one step on."),
    ),
    solution="answer = 1024",
    praise=sentence("without the scale, wide keys leave nearly all to one of them."),
)

SAME_END = Exercise(
    name="same_end",
    kind="search",
    right=_fault_of_same_end,
    mistakes=(
        (("abc", "abc"), "take two different texts"),
        (("abc", "acb"), "the last one asks: it differs"),
        (("abc", "abd"), "their last outputs differ by"),
        (("abc", "xbc"), "their last outputs differ by"),
        (("abc", "bbc"), "their last outputs differ by"),
        (("ab", "ba"), "letters a to z or more each"),
        ("abc", "hand in two texts"),
    ),
    hints=(
        sentence("the last letter sees all letters: what does it not see?"),
        sentence("its own letter asks, so it has to be the same in both texts."),
        sentence("exchange two letters before the last one."),
    ),
    solution='answer = ("abc", "bac")',
    praise=sentence("the last output sees which letters came, not in which order."),
)
