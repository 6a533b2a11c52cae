"""The drawn decoder: real numbers, in their places, and the view that plays it."""

from functools import partial

import numpy as np
import pytest
from matplotlib.colors import to_rgba

import schemes
from mha_core.lab import beside, decoder_step, explore_steps, write_word
from mha_core.lab.drawing.parts import Link, Pen, Token, Words
from mha_core.lab.drawing.scheme import Drawing, Scheme
from mha_core.lab.drawing.strips import Vector
from mha_core.lab.pictures.step_tellings import tell
from mha_core.pretrained import load, pronounce
from mha_core.tasks import spell, to_ipa

RECURRENT = ("last_state", "bahdanau", "multihead")
WORDS = ("a", "phone", "administration", "internationalization")


@pytest.fixture(scope="module")
def network():
    return {kind: load(kind) for kind in RECURRENT}


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("kind", RECURRENT)
def test_the_steps_are_those_of_the_network(kind, word, network):
    model, said = network[kind], pronounce(network[kind], word)
    writing = write_word(model, word)
    assert tuple(writing.sounds) == tuple(to_ipa(said.phonemes))
    states = model.encode(spell([word]), spell([word]) > 0)[0]
    assert np.array_equal(writing.states.reshape(len(word), -1), states)
    n = writing.states.shape[-1]
    assert np.array_equal(writing.message[:n], writing.states[-1, 0])
    assert np.array_equal(writing.message[n:], writing.states[0, 1])
    for i, step in enumerate(writing.steps):
        assert np.allclose(step.weights, said.weights[:, i], atol=1e-6)
        assert step.likely == sorted(step.likely, key=lambda pair: -pair[1])
    asking = [step.before for step in writing.steps[1:]]
    assert all(map(np.array_equal, asking, (s.state for s in writing.steps)))


@pytest.mark.parametrize("word", ["", "x1", "q" * 41])
def test_a_word_that_cannot_be_read_is_refused(word, network):
    with pytest.raises(ValueError, match="letters|word"):
        write_word(network["bahdanau"], word)


def test_a_transformer_has_no_steps_of_this_kind():
    with pytest.raises(ValueError, match="recurrent network is needed, not one of"):
        write_word(load("transformer"), "knight")


@pytest.mark.parametrize("projector", [False, True])
@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("kind", RECURRENT)
def test_no_text_is_cut_small_or_under_another(kind, word, projector, network):
    writing = write_word(network[kind], word)
    for step in range(0, len(writing.steps), 3):
        picture = decoder_step(writing, step).resized((9, 5.4), projector)
        assert schemes.faults(picture) == []


@pytest.mark.parametrize("step", range(3))
def test_lines_go_to_their_letters_as_thick_as_the_weights(step, network):
    writing = write_word(network["bahdanau"], "phone")
    picture = decoder_step(writing, step)
    weights = pronounce(network["bahdanau"], "phone").weights[0, step]
    assert np.allclose(picture.array, weights, atol=1e-6)
    lines = [line for axes in picture.figure.axes for line in axes.lines]
    letters = [t for t in schemes.texts(picture) if t.get_position()[1] == 29]
    ends = {round(line.get_xdata()[1]): line.get_linewidth() for line in lines}
    assert [text.get_text() for text in letters] == list("phone")
    for text, weight in zip(letters, weights, strict=True):
        drawn = ends.get(round(text.get_position()[0]), 0)
        assert drawn == pytest.approx(max(0.8, 14 * weight) if weight > 0.005 else 0)
    assert f"{weights.max():.2f}" in [t.get_text() for t in schemes.texts(picture)]


def test_the_picture_says_what_it_draws(network):
    picture = decoder_step(write_word(network["bahdanau"], "phone"), 0)
    assert picture.text.splitlines()[0] == "“phone”, with attention, step 0: f"
    assert "Weights: p 0.31, h 0.67, o 0.02." in picture.text
    title, facts, told = tell(write_word(network["bahdanau"], "phone"), 0)
    assert [title, *facts] == picture.text.splitlines() and told == picture.sentence
    assert picture.sentence.startswith("Step 0 of “phone” writes f (probability ")
    alone = decoder_step(write_word(network["last_state"], "phone"), 0)
    assert (
        "last states only" in alone.text and "from the message alone" in alone.sentence
    )
    assert alone.array.shape == (84,)


def test_the_message_is_the_same_at_every_step_and_the_context_is_not(network):
    for kind, same in (("last_state", True), ("bahdanau", False)):
        first, second = write_word(network[kind], "phone").steps[:2]
        assert np.array_equal(first.context, second.context) == same


