"""Curves and bars of networks that pronounce in which one thing was changed."""

import math

from mha_core._checks.sentences import sentence
from mha_core.lab.pictures import bars, lines
from mha_core.lab.pictures.errors import which_there_are
from mha_core.pretrained import load_controls

LABELS = {
    "last_state": sentence("message 84"),
    "bahdanau": sentence("with attention"),
    "multihead": sentence("with four heads"),
    "transformer": sentence("Transformer"),
    "message-20": sentence("message 20"),
    "message-42": sentence("message 42"),
    "message-168": sentence("message 168"),
    "message-84-16000": sentence("84, twice the steps"),
    "multihead-h1-0": sentence("one head, seed 0"),
    "multihead-h1-1": sentence("one head, seed 1"),
    "multihead-h1-2": sentence("one head, seed 2"),
    "transformer-long-0": sentence("Transformer, long"),
    "bahdanau-long-0": sentence("attention, long"),
    "transformer-16000": sentence("twice the steps"),
    "transformer-rate-2e-3": sentence("half the rate"),
    "transformer-rate-8e-3": sentence("twice the rate"),
}
WIDTHS = "message-20", "message-42", "last_state", "message-168", "bahdanau"
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
