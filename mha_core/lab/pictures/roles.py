"""The trained layers of the four relations: their accuracy, and who looks at what."""

import numpy as np

from mha_core._checks.arguments import check_count, check_heads
from mha_core.lab.pictures import bars, lines
from mha_core.models.four_relations import accuracy
from mha_core.pretrained import load_relations_table
from mha_core.tasks.tagged_sentences import ROLES, sentences

OTHERS = "those of widths 16, 24, 32 and 64 were, with every h that divides them"


def accuracy_curve(d_model):
    """Return the accuracy over the number of heads, with the spread over three seeds.

    Parameters
    ----------
    d_model : {16, 24, 32, 64}

    Returns
    -------
    Picture
    """
    d_model = check_count("d_model", d_model)
    rows = {h: seeds for (d, h), seeds in _measured().items() if d == d_model}
    if not rows:
        raise ValueError(f"No layers with d_model={d_model} were measured; {OTHERS}.")
    scores = np.array([[s["accuracy"] for s in seeds] for seeds in rows.values()])
    name = f"d_model {d_model}"
    return lines(
        [str(h) for h in rows],
        {name: scores.mean(axis=1)},
        spread={name: (scores.min(axis=1), scores.max(axis=1))},
        title="Accuracy after the same number of steps",
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
    check_heads(d_model, h)
    seed = check_count("seed", seed, None)
    seeds = _measured().get((d_model, h), ())
    if seed not in range(len(seeds)):
        raise ValueError(
            f"No layer with d_model={d_model}, h={h} and seed={seed} was measured; "
            f"{OTHERS}, with seeds 0, 1 and 2."
        )
    return _owned(seeds[seed])


def role_bars(layers, count=512):
    """Return the accuracy of layers for each role, measured now, as bars.

    Parameters
    ----------
    layers : dict of str to FourRelations
    count : int
        Sentences, never trained on.

    Returns
    -------
    Picture
    """
    test = sentences(np.random.default_rng(10**6), count)
    found = {name: accuracy(layer, *test) for name, layer in layers.items()}
    return bars(ROLES, found, x_name="role", y_name="accuracy", limits=(0, 1))


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
    table = load_relations_table()
    for h in heads:
        if f"longer {d_model}-{h}" not in table:
            raise ValueError(
                f"No layer with d_model={d_model} and h={h} was trained longer; those "
                "with d_model=24 and h=1, 12 and 24 were."
            )
    return {
        h: tuple(
            round(float(np.mean([row["accuracy"] for row in table[name]])), 2)
            for name in (f"{d_model}-{h}", f"longer {d_model}-{h}")
        )
        for h in heads
    }


def worst_seeds():
    """Return the shipped bad examples: accuracy, and the owner of each role."""
    table = load_relations_table()
    rows = {n: table[n][0] for n in table if n.count("-") == 2}
    return {
        f"seed {name.split('-')[2]}": (round(row["accuracy"], 2), _owned(row))
        for name, row in rows.items()
    }


def _measured():
    """Return the rows of the grid, one per seed, by (d_model, h)."""
    table = load_relations_table()
    parts = {name: name.split("-") for name in table if name[0].isdigit()}
    return {tuple(map(int, p)): table[n] for n, p in parts.items() if len(p) == 2}


def _owned(row):
    rows = zip(ROLES, row["owner"], row["mass"], strict=True)
    return {role: (head, round(mass, 2)) for role, head, mass in rows}
