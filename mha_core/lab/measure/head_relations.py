"""What heads of the sentence reader do, measured over many sentences with controls."""

import numpy as np

from mha_core.models.sentence_reader import SentenceReader
from mha_core.tasks.relation_sentences import cases

OFFSETS = range(-8, 9)
PLACES = {"previous": -1, "next": 1, "same place": 0}


def chosen(reader, relation, out=()):
    """Return how often each head weighs the right word more than the wrong one.

    Parameters
    ----------
    reader : SentenceReader
    relation : str
        A key of `mha_core.tasks.relation_sentences.RELATIONS`.
    out : sequence of (int, int)
        Layers and heads that are taken out.

    Returns
    -------
    share, mass : ndarray, shape (layers, h)
        Of the cases, the share in which the right word gets more weight, 0.5 by
        chance; and the mean weight on the right word.
    """
    network = reader.without(out)
    pairs = np.array([_weights(network, case) for case in cases(relation)])
    right, wrong = pairs[:, 0], pairs[:, 1]  # (cases, layers, h)
    return (right > wrong).mean(axis=0), right.mean(axis=0)


def _weights(network, case):
    weights = network.read(case.sentence).weights
    query, right, wrong = (place + 1 for place in case[1:])  # after [CLS]
    return weights[:, :, query, right], weights[:, :, query, wrong]


def by_offset(relation):
    """Return how often "always the word so many places away" is right, at its best.

    Parameters
    ----------
    relation : str

    Returns
    -------
    share : float
        Where neither candidate stands there, half counts.
    offset : int
    """
    found = {offset: _share_of_offset(relation, offset) for offset in OFFSETS}
    best = max(found, key=found.get)
    return found[best], best


def _share_of_offset(relation, offset):
    hits = []
    for case in cases(relation):
        away = case.right - case.query, case.wrong - case.query
        hits.append(0.5 if offset not in away else float(away[0] == offset))
    return float(np.mean(hits))


def places(reader, sentences):
    """Return what heads weigh fixed places, on average over all words.

    Parameters
    ----------
    reader : SentenceReader
    sentences : sequence of str

    Returns
    -------
    dict of str to ndarray, shape (layers, h)
        ``previous``, ``next``, ``same place``: the weight there, where there is a word;
        ``[CLS]``: that on the sign in front; ``alike``: what equal weights would give.
    """
    sums, counts = {}, {}
    for text in sentences:
        for name, part in _places(reader.read(text).weights).items():
            sums[name] = sums.get(name, 0) + part.sum(axis=0)
            counts[name] = counts.get(name, 0) + len(part)
    return {name: total / counts[name] for name, total in sums.items()}


def _places(weights):
    """Return weights by kind of place, (words, layers, h), without the signs' rows."""
    T = weights.shape[-1]
    words = np.arange(1, T - 1)
    found = {"[CLS]": weights[:, :, words, 0]}
    for name, step in PLACES.items():
        inside = words[(words + step >= 1) & (words + step <= T - 2)]
        found[name] = weights[:, :, inside, inside + step]
    found["alike"] = np.full_like(found["[CLS]"], 1 / T)
    return {name: np.moveaxis(part, -1, 0) for name, part in found.items()}


def shuffled(reader, seed=0):
    """Return the same network with its positions in another order."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(reader.params["E_place"]))
    return SentenceReader(reader.params, reader.words, reader.h, order)
