"""Train the model that writes dates: ``python -m mha_core.recipes.dates``.

It reads a date as people write it, in four languages, and writes year, month and day.
One training takes about half a minute of one core; its table is printed and shipped.
Each seed is measured with its weights in float16. ``--shipped`` trains nothing and
measures what is shipped again.
"""

import argparse
import json
from pathlib import Path

import numpy as np

from mha_core.models.initial import initial
from mha_core.pretrained import DATES, DATES_TABLE, load_dates, pack
from mha_core.recipes import as_shipped, run
from mha_core.shipped import DATA, read_shipped, ship
from mha_core.tasks import written_dates as dates
from mha_core.training import loss, train

STEPS = 1500
COMMAND = "python -m mha_core.recipes.dates"


def untrained(seed):
    """Return an untrained model of Bahdanau's kind that reads dates."""
    sizes = {"d": 24, "n": 32, "d_a": 32}
    letters, digits = len(dates.CHARACTERS) + 1, len(dates.DIGITS) + 1
    rng = np.random.default_rng(seed)
    return initial("bahdanau", rng, letters=letters, phonemes=digits, **sizes)


def main(arguments=None):
    """Train three seeds, ship the first and print how many unseen days are right."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, default=Path("checkpoints/dates"))
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--shipped", action="store_true")
    options = parser.parse_args(arguments)
    test = dates.draw(np.random.default_rng(10**6), 1000, held_out=True)
    table = (_measure_shipped if options.shipped else _make)(options, test)
    for seed, share in table.items():
        print(f"seed {seed}: {share:.3f} of 1000 dates on unseen days")
    text = json.dumps(table, indent=1) + "\n"
    ship(DATES_TABLE, text.encode("utf-8"), COMMAND, options.data)


def _make(options, test):
    """Train and measure each seed, and ship the first; return the table."""
    options.folder.mkdir(parents=True, exist_ok=True)
    table = {}
    for seed in (0, 1, 2):
        model, path = untrained(seed), options.folder / f"{seed}.npz"
        train(model, dates.batches, STEPS, objective=loss, seed=seed, checkpoint=path)
        table[str(seed)] = dates.exact(as_shipped(model), test)
        if seed == 0:
            ship(DATES, pack(model.params), COMMAND, options.data)
    return table


def _measure_shipped(options, test):
    """Return the shipped table with its first seed measured again."""
    table = json.loads(read_shipped(DATES_TABLE, options.data))
    return table | {"0": dates.exact(load_dates(), test)}


if __name__ == "__main__":
    run(main)
