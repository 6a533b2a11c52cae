"""What one head of the network that pronounces holds while it writes a word."""

from typing import NamedTuple

import numpy as np

from mha_core._checks.arguments import told, whole
from mha_core._checks.sentences import sentence
from mha_core.models import MultiHead
from mha_core.multihead import split_heads
from mha_core.pronouncing import check_word
from mha_core.tasks import name_phonemes, spell, to_ipa


class Inside(NamedTuple):
    """Queries, keys and values of one head, and what they stand for.

    A query belongs to a sound that is written, a key and a value to a place that is
    read; the mask is true where there is a letter, and elsewhere the place is padding.
    """

    query: np.ndarray  # (T_q, d_k)
    key: np.ndarray  # (T_k, d_k)
    value: np.ndarray  # (T_k, d_k)
    mask: np.ndarray  # (1, T_k)
    sounds: list
    letters: list


def inside_head(model, word, head=0, *, beside=""):
    """Return what one head asks, compares and hands back while a word is written.

    Parameters
    ----------
    model : MultiHead
        Heads of scaled dot-product attention in the decoder.
    word : str
    head : int
        From 0.
    beside : str
        A longer word in the same batch: the shorter one is padded to its length.

    Returns
    -------
    Inside

    Raises
    ------
    ValueError
        If the model has no such heads, or a word cannot be read.
    """
    _check(model, head)
    words = [check_word(word), *([check_word(beside)] if beside else [])]
    source = spell(words)  # (B, T_k)
    memory, state = model.start(source)
    ids, _ = model.greedy(source, len(words[0]) + 5)  # (B, T_q)
    sounds = to_ipa(name_phonemes(ids[0]))
    previous = model.params["E_target"][np.pad(ids, [(0, 0), (1, 0)])]
    asking = []
    for i in range(len(sounds)):
        asking.append(state[0])
        state, _, _ = model.step(state, previous[:, i], memory)
    query = split_heads(np.stack(asking) @ model.params["W_Q"], model.h)
    keys, values, mask = memory
    letters = [*words[0], *["·"] * (source.shape[1] - len(words[0]))]
    parts = query[head], keys[0, head], values[0, head], mask[0, 0]
    return Inside(*parts, sounds, letters)


def _check(model, head):
    if not isinstance(model, MultiHead):
        raise ValueError(
            sentence(
                "A model of kind multihead is needed, whose heads compare by dot "
                "products, not {kind}.",
                kind=getattr(model, "kind", type(model).__name__),
            )
        )
    if whole(head) not in range(model.h):
        raise ValueError(
            sentence(
                "head must be an integer from 0 to {last}, not {head}.",
                last=model.h - 1,
                head=told(head),
            )
        )
