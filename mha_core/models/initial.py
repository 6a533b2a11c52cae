"""Untrained models: how their weights are drawn."""

import numpy as np

from mha_core._checks.arrays import InputError
from mha_core.models.kinds import KINDS
from mha_core.models.seq2seq import LETTERS, PHONEMES


def initial(kind, rng, *, letters=LETTERS, phonemes=PHONEMES, **sizes):
    """Return an untrained model of one kind.

    Parameters
    ----------
    kind : str
        A name in `KINDS`.
    rng : numpy.random.Generator
    letters, phonemes : int
        Numbers that the model reads and writes, 0 among them.
    **sizes : int
        Widths in place of those in the kind's record, such as d of the embeddings;
        a kind leaves alone what others have.
    """
    if kind not in KINDS:
        raise InputError(f"kind must be one of {', '.join(KINDS)}, not {kind!r}.")
    known = {name for record in KINDS.values() for name in record.sizes}
    if sizes.keys() - known:
        raise InputError(
            f"sizes may be {', '.join(sorted(known))}, not "
            f"{', '.join(sorted(sizes.keys() - known))}."
        )
    record = KINDS[kind]
    own = record.sizes | {k: sizes[k] for k in sizes.keys() & record.sizes.keys()}
    shapes = record.shapes(letters, phonemes, **own)
    return record.model(
        {n: drawn(rng, n, shape, record.embedding) for n, shape in shapes.items()}
    )


def drawn(rng, name, shape, embedding):
    """Return one array: gains 1, shifts and biases 0, weights by what comes in.

    Parameters
    ----------
    rng : numpy.random.Generator
    name : str
        Its last word tells what it is: gain, shift, b_..., E_... or a matrix.
    shape : tuple of int
    embedding : float
        Standard deviation of tables of embeddings.

    Returns
    -------
    ndarray of float32
    """
    last = name.split()[-1]
    if last == "gain":
        return np.ones(shape, np.float32)
    if last == "shift" or last.startswith("b_"):
        return np.zeros(shape, np.float32)
    fan_in = shape[-2] if len(shape) > 1 else shape[0]
    size = embedding if last.startswith("E_") else 1 / np.sqrt(fan_in)
    return (size * rng.standard_normal(shape)).astype(np.float32)
