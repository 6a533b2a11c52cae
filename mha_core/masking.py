"""Masks: where a query may attend, True, and where not."""

import numpy as np

from mha_core._checks.arguments import check_count, check_flag, check_size
from mha_core._checks.masks import as_mask, check_lengths


def causal_mask(T_q, T_k=None, offset=0):
    """Return the mask that hides the future: query i sees key j if j <= i + offset.

    The diagonal starts at the top left, also when T_q and T_k differ.

    Parameters
    ----------
    T_q, T_k : int
        Number of queries and of keys; T_k is T_q if not given.
    offset : int
        How many keys after its own position a query may see.

    Returns
    -------
    ndarray of bool, shape (T_q, T_k)
    """
    T_q = check_count("T_q", T_q)
    T_k = T_q if T_k is None else check_count("T_k", T_k)
    check_size("T_q and T_k", T_q, T_k)
    offset = max(-T_q, min(check_count("offset", offset, least=None), T_k))
    return np.arange(T_k) <= np.arange(T_q)[:, None] + offset


def padding_mask(lengths, T_k):
    """Return the mask that hides the padding after each sequence's end.

    Parameters
    ----------
    lengths : ndarray of int, shape (B,)
        Number of real keys of each sequence, from 0 to T_k.
    T_k : int

    Returns
    -------
    ndarray of bool, shape (B, 1, T_k)
        True at the first ``lengths[b]`` keys of sequence b, for every query.
    """
    lengths, T_k = check_lengths(lengths, T_k)
    return np.arange(T_k) < lengths[:, None, None]  # (B, 1, T_k)


def visible_keys(scores, mask, bias=None, causal=False):
    """Return where a query may attend, by mask, bias and time; None hides nothing."""
    visible = True if mask is None else as_mask(mask, scores.shape)
    if check_flag("causal", causal):
        visible = visible & causal_mask(*scores.shape[-2:])
    if bias is not None:
        visible = visible & (bias > -np.inf)
    return None if visible is True else visible
