"""Curves and bars of networks that pronounce in which one thing was changed."""

import math

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.pictures import bars, lines
from mha_core.lab.pictures.errors import by_seed, which_there_are
from mha_core.pretrained import load_controls, load_errors, load_one_head

LABELS = {
    "last_state": sentence("message 84"),
    "bahdanau": sentence("with attention"),
    "multihead": sentence("with four heads"),
    "transformer": sentence("Transformer"),
    "message-20": sentence("message 20"),
    "message-42": sentence("message 42"),
    "message-168": sentence("message 168"),
    "message-84-16000": sentence("84, twice the steps"),
    "multihead-h1-1": sentence("one head, seed 1"),
    "multihead-h1-2": sentence("one head, seed 2"),
    "transformer-long-0": sentence("Transformer, long"),
    "bahdanau-long-0": sentence("attention, long"),
    "transformer-long-1": sentence("Transformer, long, seed 1"),
    "bahdanau-long-1": sentence("attention, long, seed 1"),
    "transformer-long-2": sentence("Transformer, long, seed 2"),
    "bahdanau-long-2": sentence("attention, long, seed 2"),
    "transformer-16000": sentence("twice the steps"),
    "transformer-rate-2e-3": sentence("half the rate"),
    "transformer-rate-8e-3": sentence("twice the rate"),
}
WIDTHS = (
    *("message-20", "message-42", "last_state", "message-84-16000"),
    *("message-168", "bahdanau"),
)
LONG = "transformer", "bahdanau"


def message_curves():
    """Return the errors by length of networks whose messages are 20 to 168 wide.

    One is trained for twice the steps; the network with attention is beside them.
    Seed 0 each.

    Returns
    -------
    Picture
    """
    title = sentence("A wider message: errors on held-out words")
    return control_curves(*WIDTHS, title=title)


def long_word_curves():
    """Return the errors by length with long words drawn more often in training.

    Both networks are shown with and without: what helps one may help the other. The
    curve is seed 0, the band all seeds.

    Returns
    -------
    Picture
    """
    ranges = load_errors()["bahdanau"]["0"]["by_length"]
    tables = {name: by_seed(rows, "by_length")[..., 2] for name, rows in _drawn()}
    return lines(
        [f"{low}-{high}" for low, high, _, _ in ranges],
        {name: table[0] for name, table in tables.items()},
        spread={name: (t.min(axis=0), t.max(axis=0)) for name, t in tables.items()},
        title=sentence("Errors; “long”: trained with long words drawn more often"),
        counts=[words for *_, words in ranges],
        counts_name="words",
        x_name="letters",
        y_name="phoneme error",
        limits=(0, 0.3),
    )


def _drawn():
    """Yield label and rows by seed: words as they come, then long ones more often."""
    plain, changed = load_errors(), load_controls()
    for kind in LONG:
        long = {seed: changed[f"{kind}-long-{seed}"] for seed in plain[kind]}
        yield LABELS[kind], plain[kind]
        yield LABELS[f"{kind}-long-0"], long


def one_head_bars():
    """Return the errors of one head of dot products and of four, seed by seed.

    Nothing else differs: both networks are of one size and were trained alike.

    Returns
    -------
    Picture
    """
    one, four = _one_head(), load_errors()["multihead"]
    errors = {
        sentence("1 head"): [*one.values()],
        sentence("4 heads"): [four[seed]["error"] for seed in one],
    }
    return bars(
        [f"seed {seed}" for seed in one],
        {name: np.multiply(100, error) for name, error in errors.items()},
        title=sentence("One head of dot products, or four: errors on held-out words"),
        x_name="training",
        y_name="errors per 100 phonemes",
        limits=(0, 15),
    )


def _one_head():
    """Return the errors of trainings with one head, seed to error."""
    found = {"0": load_one_head()["multihead"]["error"]}
    rows = load_controls().values()
    rows = [row for row in rows if (row["kind"], row["h"]) == ("multihead", 1)]
    return found | {str(row["seed"]): row["error"] for row in rows}


def control_curves(*names, title=None):
    """Return the errors by length of some networks with one thing changed.

    Parameters
    ----------
    *names : str
        Keys of `mha_core.pretrained.load_controls`, at most six.
    title : str, optional

    Returns
    -------
    Picture
    """
    table = _checked(names)
    ranges = table[names[0]]["by_length"]
    found = {name: [row[2] for row in table[name]["by_length"]] for name in names}
    top = max(max(errors) for errors in found.values())
    return lines(
        [f"{low}-{high}" for low, high, _, _ in ranges],
        {LABELS[name]: errors for name, errors in found.items()},
        title=title or sentence("Networks with one thing changed: errors"),
        counts=[words for *_, words in ranges],
        counts_name="words",
        x_name="letters",
        y_name="phoneme error",
        limits=(0, math.ceil(10 * top) / 10),
    )


def short_bars():
    """Return how many of the longest words come out at least two sounds too short.

    Both networks of `long_word_curves`, with long words as rare as they are, and drawn
    more often.

    Returns
    -------
    Picture
    """
    table = load_controls()
    draws = {
        sentence("as they come"): "{}",
        sentence("long more often"): "{}-long-0",
    }
    return bars(
        [LABELS[kind] for kind in LONG],
        {
            name: [table[which.format(kind)]["short"] for kind in LONG]
            for name, which in draws.items()
        },
        title=sentence("Words of 16 to 20 letters that lack two sounds or more"),
        x_name="network",
        y_name="share of words",
        limits=(0, 0.5),
    )


def _checked(names):
    """Return the table, or say which networks there are."""
    table = load_controls()
    unknown = [name for name in names if name not in table]
    if unknown or not names:
        raise ValueError(which_there_are(", ".join(table), unknown))
    return table
