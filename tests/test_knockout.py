import numpy as np
import pytest

from mha_core import lab
from mha_core.evaluation import phoneme_error, transcribe
from mha_core.lab import (
    agreement,
    explore_knockout,
    follow_true_sounds,
    held_out_error,
    knock_out,
    some_held_out,
    straight_line,
    strongest_letters,
    without_heads,
)
from mha_core.lab.explorers import own_models
from mha_core.lab.explorers.transformer_heads import PLACES, read_weights
from mha_core.lab.measure.knockout import attentions
from mha_core.models import MultiHead
from mha_core.multihead import merge_heads, split_heads
from mha_core.pretrained import load
from mha_core.pronouncing import pronounce
from mha_core.tasks import as_arrays, number_phonemes, pronunciation, spell
from small_models import tiny

FEW = [("knight", ("N", "AY", "T")), ("phone", ("F", "OW", "N")), ("a", ("AH",))]


@pytest.fixture
def view():
    view = explore_knockout()
    yield view
    view.close()


def look(model, word="attention"):
    """Return the memory, the first state, and the context that a model makes of it."""
    memory, state = model.start(spell([word]))
    return memory, state, model.look(state, memory)[0]


@pytest.mark.parametrize("out", [(), (1,), (0, 3), (0, 1, 2, 3)])
def test_a_head_that_is_out_adds_nothing_and_the_others_what_they_did(out):
    model = load("multihead")
    _, state, context = look(without_heads(model, out))
    keys, values, mask = model.start(spell(["attention"]))[0]
    query = split_heads(state[:, None] @ model.params["W_Q"], 4)  # (1, h, 1, d_k)
    scores = query @ keys.swapaxes(-1, -2) / np.sqrt(keys.shape[-1])
    weights = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
    heads = weights @ values
    heads[:, list(out)] = 0
    expected = merge_heads(heads) @ model.params["W_O"]
    np.testing.assert_allclose(context, expected[:, 0], atol=1e-5)


def test_the_network_itself_stays_whole():
    model = load("multihead")
    before = model.params["W_O"].copy()
    other = without_heads(model, [0, 1, 2, 3])
    assert np.array_equal(model.params["W_O"], before)
    assert not other.params["W_O"].any()
    assert other.params["W_K"] is model.params["W_K"]
    assert other.h == model.h


@pytest.mark.parametrize("part", attentions(tiny("transformer")))
def test_each_part_of_a_transformer_has_heads_of_its_own(part):
    model = tiny("transformer")
    other = without_heads(model, [2], part)
    changed = [k for k in model.params if model.params[k] is not other.params[k]]
    assert changed == [f"{part} W_O"]
    d_k = 8 // 4
    rows = np.flatnonzero(~other.params[changed[0]].any(axis=-1))
    assert np.array_equal(rows, np.arange(2 * d_k, 3 * d_k))


def test_the_last_cross_attention_is_meant_if_no_part_is_named():
    model = tiny("transformer")
    names = [without_heads(model, [0], part) for part in (None, "decoder 1 cross")]
    arrays = [other.params["decoder 1 cross W_O"] for other in names]
    assert np.array_equal(*arrays)
    assert not arrays[0][:2].any()


@pytest.mark.parametrize("head", [4, -1, 1.5, True, "0", None])
def test_heads_that_are_not_there_are_refused(head):
    with pytest.raises(ValueError, match="heads must be integers from 0 to 3, not"):
        without_heads(load("multihead"), [head])


@pytest.mark.parametrize(
    ("kind", "part", "told"),
    [
        ("bahdanau", None, "not out of kind bahdanau"),
        ("last_state", None, "not out of kind last_state"),
        ("multihead", "decoder 0 cross", "part 'decoder 0 cross'"),
        ("transformer", "encoder 0", "part must be one of encoder 0 self, encoder 1"),
    ],
)
def test_models_and_parts_without_such_heads_are_refused(kind, part, told):
    with pytest.raises(ValueError, match=told):
        without_heads(tiny(kind), [0], part)


