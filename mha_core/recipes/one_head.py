"""Train models with one head: ``python -m mha_core.recipes.one_head``.

The networks that have four heads are trained with a single one, of the same size and
for the same steps, with seed 0. Their errors are shipped, their weights are not.
"""

import argparse
import json
from pathlib import Path

from mha_core.recipes import run
from mha_core.recipes.pronunciation import measure, trained
from mha_core.shipped import DATA, ship
from mha_core.tables import ONE_HEAD
from mha_core.tasks import pronunciation

COMMAND = "python -m mha_core.recipes.one_head"
KINDS = ("transformer", "multihead")


def main(arguments=None):
    """Train both kinds, print their errors and ship them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", default="checkpoints/pronunciation")
    parser.add_argument("--data", type=Path, default=DATA)
    options = parser.parse_args(arguments)
    Path(options.folder).mkdir(parents=True, exist_ok=True)
    test, errors = pronunciation("test"), {}
    for kind in KINDS:
        errors[kind] = measure(trained(kind, 0, options.folder, h=1), test)
        print(f"{kind}, one head: error {errors[kind]['error']:.4f}")
    text = json.dumps(errors, indent=1) + "\n"
    ship(ONE_HEAD, text.encode("utf-8"), COMMAND, options.data)


if __name__ == "__main__":
    run(main)
