"""Bits per letter of counting and of letter models."""

import math

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.pictures import bars
from mha_core.pretrained import load_language_table


def bits_bars(**own):
    """Return the bits per letter of counting and of the letter models, as bars.

    Parameters
    ----------
    **own : float
        What models of your own need, by any name.

    Returns
    -------
    Picture
        Measured on the held-out words; the end of a word counts as a letter. Of the
        model that is shipped, the mean of three seeds.
    """
    table = load_language_table()
    found = {n: row["bits"] for n, row in table["counts"].items()}
    found |= {name.replace("_", " "): float(bits) for name, bits in own.items()}
    seeds = [r["bits"] for name, r in table["models"].items() if "seed" in name]
    found["4,000"] = table["models"]["4,000 steps"]["bits"]
    found["16,000"] = sum(seeds) / len(seeds)
    return bars(
        list(found),
        {sentence("bits per letter"): list(found.values())},
        title=sentence("Bits for each letter of held-out words, fewer is better"),
        x_name=sentence("letters counted together, then models by steps of training"),
        y_name=sentence("bits per letter"),
        limits=(0, math.ceil(max(found.values()))),
    )


def changed_bits():
    """Return the bits of short trainings with one thing changed, as bars.

    Returns
    -------
    Picture
        700 steps each; means over three seeds, whiskers their range.
    """
    rows = load_language_table()["changes"]
    bits = np.array([row["bits"] for row in rows.values()])  # (changes, seeds)
    name = sentence("bits per letter")
    return bars(
        list(rows),
        {name: bits.mean(axis=1)},
        spread={name: (bits.min(axis=1), bits.max(axis=1))},
        title=sentence("Letter models trained for 700 steps, three seeds each"),
        x_name=sentence("what is changed"),
        y_name=name,
        limits=(0, math.ceil(bits.max())),
    )
