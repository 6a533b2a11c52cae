"""Pictures of how a model pronounces a word."""

import numpy as np

from mha_core._checks.arguments import told, whole
from mha_core.attention import softmax
from mha_core.lab.pictures import bars, head_grid, heatmap
from mha_core.tasks import number_phonemes, spell, to_ipa
from mha_core.tasks.written_dates import as_arrays, name_digits, read


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
    _check_head(said, head)
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


def head_alignments(said):
    """Return the heat maps of all heads: phonemes in rows, letters in columns.

    Parameters
    ----------
    said : Pronunciation
        What a model with several heads said of a word.

    Returns
    -------
    Picture
    """
    check_said(said)
    _check_head(said, 0)
    return head_grid(
        said.weights,
        to_ipa(said.phonemes),
        said.letters,
        title=f"“{''.join(said.letters)}”",
        query_name="phoneme",
        key_name="letter",
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


def _check_head(said, head):
    count = len(said.weights)
    if not count:
        raise ValueError(
            "The model has no attention, so there are no weights to show; take one of "
            "kind bahdanau, multihead or transformer."
        )
    if whole(head) not in range(count):
        raise ValueError(
            f"head must be an integer from 0 to {count - 1}, not {told(head)}."
        )


def date_alignment(model, text):
    """Return the heat map of a date: what is written in rows, what is read in columns.

    Parameters
    ----------
    model : model of Bahdanau's kind
        From `mha_core.pretrained.load_dates`.
    text : str
        A date in one of the forms of `mha_core.tasks.written_dates`.

    Returns
    -------
    Picture
        Its title is what the model writes, year, month and day.
    """
    text, _ = read(text)
    written, weights = write_date(model, text)
    return heatmap(
        weights,
        list(written),
        list(text),
        title=f"“{text}” is {written}",
        query_name="digit",
        key_name="character",
    )


def write_date(model, text):
    """Return what a model writes for a date, and its weights, (T_q, T_k)."""
    source, _ = as_arrays([(text, "")])
    ids, weights = model.greedy(source, 11)
    written = name_digits(ids[0])
    return written, weights[0, 0, : len(written)]
