"""What lesson 5 shows: the Transformer's attentions, reach, and positions compared."""

import io

import numpy as np
import pytest

from mha_core.blocks import (
    PROJECTIONS,
    attend_and_add,
    feed_forward,
    layer_norm,
    think_and_add,
)
from mha_core.lab.explorers import timing
from mha_core.lab.explorers.transformer_heads import (
    PLACES,
    explore_blocks,
    read_part,
    read_weights,
)
from mha_core.lab.measure.probes import attention_reach, cosines
from mha_core.lab.pictures import influence_map
from mha_core.lab.pictures.costs import load_timings
from mha_core.models.four_relations import untrained
from mha_core.multihead import multi_head_attention
from mha_core.pretrained import load, load_errors, load_one_head, pack
from mha_core.pronouncing import pronounce
from mha_core.recipes import relations as recipe
from mha_core.tasks import to_ipa

NAMES = {
    "encoder": "encoder {}",
    "decoder self": "decoder {} self",
    "decoder cross": "decoder {} cross",
}


@pytest.fixture(scope="module")
def view():
    view = explore_blocks()
    yield view
    view.close()


@pytest.mark.parametrize("layer", [0, 1])
@pytest.mark.parametrize("place", PLACES)
def test_the_view_shows_the_weights_of_each_place(view, place, layer):
    view.set(word="queue", place=place, layer=layer, head=2)
    model = load("transformer")
    name = NAMES[place].format(layer)
    expected = read_weights(model, pronounce(model, "queue"))[name]
    np.testing.assert_allclose(view.picture.array, expected, atol=1e-6)
    np.testing.assert_allclose(expected.sum(axis=-1), 1, atol=1e-5)
    assert view.picture.data.enlarged == 2
    told = f"“queue”, trained Transformer, {PLACES[place]}, layer {layer}"
    assert view.picture.data.title == told


def test_a_part_comes_with_its_labels_and_what_is_hidden():
    model = load("transformer")
    said = pronounce(model, "queue")
    weights, queries, keys, names = read_part(model, said, "decoder self", 1)
    assert np.array_equal(weights, read_weights(model, said)["decoder 1 self"])
    assert (queries, keys) == (to_ipa(said.phonemes), ["start", *queries[:-1]])
    assert np.array_equal(names["visible"], np.tri(len(queries)) > 0)
    assert read_part(model, said, "encoder", 0)[3]["visible"] is None


def test_a_place_is_set_by_its_key_and_shown_by_its_label(view):
    assert tuple(PLACES) == tuple(NAMES)
    options = view.controls["place"].options
    assert [key for _, key in options] == list(PLACES)
    assert not {label for label, _ in options} & set(PLACES)
    assert "place=decoder self" in repr(view.set(place="decoder self"))
    with pytest.raises(ValueError, match="one of encoder, decoder self, decoder cross"):
        view.set(place=PLACES["decoder self"])


def test_each_place_names_who_looks_and_at_what(view):
    named = []
    for place in PLACES:
        layout = view.set(word="queue", place=place).picture.layout
        named.append((layout.query_name, layout.queries, layout.key_name, layout.keys))
    letters = tuple("queue")
    sounds = tuple(to_ipa(pronounce(load("transformer"), "queue").phonemes))
    assert named == [
        ("letter", letters, "letter", letters),
        ("phoneme", sounds, "written before", ("start", *sounds[:-1])),
        ("phoneme", sounds, "letter", letters),
    ]


def test_weights_of_the_last_cross_attention_are_those_of_greedy_writing():
    model = load("transformer")
    said = pronounce(model, "knight")
    found = read_weights(model, said)["decoder 1 cross"]
    np.testing.assert_allclose(found, said.weights, atol=1e-5)


def test_what_is_hidden_from_the_decoder_is_hatched(view):
    for place in PLACES:
        data = view.set(word="attention", place=place).picture.data
        T = data.weights.shape[-2]
        if place == "decoder self":
            assert np.array_equal(
                data.hidden, np.tile(~np.tri(T, dtype=bool), (4, 1, 1))
            )
        else:
            assert data.hidden is None


def test_the_decoder_looks_at_no_later_phoneme():
    model = load("transformer")
    own = read_weights(model, pronounce(model, "attention"))["decoder 1 self"]
    assert (np.triu(own, 1) == 0).all()


@pytest.mark.parametrize("word", ["", "42", "中文"])
def test_what_is_no_word_is_a_sentence_and_the_next_word_shows_again(view, word):
    with pytest.raises(ValueError, match="letters a to z"):
        view.set(word=word)
    assert view.refused
    assert not view.set(word="phone").refused


