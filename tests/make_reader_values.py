"""Freeze what PyTorch sees with the sentence reader's weights: make frozen.

Given the package's folder ``model`` (see mha_core/data/README.md), the strongest keys
of the network before its weights were rounded are frozen too.
"""

import sys
from pathlib import Path

import numpy as np
import torch
from torch import nn

from mha_core.models.sentence_reader import FIRST, LAST, words_of
from mha_core.pretrained import load_reader
from mha_core.recipes import minilm as recipe
from mha_core.tasks.relation_sentences import RELATIONS, cases

FILE = Path(__file__).with_name("reader_values.npz")
CLOSE, MORE = 50, 100  # sentences whose weights, and strongest keys, are kept
EACH = 45  # sentences of each relation
OWN = (
    "The cat sat on the mat because it was tired.",
    "The king thanked the queen because she was kind.",
    "The trophy did not fit because it was too big.",
    "He sat near the river bank, and the fish was caught!",
    "Who crossed the street before the train came?",
)


def sentences():
    """Return some hundreds of sentences, those that are looked at closely in front."""
    found = [_spread([case.sentence for case in cases(name)]) for name in RELATIONS]
    turns = max(map(len, found))
    mixed = [part[turn] for turn in range(turns) for part in found if turn < len(part)]
    return list(dict.fromkeys([*OWN, *mixed]))


def _spread(texts):
    return texts[:: max(1, len(texts) // EACH)][:EACH]


def layer_of(p):
    """Return PyTorch's layer with the weights of one of ours."""
    made = nn.TransformerEncoderLayer(
        384, 12, 1536, 0.0, "gelu", layer_norm_eps=1e-12, batch_first=True
    ).eval()
    p = {name: torch.from_numpy(np.array(array)) for name, array in p.items()}
    state = {"self_attn.in_proj_weight": _joined(p, "W").T}
    state["self_attn.in_proj_bias"] = _joined(p, "b")
    if "W_V" in p:
        state |= {"self_attn.out_proj.weight": p["W_O"].T}
        state |= {"self_attn.out_proj.bias": p["b_O"], "norm1.weight": p["gain"]}
        state |= {"linear1.weight": p["W_1"].T, "linear1.bias": p["b_1"]}
        state |= {"linear2.weight": p["W_2"].T, "linear2.bias": p["b_2"]}
        state |= {"norm1.bias": p["shift"], "norm2.weight": p["think gain"]}
        state |= {"norm2.bias": p["think shift"]}
    made.load_state_dict(state, strict="W_V" in p)
    return made


def _joined(p, kind):
    value = p.get(f"{kind}_V", torch.zeros_like(p[f"{kind}_Q"]))
    return torch.cat([p[f"{kind}_Q"], p[f"{kind}_K"], value], dim=-1)


def network(params):
    """Return what gives PyTorch's weights, (layers, h, T, T), of the rows of words."""
    starts = [f"layer {i} " for i in range(4)]
    layers = [
        layer_of({n.removeprefix(s): a for n, a in params.items() if n.startswith(s)})
        for s in starts
    ]
    p = {
        n: torch.from_numpy(np.array(a)) for n, a in params.items() if "layer" not in n
    }

    def read(rows):
        x = p["E_word"][rows] + p["E_place"][: len(rows)] + p["kind"]
        x = nn.functional.layer_norm(x, (384,), p["gain"], p["shift"], 1e-12)[None]
        seen = []
        for layer in layers:
            more = {"average_attn_weights": False}
            seen.append(layer.self_attn(x, x, x, **more)[1][0].numpy())
            x = layer(x)
        return np.stack(seen)

    return read


def main(folder=None):
    """Write sentences, one row of each head of some, and the strongest keys of more."""
    reader, texts = load_reader(), sentences()
    rows = {word: row for row, word in enumerate(reader.words)}
    ids = [[rows[w] for w in (FIRST, *words_of(t, rows), LAST)] for t in texts]
    with torch.no_grad():
        rounded = [network(reader.params)(row) for row in ids[:CLOSE]]
        kept = {"sentences": np.array(texts[:MORE]), "weights": _some_rows(rounded)}
        kept |= _strongest(folder, reader, texts, ids)
    np.savez_compressed(FILE, **kept)
    print(f"{FILE.name}: {len(texts)} sentences, {FILE.stat().st_size} bytes")


def _some_rows(found):
    """Return of each head of a sentence one row: head by head the next."""
    flat = [weights.reshape(-1, *weights.shape[-2:]) for weights in found]
    picked = [w[i, i % w.shape[-1]] for w in flat for i in range(len(w))]
    return np.concatenate(picked)


def _strongest(folder, reader, texts, ids):
    """Return the strongest keys before the rounding, and how often they stay.

    Without a folder both are as they were.
    """
    if folder is None:
        with np.load(FILE) as saved:
            return {name: saved[name] for name in ("strongest", "kept")}
    vocabulary = (Path(folder) / "vocab.txt").read_text(encoding="utf-8").split("\n")
    tensors = recipe._read_tensors(Path(folder) / "model.safetensors")
    read = network(recipe._as_params(tensors, vocabulary, reader.words))
    before = [read(row).argmax(axis=-1).ravel() for row in ids]
    after = [reader.read(text).weights.argmax(axis=-1).ravel() for text in texts]
    same = np.concatenate(before) == np.concatenate(after)
    strongest = np.concatenate(before[:MORE]).astype(np.uint8)
    return {"strongest": strongest, "kept": [same.mean(), same.size, len(texts)]}


if __name__ == "__main__":
    main(*sys.argv[1:2])
