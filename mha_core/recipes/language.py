"""Train the letter models: ``python -m mha_core.recipes.language``.

Three seeds of the model that is shipped, shorter trainings of it, and one without its
causal mask. Names given on the command line train only those. Finished trainings are
kept in a folder, and an interrupted one goes on. All are measured in float16, as they
are shipped; counting stands beside them.
"""

import argparse
import json
from functools import partial
from pathlib import Path

import numpy as np

from mha_core.evaluation import bits_per_letter
from mha_core.models.counting import bits_by_counting, count_letters
from mha_core.models.letter_model import objective, untrained
from mha_core.pretrained import language_name, pack
from mha_core.recipes import as_shipped, run
from mha_core.shipped import DATA, ship
from mha_core.tables import LANGUAGE, load_language_table
from mha_core.tasks import batches_of_letters, pronunciation
from mha_core.training import train

COMMAND = "python -m mha_core.recipes.language"
PEAK, WARM_UP, SIZE = 4e-3, 100, 64
ORDERS = range(1, 7)  # letters that counting looks at together
TRAININGS = {
    **{f"seed {seed}": {"seed": seed, "steps": 16000} for seed in range(3)},
    "4,000 steps": {"steps": 4000},
    "700 steps": {"steps": 700},
    "without mask": {"steps": 4000, "causal": False},
}
SHIPPED = ("seed 0", "without mask")
SHORT = 700  # steps, as the lesson trains
CHANGES = {
    "nothing": {},
    "one layer": {"layers": 1},
    "one head": {"h": 1},
    "no positions": {"places": False},
}


def trained(name, folder, steps, seed=0, **how):
    """Return a model and its history, trained or taken from its checkpoint."""
    model = untrained(np.random.default_rng(seed), **how)
    history = train(
        model,
        partial(batches_of_letters, pronunciation("train"), size=SIZE),
        steps,
        objective=objective,
        seed=seed,
        checkpoint=Path(folder) / f"{name.replace(' ', '-')}.npz" if folder else None,
        peak=PEAK,
        warm_up=WARM_UP,
    )
    return model, history


def measure(model, history, words):
    """Return the bits that a model needs for a letter of words, and its size."""
    return {
        "bits": round(bits_per_letter(as_shipped(model), words), 4),
        "loss": round(history[-1][1] / np.log(2), 4),
        "numbers": sum(p.size for p in model.params.values()),
    }


def changed(name, words):
    """Return what short trainings with one thing changed need, for three seeds."""
    bits = []
    for seed in range(3):
        model, _ = trained(name, None, SHORT, seed, **CHANGES[name])
        bits.append(round(bits_per_letter(as_shipped(model), words), 4))
    numbers = sum(p.size for p in model.params.values())
    return {"bits": bits, "numbers": numbers}


def by_counting(words, n):
    """Return what counting n letters together needs, and how many counts it keeps."""
    counts = count_letters([word for word, _ in pronunciation("train")], n)
    found = {"bits": round(bits_by_counting(counts, words), 4)}
    return found | {"numbers": sum(map(len, counts.values()))}


def note(part, name, measured, folder=DATA):
    """Put one row into the shipped table."""
    try:
        table = load_language_table(folder)
    except ValueError:
        table = {}  # missing or damaged: made anew
    table = {part: table.get(part, {}) for part in ("models", "counts", "changes")}
    table[part][name] = measured
    known = {"models": TRAININGS, "counts": [str(n) for n in ORDERS]}
    known["changes"] = CHANGES
    ordered = {
        part: {key: rows[key] for key in known[part] if key in rows}
        for part, rows in table.items()
    }
    text = json.dumps(ordered, indent=1) + "\n"
    ship(LANGUAGE, text.encode("utf-8"), COMMAND, folder)


def main(arguments=None):
    """Train, measure and ship what is named, and count if nothing is."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--folder", type=Path, default=Path("checkpoints/language"))
    parser.add_argument("--data", type=Path, default=DATA)
    options = parser.parse_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    words = [word for word, _ in pronunciation("test")]
    for n in () if options.names else ORDERS:
        note("counts", str(n), by_counting(words, n), options.data)
    for name in () if options.names else CHANGES:
        note("changes", name, changed(name, words), options.data)
    for name in options.names or TRAININGS:
        how = TRAININGS[name]
        model, history = trained(name, options.folder, **how)
        note("models", name, how | measure(model, history, words), options.data)
        if name in SHIPPED:
            file = language_name(causal=model.causal)
            ship(file, pack(model.params), f"{COMMAND} '{name}'", options.data)
    print_table(load_language_table(options.data))


def print_table(table):
    """Print bits per letter, and how many numbers each way keeps."""
    for part, rows in table.items():
        for name, row in rows.items():
            print(f"{part} {name}: {row['bits']} bits, {row['numbers']:,} numbers")


if __name__ == "__main__":
    run(main)
