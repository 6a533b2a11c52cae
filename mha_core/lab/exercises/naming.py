"""Naming a mistake: which steps of a formula, done otherwise, give the same numbers."""

import numpy as np

from mha_core.lab.exercises.compare import close, without_ones

ROOM = 1e-5  # what results may differ by, so that float32 is as good as float64
MOST = 2  # slips at once


def slips_of(formula, probes, tried, faults):
    """Return the fewest slips that make a formula do what a function did, or none.

    Parameters
    ----------
    formula : Formula
    probes, tried, faults : list
        Arguments, and what came of each: numbers or None, and a sentence or None.
    """
    shown = [n for n, mine in enumerate(tried) if mine is not None]
    wrong = [n for n in shown if faults[n]]
    if not wrong:
        return ()
    for most in range(1, MOST + 1):
        found = [*_matches(formula, probes, tried, wrong[0], shown, most)]
        if found:
            return min(found, key=lambda each: _rank(formula, *each))[1]
    return ()


def _rank(formula, failed, slips):
    """Return what sorts matches: those that fail alike first, then the likelier."""
    return -failed, sorted(map(formula.known.index, slips))


def _matches(formula, probes, tried, first, shown, most):
    """Yield how well, and which slips, for all that give the same where shown."""
    for made, changes, slips in formula.outcomes(probes[first], most):
        if len(slips) < most or not alike(tried[first], made):
            continue
        theirs = [formula.attempt(probe, changes) for probe in probes]
        if all(alike(tried[n], theirs[n]) for n in shown):
            failed = sum(t is None for n, t in enumerate(theirs) if n not in shown)
            yield failed, slips


def alike(mine, other):
    """Tell whether two results are the same numbers."""
    if mine is None or other is None:
        return False
    other = without_ones(np.asarray(other), mine.ndim)
    if other.shape != mine.shape:
        return False
    if not mine.size:
        return True
    first, second = mine.flat[0], other.flat[0]
    if abs(first - second) > 2 * ROOM * (1 + abs(second)):
        return False  # most are no match, and need no more
    return close(mine, other, ROOM, ROOM)
