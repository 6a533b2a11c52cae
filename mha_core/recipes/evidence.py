"""Measure what claims rest on: ``python -m mha_core.recipes.evidence``.

Nothing is trained: heads are taken out, weights are compared and sounds are counted
on the held-out words, with the weights as they are shipped. About three minutes.
"""

import argparse
import json
from pathlib import Path

import numpy as np

from mha_core.lab.measure.fifths import cost_by_fifth, count_by_fifth, missed_sounds
from mha_core.lab.measure.held_out import (
    follow_true_sounds,
    held_out_error,
    some_held_out,
)
from mha_core.lab.measure.knockout import (
    agreement,
    attentions,
    knock_out,
    straight_line,
    strongest_letters,
    without_heads,
)
from mha_core.lab.measure.letter_gradients import (
    at_the_strongest,
    gradient_shares,
    near_the_line,
)
from mha_core.lab.measure.neighbours import head_places
from mha_core.pretrained import load
from mha_core.recipes import run
from mha_core.shipped import DATA, ship
from mha_core.tables import EVIDENCE
from mha_core.tasks import pronunciation

COMMAND = "python -m mha_core.recipes.evidence"
LONG = 12
EVEN = {"letters": 12, "sounds": 11}


def measure(pairs):
    """Return all that is measured on some words, as it is shipped."""
    names = "last_state", "bahdanau", "multihead", "transformer"
    models = {kind: load(kind) for kind in names}
    return {
        "words": len(pairs),
        "knocked out": _subsets(models["multihead"], pairs),
        "transformer heads": _one_by_one(models["transformer"], pairs),
        "agreement": _agreement(models, pairs),
        "fifths": _fifths(models, [pair for pair in pairs if len(pair[0]) >= LONG]),
        "places": {
            name: _rounded(shares)
            for name, shares in head_places(models["transformer"], pairs).items()
        },
        "gradients": _gradients(models),
    }


def _subsets(model, pairs):
    return [[[*out], round(e, 4)] for out, e in knock_out(model, pairs).items()]


def _one_by_one(model, pairs):
    """Return the error as it is, and by part with each head out and with all out."""
    found = {"whole": round(held_out_error(model, pairs), 4)}
    for part in attentions(model):
        outs = [*([head] for head in range(model.h)), range(model.h)]
        errors = [held_out_error(without_heads(model, o, part), pairs) for o in outs]
        found[part] = _rounded(errors)
    return found


def _agreement(models, pairs):
    rows = [strongest_letters(models[k], pairs) for k in ("bahdanau", "multihead")]
    strongest = np.concatenate([*rows, straight_line(pairs)])
    return {"sounds": strongest.shape[1], "shares": _rounded(agreement(strongest))}


def _fifths(models, pairs):
    found = {"words": len(pairs), "shortest": LONG}
    for how in ("own", "true"):
        missed = {
            kind: missed_sounds(model, pairs, true_sounds=how == "true")
            for kind, model in models.items()
        }
        cost = cost_by_fifth(missed["last_state"], missed["bahdanau"])
        shares = {kind: _share(flags) for kind, flags in missed.items()}
        found[f"{how} sounds"] = shares | {"cost": _rounded(cost)}
    return found


def _gradients(models):
    sizes = tuple(EVEN.values())
    some = [p for p in pronunciation("test") if (len(p[0]), len(p[1])) == sizes]
    kinds = {kind: _decided(model, some) for kind, model in models.items()}
    return EVEN | {"words": len(some), "kinds": kinds}


def _decided(model, pairs):
    shares = gradient_shares(model, pairs)
    weights = np.stack(follow_true_sounds(model, pairs)[1])  # (words, h, T_q, T)
    heads = [at_the_strongest(shares, weights[:, head]) for head in range(model.h)]
    return {"near": round(near_the_line(shares), 4), "strongest": _rounded(heads)}


def _share(flags):
    missed, total = count_by_fifth(flags)
    return _rounded(missed.sum(axis=0) / total.sum(axis=0))


def _rounded(numbers):
    return np.round(np.asarray(numbers, float), 4).tolist()


def main(arguments=None):
    """Measure, ship and print what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--words", type=int, default=10**6)
    parser.add_argument("--data", type=Path, default=DATA)
    options = parser.parse_args(arguments)
    found = measure(some_held_out(options.words))
    text = json.dumps(found) + "\n"
    ship(EVIDENCE, text.encode("utf-8"), COMMAND, options.data)
    for name, part in found.items():
        print(f"{name}: {json.dumps(part)}")


if __name__ == "__main__":
    run(main)
