"""Pictures of how a model pronounces a word."""

import numpy as np

from mha_core._checks.arguments import told, whole
from mha_core._checks.sentences import sentence
from mha_core.attention import softmax
from mha_core.lab.pictures import bars, head_grid, heatmap
from mha_core.models import KINDS
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
    return heatmap(
        said.weights[head],
        to_ipa(said.phonemes),
        said.letters,
        title=_title_of(said, head if len(said.weights) > 1 else None),
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
        title=_title_of(said),
        query_name="phoneme",
        key_name="letter",
    )


def _title_of(said, head=None):
    """Return the word, the network that read it, and whether it is as trained."""
    what = {"word": "".join(said.letters), "network": _network(said.kind)}
    what |= {"state": _state(said), "head": head}
    if head is None:
        return sentence("“{word}”, {network}, {state}", **what)
    return sentence("“{word}”, {network}, {state}, head {head}", **what)


def _network(kind):
    if kind == "uniform":
        return sentence("uniform weights")
    return KINDS[kind].label if kind in KINDS else kind


def _state(what):
    """Return whether a model, or what it said, is of weights as training left them."""
    if getattr(what, "trained", False):
        return sentence("trained")
    return sentence("not as trained")


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
        title=_title_of(said),
        x_name="phoneme",
        y_name="probability",
        limits=(0, 1),
    )


def check_said(said):
    """Refuse a pronunciation of nothing, of which there is no picture."""
    check_written(said.letters, said.phonemes)


def check_written(letters, sounds):
    """Refuse a word for which nothing was written."""
    if not sounds:
        raise ValueError(
            sentence(
                "The model writes no phoneme for {word!r}; try another word.",
                word="".join(letters),
            )
        )


def _check_head(said, head):
    count = len(said.weights)
    if not count:
        raise ValueError(
            sentence(
                "The model has no attention, so there are no weights to show; take one "
                "of kind bahdanau, multihead or transformer."
            )
        )
    if whole(head) not in range(count):
        raise ValueError(
            sentence(
                "head must be an integer from 0 to {last}, not {head}.",
                last=count - 1,
                head=told(head),
            )
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
        Its title says what the model writes, year, month and day.
    """
    text, _ = read(text)
    written, weights = write_date(model, text)
    what = {"text": text, "written": written, "state": _state(model)}
    return heatmap(
        weights,
        list(written),
        list(text),
        title=sentence("“{text}” is {written} ({state})", **what),
        query_name="digit",
        key_name="character",
    )


def write_date(model, text):
    """Return what a model writes for a date, and its weights, (T_q, T_k)."""
    source, _ = as_arrays([(text, "")])
    ids, weights = model.greedy(source, 11)
    written = name_digits(ids[0])
    return written, weights[0, 0, : len(written)]
