"""A pretrained network that reads English sentences: MiniLM, its first layers."""

import re
import unicodedata
from dataclasses import dataclass

import numpy as np

from mha_core._checks.arguments import told
from mha_core._checks.checked import trusted
from mha_core._checks.projections import check_heads
from mha_core._checks.sentences import sentence
from mha_core.blocks import layer_norm
from mha_core.multihead import multi_head_attention
from mha_core.post_norm import EPSILON, post_norm_block

FIRST, LAST = "[CLS]", "[SEP]"
SIGNS = re.compile(r"\w+|[^\w\s]")
MOST = 62  # words and signs of a sentence


@dataclass(frozen=True)
class Reading:
    """What the network sees in a sentence.

    Attributes
    ----------
    tokens : tuple of str
        [CLS], the words and signs in small letters, [SEP].
    weights : ndarray, shape (layers, h, T, T)
        Each row sums to 1.
    states : ndarray, shape (layers, T, d_model)
        What goes into each layer.
    """

    tokens: tuple
    weights: np.ndarray
    states: np.ndarray


class SentenceReader:
    """The first layers of all-MiniLM-L6-v2 (Wang 2020; Reimers and Gurevych 2019).

    Parameters
    ----------
    params : dict of str to ndarray
        Of layer i, names begin with ``layer i``; the last layer has queries and keys
        alone, so that its weights can be seen, and not what comes of them.
    words : tuple of str
        Those that it can read, in the order of the rows of ``E_word``.
    h : int
    places : ndarray of int, optional
        Which position each token gets; as they come if not given.
    """

    kind = "sentences"

    def __init__(self, params, words, h=12, places=None):
        self.params, self.words, self.h, self.places = params, words, h, places
        self._rows = {word: row for row, word in enumerate(words)}
        check_heads(params["E_word"].shape[1], h)

    @property
    def layers(self):
        """How many layers can be seen."""
        return sum(name.endswith("W_Q") for name in self.params)

    @trusted()
    def read(self, text):
        """Return what every head sees in a sentence.

        Parameters
        ----------
        text : str
            English words that the network knows here, at most 62.

        Raises
        ------
        ValueError
            If a word is not among them: it is named, never replaced.
        """
        tokens = (FIRST, *words_of(text, self._rows), LAST)
        x = self._embed(tokens)
        weights, states = [], []
        for i in range(self.layers):
            p = self._layer(i)
            states.append(x)
            x, seen = post_norm_block(x, p, self.h) if "W_V" in p else self._look(x, p)
            weights.append(seen)
        return Reading(tokens, np.stack(weights), np.stack(states))

    def without(self, heads):
        """Return a network in which some heads hand on nothing.

        Parameters
        ----------
        heads : sequence of (int, int)
            Layer and head, each from 0; their rows of W_O become zeros.
        """
        params, d_k = dict(self.params), self.params["E_word"].shape[1] // self.h
        for layer, head in heads:
            name = f"layer {layer} W_O"
            params[name] = params[name].copy()
            params[name][head * d_k : (head + 1) * d_k] = 0
        return SentenceReader(params, self.words, self.h, self.places)

    def _embed(self, tokens):
        rows = [self._rows[token] for token in tokens]
        places = np.arange(len(tokens))
        places = places if self.places is None else self.places[places]
        p = self.params
        x = p["E_word"][rows] + p["E_place"][places] + p["kind"]  # (T, d_model)
        return layer_norm(x, p["gain"], p["shift"], EPSILON)

    def _look(self, x, p):
        """Return no states, and the weights of a layer that has no values."""
        eye, zero = np.eye(len(p["W_Q"]), dtype=x.dtype), np.zeros_like(p["b_Q"])
        biases = p["b_Q"], p["b_K"], zero, zero
        return None, multi_head_attention(
            x, p["W_Q"], p["W_K"], eye, eye, self.h, projection_bias=biases
        )[1]

    def _layer(self, i):
        start = f"layer {i} "
        own = (name for name in self.params if name.startswith(start))
        return {name.removeprefix(start): self.params[name] for name in own}


def words_of(text, known):
    """Return the words and signs of a sentence, or say which one is not known.

    Parameters
    ----------
    text : str
    known : container of str

    Returns
    -------
    list of str, in small letters and without accents
    """
    if not isinstance(text, str):
        raise ValueError(sentence("A sentence must be text, not {it}.", it=told(text)))
    plain = unicodedata.normalize("NFD", text.lower())
    plain = "".join(c for c in plain if unicodedata.category(c) != "Mn")
    words = SIGNS.findall(plain)
    unknown = [word for word in words if word not in known]
    if unknown:
        raise ValueError(_unknown(unknown[0], len(known)))
    if not 1 <= len(words) <= MOST:
        raise ValueError(_length(len(words)))
    return words


def _unknown(word, n):
    return sentence(
        "The word {word!r} is not among the {n:,} that are shipped; take another.",
        word=word,
        n=n,
    )


def _length(n):
    return sentence(
        "A sentence may have 1 to {most} words and signs; this has {n}.", most=MOST, n=n
    )
