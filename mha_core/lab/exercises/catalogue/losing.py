"""The loss, minus the log of the right answer's share, and what readers write."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.catalogue.weighing import shares, softmax
from mha_core.lab.exercises.stepwise import Formula, drawn, slip


def picked(x, target):
    """Return the number of each row that stands in the column of its target."""
    return x[np.arange(len(x)), target]


LOSING = (
    slip(
        sentence("softmax runs over the examples; over the answers, axis -1"),
        shared=lambda a: softmax(a.logits, axis=0),
    ),
    slip(
        sentence("softmax runs over all numbers at once; take each row by itself"),
        shared=lambda a: softmax(a.logits.ravel()).reshape(a.logits.shape),
    ),
    slip(
        sentence("softmax is missing: logits are no shares"),
        {"surprise": lambda a: -picked(a.logits, a.target)},
        {"surprise": lambda a: picked(a.logits, a.target)},
        {"shared": lambda a: a.logits},
        {"shared": lambda a: shares(a.logits)},
        {"shared": lambda a: np.abs(a.logits)},
    ),
    slip(
        sentence("the sign is missing: minus the log, so that it is positive"),
        surprise=lambda a: np.log(a.right),
    ),
    slip(
        sentence("the log is missing: minus the log of the share"),
        {"surprise": lambda a: -a.right},
        {"surprise": lambda a: 1 - a.right},
        {"surprise": lambda a: a.right},
    ),
    slip(
        sentence("the logarithm is the natural one, np.log"),
        {"surprise": lambda a: -np.log2(a.right)},
        {"surprise": lambda a: -np.log10(a.right)},
    ),
    slip(
        sentence("the losses are added up; take their mean"),
        loss=lambda a: a.surprise.sum(),
    ),
    slip(
        sentence("divide by the number of examples, not of all numbers or answers"),
        {"loss": lambda a: a.surprise.sum() / a.logits.size},
        {"loss": lambda a: a.surprise.sum() / a.logits.shape[1]},
    ),
    slip(
        sentence("one number is wanted: the mean over the examples"),
        loss=lambda a: a.surprise,
    ),
    slip(
        sentence("that is the log of the mean; take the mean of the logs"),
        loss=lambda a: -np.log(a.right.mean()),
    ),
    slip(
        sentence("the largest share counts here; take that of the right answer"),
        right=lambda a: a.shared.max(axis=-1),
    ),
    slip(
        sentence("the answer beside the right one is taken: answers count from 0"),
        {"right": lambda a: picked(a.shared, a.target - 1)},
        {"right": lambda a: picked(a.shared, (a.target + 1) % a.shared.shape[1])},
    ),
    slip(
        sentence(
            "target picks rows here; each row has its own: "
            "[np.arange(len(target)), target]"
        ),
        {"right": lambda a: a.shared[a.target]},
        {"right": lambda a: a.shared[:, a.target]},
        {"right": lambda a: a.shared[a.target, np.arange(len(a.target))]},
    ),
    slip(
        sentence("one column is taken for all; each row has a target of its own"),
        {"right": lambda a: a.shared[:, a.target[0]]},
        {"right": lambda a: a.shared[:, 0]},
        {"right": lambda a: a.shared[:, -1]},
    ),
    slip(
        sentence("that is how often the largest is right; the loss takes the log"),
        {"loss": lambda a: (a.logits.argmax(axis=1) == a.target).mean()},
        {"loss": lambda a: (a.logits.argmax(axis=1) != a.target).mean()},
    ),
    slip(
        sentence("that is the squared error; take minus the log of the share"),
        {"surprise": lambda a: (1 - a.right) ** 2},
        {"loss": lambda a: ((a.shared - _hot(a)) ** 2).mean()},
        {"loss": lambda a: ((a.shared - _hot(a)) ** 2).sum(axis=1).mean()},
    ),
    slip(
        sentence("the wrong answers count too; only the right one's share does"),
        {"surprise": lambda a: _both(a).sum(axis=1)},
        {"surprise": lambda a: _both(a).mean(axis=1)},
        {"surprise": lambda a: -np.log(a.shared).sum(axis=1)},
        {"surprise": lambda a: -np.log(a.shared).mean(axis=1)},
    ),
    slip(
        sentence("that is the perplexity; leave exp out"),
        loss=lambda a: np.exp(a.surprise.mean()),
    ),
    slip(
        sentence("that is how unsure the network is; the right answer must count"),
        surprise=lambda a: -(a.shared * np.log(a.shared)).sum(axis=1),
    ),
    slip(
        sentence("softmax is taken twice; once is enough"),
        shared=lambda a: softmax(softmax(a.logits)),
    ),
)


def _hot(a):
    return (np.arange(a.logits.shape[1]) == a.target[:, None]).astype(float)


def _both(a):
    return -np.where(_hot(a) > 0, np.log(a.shared), np.log(1 - a.shared))


def answers(B, V):
    """Return logits and targets."""
    (logits,) = drawn((B, V))
    return logits, (np.arange(B) * 2 + 1) % V


LOSS = Formula(
    inputs="logits target",
    steps={
        "shared": lambda a: softmax(a.logits),
        "right": lambda a: picked(a.shared, a.target),
        "surprise": lambda a: -np.log(a.right),
        "loss": lambda a: a.surprise.mean(),
    },
    slips=LOSING,
    draw=answers,
    sizes=((3, 4), (5, 3), (4, 4)),
)
