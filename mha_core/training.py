"""Train a model: the loss, Adam, and the loop that binds them."""

import io
import itertools
import math
import zipfile
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits
from tqdm.auto import tqdm

from mha_core._checks.arguments import check_count, check_positive
from mha_core.evaluation import phoneme_error, transcribe
from mha_core.gradients import gradients
from mha_core.losses import cross_entropy
from mha_core.shipped import read_file, replace_file

# What NumPy raises at a file that is no archive of the arrays.
BROKEN = ValueError, KeyError, EOFError, RuntimeError, TypeError


def adam(params, grads, moments, step, rate, clip=1.0):
    """Move the parameters against their gradient, each at its own pace.

    Parameters
    ----------
    params, grads : dict of str to ndarray
    moments : dict of str to pair of ndarrays
        Running means of gradient and squared gradient; empty at first, changed here.
    step : int
        Counts from 1.
    rate, clip : float
        Learning rate; largest norm of all gradients together.

    Returns
    -------
    dict of str to ndarray
        The next parameters. Kingma and Ba 2015, algorithm 1.
    """
    step = check_count("step", step)
    norm = math.sqrt(sum(_squares(name, g) for name, g in grads.items()))
    shrink, rate = min(1.0, float(clip) / (norm + 1e-12)), float(rate)
    return {
        name: param - rate * _direction(grads[name] * shrink, moments, name, step)
        for name, param in params.items()
    }


def _squares(name, g):
    total = float(np.vdot(g, g))
    if not math.isfinite(total):  # in float32 from 1e19 on
        total = float(np.sum(np.square(g, dtype=float)))
    if not math.isfinite(total):
        raise ValueError(
            f"The gradient of {name} is not finite; train with a smaller rate."
        )
    return total


def _direction(g, moments, name, step, beta1=0.9, beta2=0.999, epsilon=1e-8):
    m, v = moments.get(name, (0.0, 0.0))
    m = beta1 * m + (1 - beta1) * g
    v = beta2 * v + (1 - beta2) * g * g
    moments[name] = m, v
    return m / (1 - beta1**step) / (np.sqrt(v / (1 - beta2**step)) + epsilon)


def learning_rate(step, steps, peak=4e-3, warm_up=200):
    """Return the rate of a step: a linear rise, then half a cosine down to zero."""
    rise = min(1, step / max(1, warm_up))
    return float(peak) * rise * 0.5 * (1 + math.cos(math.pi * step / steps))


def loss(model, source, target):
    """Return the cross-entropy of a model that is shown the true phonemes so far.

    The end, 0 after the last phoneme, counts; the padding behind it does not.
    """
    target_in = np.pad(target, [(0, 0), (1, 0)])[:, :-1]  # 0 first, then the phonemes
    counted = np.cumsum(target == 0, axis=1) <= 1
    return cross_entropy(model.logits(source, target_in), target, counted)


def train(
    model,
    draw,
    steps,
    *,
    objective=loss,
    seed=0,
    dev=(),
    checkpoint=None,
    peak=4e-3,
    warm_up=200,
):
    """Train a model; the same seed gives the same weights.

    Parameters
    ----------
    model : model of `mha_core.models`
        Its parameters are replaced, and ``trained`` becomes True.
    draw : function of a Generator
        Gives the batches of one epoch, such as ``partial(batches, pairs)``.
    steps, seed : int
    objective : function
        Gives the loss of a model on the arrays of one batch.
    dev : list of (str, tuple of str)
        Words whose phoneme error is shown after each epoch; NaN without any.
    checkpoint : path, optional
        Written after each epoch; if it is there, training goes on from it.

    Returns
    -------
    list of (step, loss, error), one for each epoch

    Raises
    ------
    ValueError
        If an epoch has no batches, or the checkpoint is not one of such a model.
    """
    steps, peak = check_count("steps", steps), check_positive("peak", peak)
    run = _Run(model, checkpoint, objective)
    with threadpool_limits(1), _bar(model, steps, run.step) as bar:
        while run.step < steps:
            rng = np.random.default_rng([seed, len(run.history)])
            for batch in itertools.islice(draw(rng), steps - run.step):
                rate = learning_rate(run.step + 1, steps, peak, warm_up)
                run.advance(batch, rate)
                bar.update()
            run.end_epoch(dev, bar)
    model.trained = True
    return run.history


class _Run:
    """What a training needs to go on: moments, step and history, saved as it goes."""

    def __init__(self, model, checkpoint, objective):
        self.model, self.checkpoint, self.objective = model, checkpoint, objective
        self.moments, self.step, self.history, self.losses = {}, 0, [], []
        if checkpoint is not None and Path(checkpoint).exists():
            self._load()

    def advance(self, batch, rate):
        def f(params):
            return self.objective(self.model.with_params(params), *batch)

        value, grads = gradients(f, self.model.params)
        self.step += 1
        self.losses.append(value)
        self.model.params = adam(
            self.model.params, grads, self.moments, self.step, rate
        )

    def end_epoch(self, dev, bar):
        if not self.losses:
            raise ValueError("draw gave no batches; an epoch needs at least one.")
        said = transcribe(self.model, [word for word, _ in dev])
        error = phoneme_error(said, dev) if dev else math.nan
        self.history.append((self.step, float(np.mean(self.losses)), error))
        self.losses = []
        bar.set_postfix(loss=f"{self.history[-1][1]:.3f}", error=f"{error:.3f}")
        if self.checkpoint is not None:
            self._save()

    def _save(self):
        arrays = {f"param {name}": array for name, array in self.model.params.items()}
        for name, (m, v) in self.moments.items():
            arrays |= {f"m {name}": m, f"v {name}": v}
        file = io.BytesIO()
        np.savez(file, step=self.step, history=np.array(self.history), **arrays)
        replace_file(self.checkpoint, file.getvalue())

    def _load(self):
        file = io.BytesIO(read_file(self.checkpoint))
        try:
            with np.load(file, allow_pickle=False) as saved:
                self._take(saved)
        except (*BROKEN, zipfile.BadZipFile):
            raise ValueError(
                f"{self.checkpoint} is no checkpoint of this {self.model.kind} model; "
                "delete it to train from the start."
            ) from None

    def _take(self, saved):
        now = self.model.params
        params, m, v = (
            {name: saved[f"{part} {name}"].reshape(now[name].shape) for name in now}
            for part in ("param", "m", "v")
        )
        self.history = [(int(s), *rest) for s, *rest in saved["history"].tolist()]
        self.step = int(saved["step"])
        self.moments = {name: (m[name], v[name]) for name in now}
        self.model.params = params


def _bar(model, steps, done):
    return tqdm(total=steps, initial=done, desc=model.kind, leave=False)
