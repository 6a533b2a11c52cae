"""The block of BERT: it normalises after each sum, and bends with a smooth kink."""

import numpy as np

from mha_core._checks.checked import checked
from mha_core.blocks import PROJECTIONS, layer_norm
from mha_core.multihead import multi_head_attention

EPSILON = 1e-12
BIASES = ("b_Q", "b_K", "b_V", "b_O")
# A polynomial for the error function, Abramowitz and Stegun 1964, 7.1.26.
SLOPE, TERMS = 0.3275911, (1.061405429, -1.453152027, 1.421413741, -0.284496736)
LAST = 0.254829592


@checked
def gelu(x: "..."):
    """Return x times the share of a normal distribution that lies below x.

    Parameters
    ----------
    x : ndarray, any shape

    Returns
    -------
    ndarray, shape and dtype of x
        x * (1 + erf(x / sqrt(2))) / 2, to about 1e-7. Hendrycks and Gimpel 2016.
    """
    z = np.abs(x) * x.dtype.type(2**-0.5)
    t = 1 / (1 + SLOPE * z)
    above = 0.0
    for term in TERMS:
        above = (above + term) * t
    below = (above + LAST) * t * np.exp(-z * z)  # 1 - erf(z)
    return 0.5 * (x + np.abs(x) * (1 - below))


def post_norm_block(x, p, h, mask=None):
    """Let every position look, add, normalise; then let it think, add, normalise.

    Parameters
    ----------
    x : ndarray, shape (T, d_model)
    p : dict of str to ndarray
        ``W_Q W_K W_V W_O`` and ``b_Q b_K b_V b_O``; ``gain shift``; ``W_1 b_1 W_2
        b_2``; ``think gain``, ``think shift``.
    h : int
    mask : ndarray of bool, as `multi_head_attention` takes it

    Returns
    -------
    x, weights : ndarray, shapes (T, d_model) and (h, T, T)
        Vaswani 2017, section 3.1; Devlin 2018 takes gelu in place of the kink.
    """
    matrices, biases = ([p[name] for name in names] for names in (PROJECTIONS, BIASES))
    seen, weights = multi_head_attention(x, *matrices, h, mask, projection_bias=biases)
    x = layer_norm(x + seen, p["gain"], p["shift"], EPSILON)
    thought = gelu(x @ p["W_1"] + p["b_1"]) @ p["W_2"] + p["b_2"]
    return layer_norm(x + thought, p["think gain"], p["think shift"], EPSILON), weights
