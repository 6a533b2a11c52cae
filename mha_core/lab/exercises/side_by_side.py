"""Who can see whom in a reader's function, drawn beside the right one."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.running import Untouched, untouched
from mha_core.lab.exercises.seeing import sights
from mha_core.lab.pictures import head_grid

AXES = {
    "query_name": sentence("output"),
    "key_name": sentence("changed token"),
    "value_name": sentence("moves"),
}


def sight_maps(exercise, answer):
    """Return both maps as one picture; 1 where changing a token moves an output."""
    maps = _maps(exercise, answer)
    if maps is None:
        raise ValueError(
            sentence(
                "{name}: there is no map of who can see whom; hand in a function of "
                "tokens that returns one row for each of them.",
                name=exercise.name,
            )
        )
    outputs, tokens = (list(map(str, range(n))) for n in maps[0].shape)
    return head_grid(
        np.array(maps, dtype=float),
        outputs,
        tokens,
        title=sentence("{name}: who can see whom", name=exercise.name),
        titles=[sentence("yours"), sentence("right")],
        **AXES,
    )


def _maps(exercise, answer):
    if untouched(answer) or not callable(answer):
        return None
    try:
        return sights(exercise, answer)
    except Untouched:
        return None
