"""What each classic bug lets through: who can see whom, on random weights."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.measure.probes import influence
from mha_core.masking import padding_mask
from mha_core.models.classic_bugs import attention_with

# Keys, as code names them, and labels, as readers see them.
CLASSIC_BUGS = {
    "none": sentence("as it should be"),
    "split": sentence("heads split by reshape alone"),
    "merge": sentence("heads merged by reshape alone"),
    "mask upside down": sentence("masks upside down"),
    "mask one late": sentence("causal mask one step late"),
    "mask after softmax": sentence("mask after the softmax"),
    "mask added": sentence("mask of 1.0 and 0.0 added as a bias"),
    "empty rows": sentence("rows without a key, not guarded"),
    "-1e9 in half precision": sentence("-1e9 in half precision"),
    "batch as heads": sentence("mask of samples taken for heads"),
    "softmax over queries": sentence("softmax over queries"),
    "no scale": sentence("no scale"),
    "scale by d_model": sentence("scale by d_model"),
    "no positions": sentence("no positions"),
    "padding in the loss": sentence("padding counts in the loss"),
}
T, LENGTH, WIDTH, H = 6, 4, 8, 4


def moved_by(bug):
    """Return who can see whom, with a bug, in causal attention to padded sequences.

    Parameters
    ----------
    bug : str
        A key of `CLASSIC_BUGS`.

    Returns
    -------
    ndarray of bool, shape (6, 6), or None if the output is no number
        Of the second of four sequences, which has four tokens and two of padding.
    """
    attend, rng = attention_with(bug), np.random.default_rng(0)
    X, weights = (
        rng.standard_normal((H, T, WIDTH)),
        rng.standard_normal((4, WIDTH, WIDTH)),
    )
    mask = padding_mask([T, LENGTH, T, T], T)  # (B, 1, T)

    def f(x):
        batch = np.concatenate([X[:1], x[None], X[2:]])  # (B, T, WIDTH)
        return attend(batch, *weights, H, mask, key=batch, value=batch, causal=True)[0][
            1
        ]

    return influence(f, X[1]) if np.isfinite(f(X[1])).all() else None
