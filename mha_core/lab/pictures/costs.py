"""What the ladder costs: times that were measured on one machine, and counts."""

import json

import numpy as np

from mha_core._checks.arguments import check_count
from mha_core._checks.sentences import sentence
from mha_core.lab.measure.clock import multiply_adds, time_layers
from mha_core.lab.pictures import lines
from mha_core.models import KINDS
from mha_core.models.initial import initial
from mha_core.shipped import DATA, read_shipped

FILE = "timings.json"
LAYERS = {"recurrent": "recurrent loop", "attention": "self-attention"}


def load_timings(folder=DATA):
    """Return the shipped times: machine, date, ``step``, ``layers``, ``batch``, ..."""
    return json.loads(read_shipped(FILE, folder))


def measure_again(lengths=None, rounds=3, batch=1):
    """Measure both layers on this machine now, in about three seconds.

    Parameters
    ----------
    lengths : sequence of int, optional
        Values of T; those of the shipped times if not given.
    rounds, batch : int
        Turns of each; sequences that are read at once.

    Returns
    -------
    dict
        As ``load_timings()["layers"]``; `timing_curve` draws it.
    """
    shipped = load_timings()["layers" if batch == 1 else "batch"]
    sizes = {"d": shipped["d"], "h": shipped["h"], "batch": batch}
    sizes["T"] = list(lengths or shipped["T"])
    return sizes | time_layers(sizes["T"], shipped["d"], shipped["h"], rounds, batch)


def crossings(layers=None):
    """Return the length from which self-attention costs more than the recurrent loop.

    Parameters
    ----------
    layers : dict, optional
        From `measure_again`; the shipped times if not given.

    Returns
    -------
    dict of str to float
        ``counted`` in multiply-adds, and ``measured`` in milliseconds, on a straight
        line in the logarithms between two lengths; infinity if there is none.
    """
    layers = layers or load_timings()["layers"]
    T = np.array(layers["T"])
    counts = multiply_adds(T, layers["d"])
    return {"counted": _crossing(T, counts), "measured": _crossing(T, layers)}


def timing_curve(layers=None):
    """Return the time of both layers over the length of the sequence.

    Parameters
    ----------
    layers : dict, optional
        From `measure_again`; the shipped times if not given.

    Returns
    -------
    Picture
    """
    layers = layers or load_timings()["layers"]
    title = sentence("Time of one layer on one core, d = {d}", d=layers["d"])
    if layers.get("batch", 1) > 1:
        title = sentence(
            "Time of one layer on one core, d = {d}, {batch} sequences at once",
            d=layers["d"],
            batch=layers["batch"],
        )
    return _curves(layers, layers, title, "milliseconds", crossings(layers)["measured"])


def price_table(letters=8, phonemes=7):
    """Return what each rung costs for a word of some letters and phonemes.

    Parameters
    ----------
    letters, phonemes : int

    Returns
    -------
    list of dict, one for each kind
        ``steps``: cells or blocks in training that wait for one another; the end of
        the word is a step too. Paths count the cells and looks on the shortest way
        between the two farthest: ``letter to letter`` in the encoder, and ``letter to
        phoneme``. The last states are near both ends of the word, and are shown to
        every step: the middle is farthest. After Vaswani 2017, table 1.
    """
    letters = check_count("letters", letters)
    phonemes = check_count("phonemes", phonemes)
    ms = load_timings()["step"]["ms"]
    paths = {kind: record.paths(letters, phonemes) for kind, record in KINDS.items()}
    return [_price(kind, ms[kind], *paths[kind]) for kind in KINDS]


def _price(kind, ms, steps, between, across):
    params = initial(kind, np.random.default_rng(0)).params
    return {
        "kind": kind,
        "parameters": sum(param.size for param in params.values()),
        "ms per training step": ms,
        "steps": steps,
        "letter to letter": between,
        "letter to phoneme": across,
    }


def _curves(layers, values, title, unit, crossing):
    return lines(
        [str(T) for T in layers["T"]],
        {name: values[key] for key, name in LAYERS.items()},
        title=title,
        x_name="length T",
        y_name=unit,
        log=True,
        sentence=_told(title, unit, crossing, layers["d"]),
    )


def _told(title, unit, crossing, d):
    what = {"title": title, "unit": unit}
    if crossing == float("inf"):
        return sentence(
            "{title}: self-attention takes more {unit} than the recurrent loop at no "
            "length that is shown.",
            **what,
        )
    about = float(f"{crossing:.2g}")  # more figures differ from run to run
    return sentence(
        "{title}: self-attention takes more {unit} than the recurrent loop from a "
        "length of about {about:g}, which is {widths:.2g} d.",
        **what,
        about=about,
        widths=about / d,
    )


def _crossing(T, values):
    ratio = np.log(values["attention"]) - np.log(values["recurrent"])  # (lengths,)
    more = np.flatnonzero(ratio >= 0)
    if len(more) == 0:
        return float("inf")
    i = more[0]
    if i == 0:
        return float(T[0])
    share = ratio[i - 1] / (ratio[i - 1] - ratio[i])
    return float(T[i - 1] * (T[i] / T[i - 1]) ** share)
