"""How much of what the sentence reader computes is left without some heads."""

import itertools

import numpy as np

from mha_core.lab.measure.head_relations import chosen


def heads_of(reader):
    """Return layer and head of all heads that hand something on."""
    whole = [i for i in range(reader.layers) if f"layer {i} W_O" in reader.params]
    return list(itertools.product(whole, range(reader.h)))


def left_over(reader, sentences, out):
    """Return how alike the last states are to those of the whole network.

    Parameters
    ----------
    reader : SentenceReader
    sentences : sequence of str
    out : sequence of (int, int)
        Layers and heads that are taken out.

    Returns
    -------
    float
        Mean cosine over all tokens; 1 if nothing has changed.
    """
    cut = reader.without(out)
    pairs = [(reader.read(s).states[-1], cut.read(s).states[-1]) for s in sentences]
    cosines = [
        np.sum(a * b, axis=1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)
        for a, b in pairs
    ]
    return float(np.concatenate(cosines).mean())


def pruned(reader, sentences, steps=range(0, 37, 6), seed=0):
    """Return what is left when more and more heads are taken out, in three orders.

    Parameters
    ----------
    reader : SentenceReader
    sentences : sequence of str
    steps : sequence of int
        Numbers of heads that are out.
    seed : int
        Of the random order.

    Returns
    -------
    dict of str to list of float
        ``least first``: by what each one alone changes; ``most first``; ``random``.
    """
    heads = heads_of(reader)
    alone = [left_over(reader, sentences, [head]) for head in heads]
    least = [heads[i] for i in np.argsort(alone)[::-1]]
    drawn = [heads[i] for i in np.random.default_rng(seed).permutation(len(heads))]
    orders = {"least first": least, "most first": least[::-1], "random": drawn}
    return {
        name: [left_over(reader, sentences, order[:k]) for k in steps]
        for name, order in orders.items()
    }


def missed(reader, relation, head, out):
    """Return how often a head is right about a relation while others are out.

    Parameters
    ----------
    reader : SentenceReader
    relation : str
    head : (int, int)
        Layer and head that is watched.
    out : sequence of (int, int)

    Returns
    -------
    float
    """
    share, _ = chosen(reader, relation, out)
    return float(share[head])
