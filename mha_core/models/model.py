"""What a model is, and what the package knows of each kind of them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol


class Model(Protocol):
    """What is asked of every model that reads letters and writes phonemes.

    Letters are numbers from 1, 0 is padding; phonemes too, 0 starts and ends a word.

    Attributes
    ----------
    kind : str
        Its name in `KINDS`.
    params : dict of str to ndarray
    h : int
        Number of heads, 0 without attention.
    """

    kind: str
    params: dict
    h: int

    def with_params(self, params):
        """Return a model like this one with other parameters."""

    def encode(self, source, mask):
        """Return a vector for each letter: ids and mask (B, T) to (B, T, m)."""

    def logits(self, source, target_in):
        """Return scores of the next phonemes, (B, T_q, V), given those before them."""

    def greedy(self, source, max_steps):
        """Write: return ids, (B, T_q), and weights, (B, h, T_q, T)."""


@dataclass(frozen=True)
class Kind:
    """All that the package knows of one kind of model.

    Attributes
    ----------
    model : type
        Its class, a `Model`.
    label : str
        What curves and tables call it.
    shapes : function of (letters, phonemes, **sizes)
        Gives the shape of each parameter by name.
    sizes : dict of str to int
        The widths it is trained with, by the names that `shapes` takes.
    embedding : float
        Standard deviation of the embeddings at the start.
    warm_up : int
        Steps of training until the rate is at its peak.
    paths : function of (letters, phonemes)
        Counts steps that wait for one another, and the shortest ways from letter to
        letter and from letter to phoneme.
    recurrent : bool
        Whether letters are read one after the other.
    """

    model: type
    label: str
    shapes: Callable
    sizes: dict
    embedding: float
    warm_up: int
    paths: Callable
    recurrent: bool = True
