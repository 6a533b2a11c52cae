"""Curves and bars of networks that pronounce in which one thing was changed."""

import math

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.pictures import bars, lines
from mha_core.lab.pictures.errors import which_there_are
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
    "transformer-16000": sentence("twice the steps"),
    "transformer-rate-2e-3": sentence("half the rate"),
    "transformer-rate-8e-3": sentence("twice the rate"),
}
WIDTHS = "message-20", "message-42", "last_state", "message-168", "bahdanau"
TRAININGS = (
    "transformer",
    "transformer-16000",
    "transformer-rate-2e-3",
    "transformer-long-0",
    "bahdanau",
)
LONG = "transformer", "transformer-long-0", "bahdanau", "bahdanau-long-0"


def message_curves():
    """Return the errors by length of networks whose messages are 20 to 168 wide.

    The network with attention is beside them. Seed 0 each.

    Returns
    -------
    Picture
    """
    title = sentence("A wider message: errors on held-out words")
    return control_curves(*WIDTHS, title=title)


def long_word_curves():
    """Return the errors by length with long words drawn more often in training.

    Both networks are shown with and without: what helps one may help the other.

    Returns
    -------
    Picture
    """
    title = sentence("Errors; “long”: trained with long words drawn more often")
    return control_curves(*LONG, title=title)


def training_curves():
    """Return the errors by length of the Transformer, trained in several ways.

    For twice the steps, with half the rate, with long words drawn more often; beside
    them the network with attention. Seed 0 each.

    Returns
    -------
    Picture
    """
    title = sentence("Transformer: other steps, rate or words in training")
    return control_curves(*TRAININGS, title=title)


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
    table, kinds = load_controls(), ("transformer", "bahdanau")
    draws = {
        sentence("as they come"): "{}",
        sentence("long more often"): "{}-long-0",
    }
    return bars(
        [LABELS[kind] for kind in kinds],
        {
            name: [table[which.format(kind)]["short"] for kind in kinds]
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
