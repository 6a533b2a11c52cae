"""Layers that nothing has trained yet: how sharp they are, what order is to them."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.drawing.tellings import commas, joined
from mha_core.lab.measure.order import order_effect, untrained_layers
from mha_core.lab.pictures import bars, head_grid
from mha_core.multihead import multi_head_attention

SIZES = (0.1, 1, 3)
DEPTHS = (1, 2, 3, 4)


def starting_maps(sizes=SIZES, *, T=8, d=64, seed=0):
    """Return the weights of one untrained layer, drawn in several sizes.

    Parameters
    ----------
    sizes : sequence of float
        The entries of ``W_Q`` and ``W_K`` are normal, of variance size^2 / d.
    T, d, seed : int
        Tokens, which are random too; their width; the seed of both.

    Returns
    -------
    Picture
        One map for each size, all of the same tokens and the same drawing.
    """
    rng = np.random.default_rng(seed)
    X, drawn = rng.standard_normal((T, d)), rng.standard_normal((4, d, d)) / np.sqrt(d)
    maps = [multi_head_attention(X, *(size * drawn), 1)[1][0] for size in sizes]
    tokens = [str(t) for t in range(T)]
    return head_grid(
        np.stack(maps),
        tokens,
        tokens,
        title=sentence("One untrained layer, weights of several sizes"),
        titles=[sentence("{size:g} / root of d", size=size) for size in sizes],
        query_name="position",
        key_name="position",
        sentence=_sharpness(sizes, maps, T),
    )


def order_bars(depths=DEPTHS, *, T=8, d=16, seed=0):
    """Return how far the last output moves when tokens before it change places.

    Parameters
    ----------
    depths : sequence of int
        Layers of untrained self-attention.
    T, d, seed : int
        Tokens, their width, the seed.

    Returns
    -------
    Picture
        Without a mask and without positions; with the causal mask alone; with
        positions alone.
    """
    X = np.random.default_rng(seed).standard_normal((T, d))
    ways = {
        sentence("neither"): {},
        sentence("causal mask alone"): {"causal": True},
        sentence("positions alone"): {"placed": True},
    }
    moved = {
        name: [_moved(X, depth, seed, how) for depth in depths]
        for name, how in ways.items()
    }
    return bars(
        [str(depth) for depth in depths],
        moved,
        title=sentence("Untrained: does the order of the tokens before count?"),
        x_name=sentence("layers"),
        y_name=sentence("change of the last output"),
        sentence=_ordered(depths, [*moved.values()][1]),
    )


def _moved(X, depth, seed, how):
    layers = untrained_layers(depth, d=X.shape[1], seed=seed + 1, **how)
    return round(order_effect(layers, X), 6)


def _sharpness(sizes, maps, T):
    each = [
        sentence("{most:.2f} at {size:g} / root of d", most=m.max(-1).mean(), size=size)
        for size, m in zip(sizes, maps, strict=True)
    ]
    return sentence(
        "One untrained layer: the largest weight of a row is on average {each}; all "
        "alike would be {alike:.2f}.",
        each=joined(each, commas),
        alike=1 / T,
    )


def _ordered(depths, causal):
    return sentence(
        "Untrained self-attention: without mask and positions the last output does not "
        "move; with the causal mask alone it moves by {first:.2f} of its length after "
        "{least} layer and by {last:.2f} after {most}.",
        first=causal[0],
        last=causal[-1],
        least=depths[0],
        most=depths[-1],
    )
