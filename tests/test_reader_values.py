"""The sentence reader sees what PyTorch sees, and as much in 8 bits as before."""

import re
import time
from pathlib import Path

import numpy as np
import pytest

from mha_core.models.sentence_reader import SentenceReader
from mha_core.pretrained import load_reader

HERE = Path(__file__).resolve().parent
ABOUT = HERE.parent / "mha_core" / "data" / "README.md"
CLOSE, FEW = 50, 1e-4  # sentences; share of weights that may be further off


@pytest.fixture(scope="module")
def frozen():
    with np.load(HERE / "reader_values.npz", allow_pickle=False) as saved:
        return dict(saved)


@pytest.fixture(scope="module")
def read(frozen):
    """Return the weights, (layers * h, T, T), of each frozen sentence."""
    reader = load_reader()
    found = (reader.read(text).weights for text in frozen["sentences"].tolist())
    return [weights.reshape(-1, *weights.shape[-2:]) for weights in found]


def some_rows(found):
    """Return of each head of a sentence one row: head by head the next."""
    return np.concatenate([w[i, i % w.shape[-1]] for w in found for i in range(len(w))])


def test_weights_are_those_of_torch(frozen, read):
    assert len(set(frozen["sentences"].tolist())) == len(read) == 100
    found = some_rows(read[:CLOSE])
    assert found.dtype == frozen["weights"].dtype == np.float32
    off = np.abs(found - frozen["weights"])
    assert off.max() < 4e-6
    assert (off > 2e-6).mean() < FEW


@pytest.mark.parametrize("name", ["layer 0 b_O", "layer 1 b_1", "layer 2 W_2", "shift"])
def test_each_array_counts(frozen, name):
    """With another in place of one of them, the weights are not torch's."""
    reader = load_reader()
    params = reader.params | {name: np.roll(reader.params[name], 1, axis=-1)}
    other = SentenceReader(params, reader.words)
    weights = other.read(frozen["sentences"][0].item()).weights
    found = some_rows([weights.reshape(-1, *weights.shape[-2:])])
    assert not np.allclose(found, frozen["weights"][: len(found)], atol=1e-3)


def test_eight_bits_keep_the_strongest_keys_that_are_told(frozen, read):
    strongest = np.concatenate([w.argmax(axis=-1).ravel() for w in read])
    assert (strongest == frozen["strongest"]).mean() >= 0.98
    told = re.search(
        r"on ([\d.]+) of 100 of ([\d,]+) rows of (\d+) sentences",
        " ".join(ABOUT.read_text(encoding="utf-8").split()),
    )
    assert told, "how much 8 bits keep is not told"
    numbers = [float(number.replace(",", "")) for number in told.groups()]
    share, *counts = frozen["kept"]
    assert numbers == [round(100 * share, 1), *counts]


def test_it_is_quick(frozen):
    text = frozen["sentences"][0].item()
    load_reader().read(text)
    assert least(load_reader) < 0.3
    reader = load_reader()
    assert least(lambda: reader.read(text)) < 0.05


def least(function, times=5):
    """Return the least seconds of processor time that a call takes."""
    taken = []
    for _ in range(times):
        start = time.thread_time()
        function()
        taken.append(time.thread_time() - start)
    return min(taken)