def test_attention_reaches_as_far_back_as_it_likes():
    reach = attention_reach(T=20, n=16)
    assert reach.shape == (20,)
    assert np.ptp(reach[1:]) < 0.5


def test_cosines_of_rows():
    rows = np.array([[1.0, 0.0], [1.0, 1.0], [-2.0, 0.0]])
    half = 0.5**0.5
    expected = [[1, half, -1], [half, 1, -half], [-1, -half, 1]]
    np.testing.assert_allclose(cosines(rows), expected, atol=1e-12)


def test_influence_map_tells_who_sees_whom():
    picture = influence_map(np.tri(3, dtype=bool), title="causal")
    assert "#.. ##. ###" in picture.sentence
    np.testing.assert_array_equal(picture.array, np.tri(3))
    with pytest.raises(ValueError, match="moved"):
        influence_map(np.ones(3, bool))


def test_pack_keeps_names_and_shapes_in_half_the_bytes():
    with np.load(io.BytesIO(pack({"a": np.full((2, 3), 0.1)}))) as saved:
        assert saved["a"].dtype == np.float16
        np.testing.assert_allclose(saved["a"], 0.1, rtol=1e-3)


def test_examples_are_the_seeds_with_the_least_clear_owner(tmp_path, monkeypatch):
    layers = {seed: untrained(8, 4, np.random.default_rng(seed)) for seed in range(4)}
    monkeypatch.setattr(recipe, "EXAMPLES", layers)
    monkeypatch.setattr(recipe, "trained", lambda d, h, seed, folder: layers[seed])
    least = {seed: min(recipe.measure(x)["mass"]) for seed, x in layers.items()}
    worst = sorted(least, key=least.get)[:2]
    found = recipe.examples(tmp_path)
    assert found == [(32, 4, seed, 800) for seed in worst]


def test_attend_and_add_adds_what_was_seen_to_what_was_there():
    rng = np.random.default_rng(0)
    x = rng.standard_normal((2, 3, 4))
    p = {f"self {name}": rng.standard_normal((4, 4)) for name in PROJECTIONS}
    p |= {"self gain": np.ones(4), "self shift": np.zeros(4)}
    added, weights = attend_and_add(x, None, p, "self", 2)
    normal = layer_norm(x, p["self gain"], p["self shift"])
    projections = [p[f"self {name}"] for name in PROJECTIONS]
    seen, same = multi_head_attention(normal, *projections, 2)
    np.testing.assert_allclose(added, x + seen, atol=1e-12)
    np.testing.assert_allclose(weights, same, atol=1e-12)


def test_one_head_is_measured_at_the_same_size():
    four = load_errors()
    for kind, measured in load_one_head().items():
        assert measured["parameters"] == four[kind]["0"]["parameters"]
        assert 0.09 < measured["error"] < 0.14


def test_times_are_the_shipped_ones_until_measured_again(monkeypatch):
    made = {"d": 64, "h": 4, "T": [16, 32], "recurrent": [1.0, 2.0]}
    made["attention"] = [0.5, 3.0]
    monkeypatch.setattr(timing, "measure_again", lambda batch: made | {"batch": batch})
    view = timing.explore_timing()
    shipped = load_timings()["layers"]
    np.testing.assert_allclose(view.picture.array[0], shipped["recurrent"])
    assert view.message == "Measured on the machine of the authors."
    view.set(again=True)
    np.testing.assert_allclose(view.picture.array, [[1.0, 2.0], [0.5, 3.0]])
    view.set(batch=32)
    assert view.picture.data.title.endswith("d = 64, 32 sequences at once")
    view.set(again=False)
    np.testing.assert_allclose(
        view.picture.array[0], load_timings()["batch"]["recurrent"]
    )
    view.close()


def test_think_and_add_adds_each_position_s_own_network():
    rng = np.random.default_rng(1)
    x = rng.standard_normal((2, 3, 4))
    shapes = {"W_1": (4, 5), "b_1": 5, "W_2": (5, 4), "b_2": 4, "gain": 4, "shift": 4}
    p = {f"think {name}": rng.standard_normal(shape) for name, shape in shapes.items()}
    normal = layer_norm(x, p["think gain"], p["think shift"])
    network = (p[f"think {name}"] for name in ("W_1", "b_1", "W_2", "b_2"))
    expected = x + feed_forward(normal, *network)
    np.testing.assert_allclose(think_and_add(x, p), expected, atol=1e-12)
