"""Own models, own sentences, every control as an argument, and controls that follow."""

import numpy as np
import pytest

from mha_core.lab import (
    View,
    explore_alignment,
    explore_blocks,
    explore_bottleneck,
    explore_dates,
    explore_heads,
    explore_scaling,
    explore_timing,
    heatmap,
)
from mha_core.lab.controls import place, projector_switch
from mha_core.lab.explorers.knobs import choice, slider, switch, text_box, word_box
from mha_core.lab.explorers.measured import measure_own, shipped
from mha_core.lab.explorers.own_models import (
    attentive,
    date_writer,
    last_state,
    relations_layer,
    transformer,
)
from mha_core.lab.explorers.tagged import read_sentence
from mha_core.lab.following import follow, noted
from mha_core.lab.measure.live import train_relations
from mha_core.lab.playing import add_play
from mha_core.lab.widgets import Play
from mha_core.models.four_relations import untrained
from mha_core.models.initial import initial
from mha_core.pretrained import load, load_dates, load_relations
from mha_core.pronouncing import pronounce

OWN = [
    f"{letter}{tag}" for letter, tag in zip("ABCDEFGHIJKL", "012345" * 2, strict=True)
]
RNG = np.random.default_rng(3)


def test_knobs_have_names_and_say_what_they_do():
    made = [
        slider(range(3), "step", "It moves on."),
        switch("step", "It moves on."),
        choice({"key": "label"}, "step", "It moves on."),
        text_box("step", "It moves on."),
    ]
    assert {(one.description, one.tooltip) for one in made} == {
        ("step", "It moves on.")
    }
    assert made[2].value == "key"
    assert not word_box().continuous_update
    assert "last row" in projector_switch().tooltip


def test_follow_keeps_a_value_or_takes_the_nearest_and_says_so():
    control = slider([1, 2, 4, 8], "h", "Heads.")
    control.value = 8
    assert follow("h", control, (1, 2, 4, 8)) is None
    assert follow("h", control, (2, 4, 8)) is None
    assert control.value == 8
    note = follow("h", control, (1, 2, 7, 24))
    assert (control.value, note) == (7, "There is no h 8 here; h is 7 now.")
    assert noted([note, "More."], "Told.") == f"{note} More. Told."
    assert noted([], "Told.") == "Told."


def test_place_moves_all_or_none_whatever_the_order():
    controls = {n: slider([0, 1], n, "It counts.") for n in "ab"}
    offers = {"b": lambda values: range(values["a"] + 1)}
    assert place(controls, {"b": 1, "a": 1}, offers) == []
    with pytest.raises(ValueError, match="b cannot be 1; choose one of 0"):
        place(controls, {"b": 1, "a": 0}, offers)
    assert [c.value for c in controls.values()] == [1, 1]
    assert controls["b"].options == (0, 1)
    notes = place(controls, {"a": 0}, offers)
    assert notes == ["There is no b 1 here; b is 0 now."]


def test_what_follows_is_drawn_once(opened):
    calls = []

    def compute(a, b):
        calls.append((a, b))
        return heatmap([[1]], "q", "k")

    controls = {n: slider(range(4), n, "It counts.") for n in "ab"}
    offers = {"b": lambda values: range(values["a"] + 1)}
    view = opened(View, controls=controls, compute=compute, offers=offers)
    view.set(a=3, b=3)
    view.controls["a"].value = 1
    assert calls == [(0, 0), (3, 3), (1, 1)]


@pytest.mark.parametrize(
    ("make", "values"),
    [
        (explore_heads, {"d_model": 24, "h": 8, "head": 5}),
        (explore_alignment, {"word": "phone", "step": 1, "attention": False}),
        (
            explore_blocks,
            {"word": "phone", "place": "encoder", "layer": 0, "head": 2},
        ),
        (explore_timing, {"batch": 32, "again": False}),
    ],
)
def test_every_control_is_an_argument(make, values, opened):
    view = opened(make, **values)
    assert view.values == {**values, "projector": False}


def test_an_own_layer_brings_its_width_and_heads(opened):
    layer = train_relations(24, 3, steps=2)
    view = opened(explore_heads, model=layer)
    assert view.values == {"d_model": 24, "h": 3, "head": 0, "projector": False}
    assert view.picture.data.title == "own weights, d_model 24, h 3, sentence 0"
    words, tags, _ = read_sentence(0)
    assert np.array_equal(view.picture.array, layer.attend(words, tags)[1][0])
    with pytest.raises(ValueError, match="h cannot be 4; choose one of 3"):
        explore_heads(h=4, model=layer)


