"""The trained layers of the four relations: their accuracy, and who looks at what."""

import numpy as np

from mha_core._checks.arguments import check_count, whole
from mha_core._checks.projections import check_heads
from mha_core._checks.sentences import sentence
from mha_core.lab.pictures import lines
from mha_core.pretrained import load_relations_table
from mha_core.tasks.tagged_sentences import ROLES


def accuracy_curve(d_model):
    """Return the accuracy over the number of heads, with the spread over three seeds.

    Parameters
    ----------
    d_model : {16, 24, 32, 64}

    Returns
    -------
    Picture
    """
    rows = _rows_of_width(check_count("d_model", d_model))
    heads = sorted({row["h"] for row in rows})
    scores = [[row["accuracy"] for row in rows if row["h"] == h] for h in heads]
    mean, low, high = (f(scores, axis=1) for f in (np.mean, np.min, np.max))
    name = f"d_model {d_model}"
    title = sentence(
        "Accuracy after {steps} steps, mean and range of {seeds} seeds",
        steps=rows[0]["steps"],
        seeds=len(scores[0]),
    )
    return lines(
        [str(h) for h in heads],
        {name: mean},
        spread={name: (low, high)},
        title=title,
        x_name="heads h",
        y_name="accuracy",
        limits=(0, 1),
    )


def owners(d_model, h, seed=0):
    """Return for each role the head with the most weight on its word, and how much.

    Parameters
    ----------
    d_model, h, seed : int
        One of the shipped layers.

    Returns
    -------
    dict of str to (int, float)
        Heads count from 0; the share is a mean over 512 sentences.
    """
    return _owned(row_of_layer(d_model, h, seed))


def row_of_layer(d_model, h, seed):
    """Return the measured row of one layer, or say which ones there are."""
    check_heads(d_model, h)
    seed = check_count("seed", seed, None)
    rows = _rows("grid", d_model=d_model, h=whole(h), seed=seed)
    if not rows:
        raise ValueError(
            sentence(
                "No layer with d_model={d_model}, h={h} and seed={seed} was measured; "
                "those of widths 16, 24, 32 and 64 were, with every h that divides "
                "them, and seeds 0, 1 and 2.",
                d_model=d_model,
                h=h,
                seed=seed,
            )
        )
    return rows[0]


def trained_longer(d_model=24, heads=(1, 12, 24)):
    """Return the mean accuracy of some layers after 800 and after 3,000 steps.

    Parameters
    ----------
    d_model : {24}
    heads : sequence of int
        One head, 12 heads of width 2, 24 heads of width 1.

    Returns
    -------
    dict of int to (float, float), means over three seeds
    """
    found = {}
    for h in heads:
        setting = {"d_model": d_model, "h": h}
        both = _rows("grid", **setting), _rows("longer", **setting)
        if not both[1]:
            raise ValueError(
                sentence(
                    "No layer with d_model={d_model} and h={h} was trained longer; "
                    "those with d_model=24 and h=1, 12 and 24 were.",
                    **setting,
                )
            )
        found[h] = tuple(round(_mean_accuracy(rows), 2) for rows in both)
    return found


def _rows(part, **setting):
    """Return the rows of one part of the table that have this setting."""
    rows = load_relations_table()[part]
    return [row for row in rows if setting == {name: row[name] for name in setting}]


def _rows_of_width(d_model):
    rows = _rows("grid", d_model=d_model)
    if not rows:
        raise ValueError(
            sentence(
                "No layers with d_model={d_model} were measured; those of widths 16, "
                "24, 32 and 64 were, with every h that divides them.",
                d_model=d_model,
            )
        )
    return rows


def _mean_accuracy(rows):
    return float(np.mean([row["accuracy"] for row in rows]))


def _owned(row):
    rows = zip(ROLES, row["owner"], row["mass"], strict=True)
    return {role: (head, round(mass, 2)) for role, head, mass in rows}
