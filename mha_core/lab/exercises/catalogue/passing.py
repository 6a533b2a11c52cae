"""The message of an encoder that reads both ways, and what readers pass on."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.stepwise import Formula, drawn, slip


def ends(states):
    """Return the states that both directions end with, (2 n,)."""
    n = states.shape[-1] // 2
    return np.concatenate([states[-1, :n], states[0, n:]])


def _as(way):
    return {"message": lambda a: way(a.states)}


def _half(states):
    return states.shape[-1] // 2


MESSAGE = Formula(
    inputs="states",
    steps=_as(ends),
    slips=(
        slip(
            sentence("each half is taken at the end where it starts reading"),
            _as(lambda s: ends(s[::-1])),
        ),
        slip(
            sentence("at the last letter the backward half has read one letter only"),
            _as(lambda s: s[-1]),
        ),
        slip(
            sentence("at the first letter the forward half has read one letter only"),
            _as(lambda s: s[0]),
        ),
        slip(
            sentence("the mean or sum of all states is another message; take the last"),
            _as(lambda s: s.mean(axis=0)),
            _as(lambda s: s.sum(axis=0)),
            _as(lambda s: s.max(axis=0)),
        ),
        slip(
            sentence("put the forward half first"),
            _as(lambda s: np.roll(ends(s), _half(s))),
            _as(lambda s: np.roll(s[-1], _half(s))),
        ),
        slip(
            sentence("n is half of the width of these states, not always the same"),
            *(_as(lambda s, n=n: np.r_[s[-1, :n], s[0, n:]]) for n in (3, 2, 42)),
        ),
        slip(
            sentence("the last letter is states[-1]; words differ in length"),
            *(
                _as(lambda s, k=k: np.r_[s[k, : _half(s)], s[0, _half(s) :]])
                for k in (3, 2, 4, -2, 1)
            ),
            _as(lambda s: ends(s[:4])),
        ),
        slip(
            sentence("both whole states are passed on; half of each is enough"),
            _as(lambda s: np.r_[s[-1], s[0]]),
            _as(lambda s: np.r_[s[0], s[-1]]),
        ),
        slip(
            sentence("one half is missing: both directions pass their state on"),
            _as(lambda s: s[-1, : _half(s)]),
            _as(lambda s: s[0, _half(s) :]),
        ),
        slip(
            sentence(
                "the two halves are exchanged: the forward half has columns 0 to n"
            ),
            _as(lambda s: np.r_[s[-1, _half(s) :], s[0, : _half(s)]]),
            _as(lambda s: np.r_[s[0, : _half(s)], s[-1, : _half(s)]]),
            _as(lambda s: np.r_[s[-1, _half(s) :], s[0, _half(s) :]]),
            _as(lambda s: np.r_[s[-1, : _half(s)], s[0, : _half(s)]]),
        ),
        slip(
            sentence("put the two halves side by side in one row"),
            _as(lambda s: np.stack([s[-1, : _half(s)], s[0, _half(s) :]])),
            _as(lambda s: np.stack([s[-1, : _half(s)], s[0, _half(s) :]], axis=1)),
        ),
        slip(
            sentence("the halves are added up; put them side by side"),
            _as(lambda s: s[-1, : _half(s)] + s[0, _half(s) :]),
            _as(lambda s: s[-1] + s[0]),
            _as(lambda s: (s[-1] + s[0]) / 2),
        ),
        slip(
            sentence("all states are passed on; the message is the two last ones"),
            _as(lambda s: s),
            _as(lambda s: s.ravel()),
        ),
    ),
    draw=lambda T, n: drawn((T, 2 * n)),
    sizes=((4, 3), (5, 2), (3, 3), (2, 2), (1, 2)),
)