def test_the_sample_is_the_same_each_time_and_spread_over_the_alphabet():
    some, test = some_held_out(500), pronunciation("test")
    assert some == some_held_out(500)
    assert len(set(some)) == 500
    assert set(some) <= set(test)
    assert some[0] == test[0]
    steps = np.diff([test.index(pair) for pair in some])
    assert steps.min() >= len(test) // 500
    assert steps.max() <= len(test) // 500 + 1
    assert some_held_out(10**6) == test


def test_the_error_is_that_of_words_written_one_by_one():
    model = load("multihead")
    said = [pronounce(model, word).phonemes for word, _ in FEW]
    assert held_out_error(model, FEW) == phoneme_error(said, FEW)
    assert transcribe(model, [word for word, _ in FEW]) == said


def test_every_subset_of_the_heads_is_measured():
    model = load("multihead")
    found = knock_out(model, FEW)
    assert len(found) == 2**4
    assert found[()] == held_out_error(model, FEW)
    assert found[1, 3] == held_out_error(without_heads(model, (3, 1)), FEW)


def test_no_head_of_the_trained_network_can_be_spared():
    model, some = load("multihead"), some_held_out(200)
    found = knock_out(model, some)
    one = [found[head,] for head in range(4)]
    two = [error for out, error in found.items() if len(out) == 2]
    assert found[()] < 0.13
    assert min(one) > found[()] + 0.03
    assert min(two) > max(one)
    assert found[0, 1, 2, 3] > 0.85


@pytest.mark.parametrize("kind", ["last_state", "bahdanau", "multihead", "transformer"])
def test_true_sounds_give_what_logits_and_greedy_give(kind):
    model = load(kind)
    ids, weights = follow_true_sounds(model, FEW)
    source, target = as_arrays(FEW)
    scores = model.logits(source, np.pad(target, [(0, 0), (1, 0)])[:, :-1])
    for i, (word, sounds) in enumerate(FEW):
        best = scores[i, : len(sounds), :-1].argmax(axis=-1)
        assert np.array_equal(ids[i], best)
        assert weights[i].shape == (model.h, len(sounds), len(word))
    said = pronounce(model, "phone")
    assert said.phonemes == ("F", "OW", "N")  # then the true sounds are its own
    assert np.array_equal(ids[1], number_phonemes([said.phonemes])[0, :-1])
    np.testing.assert_allclose(weights[1], said.weights, atol=1e-5)


def test_the_strongest_letter_is_that_of_the_weights():
    model = load("multihead")
    found = strongest_letters(model, FEW)
    assert found.shape == (4, 3 + 3 + 1)
    expected = pronounce(model, "phone").weights.argmax(axis=-1)
    assert np.array_equal(found[:, 3:6], expected)
    assert (found[:, 6] == 0).all()


def test_the_straight_line_goes_from_the_first_letter_to_the_last():
    pairs = [("abcd", "WXYZ"), ("abcdef", "XYZ"), ("ab", "WXYZ"), ("abc", "X")]
    expected = [0, 1, 2, 3, 1, 3, 5, 0, 0, 1, 1, 1]
    assert straight_line(pairs).tolist() == [expected]


def test_agreement_counts_sounds_with_the_same_letter():
    strongest = np.array([[0, 1, 2, 3], [0, 1, 0, 0], [1, 2, 3, 3]])
    expected = [[1, 0.5, 0.25], [0.5, 1, 0], [0.25, 0, 1]]
    assert agreement(strongest).tolist() == expected


def test_heads_agree_with_a_single_one_about_as_often_as_a_straight_line_does():
    some = some_held_out(200)
    rows = [strongest_letters(load(kind), some) for kind in ("bahdanau", "multihead")]
    shares = agreement(np.concatenate([*rows, straight_line(some)]))
    assert (0.6 < shares[0, 1:5]).all()
    assert (shares[0, 1:5] < 0.85).all()
    assert abs(shares[0, 1:5].mean() - shares[0, -1]) < 0.1


