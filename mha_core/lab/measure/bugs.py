"""The commonest faults in multi-head attention; all of them have the right shapes."""

import numpy as np

from mha_core import (
    causal_mask,
    merge_heads,
    multi_head_attention,
    scaled_dot_product_attention,
    split_heads,
)
from mha_core._checks.projections import check_heads
from mha_core._checks.sentences import sentence

# Keys, as code names them, and labels, as readers see them.
BUGS = {
    "none": sentence("nothing is wrong"),
    "split": sentence("the heads are split by reshape alone"),
    "merge": sentence("the heads are merged by reshape alone"),
    "split and merge": sentence("the heads are split and merged by reshape alone"),
    "mask upside down": sentence("the mask hides what may be seen"),
    "mask one late": sentence("the diagonal of the mask is one step late"),
}


def split_by_reshape(x, h):
    """Cut the sequence, not the features, into h pieces: (T, d) to (h, T, d_k)."""
    check_heads(x.shape[1], h)
    return np.reshape(x, (h, x.shape[0], x.shape[1] // h))


def merge_by_reshape(x):
    """Put the heads one after the other in memory: (h, T, d_k) to (T, h * d_k)."""
    return np.reshape(x, (x.shape[1], x.shape[0] * x.shape[2]))


def buggy_attention(X, weights, h, *, bug="none", causal=False):
    """Attend in h heads with one of the `BUGS`, without a batch.

    Parameters
    ----------
    X : ndarray, shape (T, d_model)
    weights : four ndarrays, W_Q, W_K, W_V, W_O, shape (d_model, d_model)
    h : int
    bug : str
        A key of `BUGS`.
    causal : bool

    Returns
    -------
    output, weights : ndarray, shapes (T, d_model) and (h, T, T)
    """
    if bug not in BUGS:
        what = {"bugs": ", ".join(BUGS), "bug": bug}
        raise ValueError(sentence("bug must be one of {bugs}, not {bug!r}.", **what))
    mask = _mask(len(X), bug) if causal else None
    if bug == "none":
        return multi_head_attention(X, *weights, h, mask)
    split = split_by_reshape if "split" in bug else split_heads
    merge = merge_by_reshape if "merge" in bug else merge_heads
    W_Q, W_K, W_V, W_O = weights
    query, key, value = (split(X @ W, h) for W in (W_Q, W_K, W_V))  # (h, T, d_k)
    heads, seen = scaled_dot_product_attention(query, key, value, mask=mask)
    return merge(heads) @ W_O, seen


def _mask(T, bug):
    if bug == "mask upside down":
        return ~causal_mask(T)
    return causal_mask(T, offset=1 if bug == "mask one late" else 0)
