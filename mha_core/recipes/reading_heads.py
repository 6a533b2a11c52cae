"""Measure what heads do: ``python -m mha_core.recipes.reading_heads``.

Every head of the sentence reader on every relation, against a fixed offset and against
the same network with its positions in other orders; some minutes of one core.
"""

import json

import numpy as np
from tqdm import tqdm

from mha_core.lab.measure.head_relations import by_offset, chosen, places, shuffled
from mha_core.pretrained import load_reader
from mha_core.recipes import run
from mha_core.shipped import DATA, ship
from mha_core.tables import HEAD_RELATIONS
from mha_core.tasks.relation_sentences import RELATIONS, cases

COMMAND = "python -m mha_core.recipes.reading_heads"
ORDERS, EACH = 3, 8  # orders of the positions; every eighth sentence for places


def measured(reader, relation):
    """Return what all heads make of one relation, and what baselines do."""
    share, mass = chosen(reader, relation)
    others = [chosen(shuffled(reader, seed), relation)[0] for seed in range(ORDERS)]
    best, offset = by_offset(relation)
    return {
        "cases": len(cases(relation)),
        "share": _rounded(share),
        "mass": _rounded(mass),
        "shuffled": _rounded(np.mean(others, axis=0)),
        "offset": [offset, round(best, 4)],
    }


def _rounded(array):
    return np.round(array.astype(float), 4).tolist()


def main(data=DATA):
    """Measure all relations and places, and ship them."""
    reader = load_reader(data)
    texts = [case.sentence for name in RELATIONS for case in cases(name)[::EACH]]
    found = {name: measured(reader, name) for name in tqdm(RELATIONS)}
    where = {n: _rounded(w) for n, w in places(reader, texts).items()}
    text = json.dumps({"relations": found, "places": where}) + "\n"
    ship(HEAD_RELATIONS, text.encode("utf-8"), COMMAND, data)


if __name__ == "__main__":
    run(main)
