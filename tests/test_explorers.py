import random
from base64 import b64decode
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from mha_core import softmax
from mha_core.lab import (
    alignment,
    confidence,
    explore_alignment,
    explore_bottleneck,
    without_attention,
)
from mha_core.lab.drawing.canvas import greyed
from mha_core.lab.pictures.alignments import check_said
from mha_core.models.initial import initial
from mha_core.pretrained import load
from mha_core.pronouncing import pronounce
from mha_core.tasks import spell, to_ipa
from moved import settled, widgets_there
from small_models import tiny

MAKERS = {"bottleneck": explore_bottleneck, "alignment": explore_alignment}
WORDS = ["knight", "a", "administration", "z" * 40]
WRONG = ["", "  ", "x1", "naïve", "注意力", "two words", "q" * 41]
each_view = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)


def same(view, other):
    """Tell whether two views show the same, whatever moved them there."""
    texts = settled(repr(view)), settled(repr(other))
    return (
        texts[0] == texts[1]
        and view._screen.widget.shown["png"] == other._screen.widget.shown["png"]
    )


@each_view
def test_a_typed_word_shows_what_a_fresh_view_shows(make, opened):
    view = opened(make)
    for word in WORDS[1:]:
        view.controls["word"].value = word
        assert not view.refused
        assert view.message.startswith(f"{word}: ")
        assert same(view, opened(make, word=word))


@each_view
def test_W04_a_wrong_word_is_told_and_gone_with_the_next(make, opened):
    view = opened(make)
    before = repr(view)
    for word in WRONG:
        picture = view.picture
        view.controls["word"].value = word
        assert view.refused
        assert view.picture is picture
        with pytest.raises(ValueError) as refusal:
            pronounce(load("bahdanau"), word)
        assert view.message == str(refusal.value)
        view.controls["word"].value = "knight"
        assert repr(view) == before


@each_view
def test_set_and_a_first_word_raise_what_the_view_would_say(make, opened):
    view = opened(make)
    before = len(widgets_there())
    for word in WRONG:
        with pytest.raises(ValueError, match=r"letters|word"):
            view.set(word=word)
        assert view.refused
        with pytest.raises(ValueError, match=r"letters|word"):
            make(word)
    assert len(widgets_there()) == before


def test_the_map_shows_the_weights_of_the_model(opened):
    view = opened(explore_alignment)
    for word in WORDS:
        view.set(word=word)
        said = pronounce(load("bahdanau"), word)
        assert np.array_equal(view.picture.array, said.weights[0])
        assert repr(said) in view.message


@each_view
def test_everything_that_is_said_follows_the_word(make, opened):
    view = opened(make, word="at")
    for word in ("knight", "phone", "at"):
        view.set(word=word)
        bundle, metadata = view._repr_mimebundle_()
        said = (
            view.picture.sentence,
            view._screen.widget.shown["alt"],
            metadata["image/png"]["alt"],
            bundle["text/plain"],
        )
        assert all(f"“{word}”, " in text for text in said)
        others = {"at", "knight", "phone"} - {word}
        assert not any(f"“{other}”" in text for text in said for other in others)


@each_view
def test_the_stored_picture_of_a_refused_word_is_grey(make, opened):
    view = opened(make)
    fine, live = stored_pixels(view), view.picture.pixels
    view.controls["word"].value = "x1"
    grey = stored_pixels(view).astype(int)  # in few colours, as notebooks store them
    assert np.ptp(fine, axis=-1).max() > 100 > 8 > np.ptp(grey, axis=-1).max()
    assert np.abs(grey - greyed(live)).max() < 16
    view.controls["word"].value = "knight"
    assert np.array_equal(stored_pixels(view), fine)


def stored_pixels(view):
    """Return the picture that a notebook stores."""
    png = b64decode(view._repr_mimebundle_()[0]["image/png"])
    return np.array(Image.open(BytesIO(png)).convert("RGB"))


def test_titles_say_which_network_and_whether_it_is_as_trained(opened):
    view = opened(explore_alignment)
    assert view.picture.data.title == "“knight”, with attention, trained"
    view.set(attention=False)
    assert view.picture.data.title == "“knight”, uniform weights, not as trained"
    view = opened(explore_bottleneck, word="phone")
    assert view.picture.data.title == "“phone”, last states only, trained"
    four = alignment(pronounce(load("multihead"), "at"), head=2)
    assert four.data.title == "“at”, with four heads, trained, head 2"
    rng = np.random.default_rng(0)
    said = pronounce(initial("transformer", rng), "at")
    assert alignment(said).data.title == "“at”, Transformer, not as trained, head 0"