def test_an_own_layer_is_measured():
    found, table = measure_own(load_relations(64, 4)), shipped(64, 4)
    assert abs(found.accuracy - table.accuracy) < 0.01
    for role, (head, mass) in table.owners.items():
        assert found.owners[role][0] == head
        assert abs(found.owners[role][1] - mass) < 0.02
    assert shipped(48, 4).owners is None


def test_an_own_sentence_of_words_with_tags(opened):
    view = opened(explore_heads, sentence=OWN)
    assert view.picture.layout.keys == tuple(OWN)
    assert view.picture.data.title.endswith("own sentence")
    pairs = [(word[0], int(word[1])) for word in OWN]
    assert repr(opened(explore_heads, sentence=pairs)) == repr(view)


@pytest.mark.parametrize(
    ("given", "part"),
    [
        (OWN[:11], "twelve words such as 'A0'"),
        (-1, "sentence must be a seed, 0 or more"),
        ("A0 B1", "twelve words"),
        (None, "twelve words"),
        (2.5, "twelve words"),
        ([*OWN[:11], "Q5"], "'Q5' is no word of this task"),
        ([*OWN[:11], "L6"], "'L6' is no word of this task"),
        ([*OWN[:11], ("AB", 5)], "is no word of this task"),
        ([*OWN[:11], 7], "7 is no word"),
        ([*OWN[:11], "L0"], "Tag 0 stands on 3 of the twelve words"),
    ],
)
def test_a_sentence_that_does_not_fit_is_refused_in_a_sentence(given, part):
    with pytest.raises(ValueError) as refusal:
        explore_heads(sentence=given)
    assert part in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_own_models_speak_in_every_view(opened):
    own = initial("bahdanau", RNG)
    view = opened(explore_alignment, model=own)
    assert np.array_equal(view.picture.array, pronounce(own, "knight").weights[0])
    assert "not as trained" in view.picture.data.title
    four = opened(explore_alignment, model=load("multihead"), head=2, word="phone")
    said = pronounce(load("multihead"), "phone")
    assert np.array_equal(four.picture.array, said.weights[2])
    assert set(four.values) == {"word", "step", "head", "projector"}
    plain = initial("last_state", RNG)
    title = opened(explore_bottleneck, model=plain).picture.data.title
    assert title.endswith("not as trained")
    blocks = opened(explore_blocks, model=initial("transformer", RNG))
    assert "untrained Transformer" in blocks.picture.data.title
    assert opened(explore_dates, model=load_dates()).message == "That is the day."


def test_what_a_model_has_not_is_refused():
    with pytest.raises(ValueError, match="has no attention to replace"):
        explore_alignment(attention=False, model=load("multihead"))
    with pytest.raises(ValueError, match="head must be an integer from 0 to 0, not 1"):
        explore_alignment(head=1)
    with pytest.raises(ValueError, match="head cannot be 4; choose one of 0, 1, 2, 3"):
        explore_alignment(head=4, model=load("multihead"))


@pytest.mark.parametrize(
    "model", [7, "bahdanau", None, untrained(8, 2, RNG), load_dates()]
)
@pytest.mark.parametrize(
    "check", [relations_layer, transformer, last_state, attentive, date_writer]
)
def test_a_model_that_does_not_fit_is_refused_in_a_sentence(check, model):
    fits = {relations_layer: "relations", date_writer: "bahdanau"}
    if getattr(model, "kind", "") == fits.get(check, "none"):
        assert check(model) is model
    elif model is None and check is not relations_layer:
        assert check(None).kind
    else:
        with pytest.raises(ValueError, match=r"^model must be an? .*, not .*\.$"):
            check(model)


def test_buttons_play_the_steps_that_there_are(opened):
    view = opened(explore_alignment, word="administration")
    (play,) = (one for one in view._box.children if isinstance(one, Play))
    assert play.slider is view.controls["step"]
    assert set(play.words) == {"back", "play", "pause", "on"}
    assert play.tooltip and play.description == "decoder step"
    view.set(word="knight")
    assert play.slider.options == (0, 1, 2)
    assert view._box.children.index(play) == len(view._box.children) - 2
    scaling = opened(explore_scaling)
    assert add_play(scaling, "d_k") is scaling
    assert scaling._box.children[-2].slider is scaling.controls["d_k"]
