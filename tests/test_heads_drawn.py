"""Heads drawn: what each holds, in its own colour, from the split to the merge."""

import numpy as np
import pytest
from matplotlib.colors import to_rgba

import schemes
from mha_core import multi_head_attention
from mha_core.lab import heads_drawn
from mha_core.lab.drawing.colours import HEADS, INK, lightness
from mha_core.lab.drawing.strips import Matrix
from mha_core.models.four_relations import untrained
from mha_core.pretrained import load, load_relations
from mha_core.tasks.tagged_sentences import name_tokens, sentences


def matrices(picture, colour):
    parts = [part for part in picture.data.parts if isinstance(part, Matrix)]
    return [part for part in parts if part.colour == colour]


@pytest.mark.parametrize("projector", [False, True])
@pytest.mark.parametrize("d_model", [16, 64])
@pytest.mark.parametrize("h", [1, 2, 4])
def test_no_text_is_cut_small_or_under_another(h, d_model, projector):
    picture = heads_drawn(load_relations(d_model, h), seed=3)
    assert schemes.faults(picture.resized((9, 5.4), projector), over=4) == []


@pytest.mark.parametrize("h", [1, 2, 4])
def test_each_matrix_holds_what_the_layer_computes(h):
    layer, p = load_relations(64, h), load_relations(64, h).params
    words, tags = sentences(np.random.default_rng(0), 1)
    picture = heads_drawn(layer)
    (X, output) = matrices(picture, INK)
    expected = p["E_word"][words] + p["E_tag"][tags] + p["E_place"]
    projections = [p[name] for name in ("W_Q", "W_K", "W_V", "W_O")]
    right, weights = multi_head_attention(expected[0], *projections, h)
    assert np.allclose(X.cells, expected[0])
    assert X.rows == tuple(name_tokens(words[0], tags[0]))
    assert np.allclose(output.cells, right, atol=1e-5)
    assert np.allclose(picture.array, weights, atol=1e-6)
    merged = []
    for head in range(h):
        cells, queries, maps, found = matrices(picture, HEADS[head])
        part = slice(head * 64 // h, (head + 1) * 64 // h)
        assert np.allclose(queries.cells, (expected[0] @ p["W_Q"])[:, part], atol=1e-5)
        assert np.allclose(maps.cells, weights[head], atol=1e-6)
        assert np.array_equal(found.cells, cells.cells)
        merged.append(cells)
    assert [part.x for part in merged] == sorted(part.x for part in merged)
    together = np.concatenate([part.cells for part in merged], axis=1)
    assert np.allclose(together @ p["W_O"], right, atol=1e-4)


def test_heads_are_named_by_the_relation_they_weigh_most():
    picture = heads_drawn(load_relations(64, 4))
    shown = [text.get_text() for text in schemes.texts(picture)]
    roles = ("previous .99", "partner .98", "next .99", "first 1.00")
    for head, role in enumerate(roles):
        assert f"head {head}: {role}" in shown
    assert "cut into 4 heads of 16" in picture.sentence
    assert "go through 1 head of 64" in heads_drawn(load_relations(64, 1)).sentence


@pytest.mark.parametrize("h", [1, 4])
def test_strips_before_and_after_the_weights_are_named(h):
    picture = heads_drawn(load_relations(64, h))
    _, queries, _, found = matrices(picture, HEADS[0])
    places = {t.get_text(): t.get_position() for t in schemes.texts(picture)}
    for name, part in (("queries", queries), ("found", found)):
        x, y = places[name]
        assert x == part.x
        assert 0 < y - (part.y + part.height / 2) < 30


def test_colours_of_heads_are_told_apart_from_white_and_from_each_other():
    assert len(set(HEADS)) == len(HEADS)
    assert all(lightness(to_rgba(colour)) < 60 for colour in HEADS)


@pytest.mark.parametrize(
    "layer", [untrained(24, 8, np.random.default_rng(0)), load("multihead"), "layer"]
)
def test_what_it_cannot_draw_is_refused(layer):
    with pytest.raises(ValueError, match="relations with 1, 2 or 4 heads is needed"):
        heads_drawn(layer)
