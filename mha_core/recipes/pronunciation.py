"""Train the models that pronounce: ``python -m mha_core.recipes.pronunciation``.

Each kind is trained with each seed. Every epoch is saved, and an interrupted training
goes on from there. Seed 0 is shipped in float16, the errors of every seed as a table;
each is measured with its weights in float16. ``--shipped`` trains nothing and measures
what is shipped again.
"""

import argparse
import json
from functools import partial
from pathlib import Path

import numpy as np

from mha_core.evaluation import (
    error_by_length,
    missed_by_fifth,
    phoneme_error,
    transcribe,
)
from mha_core.models import KINDS
from mha_core.models.initial import initial
from mha_core.pretrained import COMMAND, load, load_errors, save
from mha_core.recipes import as_shipped, run
from mha_core.shipped import DATA, ship
from mha_core.tables import ERRORS
from mha_core.tasks import batches, pronunciation
from mha_core.training import train

STEPS = 8000
SEEDS = (0, 1, 2)


def trained(kind, seed, folder, h=None):
    """Return the model of one kind and seed, trained or taken from its checkpoint."""
    model = initial(kind, np.random.default_rng(seed))
    model.h = h or model.h
    draw = partial(batches, pronunciation("train"))
    dev = pronunciation("dev")[:600]
    path = Path(folder) / f"{kind}-{f'h{h}-' if h else ''}{seed}.npz"
    train(
        model,
        draw,
        STEPS,
        seed=seed,
        dev=dev,
        checkpoint=path,
        warm_up=KINDS[kind].warm_up,
    )
    return model


def measure(model, pairs):
    """Return the errors of a model on held-out words, as they are shipped."""
    said = transcribe(as_shipped(model), [word for word, _ in pairs])
    exact = np.mean(
        [a == phonemes for a, (_, phonemes) in zip(said, pairs, strict=True)]
    )
    by_length = error_by_length(said, pairs).items()
    return {
        "error": round(phoneme_error(said, pairs), 4),
        "exact": round(float(exact), 4),
        "by_length": [[*ends, round(e, 4), n] for ends, (e, n) in by_length],
        "by_fifth": [round(share, 4) for share in missed_by_fifth(said, pairs)],
        "parameters": sum(p.size for p in model.params.values()),
    }


def note(kind, seed, measured, folder=DATA):
    """Put the errors of one model into the shipped table."""
    errors = _noted(folder)
    errors.setdefault(kind, {})[str(seed)] = measured
    errors[kind] = dict(sorted(errors[kind].items()))
    text = json.dumps(dict(sorted(errors.items())), indent=1) + "\n"
    ship(ERRORS, text.encode("utf-8"), COMMAND, folder)


def _noted(folder):
    try:
        return load_errors(folder)
    except ValueError:
        return {}  # missing or damaged: this makes it anew


def print_table(errors):
    """Print the phoneme error by word length and by fifth of the word."""
    for kind, seeds in errors.items():
        for seed, measured in seeds.items():
            rows = measured["by_length"]
            lengths = "  ".join(f"{low}-{high}: {e:.3f}" for low, high, e, _ in rows)
            fifths = " ".join(f"{share:.2f}" for share in measured["by_fifth"])
            print(f"{kind} seed {seed}, {measured['parameters']} parameters")
            print(f"  error {measured['error']:.4f}, exact {measured['exact']:.3f}")
            print(f"  by letters {lengths}")
            print(f"  missed by fifth of words of 12 letters and more: {fifths}")


def main(arguments=None):
    """Train, measure and ship what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kind", choices=KINDS, action="append")
    parser.add_argument("--seed", type=int, action="append")
    parser.add_argument("--folder", default="checkpoints/pronunciation")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--shipped", action="store_true")
    options = parser.parse_args(arguments)
    options.kind = options.kind or KINDS
    (_measure_shipped if options.shipped else _make)(options, pronunciation("test"))
    print_table(load_errors(options.data))


def _make(options, test):
    """Train and measure each kind with each seed; ship seed 0 and all errors."""
    Path(options.folder).mkdir(parents=True, exist_ok=True)
    for seed in options.seed or SEEDS:
        for kind in options.kind:
            model = trained(kind, seed, options.folder)
            note(kind, seed, measure(model, test), options.data)
            if seed == 0:
                save(model, options.data)


def _measure_shipped(options, test):
    """Measure the shipped weights of each kind again, and ship the errors."""
    for kind in options.kind:
        measured = measure(load(kind, folder=options.data), test)
        note(kind, 0, measured, options.data)


if __name__ == "__main__":
    run(main)
