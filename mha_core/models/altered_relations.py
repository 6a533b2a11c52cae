"""The layer of the four relations with one part changed, to see what that part does."""

import math

import numpy as np

from mha_core._checks.arguments import check_count
from mha_core._checks.checked import trusted
from mha_core.models.four_relations import FourRelations, untrained
from mha_core.tasks.tagged_sentences import ROLES, WORDS


class Unscaled(FourRelations):
    """The scores are not divided by the root of d_k."""

    @trusted()
    def attend(self, words, tags):
        """Return output and weights, (B, T, d_model) and (B, h, T, T)."""
        p = self.params
        d_k = p["W_Q"].shape[1] // self.h
        scaled = FourRelations(p | {"W_Q": p["W_Q"] * math.sqrt(d_k)}, self.h)
        return scaled.attend(words, tags)


class Reread(FourRelations):
    """The read-out has a hidden layer with a ReLU in place of a single matrix."""

    @trusted()
    def logits(self, words, tags):
        """Return the scores of the words for each role, (B, T, 4, WORDS)."""
        p = self.params
        output, _ = self.attend(words, tags)
        hidden = np.maximum(output @ p["W_hidden"] + p["b_hidden"], 0)
        scores = hidden @ p["W_read"] + p["b_read"]
        return np.reshape(scores, (*words.shape, len(ROLES), WORDS))


def untrained_unscaled(d_model, h, rng):
    """Return such a layer with the weights that a scaled one starts with."""
    return Unscaled(untrained(d_model, h, rng).params, h)


def untrained_reread(d_model, h, hidden, rng):
    """Return such a layer whose attention starts as that of a linear one.

    Parameters
    ----------
    d_model, h, hidden : int
        The hidden layer of the read-out is so wide.
    rng : numpy.random.Generator
    """
    hidden = check_count("hidden", hidden)
    params = untrained(d_model, h, rng).params
    shapes = {"W_hidden": (d_model, hidden), "W_read": (hidden, len(ROLES) * WORDS)}
    for name, shape in shapes.items():
        weights = rng.standard_normal(shape) * shape[0] ** -0.5
        params[name] = weights.astype(np.float32)
    params["b_hidden"] = np.zeros(hidden, np.float32)
    return Reread(params, h)
