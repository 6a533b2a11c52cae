"""Attention drawn as matrices: the numbers of one head, each in its place."""

import numpy as np
import pytest

import schemes
from mha_core import scaled_dot_product_attention
from mha_core.lab import attention_matrices, inside_head
from mha_core.lab.drawing.strips import Matrix
from mha_core.pretrained import load


@pytest.fixture(scope="module")
def inside():
    return inside_head(load("multihead"), "phone", head=0, beside="thought")


def matrices(picture):
    found = [part for part in picture.data.parts if isinstance(part, Matrix)]
    return {part.under.partition("\n")[0] or part.title: part for part in found}


@pytest.mark.parametrize("projector", [False, True])
@pytest.mark.parametrize(
    ("word", "beside"), [("phone", "thought"), ("at", ""), ("seasick", "")]
)
def test_no_text_is_cut_small_or_under_another(word, beside, projector):
    picture = attention_matrices(inside_head(load("multihead"), word, beside=beside))
    assert schemes.faults(picture.resized((9, 5.4), projector), over=5) == []


def test_each_matrix_holds_what_attention_computes(inside):
    picture = attention_matrices(inside)
    output, weights = scaled_dot_product_attention(*inside[:3], mask=inside.mask)
    found = matrices(picture)
    assert np.array_equal(picture.array, weights)
    assert np.array_equal(found["weights"].cells, weights)
    assert np.array_equal(found["scores Q Kᵀ"].cells, inside.query @ inside.key.T)
    assert np.array_equal(found["output"].cells, output)
    assert np.array_equal(found["queries Q"].cells, inside.query)
    assert found["weights"].hidden[:, 5:].all()
    assert not found["weights"].hidden[:, :5].any()


def test_a_product_stands_where_its_row_and_its_column_meet(inside):
    parts = [p for p in attention_matrices(inside).data.parts if isinstance(p, Matrix)]
    query, key, scores, weights, value, output = parts
    assert (scores.x, scores.y) == (key.x, query.y)
    assert (output.x, output.y) == (value.x, weights.y)
    assert scores.width == key.width and scores.height == query.height
    assert output.width == value.width and output.height == weights.height


def test_weights_are_printed_in_their_cells_and_hidden_ones_hatched(inside):
    picture = attention_matrices(inside)
    part = matrices(picture)["weights"]
    texts = {t.get_position(): t.get_text() for t in schemes.texts(picture)}
    for (i, j), weight in np.ndenumerate(part.cells):
        shown = texts.get(part.place(i, j), "")
        printed = f"{weight:.2f}".replace("0.", ".") if weight >= 0.005 else ""
        assert shown == ("" if part.hidden[i, j] else printed)
    hatched = [p for axes in picture.figure.axes for p in axes.patches if p.get_hatch()]
    assert len(hatched) == part.hidden.sum()


def test_the_text_holds_scores_and_weights_of_each_sound(inside):
    lines = attention_matrices(inside).text.splitlines()
    assert lines[0] == "one head reads “phone” while f oʊ n is written"
    assert lines[1].startswith("scores of f: 3, 1, -22, -38, -74")
    assert lines[4].startswith("weights of f: 0.60, 0.40, 0.00")


@pytest.mark.parametrize("pair", [("attention", ""), ("at", "administration")])
def test_a_word_without_room_is_refused(pair):
    word, beside = pair
    with pytest.raises(ValueError, match=f"6 sounds and 7 letters, and “{word}” has"):
        attention_matrices(inside_head(load("multihead"), word, beside=beside))


@pytest.mark.parametrize("projector", [False, True])
@pytest.mark.parametrize("size", [(6.3, 3.78), (5.65, 9.05)])
def test_numbers_have_room_on_half_a_page_and_on_a_phone(size, projector):
    inside = inside_head(load("multihead"), "phone", beside="thought")
    picture = attention_matrices(inside).resized(size, projector)
    assert schemes.faults(picture, over=5, least=8) == []
