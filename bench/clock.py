"""Measure contestants in turns, so that a busy machine is busy for all of them."""

import math
import time


def fastest(contestants, rounds=60, sample=0.004):
    """Return the least CPU time of one call of each contestant, in seconds.

    Parameters
    ----------
    contestants : dict of str to function
    rounds : int
        How often each has its turn.
    sample : float
        Seconds that a turn takes at least; short calls are repeated within it.
    """
    best = {name: _time(call, 1) for name, call in contestants.items()}
    counts = {name: math.ceil(sample / best[name]) for name in contestants}
    for _ in range(rounds):
        for name, call in contestants.items():
            best[name] = min(best[name], _time(call, counts[name]))
    return best


def report(what, ours, theirs, limit):
    """Print one ratio and its limit; return whether it holds."""
    ratio = ours / theirs
    verdict = "holds" if ratio <= limit else "FAILS"
    print(
        f"{what:44s} {ours * 1e3:9.3f} ms {theirs * 1e3:9.3f} ms "
        f"{ratio:6.2f} of {limit:4.2f} {verdict}",
        flush=True,
    )
    return ratio <= limit


def _time(call, count):
    start = time.process_time()
    for _ in range(count):
        call()
    return (time.process_time() - start) / count
