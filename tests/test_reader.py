"""The pretrained sentence reader: its parts, its words, its heads, its recipe."""

import json
import math

import numpy as np
import pytest

from mha_core.models.sentence_reader import SentenceReader, words_of
from mha_core.multihead import multi_head_attention
from mha_core.post_norm import gelu, post_norm_block
from mha_core.pretrained import load_reader
from mha_core.reader import READER, WORDS
from mha_core.recipes import minilm as recipe
from mha_core.shipped import read_shipped
from mha_core.tasks.relation_sentences import (
    RELATIONS,
    adjective,
    cases,
    field,
    gender,
    number,
    object_of,
    same_word,
    subject_of,
    world,
)

TIRED = "The cat sat on the mat because it was tired."


@pytest.fixture(scope="module")
def reader():
    return load_reader()


def test_gelu_is_x_times_the_normal_share_below_it():
    x = np.linspace(-8, 8, 401)
    expected = [v * 0.5 * (1 + math.erf(v / math.sqrt(2))) for v in x]
    np.testing.assert_allclose(gelu(x), expected, atol=1e-6)
    assert gelu(x.astype(np.float32)).dtype == np.float32


def test_the_block_normalises_after_each_sum():
    rng = np.random.default_rng(0)
    shapes = {"W_1": (4, 6), "W_2": (6, 4), "b_1": (6,)}
    names = ("W_Q", "W_K", "W_V", "W_O", "b_Q", "b_K", "b_V", "b_O", "b_2")
    shapes |= {n: (4, 4) if n.startswith("W") else (4,) for n in names}
    p = {name: rng.normal(size=shape) for name, shape in shapes.items()}
    p |= {
        f"{part}{n}": rng.normal(size=4)
        for part in ("", "think ")
        for n in ("gain", "shift")
    }
    x = rng.normal(size=(5, 4))

    def norm(x, part):
        centred = x - x.mean(axis=-1, keepdims=True)
        spread = np.sqrt(x.var(axis=-1, keepdims=True))
        return centred / spread * p[f"{part}gain"] + p[f"{part}shift"]

    biases = [p[f"b_{n}"] for n in "QKVO"]
    seen, expected = multi_head_attention(
        x, *(p[f"W_{n}"] for n in "QKVO"), 2, projection_bias=biases
    )
    middle = norm(x + seen, "")
    inside = middle @ p["W_1"] + p["b_1"]
    inside = np.array(
        [[v * 0.5 * (1 + math.erf(v / 2**0.5)) for v in r] for r in inside]
    )
    output, weights = post_norm_block(x, p, 2)
    expect = norm(middle + inside @ p["W_2"] + p["b_2"], "think ")
    np.testing.assert_allclose(output, expect, atol=1e-5)
    np.testing.assert_allclose(weights, expected)


def test_a_sentence_is_read_by_four_layers_of_twelve_heads(reader):
    seen = reader.read(TIRED)
    assert seen.tokens[:3] == ("[CLS]", "the", "cat")
    assert seen.tokens[-2:] == (".", "[SEP]")
    T = len(seen.tokens)
    assert reader.layers == 4
    assert seen.weights.shape == (4, 12, T, T)
    assert seen.states.shape == (4, T, 384)
    np.testing.assert_allclose(seen.weights.sum(axis=-1), 1, atol=1e-5)
    assert reader.trained


def test_known_heads_do_what_they_are_known_for(reader):
    weights, T = reader.read(TIRED).weights, len(reader.read(TIRED).tokens)
    inner = np.arange(2, T - 1)
    assert weights[0, 2, inner, inner - 1].mean() > 0.99
    assert weights[1, 8, inner[:-1], inner[:-1] + 1].mean() > 0.5
    it, cat, mat = 9, 2, 6
    assert weights[3, 1, it - 1, cat] > 2 * weights[3, 1, it - 1, mat]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("The zyzzyva sat.", "The word 'zyzzyva' is not among the 1,5"),
        ("", "1 to 62 words and signs; this has 0"),
        ("the " * 63, "this has 63"),
        (5, "must be text, not"),
        ("the 猫", "'猫'"),
    ],
)
def test_what_cannot_be_read_is_named(reader, text, told):
    with pytest.raises(ValueError, match=told):
        reader.read(text)


def test_words_are_taken_apart_as_the_network_learned_them():
    known = {"the", "cafe", "cat", "'", "s", "."}
    assert words_of("The Café. cat's", known) == ["the", "cafe", ".", "cat", "'", "s"]


