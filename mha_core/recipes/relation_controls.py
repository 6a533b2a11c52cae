"""Train controls of the four relations, and ship what they reach.

``python -m mha_core.recipes.relation_controls`` trains layers with one thing changed,
three seeds each: the read-out has a hidden layer, the scores are not divided by the
root of d_k, heads of width 1 are trained for longer. Finished layers are kept, so an
interrupted run goes on. All are measured with their weights in float16; weights are
not shipped.
"""

import argparse
import json
from pathlib import Path
from typing import NamedTuple

import numpy as np

from mha_core.models import altered_relations as altered
from mha_core.models import four_relations
from mha_core.recipes import run
from mha_core.recipes.relations import SEEDS, STEPS, measure, train_layer
from mha_core.shipped import DATA, ship
from mha_core.tables import RELATION_CONTROLS

COMMAND = "python -m mha_core.recipes.relation_controls"


class Control(NamedTuple):
    """One setting: a layer, and what is changed in it or in its training."""

    d_model: int
    h: int
    hidden: int = 0  # width of a hidden layer of the read-out, 0 for none
    scaled: bool = True
    steps: int = STEPS


# A hidden layer of 32 has about as many weights as the linear read-out.
READERS = (
    Control(64, 1),
    Control(64, 1, hidden=32),
    Control(64, 1, hidden=256),
    Control(64, 1, hidden=256, steps=4000),
    Control(64, 4),
)
WIDTHS = ((64, 1), (64, 2), (64, 4), (32, 2), (32, 4))
SCALES = tuple(Control(*width, scaled=s) for width in WIDTHS for s in (True, False))
LONGER = tuple(Control(24, 24, steps=steps) for steps in (STEPS, 3000, 6000))
READER = "W_hidden", "b_hidden", "W_read", "b_read"
PARTS = {"readers": READERS, "scales": SCALES, "longer": LONGER}


def untrained(control, seed):
    """Return the layer of a setting as its training begins."""
    rng, size = np.random.default_rng(seed), (control.d_model, control.h)
    if control.hidden:
        return altered.untrained_reread(*size, control.hidden, rng)
    if not control.scaled:
        return altered.untrained_unscaled(*size, rng)
    return four_relations.untrained(*size, rng)


def trained(control, seed, folder):
    """Return a trained layer, from its file if it was trained before."""
    name = "-".join(str(int(value)) for value in (*control, seed))
    path = Path(folder) / f"{name}.npz"
    return train_layer(untrained(control, seed), control.steps, seed, path)


def row_of(control, seed, folder):
    """Return one row of the table: the setting, and what was measured."""
    layer = trained(control, seed, folder)
    sizes = [p.size for name, p in layer.params.items() if name in READER]
    return control._asdict() | {"seed": seed, "weights": sum(sizes)} | measure(layer)


def main(arguments=None):
    """Train all settings, print their accuracy and ship the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, default=Path("checkpoints/controls"))
    parser.add_argument("--data", type=Path, default=DATA)
    options = parser.parse_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    table = {}
    for part, controls in PARTS.items():
        pairs = [(control, seed) for control in controls for seed in SEEDS]
        table[part] = [row_of(*pair, options.folder) for pair in pairs]
        for row in table[part]:
            print(part, *(row[name] for name in (*Control._fields, "seed", "accuracy")))
    text = json.dumps(table, indent=1) + "\n"
    ship(RELATION_CONTROLS, text.encode("utf-8"), COMMAND, options.data)


if __name__ == "__main__":
    run(main)