def test_T01_phonemes_are_rows_and_letters_are_columns(opened):
    picture = opened(explore_alignment, word="phone").picture
    said = pronounce(load("bahdanau"), "phone")
    assert picture.array.shape == (len(said.phonemes), 5)
    assert picture.layout.queries == tuple(to_ipa(said.phonemes))
    assert picture.layout.keys == tuple("phone")
    assert (picture.layout.query_name, picture.layout.key_name) == ("phoneme", "letter")


def test_each_step_is_outlined_and_told(opened):
    view, said = opened(explore_alignment), pronounce(load("bahdanau"), "knight")
    for step, sign in enumerate(to_ipa(said.phonemes)):
        view.controls["step"].value = step
        row = said.weights[0, step]
        letter = "knight"[row.argmax()]
        told = f"Step {step} writes {sign}; {letter}, its strongest, weighs"
        assert f"{told} {row.max():.2f}." in view.message
        marked = view.picture.data.marks
        assert marked[step].all()
        assert marked.sum() == 6
    assert same(view, opened(explore_alignment, step=step))


@pytest.mark.parametrize("attention", [True, False])
def test_the_steps_are_those_of_the_word(attention, opened):
    view = opened(explore_alignment, attention=attention)
    for word in WORDS:
        view.controls["word"].value = word
        steps = view.controls["step"].options
        assert steps == tuple(range(len(view.picture.array)))


def test_a_step_that_is_gone_becomes_the_nearest_and_is_told(opened):
    view = opened(explore_alignment).set(step=5, word="administration")
    assert "Step 5 writes" in view.message
    view.controls["word"].value = "knight"
    assert view.values["step"] == 2
    assert view.message.startswith("There is no step 5 here; step is 2 now. knight: ")
    assert view.picture.data.marks[2].all()
    view.controls["attention"].value = False
    assert "There is no step" not in view.message


def test_W10_a_step_that_is_not_offered_is_refused(opened):
    view = opened(explore_alignment)
    before = repr(view)
    for step in (-1, 3, 1.5, "0", None):
        with pytest.raises(ValueError, match=r"step cannot be .*one of 0, 1, 2$"):
            view.set(step=step)
        assert repr(view) == before


def test_without_attention_every_letter_weighs_alike(opened):
    view = opened(explore_alignment)
    view.controls["attention"].value = False
    assert np.allclose(view.picture.array, 1 / 6)
    assert "every letter weighs 0.17." in view.message
    said = pronounce(without_attention(load("bahdanau")), "knight")
    assert repr(said) in view.message
    view.set(attention=True)
    assert same(view, opened(explore_alignment))


def test_random_moves_always_show_what_a_fresh_view_shows(opened):
    view, moves = opened(explore_alignment), random.Random(0)
    offers = {"word": WORDS[:3] + WRONG[:3], "step": None}
    offers |= {"attention": [True, False], "projector": [True, False]}
    for n in range(40):
        name = moves.choice(list(offers))
        offered = view.controls["step"].options if name == "step" else offers[name]
        view.controls[name].value = moves.choice(offered)
        assert view.refused == (view.values["word"] in WRONG)
        if n % 16 == 0 and not view.refused:
            assert same(view, opened(explore_alignment).set(**view.values))


def written(model, word):
    """Return the probability of each phoneme, as the model writes one by one."""
    memory, state = model.start(spell([word]))
    token, found = np.zeros(1, int), []
    for _ in pronounce(model, word).phonemes:
        previous = model.params["E_target"][token]
        state, context, _ = model.step(state, previous, memory)
        weights = softmax(model.read_out(state, context))
        token = weights.argmax(axis=-1)
        found.append(weights.max())
    return found


def test_the_bars_are_the_probabilities_of_what_is_written(opened):
    model, view = load("last_state"), opened(explore_bottleneck)
    for word in WORDS:
        view.set(word=word)
        assert np.allclose(view.picture.array, [written(model, word)], atol=1e-5)
        assert view.picture.layout.limits == (0, 1)
        told = f"Letters: {len(word)}; numbers passed on: 84."
        assert view.message == f"{pronounce(model, word)}. {told}"


def test_what_no_picture_can_show_is_told():
    model = tiny("bahdanau", dtype=np.float32)
    model.params["b_out"][0] = 99
    said = pronounce(model, "cat")
    for function in (check_said, alignment, lambda said: confidence(model, said)):
        with pytest.raises(
            ValueError, match="writes no phoneme for 'cat'; try another"
        ):
            function(said)
    check_said(pronounce(load("bahdanau"), "cat"))


@each_view
def test_A05_controls_have_words_to_them(make, opened):
    for control in opened(make).controls.values():
        assert control.description
