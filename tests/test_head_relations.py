"""What heads of the sentence reader do: measures, tables, pictures and the view."""

import numpy as np
import pytest

from mha_core import lab
from mha_core.lab.explorers.sentences_read import NOBODY, TIRED
from mha_core.lab.measure import head_relations as measure
from mha_core.lab.measure.head_relations import by_offset, chosen, places, shuffled
from mha_core.lab.measure.pruning import heads_of, left_over, missed, pruned
from mha_core.lab.pictures.head_roles import names_of_heads
from mha_core.pretrained import load_head_pruning, load_head_relations, load_reader
from mha_core.recipes import head_pruning, reading_heads
from mha_core.shipped import read_shipped
from mha_core.tasks.relation_sentences import RELATIONS, Case, cases

TABLE, PRUNED = load_head_relations(), load_head_pruning()
SENTENCES = ["the cat saw the dogs before it moved", "the king left"]


@pytest.fixture(scope="module")
def reader():
    return load_reader()


@pytest.fixture
def few(monkeypatch):
    """Two cases of each relation."""
    some = {name: cases(name)[:2] for name in RELATIONS}
    for module in (measure, reading_heads, head_pruning):
        monkeypatch.setattr(module, "cases", some.get)
    return some


def test_a_head_is_right_where_the_right_word_weighs_more(reader, few):
    share, mass = chosen(reader, "number")
    expected, weight = np.zeros((4, 12)), np.zeros((4, 12))
    for case in few["number"]:
        seen = reader.read(case.sentence)
        right, wrong = (
            seen.weights[:, :, case.query + 1, place + 1]
            for place in (case.right, case.wrong)
        )
        assert seen.tokens[case.query + 1] in ("it", "they")
        expected += right > wrong
        weight += right
    np.testing.assert_allclose(share, expected / 2)
    np.testing.assert_allclose(mass, weight / 2, rtol=1e-5)


def test_the_best_fixed_distance_is_counted(monkeypatch):
    made = [Case("", 4, 2, 1), Case("", 4, 2, 0), Case("", 4, 0, 2), Case("", 4, 6, 2)]
    monkeypatch.setattr(measure, "cases", lambda name: made)
    # two away: right, right, wrong, wrong; three back: wrong, and half for the others
    assert by_offset("any") == (0.625, 2)


def test_orders_of_the_candidates_leave_a_distance_at_chance():
    for name in ("same word", "gender", "number", "field", "world"):
        assert by_offset(name)[0] == 0.5
    assert max(by_offset(name)[0] for name in RELATIONS) <= 0.75


def test_places_are_means_over_words(reader):
    found = places(reader, SENTENCES)
    weights = [reader.read(text).weights for text in SENTENCES]
    inner = [np.arange(2, w.shape[-1] - 1) for w in weights]
    parts = [w[:, :, i, i - 1] for w, i in zip(weights, inner, strict=True)]
    expected = np.concatenate(parts, axis=-1).mean(axis=-1)
    np.testing.assert_allclose(found["previous"], expected, rtol=1e-5)
    first = [w[:, :, 1:-1, 0] for w in weights]
    expected = np.concatenate(first, axis=-1).mean(axis=-1)
    np.testing.assert_allclose(found["[CLS]"], expected, rtol=1e-5)
    assert set(found) == {"previous", "next", "same place", "[CLS]", "alike"}


def test_shuffled_places_change_what_needs_order(reader):
    other = shuffled(reader, 1)
    assert sorted(other.places) == list(range(64))
    before, after = (places(r, SENTENCES)["previous"][0, 2] for r in (reader, other))
    assert before > 0.9 > 0.6 > after


def test_the_table_is_what_is_measured_now(reader):
    share, mass = chosen(reader, "world")
    row = TABLE["relations"]["world"]
    np.testing.assert_allclose(row["share"], share, atol=0.07)  # one case of 16
    np.testing.assert_allclose(row["mass"], mass, atol=0.005)
    assert row["cases"] == len(cases("world"))
    assert list(TABLE["relations"]) == list(RELATIONS)


def test_what_the_lesson_says_of_the_table():
    shares = {name: np.array(row["share"]) for name, row in TABLE["relations"].items()}
    best = {name: share.max() for name, share in shares.items()}
    named = ("same word", "gender", "number", "adjective", "object", "field")
    assert min(best[name] for name in named) > 0.95
    assert best["subject"] < 0.85 and best["world"] <= 0.75
    assert 0.4 < shares["world"][3, 1] < 0.65
    shuffled = {
        name: np.ravel(TABLE["relations"][name]["shuffled"])[shares[name].argmax()]
        for name in named
    }
    assert min(shuffled["same word"], shuffled["gender"], shuffled["field"]) > 0.9
    assert max(shuffled["adjective"], shuffled["object"]) < 0.6
    assert 0.4 < np.mean(TABLE["places"]["[CLS]"]) < 0.6


