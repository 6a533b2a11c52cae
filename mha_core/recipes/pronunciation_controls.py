"""Train controls of the networks that pronounce, and ship their errors.

``python -m mha_core.recipes.pronunciation_controls`` trains them all; names given on
the command line train only those. Each changes one thing of a shipped network: how wide
its message is, how many steps it was trained or with which rate, which words it drew,
how many heads it has. Finished trainings are kept in a folder, an interrupted one goes
on. Networks of other widths are shipped in float16; all are measured in it.
"""

import argparse
import json
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from mha_core.evaluation import shortened, transcribe
from mha_core.models import KINDS
from mha_core.models.initial import initial
from mha_core.pretrained import (
    load,
    load_controls,
    pack,
    weights_name,
)
from mha_core.recipes import as_shipped, run
from mha_core.recipes.pronunciation import STEPS, measure
from mha_core.shipped import DATA, ship
from mha_core.tables import CONTROLS
from mha_core.tasks import batches, batches_of_one_length, pronunciation
from mha_core.training import train

COMMAND = "python -m mha_core.recipes.pronunciation_controls"
EPOCH = 500  # batches between two checkpoints where words are drawn by length
LONG = 16  # letters of the words of which is counted how many come out too short


class Control(NamedTuple):
    """One network, and what is not as in the shipped one of its kind."""

    kind: str
    seed: int = 0
    h: int | None = None  # heads, where it has several
    width: int | None = None  # of the message
    steps: int = STEPS
    peak: float = 4e-3  # rate of learning
    long_words: bool = False  # long words are drawn more often than they are
    shipped: bool = False  # nothing is changed: the shipped weights, for comparison


CONTROLS_BY_NAME = {
    **{kind: Control(kind, shipped=True) for kind in KINDS},
    **{f"message-{n}": Control("last_state", width=n) for n in (20, 42, 168)},
    "message-84-16000": Control("last_state", steps=2 * STEPS),
    **{f"multihead-h1-{seed}": Control("multihead", seed, h=1) for seed in (1, 2)},
    **{
        f"{kind}-long-{seed}": Control(kind, seed, long_words=True)
        for kind in ("transformer", "bahdanau")
        for seed in range(3)
    },
    "transformer-16000": Control("transformer", steps=2 * STEPS),
    "transformer-rate-2e-3": Control("transformer", peak=2e-3),
    "transformer-rate-8e-3": Control("transformer", peak=8e-3),
}


def trained(name, control, folder):
    """Return the network of a control, trained or taken from its checkpoint."""
    if control.shipped:
        return load(control.kind)
    sizes = {"n": control.width // 2} if control.width else {}
    model = initial(control.kind, np.random.default_rng(control.seed), **sizes)
    model.h = control.h or model.h
    draw = batches
    if control.long_words:
        draw = partial(batches_of_one_length, size=128, count=EPOCH)
    train(
        model,
        partial(draw, pronunciation("train")),
        control.steps,
        seed=control.seed,
        checkpoint=Path(folder) / f"{name}.npz",
        peak=control.peak,
        warm_up=KINDS[control.kind].warm_up,
    )
    return model


def measure_control(model, control, pairs):
    """Return what was changed, the errors, and the share of long words cut short."""
    long = [pair for pair in pairs if len(pair[0]) >= LONG]
    said = transcribe(as_shipped(model), [word for word, _ in long])
    cut = {"short": round(shortened(said, long), 4)}
    return control._asdict() | {"h": model.h} | measure(model, pairs) | cut


def note(name, measured, folder=DATA):
    """Put one network into the shipped table."""
    try:
        table = load_controls(folder)
    except ValueError:
        table = {}  # missing or damaged: this makes it anew
    table[name] = measured
    ordered = {key: table[key] for key in CONTROLS_BY_NAME if key in table}
    text = json.dumps(ordered, indent=1) + "\n"
    ship(CONTROLS, text.encode("utf-8"), COMMAND, folder)


def main(arguments=None):
    """Train and measure what is named, note its errors, and ship other widths."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--folder", type=Path, default=Path("checkpoints/controls"))
    parser.add_argument("--data", type=Path, default=DATA)
    options = parser.parse_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    test = pronunciation("test")
    for name in options.names or CONTROLS_BY_NAME:
        control = CONTROLS_BY_NAME[name]
        model = trained(name, control, options.folder)
        found = measure_control(model, control, test)
        note(name, found, options.data)
        print(f"{name}: error {found['error']:.4f}, too short {found['short']:.2f}")
        if control.width:
            file = weights_name(control.kind, control.width)
            ship(file, pack(model.params), f"{COMMAND} {name}", options.data)


if __name__ == "__main__":
    run(main)
