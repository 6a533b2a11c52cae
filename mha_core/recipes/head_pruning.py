"""Take heads out of the sentence reader: ``python -m mha_core.recipes.head_pruning``.

What is left of the states with more and more heads out, and how one head misses each of
the others; some minutes of one core.
"""

import json

from tqdm import tqdm

from mha_core.lab.measure.pruning import heads_of, missed, pruned
from mha_core.pretrained import load_reader
from mha_core.recipes import run
from mha_core.shipped import DATA, ship
from mha_core.tables import HEAD_PRUNING
from mha_core.tasks.relation_sentences import RELATIONS, cases

COMMAND = "python -m mha_core.recipes.head_pruning"
STEPS = range(0, 37, 6)
WATCHED, ON = (3, 1), "number"  # the head that is watched, and on what
EACH = 60  # every sixtieth sentence for the states


def main(data=DATA):
    """Measure and ship both."""
    reader = load_reader(data)
    texts = [case.sentence for name in RELATIONS for case in cases(name)[::EACH]]
    curves = pruned(reader, texts, STEPS)
    without = {"nobody": missed(reader, ON, WATCHED, ())}
    for head in tqdm(heads_of(reader)):
        without[f"{head[0]}, {head[1]}"] = missed(reader, ON, WATCHED, [head])
    found = {
        "steps": list(STEPS),
        "left": {n: [round(x, 4) for x in curve] for n, curve in curves.items()},
        "watched": {"head": list(WATCHED), "relation": ON},
        "without": {name: round(share, 4) for name, share in without.items()},
    }
    ship(HEAD_PRUNING, (json.dumps(found) + "\n").encode("utf-8"), COMMAND, data)


if __name__ == "__main__":
    run(main)
