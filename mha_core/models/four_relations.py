"""One layer of attention that learns four relations at once."""

import numpy as np

from mha_core._checks.checked import trusted
from mha_core._checks.ids import check_numbers, check_rows
from mha_core._checks.projections import check_heads
from mha_core.losses import surprise
from mha_core.multihead import multi_head_attention
from mha_core.tasks.tagged_sentences import ROLES, TAGS, WORDS, T, answers, places


class FourRelations:
    """One layer of self-attention and a linear read-out for each role.

    Parameters
    ----------
    params : dict of str to ndarray
    h : int
        Number of heads; the number of parameters does not depend on it.
    """

    kind = "relations"

    def __init__(self, params, h):
        self.params, self.h = params, h

    def with_params(self, params):
        """Return a layer of this kind with as many heads and other parameters."""
        return type(self)(params, self.h)

    @trusted()
    def attend(self, words, tags):
        """Return output and weights, (B, T, d_model) and (B, h, T, T)."""
        check_numbers("words", words, WORDS, T)
        check_numbers("tags", tags, TAGS, T)
        check_rows(words, tags, "tags", "sentence")
        p = self.params
        X = p["E_word"][words] + p["E_tag"][tags] + p["E_place"]  # (B, T, d_model)
        projections = [p[name] for name in ("W_Q", "W_K", "W_V", "W_O")]
        return multi_head_attention(X, *projections, self.h)

    @trusted()
    def logits(self, words, tags):
        """Return the scores of the words for each role, (B, T, 4, WORDS)."""
        output, _ = self.attend(words, tags)
        scores = output @ self.params["W_read"] + self.params["b_read"]
        return np.reshape(scores, (*words.shape, len(ROLES), WORDS))


def untrained(d_model, h, rng):
    """Return a layer with random weights."""
    check_heads(d_model, h)
    shapes = {
        "E_word": (WORDS, d_model),
        "E_tag": (TAGS, d_model),
        "E_place": (T, d_model),
        **{name: (d_model, d_model) for name in ("W_Q", "W_K", "W_V", "W_O")},
        "W_read": (d_model, len(ROLES) * WORDS),
    }
    params = {name: _draw(rng, name, shape) for name, shape in shapes.items()}
    params["b_read"] = np.zeros(len(ROLES) * WORDS, np.float32)
    return FourRelations(params, h)


def accuracy(layer, words, tags):
    """Return the share of right reports for each role, shape (4,)."""
    right = answers(words, tags)
    return (layer.logits(words, tags).argmax(axis=-1) == right).mean(axis=(0, 1))


def masses(layer, words, tags):
    """Return the mean weight of each head on each role's place, shape (h, 4)."""
    _, weights = layer.attend(words, tags)  # (B, h, T, T)
    place = places(tags)[:, None]  # (B, 1, T, 4)
    return np.take_along_axis(weights, place, axis=-1).mean(axis=(0, 2))


def objective(layer, words, tags):
    """Return the mean surprise at the right words, over all positions and roles."""
    return np.mean(surprise(layer.logits(words, tags), answers(words, tags)))


def _draw(rng, name, shape):
    scale = 0.5 if name.startswith("E_") else shape[0] ** -0.5
    return (scale * rng.standard_normal(shape)).astype(np.float32)
