"""Held-out words: a fixed sample of them, and models that read the true sounds."""

import numpy as np
from threadpoolctl import threadpool_limits

from mha_core._checks.arguments import check_count
from mha_core.evaluation import phoneme_error, transcribe
from mha_core.models import Recurrent
from mha_core.tasks import as_arrays, pronunciation

AT_ONCE = 128  # words that are read together


def some_held_out(count=500):
    """Return words that were held out of training, at equal distances in the alphabet.

    Parameters
    ----------
    count : int
        If there are fewer held-out words, all of them.

    Returns
    -------
    list of (str, tuple of str)
        Each word with the dictionary's phonemes; the same in every call.
    """
    test = pronunciation("test")
    count = min(check_count("count", count), len(test))
    return [test[i * len(test) // count] for i in range(count)]


def held_out_error(model, pairs):
    """Return the phoneme error of what a model writes for words of the dictionary.

    Parameters
    ----------
    model : model of `mha_core.models`
    pairs : list of (str, sequence of str)
        Words and the dictionary's phonemes.

    Returns
    -------
    float
        Edits for each phoneme of the dictionary. Products as small as these are
        faster on one thread, above all where others are busy.
    """
    with threadpool_limits(1):
        said = transcribe(model, [word for word, _ in pairs], AT_ONCE)
    return phoneme_error(said, pairs)


def follow_true_sounds(model, pairs):
    """Let a model read the true sounds before each, instead of what it wrote itself.

    Parameters
    ----------
    model : model of `mha_core.models`
    pairs : list of (str, sequence of str)
        Words and the dictionary's phonemes.

    Returns
    -------
    ids : list of ndarray of int, shape (phonemes,)
        The likeliest sound at each step, for each word.
    weights : list of ndarray, shape (h, phonemes, letters)
        A Transformer's are those of its last cross-attention.
    """
    order = sorted(range(len(pairs)), key=lambda i: len(pairs[i][0]))
    found = {}
    for start in range(0, len(order), AT_ONCE):
        some = order[start : start + AT_ONCE]
        with threadpool_limits(1):
            read = _read(model, *as_arrays([pairs[i] for i in some]))
        for i, scores, weights in zip(some, *read, strict=True):
            T_q, T_k = len(pairs[i][1]), len(pairs[i][0])
            ids = scores[:T_q, :-1].argmax(axis=-1)  # nothing has the last number
            found[i] = ids, weights[:, :T_q, :T_k]
    words = range(len(pairs))
    return [found[i][0] for i in words], [found[i][1] for i in words]


def _read(model, source, target):
    """Return scores, (B, T_q, V), and weights, (B, h, T_q, T_k)."""
    target_in = np.pad(target, [(0, 0), (1, 0)])[:, :-1]
    if not isinstance(model, Recurrent):
        looked = model.attention(source, target_in)
        last = looked[f"decoder {model.layers[-1]} cross"]
        return model.logits(source, target_in), last
    memory, state = model.start(source)
    scores, weights = [], []
    for ids in target_in.T:
        before = model.params["E_target"][ids]
        state, context, looked = model.step(state, before, memory)
        scores.append(model.read_out(state, context))
        weights.append(looked)
    return np.stack(scores, axis=1), np.stack(weights, axis=2)
