"""Take heads out of a trained network, and see what it then says, and how wrong."""

import itertools

import numpy as np

from mha_core._checks.arguments import told, whole
from mha_core._checks.sentences import sentence
from mha_core.lab.measure.held_out import follow_true_sounds, held_out_error
from mha_core.models import MultiHead, Transformer


def without_heads(model, heads, part=None):
    """Return a network that some heads add nothing to: their rows of W_O are zeros.

    Parameters
    ----------
    model : MultiHead or Transformer
    heads : sequence of int
        Those that are out, from 0.
    part : str, optional
        Which attention of a Transformer, a name in `attentions`; its last
        cross-attention if not given.

    Returns
    -------
    model of the same kind, its other weights as they were
        A head that is out still looks; what it hands back is lost. Michel 2019.

    Raises
    ------
    ValueError
        If the model has no such heads, or no such part.
    """
    name, heads = _output(model, part), _checked_heads(model, heads)
    W_O = model.params[name].copy()  # (h * d_k, d_model)
    W_O.reshape(model.h, -1, W_O.shape[-1])[heads] = 0
    return model.with_params(model.params | {name: W_O})


def attentions(model):
    """Return the names of a model's attentions, each of which has its own heads."""
    if not isinstance(model, Transformer):
        return []
    places = [("encoder", "self"), ("decoder", "self"), ("decoder", "cross")]
    return [f"{side} {i} {part}" for side, part in places for i in model.layers]


def knock_out(model, pairs, part=None):
    """Measure the error with every subset of the heads taken out.

    Parameters
    ----------
    model : MultiHead or Transformer
    pairs : list of (str, sequence of str)
        Held-out words.
    part : str, optional
        As in `without_heads`.

    Returns
    -------
    dict of tuple of int to float
        Heads that are out, and the phoneme error; () is the whole network.
    """
    heads = range(model.h)
    out = [s for n in range(model.h + 1) for s in itertools.combinations(heads, n)]
    return {s: held_out_error(without_heads(model, s, part), pairs) for s in out}


def strongest_letters(model, pairs):
    """Return the letter that each head weighs most at each true sound.

    Parameters
    ----------
    model : model of `mha_core.models` with attention
    pairs : list of (str, sequence of str)

    Returns
    -------
    ndarray of int, shape (h, sounds of all words)
        Places in the word, from 0. A Transformer's heads are those of its last
        cross-attention. The sounds before each one are the dictionary's.
    """
    _, weights = follow_true_sounds(model, pairs)
    return np.concatenate([looked.argmax(axis=-1) for looked in weights], axis=1)


def straight_line(pairs):
    """Return the letter as far into its word as each sound: a path nobody learned.

    Parameters
    ----------
    pairs : list of (str, sequence of str)

    Returns
    -------
    ndarray of int, shape (1, sounds of all words)
    """
    spread = [_spread(len(word), len(sounds)) for word, sounds in pairs]
    return np.concatenate(spread)[None]


def agreement(strongest):
    """Return at which share of the sounds two heads weigh the same letter most.

    Parameters
    ----------
    strongest : ndarray of int, shape (n, sounds)
        From `strongest_letters` and `straight_line`, one row for each head.

    Returns
    -------
    ndarray, shape (n, n)
        Symmetric; 1 on the diagonal.
    """
    strongest = np.asarray(strongest)
    return (strongest[:, None] == strongest).mean(axis=-1)


def _output(model, part):
    """Return the name of the weights that a model puts its heads together with."""
    if isinstance(model, MultiHead) and part is None:
        return "W_O"
    names = attentions(model)
    if not names:
        raise ValueError(_no_heads(model, part))
    if part not in [None, *names]:
        raise ValueError(
            sentence(
                "part must be one of {names}, not {part}.",
                names=", ".join(names),
                part=told(part),
            )
        )
    return f"{part or names[-1]} W_O"


def _no_heads(model, part):
    return sentence(
        "Heads can be taken out of load('multihead') and of each part of "
        "load('transformer'), not out of kind {kind}, part {part}.",
        kind=getattr(model, "kind", type(model).__name__),
        part=told(part),
    )


def _checked_heads(model, heads):
    """Return heads as a list of integers, or say which ones the model has."""
    numbers = [whole(head) for head in heads]
    wrong = [h for h, n in zip(heads, numbers, strict=True) if n not in range(model.h)]
    if wrong:
        raise ValueError(
            sentence(
                "heads must be integers from 0 to {last}, not {head}.",
                last=model.h - 1,
                head=told(wrong[0]),
            )
        )
    return numbers


def _spread(letters, sounds):
    return (np.arange(sounds) * 2 + 1) * letters // (2 * sounds)
