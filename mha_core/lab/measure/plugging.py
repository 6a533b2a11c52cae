"""A reader's own functions in place of the library's, inside a trained network.

A reader's functions see one sequence at a time, x of shape (T, d_model), and a mask of
shape (T_q, T_k) that is never left out, so that they stay as short as in a lesson.
"""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.attention import masked_softmax
from mha_core.blocks import OURS, Formulas
from mha_core.lab.measure.by_parts import attention_of, multi_head_of
from mha_core.lab.measure.guarding import SHAPES, guarded
from mha_core.masking import causal_mask
from mha_core.multihead import merge_heads, split_heads

PARTS = tuple(SHAPES)
OF_ATTENTION = {*PARTS[:5]}


def plugged(model, **functions):
    """Return a network as trained that calls a reader's own functions.

    Parameters
    ----------
    model : Transformer or Language
    **functions : function
        By the names in `PARTS`, each taking what the library's takes: ``masked_softmax(
        scores, visible)``, ``scaled_dot_product_attention(query, key, value, mask)``,
        ``multi_head_attention(X, W_Q, W_K, W_V, W_O, h, mask, key)``, ``layer_norm(x,
        gain, shift)``, ``block(x, p, h, mask)``, ... One that gives back ``...`` is not
        written yet: the library's stays.

    Raises
    ------
    ValueError
        If there is no such function, and, when the network is used, if one of them
        fails: in one sentence. The library itself is never changed.
    """
    check_names(functions)
    return model.with_formulas(formulas_of(functions))


def check_names(functions):
    """Say which functions there are if one is called otherwise, or is none."""
    for name, function in functions.items():
        if name not in PARTS:
            what = {"name": name, "names": ", ".join(PARTS)}
            raise ValueError(
                sentence("There is no {name} to plug in, only {names}.", **what)
            )
        if not callable(function):
            kind = type(function).__name__
            raise ValueError(
                sentence(
                    "{name} must be a function, not {kind}: hand it in without calling "
                    "it.",
                    name=name,
                    kind=kind,
                )
            )


def formulas_of(functions):
    """Return the record of formulas with a reader's own in place of some."""
    mine = {name: guarded(name, function) for name, function in functions.items()}
    return Formulas(
        multi_head_attention=_multi_head(mine),
        layer_norm=_each(mine.get("layer_norm"), OURS.layer_norm),
        feed_forward=_each(mine.get("feed_forward"), OURS.feed_forward),
        encoder_block=_block(mine.get("block")),
    )


def _multi_head(mine):
    """Return multi-head attention of the reader's parts, or the library's."""
    if not mine.keys() & OF_ATTENTION:
        return OURS.multi_head_attention
    softmax = mine.get("masked_softmax", masked_softmax)
    attention = mine.get("scaled_dot_product_attention", attention_of(softmax))
    split = mine.get("split_heads", split_heads)
    merge = mine.get("merge_heads", merge_heads)
    whole = mine.get("multi_head_attention", multi_head_of(attention, split, merge))

    def multi_head_attention(X, *weights, key, value, causal):
        *matrices, h, mask = weights
        visible = _visible(mask, causal, len(X), X.shape[1], key.shape[1])
        found = [
            whole(x, *matrices, h, mask=see, key=source)
            for x, see, source in zip(X, visible, key, strict=True)
        ]
        output, attended = zip(*found, strict=True)
        return np.stack(output), np.stack(attended)  # (B, T_q, d_model)

    return multi_head_attention


def _visible(mask, causal, B, T_q, T_k):
    """Return which keys each query of each sequence may see, (B, T_q, T_k)."""
    visible = np.ones((B, T_q, T_k), bool)
    if mask is not None:
        visible = visible & mask
    return visible & causal_mask(T_q, T_k) if causal else visible


def _each(function, ours):
    """Return a function of one sequence as one of many, or the library's."""
    if function is None:
        return ours
    return lambda x, *weights: np.stack([function(one, *weights) for one in x])


def _block(function):
    if function is None:
        return OURS.encoder_block

    def encoder_block(x, p, h, mask=None, formulas=None):
        visible = _visible(mask, False, len(x), x.shape[1], x.shape[1])
        found = [function(one, p, h, see) for one, see in zip(x, visible, strict=True)]
        output, weights = zip(*found, strict=True)
        return np.stack(output), np.stack(weights)

    return encoder_block


def not_written(functions):
    """Return the names of the functions that give back ``...`` whatever they get."""
    return [name for name, function in functions.items() if _is_stub(function)]


def _is_stub(function):
    """Return whether all that a function does is to give back ``...``."""
    code = getattr(function, "__code__", None)
    if code is None or code.co_names:
        return False
    return ... in code.co_consts and set(map(type, code.co_consts)) <= SAID


SAID = {type(...), type(None), str}
