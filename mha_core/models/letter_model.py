"""A letter model: blocks of a Transformer that read what they wrote themselves."""

import numpy as np

from mha_core._checks.arguments import check_count, check_positive
from mha_core._checks.arrays import InputError
from mha_core._checks.checked import trusted
from mha_core._checks.ids import check_numbers
from mha_core.attention import softmax
from mha_core.blocks import OURS, PROJECTIONS
from mha_core.losses import cross_entropy
from mha_core.masking import causal_mask
from mha_core.models.initial import drawn
from mha_core.tasks import LETTERS, LONGEST, spell

SIGNS = len(LETTERS) + 1  # 0 starts and ends a word


class Language:
    """A decoder-only Transformer, which gives each next letter a probability.

    Parameters
    ----------
    params : dict of str to ndarray
        The names of a block's weights begin with its name, such as ``block 0``.
    h : int
        Number of heads. Normalised before each part, with learned positions
        (Radford 2018, 2019).
    formulas : Formulas
        What its blocks call.
    causal : bool
        False lets each place see those behind it, which breaks it on purpose.
    """

    kind, trained = "language", False

    def __init__(self, params, h=4, formulas=OURS, causal=True):
        self.params, self.h = params, h
        self.formulas, self.causal = formulas, causal

    def with_params(self, params):
        """Return a model like this one with other parameters."""
        return Language(params, self.h, self.formulas, self.causal)

    def with_formulas(self, formulas):
        """Return a model with the same parameters whose blocks call other formulas."""
        return Language(self.params, self.h, formulas, self.causal)

    @trusted()
    def logits(self, ids):
        """Return the scores of the next letter at every place.

        Parameters
        ----------
        ids : ndarray of int, shape (B, T)
            0, then letters from 1 to 26; 0 behind the end of a short word.

        Returns
        -------
        ndarray, shape (B, T, 27)
        """
        return self._read(ids)[0]

    @trusted()
    def attention(self, ids):
        """Return the weights of every block, (blocks, B, h, T, T)."""
        return np.stack(self._read(ids)[1])

    def _read(self, ids):
        check_numbers("ids", ids, SIGNS)
        T = ids.shape[1]
        if T > LONGEST + 1:
            raise InputError(f"ids has {T} places, of at most {LONGEST + 1}.")
        x = self.params["E_letter"][ids]  # (B, T, d)
        if "E_place" in self.params:
            x = x + self.params["E_place"][:T]
        weights, mask = [], self._visible(ids)
        for block in self.blocks():
            x, looked = self.formulas.encoder_block(
                x, block, self.h, mask, self.formulas
            )
            weights.append(looked)
        x = self.formulas.layer_norm(x, self.params["gain"], self.params["shift"])
        return x @ self.params["W_out"] + self.params["b_out"], weights

    def _visible(self, ids):
        if self.causal:
            return causal_mask(ids.shape[1])  # (T, T)
        return (ids > 0)[:, None] | (np.arange(ids.shape[1]) == 0)  # (B, 1, T)

    def blocks(self):
        """Yield the weights of each block by their names inside it."""
        last = max(int(name.split()[1]) for name in self.params if "block" in name)
        for i in range(last + 1):
            start = f"block {i} "
            own = (name for name in self.params if name.startswith(start))
            yield {name.removeprefix(start): self.params[name] for name in own}

    def write(self, rng, count=1, *, temperature=1.0, start=""):
        """Invent words: draw letter after letter, each from what the model expects.

        Parameters
        ----------
        rng : numpy.random.Generator
        count : int
        temperature : float
            Divides the scores; near 0 the likeliest letter is always taken.
        start : str
            Letters that each word begins with.

        Returns
        -------
        list of str, each of at most 20 letters
        """
        temperature = check_positive("temperature", temperature)
        first = spell([start]) if start else np.zeros((1, 0), int)
        ids = np.pad(np.repeat(first, check_count("count", count), 0), [(0, 0), (1, 0)])
        running = np.ones(count, bool)
        while running.any() and ids.shape[1] <= LONGEST:
            chances = softmax(self.logits(ids)[:, -1].astype(float) / temperature)
            reached = np.cumsum(chances, axis=-1) > rng.random((count, 1))
            letter = reached.argmax(axis=-1) * running  # (count,)
            running = running & (letter > 0)
            ids = np.concatenate([ids, letter[:, None]], axis=1)
        return ["".join(LETTERS[i - 1] for i in row if i) for row in ids]


def reading(letters):
    """Return what a model reads, what comes next, and which places count.

    Parameters
    ----------
    letters : ndarray of int, shape (B, T)
        Words as `mha_core.tasks.spell` gives them.

    Returns
    -------
    ids, target, counted : ndarray, shapes (B, T + 1)
        The end, 0 behind the last letter, counts; the padding does not.
    """
    target = np.pad(letters, [(0, 0), (0, 1)])
    counted = np.cumsum(target == 0, axis=1) <= 1
    return np.pad(letters, [(0, 0), (1, 0)]), target, counted


def objective(model, letters):
    """Return the mean surprise of a model at the letters of words, in nats."""
    ids, target, counted = reading(letters)
    return cross_entropy(model.logits(ids), target, counted)


def untrained(rng, d=48, d_ff=192, layers=2, places=True, **how):
    """Return a letter model with random weights.

    Parameters
    ----------
    rng : numpy.random.Generator
    d, d_ff, layers : int
        Width throughout, inside the feed-forward network; number of blocks.
    places : bool
        False leaves the positions out.
    **how : h, formulas or causal, as `Language` takes them
    """
    params = {name: drawn(rng, name, s, 0.1) for name, s in shapes(d, d_ff, layers)}
    if not places:
        del params["E_place"]
    return Language(params, **how)


def shapes(d, d_ff, layers):
    """Yield name and shape of all parameters: a block's begin with its name."""
    yield from (("E_letter", (SIGNS, d)), ("E_place", (LONGEST + 1, d)))
    norm = {"gain": (d,), "shift": (d,)}
    think = {"W_1": (d, d_ff), "b_1": (d_ff,), "W_2": (d_ff, d), "b_2": (d,)}
    attend = {name: (d, d) for name in PROJECTIONS} | norm
    for i in range(layers):
        for part, own in (("self", attend), ("think", think | norm)):
            yield from ((f"block {i} {part} {name}", own[name]) for name in own)
    yield from norm.items()
    yield from (("W_out", (d, SIGNS)), ("b_out", (SIGNS,)))
