"""A formula in named steps, so that a wrong one is a step or two done otherwise."""

from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np

LIKELY = 2  # ways of a slip that are tried together with another slip
FAILURES = (ValueError, IndexError, TypeError)


def drawn(*shapes):
    """Return arrays of these shapes, drawn at random but always the same."""
    rng = np.random.default_rng(0)
    return tuple(rng.standard_normal(shape) for shape in shapes)


@dataclass(frozen=True)
class Slip:
    """A mistake: steps done otherwise, in one way or in several, and what to say."""

    said: str
    ways: tuple


def slip(said, *ways, **steps):
    """Return a slip: its sentence, and functions by the names of their steps.

    Other ways to make the same mistake stand as dicts before the steps.
    """
    return Slip(said, (*([steps] if steps else ()), *ways))


@dataclass(frozen=True)
class Formula:
    """A formula in steps, the mistakes that readers make in it, and what to try it on.

    Parameters
    ----------
    inputs : str
        Names of the arguments, in their order.
    steps : dict of str to function
        Each takes what is there so far, by name, and makes one thing more; the last
        one makes the result.
    slips, rare, crashes : tuple of Slip
        The likelier first; rare ones come alone, the others also two at a time. Those
        that crash at any size are known by the error they raise.
    draw : function
        Makes arguments from sizes, always the same.
    sizes : tuple of tuple of int
        At least two of different sizes on every axis; then others, where sizes are
        equal, so that what fits by chance gives numbers that can be compared.
    """

    inputs: str
    steps: dict
    slips: tuple
    draw: Callable
    sizes: tuple
    rare: tuple = ()
    crashes: tuple = ()

    @property
    def probes(self):
        """The arguments on which functions are compared."""
        return tuple(self.draw(*sizes) for sizes in self.sizes)

    @property
    def known(self):
        """All slips, the likelier first."""
        return (*self.slips, *self.rare)

    @property
    def mistakes(self):
        """Wrong functions and their sentences: each slip that gives numbers."""
        return tuple(
            (self.with_steps(each.ways[0]), each.said)
            for each in self.known
            if any(self.attempt(p, each.ways[0]) is not None for p in self.probes)
        )

    def with_steps(self, changes):
        """Return the formula as a function, with some steps done otherwise."""
        return lambda *probe: self.work(probe, changes)

    def work(self, probe, changes):
        """Return the result for arguments, with some steps done otherwise."""
        at = self.given(probe)
        for name, step in (self.steps | changes).items():
            at[name] = step(SimpleNamespace(**at))
        return at[name]

    def given(self, probe):
        """Return arguments by their names."""
        return dict(zip(self.inputs.split(), probe, strict=True))

    def attempt(self, probe, changes):
        """Return the result as numbers, or None where a mistake makes it fail."""
        try:
            with np.errstate(all="ignore"):
                return np.asarray(self.work(probe, changes), dtype=float)
        except FAILURES:
            return None

    def outcomes(self, probe, most):
        """Yield result, changed steps and slips for every choice of up to most slips.

        What is the same before a step that differs is computed once.
        """
        starts = {name: [] for name in self.steps}
        for each in self.known if most == 1 else self.slips:
            for way in each.ways[: None if most == 1 else LIKELY]:
                first = next(name for name in self.steps if name in way)
                starts[first].append((way, each))
        names = [*self.steps]
        with np.errstate(all="ignore"):
            yield from self._walk(names, starts, self.given(probe), {}, (), most)

    def _walk(self, names, starts, at, changes, made, most):
        if not names:
            yield at[[*self.steps][-1]], changes, made
            return
        name, *rest = names
        choices = [(changes, made)]
        if name not in changes and len(made) < most:
            for way, each in starts[name]:
                if each not in made and not way.keys() & changes.keys():
                    choices.append((changes | way, (*made, each)))
        space = SimpleNamespace(**at)
        for now, slips in choices:
            try:
                value = now.get(name, self.steps[name])(space)
            except FAILURES:
                continue
            yield from self._walk(rest, starts, at | {name: value}, now, slips, most)
