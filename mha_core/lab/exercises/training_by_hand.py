"""The exercise of a training loop, and what readers do otherwise in one."""

from dataclasses import dataclass

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.gradients import gradients
from mha_core.lab.exercises.exercise import Exercise
from mha_core.training import adam

RATE = 0.1


@dataclass(frozen=True)
class Bowl:
    """A loss with one lowest place: the squared distance from some numbers."""

    lowest: tuple

    def __call__(self, params):
        """Return the loss of parameters."""
        away = params["w"] - np.array(self.lowest)
        return np.sum(away * away)

    def __repr__(self):
        """Return what a reader is told of it."""
        return f"the squared distance of w from {list(self.lowest)}"


def _losses(params, loss, steps, *, first=1, sign=1, after=False, keep=True, move=adam):
    """Return the losses of some steps, or those of a loop that goes wrong."""
    moments, found = {}, []
    for step in range(first, first + steps):
        value, grads = gradients(loss, params)
        grads = {name: sign * g for name, g in grads.items()}
        params = move(params, grads, moments, step, RATE)
        moments = moments if keep else {}
        found.append(float(loss(params) if after else value))
    return found


def _plain(params, grads, moments, step, rate):
    """Move against the gradient, without Adam."""
    return {name: param - rate * grads[name] for name, param in params.items()}


def _still(params, grads, moments, step, rate):
    """Move nothing."""
    return params


def _always_first(params, grads, moments, step, rate):
    """Tell Adam that every step is the first."""
    return adam(params, grads, moments, 1, rate)


def _last_only(params, loss, steps):
    """Return the last loss alone."""
    return _losses(params, loss, steps)[-1]


WRONG = (
    (
        sentence("the parameters never move: params = adam(...) in each step"),
        lambda params, loss, steps: _losses(params, loss, steps, move=_still),
    ),
    (
        sentence("it climbs: hand adam the gradients as they are, without a minus"),
        lambda params, loss, steps: _losses(params, loss, steps, sign=-1),
    ),
    (
        sentence("moments begin anew in each step: make the dict before the loop"),
        lambda params, loss, steps: _losses(params, loss, steps, keep=False),
    ),
    (
        sentence("these are the losses after each step; keep the one before it"),
        lambda params, loss, steps: _losses(params, loss, steps, after=True),
    ),
    (
        sentence("that is plain descent; adam moves each number at its own pace"),
        lambda params, loss, steps: _losses(params, loss, steps, move=_plain),
    ),
    (
        sentence("adam is told step 1 each time: it needs the number of the step"),
        lambda params, loss, steps: _losses(params, loss, steps, move=_always_first),
    ),
    (
        sentence("one step too many"),
        lambda params, loss, steps: _losses(params, loss, steps + 1),
    ),
    (
        sentence("one step too few: range(1, steps + 1)"),
        lambda params, loss, steps: _losses(params, loss, steps - 1),
    ),
    (
        sentence("steps count from 1 for adam, not from 2"),
        lambda params, loss, steps: _losses(params, loss, steps, first=2),
    ),
    (
        sentence("give back the losses of all steps, not only the last"),
        _last_only,
    ),
)

TRAINING = Exercise(
    name="train",
    kind="function",
    right=lambda params, loss, steps: _losses(params, loss, steps),
    mistakes=tuple((function, said) for said, function in WRONG),
    hints=(
        sentence("before the loop: moments = {{}}, and a list for the losses."),
        sentence("gradients(loss, params) gives the loss and the gradients by name."),
        sentence("params = adam(params, grads, moments, step, 0.1), step from 1."),
    ),
    solution="""from mha_core.gradients import gradients
from mha_core.training import adam

def answer(params, loss, steps):
    moments, losses = {}, []
    for step in range(1, steps + 1):
        value, grads = gradients(loss, params)
        params = adam(params, grads, moments, step, 0.1)
        losses.append(float(value))
    return losses
""",
    praise=sentence("loss, gradient, a small move against it, and again."),
    probes=(
        ({"w": np.array([1.0, -2.0, 0.5])}, Bowl((0.0, 0.0, 1.0)), 5),
        ({"w": np.array([3.0])}, Bowl((-1.0,)), 3),
    ),
)