def test_taking_heads_out_leaves_less(reader):
    heads = heads_of(reader)
    assert len(heads) == 36 and heads[0] == (0, 0) and heads[-1] == (2, 11)
    assert left_over(reader, SENTENCES, []) == pytest.approx(1, abs=1e-5)
    one, all_out = (left_over(reader, SENTENCES, out) for out in (heads[:1], heads))
    assert all_out < one < 1


def test_the_orders_of_pruning(monkeypatch, reader):
    from mha_core.lab.measure import pruning

    def left(reader, sentences, out):
        return 1 - sum(12 * layer + head for layer, head in out) / 1000

    monkeypatch.setattr(pruning, "left_over", left)
    found = pruned(reader, SENTENCES, (0, 1, 36))
    assert found["least first"] == pytest.approx([1, 1, 0.37])
    assert found["most first"] == pytest.approx([1, 0.965, 0.37])
    assert 0.965 <= found["random"][1] <= 1


def test_a_head_is_asked_while_another_is_out(reader, few):
    share, _ = chosen(reader, "number", [(1, 3)])
    assert missed(reader, "number", (3, 1), [(1, 3)]) == share[3, 1]


def test_the_recipes_measure_and_ship(reader, few, tmp_path, monkeypatch):
    for module in (reading_heads, head_pruning):
        monkeypatch.setattr(module, "load_reader", lambda folder: reader)
    monkeypatch.setattr(reading_heads, "RELATIONS", {"number": None, "world": None})
    monkeypatch.setattr(head_pruning, "heads_of", lambda reader: [(0, 0), (1, 3)])
    monkeypatch.setattr(head_pruning, "STEPS", (0, 36))
    reading_heads.main(tmp_path)
    head_pruning.main(tmp_path)
    found = load_head_relations(tmp_path)["relations"]
    assert list(found) == ["number", "world"]
    assert found["number"]["cases"] == 2
    np.testing.assert_allclose(found["number"]["share"], chosen(reader, "number")[0])
    cut = load_head_pruning(tmp_path)
    assert list(cut["without"]) == ["nobody", "0, 0", "1, 3"]
    assert cut["left"]["random"][0] == pytest.approx(1, abs=1e-3)
    assert read_shipped("head-pruning.json", tmp_path)


def test_the_pictures_are_the_tables():
    share = np.array([row["share"] for row in TABLE["relations"].values()])
    np.testing.assert_allclose(lab.relation_map().array, np.moveaxis(share, 0, -1))
    bars = lab.relation_bars()
    flat = share.reshape(len(share), -1)
    np.testing.assert_allclose(bars.array[0], flat.max(axis=1), atol=0.006)
    assert bars.array[0, 4] == share[4, 2, 0]  # the heavier one of several
    shuffled = np.array([row["shuffled"] for row in TABLE["relations"].values()])
    assert bars.array[1, 4] == shuffled[4, 2, 0]
    np.testing.assert_allclose(bars.array[2], flat.mean(axis=1))
    assert bars.array[3].tolist() == [
        row["offset"][1] for row in TABLE["relations"].values()
    ]
    curves = lab.pruning_curves()
    np.testing.assert_allclose(curves.array, list(PRUNED["left"].values()))
    missing = lab.missing_bars(3)
    others = sorted(v for k, v in PRUNED["without"].items() if k != "nobody")
    assert missing.array[0].tolist() == [PRUNED["without"]["nobody"], *others[:3]]


def test_heads_are_named_by_what_they_were_measured_to_do():
    names = names_of_heads(0)
    assert names[2].startswith("2: previous ")
    assert names[0] == "head 0"
    assert names_of_heads(3)[1] == "1: number .97"
    assert names_of_heads(1)[8].startswith("8: next .")
    assert names_of_heads(1)[3] == "3: gender .97"
    assert names_of_heads(1)[10].startswith("10: [CLS] .")


def test_the_view_reads_what_is_typed(reader):
    view = lab.explore_sentence()
    expected = reader.read(TIRED).weights[3]
    np.testing.assert_array_equal(view.picture.array, expected)
    assert view.picture.layout.queries[0] == "[CLS]"
    view.set(text="The king left.", layer=1, head=3)
    expected = reader.read("The king left.").weights[1]
    np.testing.assert_array_equal(view.picture.array, expected)
    assert f"{expected[3, 1:-1, 0].mean():.2f}" in view.message
    view.set(layer=3, head=1, out="1, 3")
    expected = reader.without([(1, 3)]).read("The king left.").weights[3]
    np.testing.assert_array_equal(view.picture.array, expected)
    assert "without head 1, 3" in view.picture.data.title
    with pytest.raises(ValueError, match="zyzzyva"):
        view.set(text="zyzzyva")
    view.set(text="The queen left.", out=NOBODY)
    view.close()
    with pytest.raises(ValueError, match="must be a sentence reader"):
        lab.explore_sentence(model=3)
