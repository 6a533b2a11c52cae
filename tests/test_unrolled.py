"""The encoder and every step of the decoder in one drawing, and where its parts are."""

import numpy as np
import pytest
from matplotlib.patches import FancyArrowPatch

import schemes
from mha_core.lab import decoder_step, encoder_decoder, write_word
from mha_core.lab.drawing.parts import ACCENT, Arrow, Route, Token
from mha_core.lab.drawing.scheme import Drawing, Scheme
from mha_core.lab.pictures.alignments import check_written
from mha_core.lab.pictures.encoder_drawn import (
    CENTRE,
    FORWARD,
    STRIP,
    TOP,
    beside_strip,
)
from mha_core.lab.pictures.unrolled import SAYS
from mha_core.pretrained import load, pronounce
from mha_core.pronouncing import look_up

WORDS = ("a", "attention", "administration", "internationalization", "zzz", "q" * 20)


@pytest.fixture(scope="module")
def network():
    return load("last_state")


def parts(picture, kind):
    everything = *picture.layout.base, *picture.data.parts
    return [part for part in everything if isinstance(part, kind)]


@pytest.mark.parametrize("projector", [False, True])
@pytest.mark.parametrize("word", WORDS)
def test_no_text_is_cut_small_or_under_another(word, projector, network):
    picture = encoder_decoder(write_word(network, word))
    assert schemes.faults(picture.resized((9, 5.4), projector)) == []


@pytest.mark.parametrize("word", WORDS)
def test_all_sounds_are_those_of_the_network(word, network):
    writing = write_word(network, word)
    picture = encoder_decoder(writing)
    said = [token for token in parts(picture, Token) if token.y == SAYS]
    assert [token.text for token in said] == writing.sounds
    assert [token.x for token in said] == sorted(token.x for token in said)
    assert np.array_equal(picture.array, writing.message)


def test_sounds_that_the_dictionary_has_not_are_framed(network):
    picture = encoder_decoder(write_word(network, "administration"))
    said = [token for token in parts(picture, Token) if token.y == SAYS]
    assert [token.text for token in said if token.strong] == ["ə"]
    shown = [text.get_text() for text in schemes.texts(picture)]
    assert "dictionary" in shown and shown.count("ʃ") == 1
    right = pronounce(network, "administration").note.split("has ")[1]
    assert f"the dictionary has {right}." in picture.text
    low, high = picture.array.min(), picture.array.max()
    assert f"84 numbers from {low:.2f} to {high:.2f}" in picture.text


def test_a_word_without_a_dictionary_frames_no_sound(network):
    picture = encoder_decoder(write_word(network, "zzz"))
    assert "the word is not in the dictionary" in picture.text
    said = [token for token in parts(picture, Token) if token.y == SAYS]
    assert said and not any(token.strong for token in said)
    assert "dictionary" not in [text.get_text() for text in schemes.texts(picture)]


def test_a_network_that_looks_back_is_refused():
    with pytest.raises(ValueError, match="bahdanau looks back; try decoder_step"):
        encoder_decoder(write_word(load("bahdanau"), "phone"))


def test_a_word_without_sounds_is_refused(network):
    nothing = write_word(network, "zzz")._replace(steps=[])
    for refuse in (encoder_decoder, lambda w: check_written(w.letters, w.sounds)):
        with pytest.raises(ValueError, match="writes no phoneme for 'zzz'"):
            refuse(nothing)


def test_the_dictionary_is_looked_up():
    assert look_up("phone") == (("F", "OW", "N"), look_up("phone")[1])
    assert look_up("zzz") == (None, False)


def test_words_beside_the_strip_stand_right_of_it():
    first, second = beside_strip("one", "two")
    assert first.y > second.y and {first.ha, second.ha} == {"left"}
    assert first.x == second.x > CENTRE + STRIP[0] / 2


@pytest.mark.parametrize("draw", [encoder_decoder, decoder_step])
def test_the_message_leaves_from_both_ends(draw, network):
    picture = draw(write_word(network, "phone"))
    ways = [way for way in parts(picture, Route) if way.arrow and way.colour == ACCENT]
    letters = [token.x for token in parts(picture, Token) if token.y < FORWARD]
    backward, forward = ways
    assert backward.places[0][0] < letters[0] and backward.places[0][1] < FORWARD
    assert forward.places[0] == (letters[-1], TOP + 2)


def test_the_question_reaches_every_letter():
    picture = decoder_step(write_word(load("bahdanau"), "phone"), 1)
    (way,) = parts(picture, Route)
    letters = [token.x for token in parts(picture, Token) if token.y < FORWARD]
    asked = [arrow for arrow in parts(picture, Arrow) if arrow.colour == way.colour]
    assert [arrow.x1 for arrow in asked] == letters
    assert {arrow.y0 for arrow in asked} == {way.places[-1][1]}
    assert way.dashed and way.places[-1][0] == letters[-1]


def test_a_sound_of_no_probability_has_no_line():
    writing = write_word(load("bahdanau"), "phone")
    step = writing.steps[0]
    likely = [("f", 0.99), ("v", 0.007), ("p", 0.003)]
    writing.steps[0] = step._replace(likely=likely)
    shown = [text.get_text() for text in schemes.texts(decoder_step(writing, 0))]
    assert "v" in shown and shown.count("p") == 1  # the letter


@pytest.mark.parametrize("arrow", [True, False])
def test_a_route_goes_through_its_places(arrow):
    places = (100, 100), (100, 300), (400, 300)
    scheme = Scheme()
    plate = scheme.plate()
    plate.paint(Drawing((Route(places, arrow=arrow),)), scheme)
    (patch,) = plate.figure.axes[1].patches
    assert isinstance(patch, FancyArrowPatch)
    line = patch.get_path().vertices
    for x, y in places[:2]:
        assert np.isclose(line, (x, y), atol=3).all(axis=1).any()


@pytest.mark.parametrize("projector", [False, True])
@pytest.mark.parametrize("size", [(6.3, 3.78), (5.65, 9.05), (16, 9.6)])
@pytest.mark.parametrize("word", ["attention", "internationalization"])
def test_texts_have_room_on_half_a_page_and_on_a_phone(word, size, projector, network):
    look = decoder_step(write_word(load("bahdanau"), word), 4)
    for picture in (encoder_decoder(write_word(network, word)), look):
        assert schemes.faults(picture.resized(size, projector), least=11) == []
