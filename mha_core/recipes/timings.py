"""Measure what the models cost on this machine: ``python -m mha_core.recipes.timings``.

Training steps of each kind, and a recurrent loop against a self-attention layer over
the length of the sequence, one sequence and a batch of them: least CPU time of many
turns, on one thread. The times are shipped with machine and date. It takes about two
minutes; let nothing else run meanwhile.
"""

import argparse
import datetime
import json
import os
import platform
from pathlib import Path

import numpy as np

from mha_core.lab.measure.clock import (
    BATCH,
    HEADS,
    LENGTHS,
    LENGTHS_OF_MANY,
    MANY,
    WIDTH,
    time_layers,
    time_one_step,
    time_steps,
)
from mha_core.lab.pictures.costs import FILE, crossings
from mha_core.recipes import run
from mha_core.shipped import DATA, ship

COMMAND = "python -m mha_core.recipes.timings"


def measure(rounds, lengths=LENGTHS):
    """Return the times, and what they depend on, as they are shipped."""
    steps = {k: round(ms, 2) for k, ms in time_steps(rounds=rounds, **BATCH).items()}
    return {
        "command": COMMAND,
        "date": datetime.date.today().isoformat(),
        "machine": platform.machine(),
        "processor": processor(),
        "cores": os.cpu_count(),
        "numpy": np.__version__,
        "blas_threads": 1,
        "step": BATCH | {"ms": steps},
        "layers": _layers(lengths, rounds, 1),
        "batch": _layers([T for T in lengths if T in LENGTHS_OF_MANY], rounds, MANY),
        "one step": {k: round(us, 3) for k, us in time_one_step(rounds=rounds).items()},
    }


def _layers(lengths, rounds, batch):
    found = time_layers(lengths, rounds=rounds, batch=batch)
    sizes = {"d": WIDTH, "h": HEADS, "batch": batch, "T": list(lengths)}
    return sizes | {name: [round(ms, 4) for ms in row] for name, row in found.items()}


def processor(path=Path("/proc/cpuinfo")):
    """Return the name of the processor, or what the system tells of it."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if "model name" in line]
    return names[0] if names else platform.processor() or "unknown"


def print_times(times):
    """Print the times and where the two layers cost the same."""
    for kind, ms in times["step"]["ms"].items():
        print(f"training step of {kind}: {ms:.1f} ms")
    for name, us in times["one step"].items():
        print(f"{name} of a recurrent loop: {us:.1f} microseconds")
    for layers in (times["batch"], times["layers"]):
        _print_layers(layers)


def _print_layers(layers):
    print(f"sequences at once: {layers['batch']}")
    rows = zip(layers["T"], layers["recurrent"], layers["attention"], strict=True)
    for T, recurrent, attention in rows:
        print(f"T {T}: recurrent {recurrent:.3f} ms, attention {attention:.3f} ms")
    for how, T in crossings(layers).items():
        print(f"self-attention costs more from T = {T:.0f}, {how}")


def main(arguments=None):
    """Measure, ship and print what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--longest", type=int, default=LENGTHS[-1])
    parser.add_argument("--data", type=Path, default=DATA)
    options = parser.parse_args(arguments)
    lengths = [T for T in LENGTHS if T <= options.longest]
    times = measure(options.rounds, lengths)
    text = json.dumps(times, indent=1) + "\n"
    ship(FILE, text.encode("utf-8"), COMMAND, options.data)
    print_times(times)


if __name__ == "__main__":
    run(main)
