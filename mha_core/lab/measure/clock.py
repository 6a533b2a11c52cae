"""Measure how long things take, in turns, so that a busy machine is busy for all."""

import math
import time

import numpy as np
from threadpoolctl import threadpool_limits

from mha_core._checks.checked import trusted
from mha_core.gradients import gradients
from mha_core.models import KINDS
from mha_core.models.initial import initial
from mha_core.multihead import multi_head_attention
from mha_core.recurrent import gru_cell, run
from mha_core.training import adam, loss

LENGTHS = (16, 32, 64, 128, 256, 512, 1024, 2048)
WIDTH, HEADS = 64, 4
MANY, LENGTHS_OF_MANY = 32, LENGTHS[:6]  # longer ones need gigabytes
BATCH = {"words": 128, "letters": 8, "phonemes": 7}


def fastest(contestants, rounds, sample=0.02):
    """Return the least CPU time of one call of each contestant, in milliseconds.

    Parameters
    ----------
    contestants : dict of name to function
    rounds : int
        How often each has its turn, on one thread.
    sample : float
        Seconds that a turn takes at least; short calls are repeated within it.
    """
    best = dict.fromkeys(contestants, math.inf)
    with threadpool_limits(1):
        counts = {name: _calls(call, sample) for name, call in contestants.items()}
        for _ in range(rounds):
            for name, call in contestants.items():
                best[name] = min(best[name], _cpu_time(call, counts[name]))
    return {name: 1000 * seconds for name, seconds in best.items()}


def time_steps(kinds=tuple(KINDS), rounds=60, words=128, letters=8, phonemes=7):
    """Measure one training step of each kind: loss, gradients and Adam.

    Parameters
    ----------
    kinds : sequence of str
    rounds : int
    words, letters, phonemes : int
        Size of the batch, without padding.

    Returns
    -------
    dict of str to float, in milliseconds
    """
    rng = np.random.default_rng(0)
    source = rng.integers(1, 27, (words, letters))
    target = np.pad(rng.integers(1, 40, (words, phonemes)), [(0, 0), (0, 1)])
    steps = {kind: _step(initial(kind, rng), source, target) for kind in kinds}
    return fastest(steps, rounds)


def time_layers(lengths=LENGTHS, d=WIDTH, h=HEADS, rounds=40, batch=1):
    """Measure a recurrent loop and a self-attention layer over some sequences.

    Parameters
    ----------
    lengths : sequence of int
        Values of T.
    d, h, rounds : int
        Width of vectors and states; heads; turns of each.
    batch : int
        Sequences that both read at once.

    Returns
    -------
    dict of str to list of float, in milliseconds
        ``recurrent`` is a GRU, forward only, as is ``attention``; both in float32.
    """
    rng = np.random.default_rng(0)
    layers = {"recurrent": _recurrent(rng, d), "attention": _attention(rng, d, h)}
    calls = {}
    for T in lengths:
        size = (T, d) if batch == 1 else (batch, T, d)
        X = rng.standard_normal(size, np.float32)
        calls |= {(name, T): _bind(layer, X) for name, layer in layers.items()}
    found = fastest(calls, rounds)
    return {name: [found[name, T] for T in lengths] for name in layers}


def time_one_step(d=WIDTH, rounds=40):
    """Measure one step of the recurrent loop, and the two products that it needs.

    Parameters
    ----------
    d, rounds : int

    Returns
    -------
    dict of str to float, in microseconds
        ``step`` and, of it, ``products``; the rest is what Python and NumPy take.
    """
    rng, T = np.random.default_rng(0), 256
    loop, X = _recurrent(rng, d), rng.standard_normal((T, d), np.float32)
    W, U = (_draw(rng, d, 3 * d) for _ in range(2))
    x, state = X[:1], X[1:2]
    calls = {"step": lambda: loop(X), "products": lambda: (x @ W, state @ U)}
    found = fastest(calls, rounds)
    return {"step": 1000 * found["step"] / T, "products": 1000 * found["products"]}


def multiply_adds(T, d=WIDTH):
    """Count the multiply-adds of both layers' products; they are equal at T = d.

    Parameters
    ----------
    T : int or ndarray of int
    d : int

    Returns
    -------
    dict of str to int or ndarray
        ``recurrent``: T steps of 6 d^2, three gates of two products. ``attention``:
        four projections, 4 T d^2, then scores and context, 2 T^2 d, whatever h.
    """
    return {"recurrent": 6 * T * d**2, "attention": 4 * T * d**2 + 2 * T**2 * d}


def _step(model, source, target):
    moments = {}

    def call():
        _, grads = gradients(
            lambda p: loss(model.with_params(p), source, target), model.params
        )
        return adam(model.params, grads, moments, step=1, rate=1e-3)

    return call


def _recurrent(rng, d):
    W, U = (_draw(rng, d, 3 * d) for _ in range(2))
    b, b_U = np.zeros((2, 3 * d), np.float32)

    def loop(X):
        start = np.zeros((*X.shape[:-2], d), np.float32)
        return run(gru_cell, X, start, W, U, b, b_U, reset_after=True)

    return trusted()(loop)


def _attention(rng, d, h):
    W = [_draw(rng, d, d) for _ in range(4)]
    return trusted()(lambda X: multi_head_attention(X, *W, h))


def _draw(rng, *shape):
    return rng.standard_normal(shape, np.float32) / np.float32(math.sqrt(shape[0]))


def _bind(layer, X):
    return lambda: layer(X)


def _calls(call, sample):
    call()
    start = time.perf_counter()
    call()
    return math.ceil(sample / max(time.perf_counter() - start, 1e-7))


def _cpu_time(call, count):
    start = time.process_time()
    for _ in range(count):
        call()
    return (time.process_time() - start) / count
