"""Write letter by letter without reading all again: keys and values are kept."""

import numpy as np

from mha_core._checks.checked import trusted
from mha_core.attention import scaled_dot_product_attention
from mha_core.blocks import think_and_add
from mha_core.multihead import merge_heads, split_heads


@trusted()
def next_letter(model, letter, cache=()):
    """Return the scores after one more letter, and the keys and values so far.

    Parameters
    ----------
    model : Language
        With the library's formulas and its causal mask.
    letter : int
        0 at first, then what was written.
    cache : sequence of (ndarray, ndarray)
        What the step before returned: keys and values, (t, d_model), of each block.

    Returns
    -------
    logits : ndarray, shape (27,)
        The last row of what ``model.logits`` gives for all letters so far.
    cache : list of (ndarray, ndarray)
        One row more. The kv-cache of Pope 2022.
    """
    t = len(cache[0][0]) if cache else 0
    x = model.params["E_letter"][[letter]] + model.params["E_place"][[t]]  # (1, d)
    kept = []
    for i, p in enumerate(model.blocks()):
        x, pair = _block(model, x, p, cache[i] if cache else None)
        kept.append(pair)
    x = model.formulas.layer_norm(x, model.params["gain"], model.params["shift"])
    return (x @ model.params["W_out"] + model.params["b_out"])[0], kept


def _block(model, x, p, before):
    normal = model.formulas.layer_norm(x, p["self gain"], p["self shift"])
    query, *pair = (normal @ p[f"self W_{name}"] for name in "QKV")  # (1, d) each
    if before is not None:
        pair = [np.concatenate(both) for both in zip(before, pair, strict=True)]
    heads = (split_heads(x, model.h) for x in (query, *pair))
    found, _ = scaled_dot_product_attention(*heads)  # (h, 1, d_k)
    return think_and_add(x + merge_heads(found) @ p["self W_O"], p), tuple(pair)
