"""Train with each classic bug: ``python -m mha_core.recipes.bugs_trained``.

A small Transformer learns to pronounce, the same words in the same order whatever the
bug; three seeds. Names given on the command line train only those. Finished trainings
are kept in a folder, and an interrupted one goes on. Their losses, their errors on
held-out words and one heat map are shipped; their weights are not.
"""

import argparse
import itertools
import json
from pathlib import Path

import numpy as np

from mha_core.evaluation import phoneme_error, transcribe
from mha_core.losses import cross_entropy
from mha_core.models.classic_bugs import CLASSIC, untrained
from mha_core.models.seq2seq import PHONEMES
from mha_core.recipes import run
from mha_core.shipped import DATA, ship
from mha_core.tables import CLASSIC_BUGS, load_classic_bugs
from mha_core.tasks import as_arrays, batches, pronunciation
from mha_core.training import loss, train

COMMAND = "python -m mha_core.recipes.bugs_trained"
STEPS, SEEDS, EVERY, SIZE = 1500, range(3), 50, 64
HELD_OUT = 512  # in whole groups of four, which "batch as heads" needs
# Words that are read together: the first is drawn, behind it is padding.
WORDS = ("phantom", "attention", "thought", "garden")


def draw(rng):
    """Yield the batches of one epoch: words of mixed lengths, so that padding is."""
    mixed = batches(pronunciation("train"), rng, size=SIZE, chunk=1)
    yield from itertools.islice((b for b in mixed if len(b[0]) == SIZE), EVERY)


def everything_counts(model, source, target):
    """Return the loss with the mistake that the padding counts, too."""
    target_in = np.pad(target, [(0, 0), (1, 0)])[:, :-1]
    counted = np.ones(target.shape, bool)
    return cross_entropy(model.logits(source, target_in), target, counted)


def trained(bug, seed, folder):
    """Return a network and its losses, or where its training stopped and why."""
    network = untrained(bug, np.random.default_rng(seed), PHONEMES)
    how = {"objective": everything_counts if "loss" in bug else loss, "warm_up": 100}
    how["checkpoint"] = Path(folder) / f"{bug.replace(' ', '-')}-{seed}.npz"
    history = train(network, draw, STEPS, seed=seed, **how)
    return network, [round(value, 3) for _, value, _ in history]


def measure(network, losses):
    """Return what one training reaches: losses, error, and one word with its map."""
    test = pronunciation("test")
    pairs = [test[i * len(test) // HELD_OUT] for i in range(HELD_OUT)]
    said = transcribe(network, [word for word, _ in pairs], 128)
    return {
        "losses": losses,
        "error": round(phoneme_error(said, pairs), 4),
        "said": transcribe(network, WORDS)[0],
        "weights": cross_weights(network),
    }


def cross_weights(network):
    """Return what the first word's true sounds look at, (h, T_q, T_k) and rounded."""
    known = dict(pronunciation("train") + pronunciation("test"))
    source, target = as_arrays([(word, known[word]) for word in WORDS])
    target_in = np.pad(target, [(0, 0), (1, 0)])[:, :-1]  # 0, then the phonemes
    weights = network.attention(source, target_in)["decoder 0 cross"][0]
    return np.round(weights[:, : len(known[WORDS[0]]) + 1].astype(float), 4).tolist()


def row_of(bug, folder):
    """Return one row of the table: seed 0 whole, and the errors of all."""
    try:
        found = [measure(*trained(bug, seed, folder)) for seed in SEEDS]
    except ValueError as stopped:
        return {"stopped": str(stopped)}
    errors = {"errors": [row["error"] for row in found]}
    ends = {"ends": [row["losses"][-1] for row in found]}
    return {k: v for k, v in found[0].items() if k != "error"} | errors | ends


def note(bug, row, folder=DATA):
    """Put one row into the shipped table."""
    try:
        rows = load_classic_bugs(folder)["bugs"]
    except ValueError:
        rows = {}  # missing or damaged: this makes it anew
    rows[bug] = row
    table = {"steps": STEPS, "every": EVERY, "words": WORDS}
    table["bugs"] = {key: rows[key] for key in CLASSIC if key in rows}
    ship(CLASSIC_BUGS, (json.dumps(table) + "\n").encode("utf-8"), COMMAND, folder)


def main(arguments=None):
    """Train what is named, measure it, print and ship it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--folder", type=Path, default=Path("checkpoints/bugs"))
    parser.add_argument("--data", type=Path, default=DATA)
    options = parser.parse_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    for bug in options.names or CLASSIC:
        row = row_of(bug, options.folder)
        note(bug, row, options.data)
        print(bug, row.get("stopped") or (row["ends"], row["errors"]), flush=True)


if __name__ == "__main__":
    run(main)
