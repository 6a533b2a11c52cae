"""Curves of the errors that models make, shipped or measured on the spot."""

from functools import partial

import numpy as np

from mha_core._arguments import told
from mha_core.evaluation import error_by_length, transcribe
from mha_core.initial import initial
from mha_core.lab.pictures import bars, lines
from mha_core.pretrained import load_errors
from mha_core.tasks import batches_of_one_length, pronunciation
from mha_core.training import train

NAMES = {
    "last_state": "last states only",
    "bahdanau": "with attention",
    "multihead": "with four heads",
    "transformer": "Transformer",
}
SMALL = {"last_state": 26, "bahdanau": 24}  # numbers of a state, n
FIFTHS = ("first", "second", "third", "fourth", "last")


def error_curves(*kinds):
    """Return the phoneme error over word length, measured on the held-out words.

    Parameters
    ----------
    *kinds : str
        Kinds of models; the curve is seed 0, which is shipped, the band all seeds.

    Returns
    -------
    Picture
    """
    errors = load_errors()
    _check_kinds(kinds, errors)
    ranges = errors[kinds[0]]["0"]["by_length"]
    tables = {NAMES[kind]: _by_seed(errors[kind], "by_length") for kind in kinds}
    values = {name: table[:, :, 2] for name, table in tables.items()}
    return lines(
        [f"{low}-{high}" for low, high, _, _ in ranges],
        {name: table[0] for name, table in values.items()},
        spread={name: (v.min(axis=0), v.max(axis=0)) for name, v in values.items()},
        title="Errors by length of the word",
        counts=[words for *_, words in ranges],
        counts_name="words",
        x_name="letters",
        y_name="phoneme error",
        limits=(0, 0.5),
    )


def missed_bars(*kinds):
    """Return where in long words the phonemes are missed, by fifth of the word.

    Parameters
    ----------
    *kinds : str
        Kinds of models; the bar is seed 0, the whisker all seeds.

    Returns
    -------
    Picture
    """
    errors = load_errors()
    _check_kinds(kinds, errors)
    tables = {NAMES[kind]: _by_seed(errors[kind], "by_fifth") for kind in kinds}
    return bars(
        FIFTHS,
        {name: table[0] for name, table in tables.items()},
        spread={name: (t.min(axis=0), t.max(axis=0)) for name, t in tables.items()},
        title="What is missed of words of 12 letters and more",
        x_name="fifth of the word",
        y_name="share of phonemes missed",
        limits=(0, 0.5),
    )


def train_small(kind, steps=600, seed=0):
    """Train a small model on the spot, on words of 3 to 15 letters.

    Parameters
    ----------
    kind : {"last_state", "bahdanau"}
    steps, seed : int
        600 steps take about ten seconds.

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
    train(model, draw, steps, seed=seed, dev=dev, peak=8e-3, warm_up=100)
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


def small_curves(errors, lengths=range(4, 16)):
    """Return curves of errors measured on the spot, and whether each of them climbs.

    Parameters
    ----------
    errors : dict of str to ndarray, shape (lengths,)
        From `small_errors`, by kind or by any other name. They differ a little from
        machine to machine, so the text under the picture says only which ones grow
        more than 1.5-fold.
    lengths : sequence of int

    Returns
    -------
    Picture
    """
    errors = {NAMES.get(kind, kind): error for kind, error in errors.items()}
    grown = {
        name: error[-3:].mean() / error[:3].mean() for name, error in errors.items()
    }
    climbs = (f"{name}: {'yes' if g > 1.5 else 'no'}" for name, g in grown.items())
    return lines(
        list(lengths),
        errors,
        title="Errors of the small models",
        x_name="letters",
        y_name="phoneme error",
        limits=(0, 1),
        tell=False,
        sentence=f"Small models; more than 1.5-fold from the three shortest lengths to "
        f"the three longest: {'; '.join(climbs)}.",
    )


def _check_kinds(kinds, errors):
    unknown = [kind for kind in kinds if kind not in errors]
    if unknown or not kinds:
        received = f", not {told(unknown[0])}" if unknown else ""
        raise ValueError(f"Name one or more of {', '.join(errors)}{received}.")


def _by_seed(seeds, what):
    return np.array([measured[what] for measured in seeds.values()])
