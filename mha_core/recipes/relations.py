"""Train the four relations: ``python -m mha_core.recipes.relations``.

One layer for each width and each head count that divides it, with three seeds and the
same number of steps. Finished layers are kept, so an interrupted run goes on. One seed
of each setting is shipped in float16, and two seeds in which a head did not specialise.
"""

import argparse
import json
from pathlib import Path

import numpy as np

from mha_core.models import four_relations
from mha_core.pretrained import RELATIONS, RELATIONS_TABLE, pack
from mha_core.recipes import run
from mha_core.shipped import ship
from mha_core.tasks import tagged_sentences
from mha_core.training import train

WIDTHS = (16, 24, 32, 64)
SEEDS = (0, 1, 2)
STEPS = 800
# Some are trained for longer as well: is it time that they lack?
LONGER, SLOW = 3000, ((24, 1), (24, 12), (24, 24))
COMMAND = "python -m mha_core.recipes.relations"
# Seeds of 32 wide layers with four heads that are looked through for two examples.
EXAMPLES = range(12)


def settings():
    """Return every (d_model, h) of the grid."""
    return [(d, h) for d in WIDTHS for h in range(1, d + 1) if d % h == 0]


def trained(d_model, h, seed, folder, steps=STEPS):
    """Return a trained layer, from its file if it was trained before."""
    layer = four_relations.untrained(d_model, h, np.random.default_rng(seed))
    path = Path(folder) / f"{d_model}-{h}-{seed}-{steps}.npz"
    how = {"objective": four_relations.objective, "peak": 6e-3, "warm_up": 50}
    train(layer, tagged_sentences.batches, steps, seed=seed, checkpoint=path, **how)
    return layer


def measure(layer):
    """Return accuracy and the owner of each role, on 512 sentences never trained on."""
    words, tags = tagged_sentences.sentences(np.random.default_rng(10**6), 512)
    mass = four_relations.masses(layer, words, tags)  # (h, 4)
    accuracy = four_relations.accuracy(layer, words, tags)
    return {
        "accuracy": round(float(accuracy.mean()), 4),
        "by_role": [round(float(a), 4) for a in accuracy],
        "owner": [int(head) for head in mass.argmax(axis=0)],
        "mass": [round(float(m), 4) for m in mass.max(axis=0)],
    }


def main():
    """Train the grid, print its table and ship it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, default=Path("checkpoints/relations"))
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    table, layers = {}, {}
    for d_model, h in settings():
        found = [trained(d_model, h, seed, folder) for seed in SEEDS]
        layers[f"{d_model}-{h}-0"] = found[0]
        table[f"{d_model}-{h}"] = note(f"{d_model}-{h}", found)
    for d_model, h in SLOW:
        found = [trained(d_model, h, seed, folder, LONGER) for seed in SEEDS]
        name = f"longer {d_model}-{h}"
        table[name] = note(name, found)
    for name, layer in examples(folder):
        layers[name], table[name] = layer, note(name, [layer])
    ship(RELATIONS, pack(flat(layers)), COMMAND)
    ship(RELATIONS_TABLE, (json.dumps(table, indent=1) + "\n").encode(), COMMAND)


def note(name, layers):
    """Return what layers of one setting do, and print their accuracy."""
    rows = [measure(layer) for layer in layers]
    print(f"{name}: " + " ".join(f"{row['accuracy']:.3f}" for row in rows))
    return rows


def flat(layers):
    """Return the parameters of all layers in one dict, with the layer's name first."""
    return {
        f"{name} {parameter}": array
        for name, layer in layers.items()
        for parameter, array in layer.params.items()
    }


def examples(folder):
    """Return the two of some seeds whose least clear owner has the least weight."""
    found = [(seed, trained(32, 4, seed, folder)) for seed in EXAMPLES]
    found.sort(key=lambda pair: min(measure(pair[1])["mass"]))
    return [(f"32-4-{seed}", layer) for seed, layer in found[:2]]


if __name__ == "__main__":
    run(main)
