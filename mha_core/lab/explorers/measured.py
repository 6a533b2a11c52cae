"""Layers of the four relations, and what was measured of each of their heads."""

from typing import NamedTuple

import numpy as np

from mha_core._checks.sentences import counted, sentence
from mha_core.lab.pictures.roles import owners
from mha_core.models.four_relations import FourRelations, accuracy, masses, untrained
from mha_core.pretrained import load_relations, load_relations_table
from mha_core.tasks.tagged_sentences import ROLES, sentences

SEEN, CLEAR = 0.2, 0.5  # mean weights; each word has 1 / 12 where a head has no taste
COUNT = 128  # sentences on which an own layer is measured


class Measured(NamedTuple):
    """A layer, its accuracy, and for each role the head that follows it most."""

    layer: FourRelations
    accuracy: float | None = None  # of an untrained layer nothing was measured
    owners: dict | None = None  # role to (head, mean weight)

    @property
    def titles(self):
        """What to write above each head: its number, and what it looks at, how much."""
        return [f"head {name}" for name in self._names("{role} {mass}")]

    @property
    def short(self):
        """The same for a small map: number and relations."""
        names = self._names("{role}")
        return [name if ":" in name else f"head {name}" for name in names]

    def _names(self, template):
        found = [[] for _ in range(self.layer.h)]
        for role, (head, mass) in (self.owners or {}).items():
            if mass >= SEEN:
                told = f"{mass:.2f}".removeprefix("0")
                found[head].append(template.format(role=role, mass=told))
        return [f"{n}: {', '.join(r)}" if r else f"{n}" for n, r in enumerate(found)]

    @property
    def sentence(self):
        """What the heads do, in one plain sentence."""
        if self.owners is None:
            return sentence("Nothing was learned here: the weights are random.")
        if self.layer.h == 1:
            return sentence("One head serves all four relations with a single blend.")
        vague = sum(mass < CLEAR for _, mass in self.owners.values())
        if vague:
            return counted(
                "{n} of the four relations has no head of its own.",
                "{n} of the four relations have no head of their own.",
                n=vague,
            )
        if len({head for head, _ in self.owners.values()}) < len(ROLES):
            return sentence("The heads share the four relations.")
        if self.layer.h == len(ROLES):
            return sentence("Each head follows one relation.")
        return sentence("Each of the four relations has a head of its own.")


def shipped(d_model, h):
    """Return the layer of this setting that is shipped, or an untrained one."""
    for row in load_relations_table()["grid"]:
        if (row["d_model"], row["h"], row["seed"]) == (d_model, h, 0):
            layer = load_relations(d_model, h)
            return Measured(layer, row["accuracy"], owners(d_model, h))
    return Measured(untrained(d_model, h, np.random.default_rng(0)))


def measure_own(layer):
    """Return a layer of one's own with what is measured of it now."""
    test = sentences(np.random.default_rng(10**6), COUNT)
    mass = masses(layer, *test)  # (h, 4)
    best = zip(ROLES, mass.argmax(axis=0), mass.max(axis=0), strict=True)
    found = {role: (int(head), float(most)) for role, head, most in best}
    return Measured(layer, float(accuracy(layer, *test).mean()), found)
