"""Train the models that pronounce: ``python -m mha_core.recipes.pronunciation``.

Each kind is trained with each seed, every epoch is saved, and an interrupted training
goes on where it stopped. Seed 0 is shipped in float16, the errors of all seeds are
shipped as a table. One model takes about four minutes on one core.
"""

import argparse
from functools import partial
from pathlib import Path

import numpy as np

from mha_core.models import KINDS, initial
from mha_core.tasks import pronunciation
from mha_core.training import batches, train

STEPS = 8000


def trained(kind, seed, folder):
    """Return the model of one kind and seed, trained or taken from its checkpoint."""
    model = initial(kind, np.random.default_rng(seed))
    draw = partial(batches, pronunciation("train"))
    dev = pronunciation("dev")[:600]
    path = Path(folder) / f"{kind}-{seed}.npz"
    train(model, draw, STEPS, seed=seed, dev=dev, checkpoint=path)
    return model


def main():
    """Train what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kind", choices=KINDS, action="append")
    parser.add_argument("--seed", type=int, action="append")
    parser.add_argument("--folder", default="build/pronunciation")
    options = parser.parse_args()
    Path(options.folder).mkdir(parents=True, exist_ok=True)
    for kind in options.kind or KINDS:
        for seed in options.seed or (0, 1, 2):
            trained(kind, seed, options.folder)


if __name__ == "__main__":
    main()
