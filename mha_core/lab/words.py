"""Pictures of how a model pronounces a word."""

import numpy as np

from mha_core.attention import softmax
from mha_core.lab.pictures import bars, heatmap
from mha_core.tasks import number_phonemes, spell, to_ipa


def alignment(said, *, head=0, marks=None):
    """Return the heat map of one head: phonemes in rows, letters in columns.

    Parameters
    ----------
    said : Pronunciation
        What a model with attention said of a word.
    head : int
        Heads count from 0.
    marks : ndarray of bool, shape (phonemes, letters), optional
        Cells to outline.

    Returns
    -------
    Picture
    """
    check_said(said)
    word = "".join(said.letters)
    return heatmap(
        said.weights[head],
        to_ipa(said.phonemes),
        said.letters,
        title=f"“{word}”",
        query_name="phoneme",
        key_name="letter",
        marks=marks,
    )


def confidence(model, said):
    """Return the probability of each phoneme that a model writes, as bars."""
    check_said(said)
    ids = number_phonemes([said.phonemes])  # (1, T_q)
    target_in = np.pad(ids, [(0, 0), (1, 0)])[:, :-1]
    weights = softmax(model.logits(spell([said.letters]), target_in))[0]  # (T_q, V)
    chosen = weights[np.arange(len(said.phonemes)), ids[0, : len(said.phonemes)]]
    return bars(
        to_ipa(said.phonemes),
        {"written phoneme": chosen},
        title=f"“{''.join(said.letters)}”",
        x_name="phoneme",
        y_name="probability",
        limits=(0, 1),
    )


def check_said(said):
    """Refuse a pronunciation of nothing, of which there is no picture."""
    if not said.phonemes:
        word = "".join(said.letters)
        raise ValueError(f"The model writes no phoneme for {word!r}; try another word.")
