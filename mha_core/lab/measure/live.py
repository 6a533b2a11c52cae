"""Small networks, trained and measured on the spot."""

from functools import partial

import numpy as np

from mha_core._checks.arguments import told
from mha_core.evaluation import error_by_length, transcribe
from mha_core.models.four_relations import accuracy, objective, untrained
from mha_core.models.initial import initial
from mha_core.tasks import batches_of_one_length, pronunciation
from mha_core.tasks.tagged_sentences import batches, sentences
from mha_core.training import train

SMALL = {"last_state": 26, "bahdanau": 24}  # numbers of a state, n


def train_small(kind, steps=400, seed=0):
    """Train a small model on the spot, on words of 3 to 15 letters.

    Parameters
    ----------
    kind : {"last_state", "bahdanau"}
    steps, seed : int
        400 steps take about five seconds.

    Returns
    -------
    model of `mha_core.models`, with about 36,000 parameters
    """
    if kind not in tuple(SMALL):
        raise ValueError(f"kind must be one of {', '.join(SMALL)}, not {told(kind)}.")
    words = [pair for pair in pronunciation("train") if 3 <= len(pair[0]) <= 15]
    model = initial(kind, np.random.default_rng(seed), d=24, n=SMALL[kind], d_a=32)
    draw = partial(batches_of_one_length, words)
    dev = pronunciation("dev")[:200]
    train(model, draw, steps, seed=seed, dev=dev, peak=1.2e-2, warm_up=50)
    return model


def small_errors(models, lengths=range(4, 16), most=150):
    """Measure the phoneme error of models at each word length, on held-out words.

    Parameters
    ----------
    models : dict of str to model
    lengths : sequence of int
    most : int
        Words of each length.

    Returns
    -------
    dict of str to ndarray, shape (lengths,)
    """
    test = pronunciation("test")
    some = [p for n in lengths for p in [q for q in test if len(q[0]) == n][:most]]
    buckets = [(n, n) for n in lengths]
    found = {}
    for name, model in models.items():
        said = transcribe(model, [word for word, _ in some])
        rows = error_by_length(said, some, buckets).values()
        found[name] = np.array([error for error, _ in rows])
    return found


def train_relations(d_model, h, steps=500, seed=0):
    """Train a layer of the four relations on the spot.

    Parameters
    ----------
    d_model, h : int
    steps, seed : int
        500 steps of a layer 24 wide take a few seconds.

    Returns
    -------
    FourRelations
    """
    layer = untrained(d_model, h, np.random.default_rng(seed))
    how = {"objective": objective, "peak": 6e-3, "warm_up": 50}
    train(layer, batches, steps, seed=seed, **how)
    return layer


def mean_accuracy(layer, count=512):
    """Return the share of right reports, on sentences never trained on."""
    test = sentences(np.random.default_rng(10**6), count)
    return float(accuracy(layer, *test).mean())