@pytest.mark.parametrize("step", [-1, 3, 1.5, True])
def test_a_step_that_is_not_there(step, network):
    with pytest.raises(ValueError, match="step must be"):
        decoder_step(write_word(network["bahdanau"], "phone"), step)


# The parts


def drawn(*parts, projector=False):
    return Scheme(projector=projector).plate(), Drawing(parts)


def painted(*parts):
    scheme, drawing = Scheme(), Drawing(parts)
    plate = scheme.plate()
    return plate.paint(drawing, scheme), plate.figure


def test_a_vector_is_dark_below_zero_and_light_above():
    pixels, figure = painted(Vector(450, 250, 80, 40, (-1.0, -0.5, 0.5, 1.0)))
    row = pixels[290, 412:490:20].mean(axis=1)  # the middle of the page of 500 units
    assert (np.diff(row) > 10).all()


def test_cells_of_a_vector_stand_row_by_row():
    numbers = tuple(np.linspace(-1, 1, 6))
    _, figure = painted(Vector(450, 250, 80, 40, numbers, rows=2))
    (image,) = figure.axes[1].images
    assert image.get_array().shape[:2] == (2, 3)


@pytest.mark.parametrize(("weight", "lines"), [(0.0, 0), (0.004, 0), (0.02, 1), (1, 1)])
def test_a_link_of_no_weight_is_not_drawn(weight, lines):
    _, figure = painted(Link(10, 10, 100, 100, weight))
    assert len(figure.axes[1].lines) == lines


def test_a_strong_token_is_framed_in_its_colour():
    _, figure = painted(Token(100, 100, "k", strong=True), Token(200, 100, "n"))
    strong, other = figure.axes[1].patches
    assert strong.get_linewidth() > other.get_linewidth()
    assert strong.get_edgecolor() != other.get_edgecolor()


def test_words_have_their_colour_and_side():
    _, figure = painted(Words(100, 100, "left", "#123456", "left"))
    (text,) = figure.axes[1].texts
    assert to_rgba(text.get_color()) == to_rgba("#123456")
    assert text.get_ha() == "left"


def test_a_projector_writes_larger_and_draws_thicker():
    small, large = (Scheme(projector=p).pen for p in (False, True))
    assert isinstance(small, Pen)
    assert large.small > 1.4 * small.small and large.line > small.line


def test_lines_and_numbers_shrink_with_the_page():
    whole, half = (Scheme(size=size).pen for size in ((9, 5.4), (6.3, 3.78)))
    assert whole.line == 1 and 0.7 < half.line < 0.8
    assert half.cell < half.small <= whole.small


def test_a_drawing_replaces_the_one_before():
    scheme = Scheme()
    plate = scheme.plate()
    plate.paint(Drawing((Words(100, 100, "one"),)), scheme)
    plate.paint(Drawing((Words(100, 100, "two"),)), scheme)
    assert [text.get_text() for text in plate.figure.axes[1].texts] == ["two"]


# The view


def test_playing_goes_through_the_sounds(opened):
    view = opened(explore_steps, word="phone")
    assert view.controls["step"].options == (0, 1, 2)
    for step, sound in enumerate(["f", "oʊ", "n"]):
        view.controls["step"].value = step
        assert f"step {step}: {sound}" in view.picture.text
    view.set(word="a")
    assert view.controls["step"].value == 0


def test_without_attention_the_message_is_drawn(opened):
    view = opened(explore_steps, word="administration", step=3, attention=False)
    assert "last states only, step 3" in view.picture.text
    view.controls["attention"].value = True
    assert "with attention, step 3" in view.picture.text


def test_two_networks_beside_each_other(opened):
    make = partial(explore_steps, "phone")
    both = beside(make(), make(attention=False), link=("word", "step"))
    both.views[0].set(step=1)
    assert "step 1" in both.views[1].picture.text
    both.close()


def test_a_model_of_ones_own(opened, network):
    view = opened(explore_steps, model=network["multihead"])
    assert "attention" not in view.controls
    for wrong in (load("transformer"), "bahdanau"):
        with pytest.raises(ValueError, match="model must be a recurrent model"):
            explore_steps(model=wrong)


@pytest.mark.parametrize("word", ["", "x1", "two words"])
def test_a_wrong_word_is_told_and_gone_with_the_next(word, opened):
    view = opened(explore_steps)
    before = repr(view)
    view.controls["word"].value = word
    assert view.refused
    view.controls["word"].value = "phone"
    assert repr(view) == before
