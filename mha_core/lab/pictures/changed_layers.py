"""Bars and curves of layers of the four relations in which one thing was changed."""

import numpy as np

from mha_core._checks.arguments import check_count
from mha_core._checks.projections import check_heads
from mha_core._checks.sentences import sentence
from mha_core.lab.pictures import bars
from mha_core.lab.pictures.roles import row_of_layer
from mha_core.pretrained import load_relation_controls
from mha_core.tasks.tagged_sentences import ROLES

READERS = {
    sentence("1 head"): (1, 0, 800),
    sentence("32 hidden"): (1, 32, 800),
    sentence("256 hidden"): (1, 256, 800),
    sentence("256, longer"): (1, 256, 4000),
    sentence("4 heads"): (4, 0, 800),
}


def reader_bars():
    """Return what one head lacks and what a stronger read-out makes of it, by role.

    The layers are 64 wide, trained with their read-out for 800 steps, and one of them
    for 4,000. A read-out with 32 hidden numbers and
    a ReLU has about as many weights as the linear one. Bars are means over three seeds,
    whiskers their range.

    Returns
    -------
    Picture
    """
    rows = load_relation_controls()["readers"]
    found = {
        name: [row["by_role"] for row in rows if _setting(row) == which]
        for name, which in READERS.items()
    }
    title = sentence("Read-outs: linear, or with a hidden layer of 32 or 256")
    return _seed_bars(ROLES, found, title, "role")


def _setting(row):
    return row["h"], row["hidden"], row["steps"]


def scale_bars():
    """Return the accuracy with and without the division by the root of d_k.

    Bars are means over three seeds, whiskers their range. With narrow heads it makes a
    difference in few trainings; they are shown, too.

    Returns
    -------
    Picture
    """
    rows = load_relation_controls()["scales"]
    settings = list(dict.fromkeys((row["d_model"], row["h"]) for row in rows))
    found = {
        name: [_scores(rows, settings, scaled, seed) for seed in (0, 1, 2)]
        for name, scaled in (
            (sentence("divided by √d_k"), True),
            (sentence("not divided"), False),
        )
    }
    names = [f"h {h}, d_k {d_model // h}" for d_model, h in settings]
    title = sentence("Trained with the scale and without it")
    return _seed_bars(names, found, title, sentence("heads and their width"))


def seed_bars(d_model, h):
    """Return the accuracy for each role of one setting, one bar for each seed.

    Parameters
    ----------
    d_model, h : int
        A measured setting: widths 16, 24, 32 and 64, every h that divides them.

    Returns
    -------
    Picture
    """
    d_model = check_count("d_model", d_model)
    check_heads(d_model, h)
    rows = [row_of_layer(d_model, h, seed) for seed in (0, 1, 2)]
    title = sentence(
        "Three trainings of one layer: d_model {d_model}, h {h}", d_model=d_model, h=h
    )
    return bars(
        ROLES,
        {f"seed {row['seed']}": row["by_role"] for row in rows},
        title=title,
        x_name="role",
        y_name="accuracy",
        limits=(0, 1),
    )


def _scores(rows, settings, scaled, seed):
    """Return the accuracy of each setting, for one seed."""
    scores = {
        (row["d_model"], row["h"]): row["accuracy"]
        for row in rows
        if (row["scaled"], row["seed"]) == (scaled, seed)
    }
    return [scores[setting] for setting in settings]


def _seed_bars(names, found, title, x_name):
    """Return bars of means over seeds, (seeds, names) for each series."""
    return bars(
        names,
        {name: np.mean(seeds, axis=0) for name, seeds in found.items()},
        spread={n: (np.min(s, axis=0), np.max(s, axis=0)) for n, s in found.items()},
        title=title,
        x_name=x_name,
        y_name="accuracy",
        limits=(0, 1),
    )
