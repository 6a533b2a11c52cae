"""Values, weighed and added up, and what readers do otherwise."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.catalogue.comparing import turned
from mha_core.lab.exercises.stepwise import slip

OTHER_VALUES = (
    slip(
        sentence("the keys stand where the values belong: weights @ value"),
        output=lambda a: a.kept @ a.key,
    ),
    slip(
        sentence("the queries stand where the values belong: weights @ value"),
        output=lambda a: a.kept @ a.query,
    ),
)
MIXES = (
    slip(
        sentence("the weights are turned before they meet the values"),
        {"output": lambda a: turned(a.kept) @ a.value},
        {"output": lambda a: turned(turned(a.value) @ a.kept)},
    ),
    slip(
        sentence("each weight multiplies one number; weights @ value sums over keys"),
        output=lambda a: a.kept * a.value,
    ),
    slip(
        sentence("values and weights are exchanged: weights @ value"),
        output=lambda a: a.value @ a.kept,
    ),
    slip(
        sentence("the mean is taken; the weights sum to 1 already, so sum up"),
        output=lambda a: a.kept @ a.value / a.value.shape[-2],
    ),
    slip(
        sentence("the values are ignored: any other values would give the same"),
        output=lambda a: a.kept @ np.ones_like(a.value),
    ),
    slip(
        sentence("the query is added to what was found; leave it out here"),
        output=lambda a: a.query + a.kept @ a.value,
    ),
)
RETURNS = (
    slip(
        sentence("these are the weights; go on: weights @ value"),
        output=lambda a: a.weights,
    ),
    slip(
        sentence("these are the scores; softmax and the values are still to come"),
        {"output": lambda a: a.scores},
        {"output": lambda a: a.scaled},
        {"output": lambda a: a.hidden},
    ),
    slip(
        sentence("the result is turned: one row for each query"),
        output=lambda a: turned(a.kept @ a.value),
    ),
    slip(
        sentence("the rows are added up; give each query a row of its own"),
        {"output": lambda a: (a.kept @ a.value).sum(axis=-2)},
        {"output": lambda a: (a.kept @ a.value).mean(axis=-2)},
        {"output": lambda a: (a.kept @ a.value)[..., -1, :]},
        {"output": lambda a: (a.kept @ a.value)[..., 0, :]},
    ),
)
