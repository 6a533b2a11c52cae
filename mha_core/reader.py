"""Open the shipped sentence reader: whole numbers and scales become arrays again."""

import io
from pathlib import Path

import numpy as np

from mha_core.models.sentence_reader import SentenceReader
from mha_core.shipped import DATA, read_shipped

READER, WORDS = "sentence-reader.npz", "sentence-words.txt"
SCALE = " scale"


def load_reader(folder=DATA):
    """Return the pretrained network that reads English sentences.

    Returns
    -------
    SentenceReader, its parameters in float32
        Layers 0 to 3 of all-MiniLM-L6-v2, 12 heads each, rounded to 8 bits; the words
        are some 1,600 common ones.
    """
    words = read_shipped(WORDS, Path(folder)).decode("utf-8").split("\n")[:-1]
    content = io.BytesIO(read_shipped(READER, Path(folder)))
    with np.load(content, allow_pickle=False) as saved:
        names = [name for name in saved if not name.endswith(SCALE)]
        params = {name: _opened(saved, name) for name in names}
    reader = SentenceReader(params, tuple(words))
    reader.trained = True
    return reader


def _opened(saved, name):
    array = saved[name].astype(np.float32)
    scale = f"{name}{SCALE}"
    return array * saved[scale] if scale in saved else array
