"""Small models in float64, for tests of what they compute."""

import numpy as np

from mha_core.models.initial import initial


def tiny(kind, seed=0, dtype=np.float64):
    """Return an untrained model with few parameters, biases included."""
    rng = np.random.default_rng(seed)
    d = 8 if kind == "transformer" else 3  # four heads divide it
    model = initial(kind, rng, d=d, n=2, d_a=3, d_ff=5)
    for name, param in model.params.items():
        drawn = param + 0.1 * rng.standard_normal(param.shape)
        model.params[name] = drawn.astype(dtype)
    return model


def slopes(f, array, places, step=1e-5):
    """Return central differences of a number in some places of an array."""
    found = []
    for place in places:
        ends = []
        for sign in (1, -1):
            moved = array.copy()
            moved.flat[place] += sign * step
            ends.append(f(moved))
        found.append((ends[0] - ends[1]) / (2 * step))
    return np.array(found)
