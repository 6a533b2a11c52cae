"""How much of its weight each head of the Transformer puts on its neighbours."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.measure.held_out import AT_ONCE
from mha_core.models import Transformer
from mha_core.tasks import as_arrays

STEPS = {"previous": -1, "same": 0, "next": 1}


def head_places(model, pairs):
    """Measure what each head of self-attention weighs its own place and its neighbours.

    Parameters
    ----------
    model : Transformer
    pairs : list of (str, sequence of str)
        Words and the dictionary's phonemes, which the decoder reads.

    Returns
    -------
    dict of str to ndarray, shape (h, 3)
        For each self-attention, such as ``encoder 0`` and ``decoder 1 self``, the mean
        weight on the previous, the same and the next place, over all places that have
        one. In the decoder the same place holds the sound that was written last, the
        previous one the sound before it; the next is hidden. ``encoder alike`` and
        ``decoder alike``, (1, 3): what weights that are all alike would give.
    """
    if not isinstance(model, Transformer):
        kind = getattr(model, "kind", type(model).__name__)
        raise ValueError(
            sentence(
                "A Transformer is needed, such as load('transformer'), not a model of "
                "kind {kind}.",
                kind=kind,
            )
        )
    sums = {}
    for start in range(0, len(pairs), AT_ONCE):
        for name, parts in _measured(model, pairs[start : start + AT_ONCE]).items():
            sums[name] = sums.get(name, 0) + parts
    return {name: total[0] / np.maximum(total[1], 1) for name, total in sums.items()}


def _measured(model, pairs):
    source, target = as_arrays(pairs)
    target_in = np.pad(target, [(0, 0), (1, 0)])[:, :-1]
    letters = np.array([len(word) for word, _ in pairs])
    sounds = np.array([len(sounds) for _, sounds in pairs])
    looked = model.attention(source, target_in)
    found = {"encoder alike": _sums(_alike(letters, source.shape[1]), letters)}
    found["decoder alike"] = _sums(_alike_before(sounds, target.shape[1]), sounds)
    for name, weights in looked.items():
        if not name.endswith("cross"):
            lengths = letters if name.startswith("encoder") else sounds
            found[name] = _sums(weights, lengths)
    return found


def _alike(lengths, T):
    """Return weights of 1 / length, (B, 1, T, T)."""
    return np.broadcast_to(1 / lengths[:, None, None, None], (len(lengths), 1, T, T))


def _alike_before(lengths, T):
    """Return weights of 1 / (i + 1) where nothing later is seen, (B, 1, T, T)."""
    weights = np.tri(T) / np.arange(1, T + 1)[:, None]
    return np.broadcast_to(weights, (len(lengths), 1, T, T))


def _sums(weights, lengths):
    """Return the weight on each neighbour and how many there are, (2, h, 3)."""
    T = np.arange(weights.shape[-1])
    there = T < lengths[:, None]  # (B, T)
    found = np.zeros((2, weights.shape[1], len(STEPS)))
    for column, step in enumerate(STEPS.values()):
        i = T[max(-step, 0) : len(T) - max(step, 0)]
        both = (there[:, i] & there[:, i + step])[:, None]  # (B, 1, places)
        found[0, :, column] = (weights[:, :, i, i + step] * both).sum(axis=(0, 2))
        found[1, :, column] = both.sum()
    return found