def test_heads_that_are_out_change_only_what_comes_after(reader):
    before, after = reader.read(TIRED), reader.without([(1, 3)]).read(TIRED)
    assert np.array_equal(before.weights[:2], after.weights[:2])
    assert not np.allclose(before.weights[2], after.weights[2])
    assert np.array_equal(reader.read(TIRED).states, before.states)
    assert reader.without([]).read(TIRED).weights.tolist() == before.weights.tolist()


def test_places_can_be_shuffled(reader):
    places = np.random.default_rng(0).permutation(64)
    other = SentenceReader(reader.params, reader.words, places=places)
    weights = other.read(TIRED).weights
    T = len(other.read(TIRED).tokens)
    inner = np.arange(2, T - 1)
    assert weights[0, 2, inner, inner - 1].mean() < 0.5


def test_each_case_names_its_words_and_both_orders_come(reader):
    made = (same_word, gender, number, adjective, object_of, subject_of, field, world)
    assert tuple(RELATIONS.values()) == made
    for name in RELATIONS:
        found = cases(name)
        assert len({case.sentence for case in found}) > 15
        for case in found:
            words = words_of(case.sentence, reader.words)
            assert len({case.query, case.right, case.wrong}) == 3
            assert max(case[1:]) < len(words)
        before = np.mean([case.right < case.wrong for case in found])
        assert before == pytest.approx(0.5)


def test_the_right_word_is_the_right_one():
    for case in cases("same word"):
        words = case.sentence.split()
        assert words[case.query] == words[case.right] != words[case.wrong]
    for case in cases("number"):
        words = case.sentence.split()
        several = words[case.right].endswith(("s", "children"))
        assert several == (words[case.query] == "they")


def tensors(rng):
    """Return small arrays by the names of a network of four layers."""
    shapes = {
        "embeddings.word_embeddings.weight": (len(VOCABULARY), 12),
        "embeddings.position_embeddings.weight": (70, 12),
        "embeddings.token_type_embeddings.weight": (2, 12),
        "embeddings.LayerNorm.weight": (12,),
        "embeddings.LayerNorm.bias": (12,),
    }
    for i in range(4):
        start = f"encoder.layer.{i}."
        for theirs, ours in recipe.NAMES.items():
            out, inside = (24 if ours == "1" else 12), (24 if ours == "2" else 12)
            shapes[f"{start}{theirs}.weight"] = (out, inside)
            shapes[f"{start}{theirs}.bias"] = (out,)
        for theirs in recipe.NORMS:
            shapes[f"{start}{theirs}.weight"] = shapes[f"{start}{theirs}.bias"] = (12,)
    return {n: rng.normal(size=s).astype(np.float32) for n, s in shapes.items()}


VOCABULARY = ["[CLS]", "[SEP]", ".", *load_reader().words[2:]]


def test_the_recipe_keeps_words_and_rounds_matrices(tmp_path):
    made = tensors(np.random.default_rng(0))
    header, body = {"__metadata__": {"format": "pt"}}, b""
    for name, array in made.items():
        ends = [len(body), len(body) + array.nbytes]
        header[name] = {"dtype": "F32", "shape": array.shape, "data_offsets": ends}
        body += array.tobytes()
    head = json.dumps(header).encode()
    content = len(head).to_bytes(8, "little") + head + body
    (tmp_path / "model.safetensors").write_bytes(content)
    (tmp_path / "vocab.txt").write_text("\n".join(VOCABULARY), encoding="utf-8")
    recipe.main(tmp_path, tmp_path)
    reader = load_reader(tmp_path)
    words = read_shipped(WORDS, tmp_path).decode().split()
    assert reader.words == tuple(words)
    assert read_shipped(READER, tmp_path)
    row = VOCABULARY.index("king")
    expected = made["embeddings.word_embeddings.weight"][row]
    found = reader.params["E_word"][words.index("king")]
    np.testing.assert_allclose(found, expected, atol=np.abs(expected).max() / 250)
    expected = made["encoder.layer.0.attention.self.query.weight"].T
    found = reader.params["layer 0 W_Q"]
    np.testing.assert_allclose(found, expected, atol=np.abs(expected).max() / 250)
    assert "layer 3 W_K" in reader.params
    assert "layer 3 W_V" not in reader.params
    seen = reader.read("the king.")
    assert seen.weights.shape == (4, 12, 5, 5)
