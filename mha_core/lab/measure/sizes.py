"""What a layer of multi-head attention costs, counted from its sizes."""

import numpy as np

from mha_core import count_parameters
from mha_core._checks.arguments import check_count
from mha_core._checks.projections import check_heads
from mha_core._checks.sentences import sentence
from mha_core.tables import load_relations_table

DTYPES = {"float16": 2, "float32": 4, "float64": 8}  # bytes
BLOCK = 128  # queries and keys that are compared at once
CLOSE = 0.02  # of accuracy, within which head counts are as good as the best


def attention_costs(T, batch, h, d_model, dtype="float32"):
    """Count what one layer of self-attention needs, forward.

    Parameters
    ----------
    T, batch, h, d_model : int
        Length, sequences at once, heads, and the width, which h divides.
    dtype : {"float16", "float32", "float64"}

    Returns
    -------
    dict of str to int
        ``d_k``; ``parameters``, of ``each matrix`` and of all four; multiply-adds with
        projections, ``products``, and of scores and context alone, ``without
        projections``; bytes of the ``weights``, of ``X, Q, K, V, output``, of the
        scores if they are ``stored``, and ``in blocks`` of 128 x 128 with a maximum and
        a sum for each row (Dao 2022).
    """
    T, batch = check_count("T", T), check_count("batch", batch)
    d_k, d_model, h = check_heads(d_model, h), int(d_model), int(h)
    if dtype not in DTYPES:
        what = {"known": ", ".join(DTYPES), "dtype": dtype}
        raise ValueError(
            sentence("dtype must be one of {known}, not {dtype!r}.", **what)
        )
    size, edge = DTYPES[dtype], min(T, BLOCK)
    return {
        "d_k": d_k,
        "each matrix": d_model**2,
        "parameters": count_parameters(d_model, h),
        "products": batch * (4 * T * d_model**2 + 2 * T**2 * d_model),
        "without projections": batch * 2 * T**2 * d_model,
        "weights": size * count_parameters(d_model, h),
        "X, Q, K, V, output": size * 5 * batch * T * d_model,
        "stored": size * batch * h * T**2,
        "in blocks": size * batch * h * min(T**2, edge**2 + 2 * T),
    }


def as_good_heads(d_model):
    """Return the head counts that did as well as the best, in our own trainings.

    Parameters
    ----------
    d_model : {16, 24, 32, 64}

    Returns
    -------
    list of int
        Layers of the four relations within 0.02 of the best mean accuracy of three
        seeds; empty for widths that were not trained.
    """
    rows = load_relations_table()["grid"]
    heads = sorted({row["h"] for row in rows if row["d_model"] == d_model})
    means = {
        h: np.mean(
            [r["accuracy"] for r in rows if (r["d_model"], r["h"]) == (d_model, h)]
        )
        for h in heads
    }
    return [h for h in heads if means[h] >= max(means.values()) - CLOSE]