def test_the_view_shows_the_heads_that_are_on(view):
    model = load("multihead")
    view.set(word="attention", head_1=False, head_3=False)
    said = pronounce(without_heads(model, (1, 3)), "attention")
    array = view.picture.array
    np.testing.assert_allclose(array[[0, 2]], said.weights[[0, 2]], atol=1e-6)
    assert not array[[1, 3]].any()
    assert view.picture.data.hidden[[1, 3]].all()
    assert not view.picture.data.hidden[[0, 2]].any()
    assert view.picture.layout.titles[1] == "head 1 is out"
    assert view.picture.data.title == "“attention”, heads that are on: 0, 2"
    error = held_out_error(without_heads(model, (1, 3)), some_held_out(500))
    assert f"held-out words: {error:.3f}; with all heads 0.116." in view.message
    assert view.message.startswith(said.sentence)


def test_all_heads_are_on_at_the_start(view):
    heads = {name for name in view.controls if name.startswith("head_")}
    assert heads == {"head_0", "head_1", "head_2", "head_3"}
    assert all(view.values[name] for name in heads)
    assert view.picture.data.hidden is None
    assert view.message.endswith("Phoneme error on 500 held-out words: 0.116.")


def test_presets_take_heads_out(view):
    on = {"all heads": [0, 1, 2, 3], "without head 0": [1, 2, 3], "two only": [0, 1]}
    for preset, kept in on.items():
        view.set(preset=preset)
        assert [h for h in range(4) if view.values[f"head_{h}"]] == kept


def test_without_any_head_the_network_babbles(view):
    view.set(**{f"head_{head}": False for head in range(4)})
    assert view.picture.data.title == "“knight”, no head at all"
    assert not view.picture.array.any()


def test_a_subset_is_measured_once(view, monkeypatch):
    view.set(preset="without head 0")
    message = view.message
    monkeypatch.setattr("mha_core.lab.explorers.knocked_out.held_out_error", None)
    view.set(preset="all heads")
    assert view.set(preset="without head 0").message == message
    with pytest.raises(TypeError):
        view.set(preset="two only")


def test_its_code_makes_the_same_state(view):
    view.set(preset="two only", word="phone")
    assert view.code() == (
        "lab.explore_knockout(word='phone', head_0=True, head_1=True, head_2=False, "
        "head_3=False)"
    )
    again = eval(view.code(), {"lab": lab})
    assert again.values == view.values
    again.close()


def test_a_network_of_ones_own_has_its_own_boxes(opened):
    model = MultiHead(load("multihead").params, h=2)
    view = opened(explore_knockout, word="phone", model=model, head_1=False)
    assert [*view.controls][:3] == ["word", "head_0", "head_1"]
    assert view.values["head_0"]
    assert not view.values["head_1"]


def test_only_a_network_with_heads_of_dot_products_has_boxes():
    with pytest.raises(ValueError, match="several heads, such as load"):
        own_models.several_heads(load("bahdanau"))
    with pytest.raises(ValueError, match="not one of kind last_state"):
        explore_knockout(model=load("last_state"))


@pytest.mark.parametrize(
    ("place", "layer", "part", "name"),
    [
        ("encoder", 1, "encoder 1 self", "encoder 1"),
        ("decoder self", 0, "decoder 0 self", "decoder 0 self"),
        ("decoder cross", 1, "decoder 1 cross", "decoder 1 cross"),
    ],
)
def test_the_heads_of_each_attention_of_a_transformer(place, layer, part, name, opened):
    model = load("transformer")
    view = opened(explore_knockout, word="phone", model=model)
    assert (view.values["place"], view.values["layer"]) == ("decoder cross", 1)
    view.set(place=place, layer=layer, head_2=False)
    left = without_heads(model, (2,), part)
    said = pronounce(left, "phone")
    expected = read_weights(left, said)[name]
    array, hidden = view.picture.array, view.picture.data.hidden
    np.testing.assert_allclose(array[[0, 1, 3]], expected[[0, 1, 3]], atol=1e-6)
    assert not array[2].any()
    assert hidden[2].all()
    assert hidden[0].any() == (place == "decoder self")
    error = held_out_error(left, some_held_out(500))
    whole = held_out_error(model, some_held_out(500))
    told = f"held-out words: {error:.3f}; with all heads {whole:.3f}."
    assert view.message.endswith(told)
    assert "model=model" in view.code()
    where = f"heads that are on: 0, 1, 3; {PLACES[place]}, layer {layer}"
    assert view.picture.data.title == f"“phone”, {where}"
