"""Train the four relations: ``python -m mha_core.recipes.relations``.

One layer for each width and each head count that divides it, with three seeds and the
same number of steps. Finished layers are kept, so an interrupted run goes on. One seed
of each setting is shipped in float16, and two seeds in which a head did not specialise.
All are measured with their weights in float16. ``--shipped`` trains nothing and
measures what is shipped again.
"""

import argparse
import json
from pathlib import Path

import numpy as np

from mha_core.models import four_relations
from mha_core.pretrained import (
    RELATIONS,
    load_relations,
    load_relations_table,
    pack,
)
from mha_core.recipes import as_shipped, run
from mha_core.shipped import DATA, ship
from mha_core.tables import RELATIONS_TABLE
from mha_core.tasks import tagged_sentences
from mha_core.training import train

WIDTHS = (16, 24, 32, 64)
SEEDS = (0, 1, 2)
STEPS = 800
# Some are trained for longer as well: is it time that they lack?
LONGER, SLOW = 3000, ((24, 1), (24, 12), (24, 24))
COMMAND = "python -m mha_core.recipes.relations"
SETTING = ("d_model", "h", "seed", "steps")
# Seeds of 32 wide layers with four heads that are looked through for two examples.
EXAMPLES = range(12)


def settings():
    """Return every (d_model, h) of the grid."""
    return [(d, h) for d in WIDTHS for h in range(1, d + 1) if d % h == 0]


def trained(d_model, h, seed, folder, steps=STEPS):
    """Return a trained layer, from its file if it was trained before."""
    layer = four_relations.untrained(d_model, h, np.random.default_rng(seed))
    path = Path(folder) / f"{d_model}-{h}-{seed}-{steps}.npz"
    return train_layer(layer, steps, seed, path)


def train_layer(layer, steps, seed, path):
    """Return a layer of any kind after its training, which goes on from its file."""
    how = {"objective": four_relations.objective, "peak": 6e-3, "warm_up": 50}
    train(layer, tagged_sentences.batches, steps, seed=seed, checkpoint=path, **how)
    return layer


def measure(layer):
    """Return accuracy and the owner of each role, on 512 sentences never trained on."""
    words, tags = tagged_sentences.sentences(np.random.default_rng(10**6), 512)
    layer = as_shipped(layer)
    mass = four_relations.masses(layer, words, tags)  # (h, 4)
    accuracy = four_relations.accuracy(layer, words, tags)
    return {
        "accuracy": round(float(accuracy.mean()), 4),
        "by_role": [round(float(a), 4) for a in accuracy],
        "owner": [int(head) for head in mass.argmax(axis=0)],
        "mass": [round(float(m), 4) for m in mass.max(axis=0)],
    }


def main(arguments=None):
    """Train the grid, or measure what is shipped; print the table and ship it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, default=Path("checkpoints/relations"))
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--shipped", action="store_true")
    options = parser.parse_args(arguments)
    table = _measure_shipped() if options.shipped else _make(options)
    for part, rows in table.items():
        for row in rows:
            print(part, *(row[name] for name in (*SETTING, "accuracy")))
    text = json.dumps(table, indent=1) + "\n"
    ship(RELATIONS_TABLE, text.encode("utf-8"), COMMAND, options.data)


def _make(options):
    """Train and measure all layers, and ship some; return the table."""
    options.folder.mkdir(parents=True, exist_ok=True)
    grid = [(d, h, seed, STEPS) for d, h in settings() for seed in SEEDS]
    longer = [(d, h, seed, LONGER) for d, h in SLOW for seed in SEEDS]
    parts = {"grid": grid, "longer": longer, "examples": examples(options.folder)}
    table, layers = {}, {}
    for part, all_settings in parts.items():
        table[part] = []
        for d, h, seed, steps in all_settings:
            layer = trained(d, h, seed, options.folder, steps)
            table[part].append(row_of(layer, d, h, seed, steps))
            if _is_shipped(part, seed):
                layers[f"{d}-{h}-{seed}"] = layer
    ship(RELATIONS, pack(flat(layers)), COMMAND, options.data)
    return table


def _measure_shipped():
    """Return the shipped table, the rows of shipped layers measured again."""
    return {
        part: [_again(row) if _is_shipped(part, row["seed"]) else row for row in rows]
        for part, rows in load_relations_table().items()
    }


def _is_shipped(part, seed):
    """Tell whether the weights of a part of the table are shipped, too."""
    return part == "examples" or (part == "grid" and seed == 0)


def row_of(layer, *setting):
    """Return one row of the table: d_model, h, seed, steps, and what was measured."""
    return dict(zip(SETTING, setting, strict=True)) | measure(layer)


def _again(row):
    layer = load_relations(row["d_model"], row["h"], row["seed"])
    return row_of(layer, *(row[name] for name in SETTING))


def flat(layers):
    """Return the parameters of all layers in one dict, with the layer's name first."""
    return {
        f"{name} {parameter}": array
        for name, layer in layers.items()
        for parameter, array in layer.params.items()
    }


def examples(folder):
    """Return the settings of the two layers whose least clear owner is weakest."""
    found = [(seed, trained(32, 4, seed, folder)) for seed in EXAMPLES]
    found.sort(key=lambda pair: min(measure(pair[1])["mass"]))
    return [(32, 4, seed, STEPS) for seed, _ in found[:2]]


if __name__ == "__main__":
    run(main)
