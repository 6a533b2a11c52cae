import gc
import random
import subprocess
import sys
from base64 import b64decode
from io import BytesIO
from threading import Thread

import ipywidgets as widgets
import numpy as np
import pytest
from matplotlib._pylab_helpers import Gcf
from matplotlib.figure import Figure
from PIL import Image

from drawn import softmax
from mha_core._checks.sentences import Sentence, sentence
from mha_core.lab import View, head_grid, heatmap
from mha_core.lab.drawing.canvas import greyed
from mha_core.lab.widgets import PictureWidget
from moved import widgets_there

TOKENS = ["the", "cat", "sat", "on", "the", "mat"]
FEATURES = np.random.RandomState(0).randn(6, 24)


def heads(h, d_model, word, large):
    """Return the untrained heads of some tokens; refuse h that does not divide."""
    if d_model % h:
        raise ValueError(f"{h} does not divide {d_model}; try 2 or 4")
    if word == "crash":
        raise KeyError("no such <b>word</b>")
    x = FEATURES[:, :d_model].reshape(6, h, -1).transpose(1, 0, 2)
    weights = softmax(x @ x.transpose(0, 2, 1))
    tokens = [*TOKENS[:-1], word]
    enlarge = 0 if large else None
    return head_grid(weights, tokens, tokens, enlarge=enlarge), f"d_k <{d_model // h}>"


def make():
    slider = widgets.SelectionSlider(options=[1, 2, 4, 8], description="h", value=2)
    controls = {
        "h": slider,
        "d_model": widgets.IntSlider(16, 16, 24, 4, description="d_model"),
        "word": widgets.Text("mat", description="word"),
        "large": widgets.Checkbox(False, description="enlarge head 0"),
    }
    return View(controls, heads)


@pytest.fixture
def view():
    view = make()
    yield view
    view.close()


def shown(view):
    """Return the pixels that the page shows."""
    return np.array(Image.open(BytesIO(view._screen.widget.shown["png"])))


def same(one, other):
    """Tell whether two views show the same."""
    return repr(one) == repr(other) and np.array_equal(shown(one), shown(other))


def from_browser(control, value):
    """Move a control as a page does."""
    options = getattr(control, "options", None)
    state = {"index": options.index(value)} if options else {"value": value}
    data = {"method": "update", "state": state, "buffer_paths": []}
    control._handle_msg({"content": {"data": data}, "buffers": []})


def test_the_pixels_are_those_of_the_picture(view):
    for values in ({}, {"h": 8}, {"large": True}, {"projector": True}, {"h": 2}):
        view.set(**values)
        assert np.array_equal(shown(view), view.picture.pixels)


def test_a_control_redraws_at_once(view):
    before = shown(view)
    view.controls["h"].value = 4
    assert view.picture.array.shape == (4, 6, 6)
    assert view.message == "d_k <4>"
    assert not np.array_equal(shown(view), before)


def test_set_moves_several_controls_with_one_redraw():
    calls = []

    def compute(a, b):
        calls.append((a, b))
        return heatmap([[1]], "q", "k")

    sliders = {n: widgets.IntSlider(0, 0, 9, description=n) for n in "ab"}
    view = View(sliders, compute)
    assert view.set(a=3, b=4) is view
    assert calls == [(0, 0), (3, 4)]
    assert view.values == {"a": 3, "b": 4, "projector": False}
    view.close()


def test_nothing_of_the_last_picture_stays():
    def compute(n):
        if n == 9:
            raise ValueError("too many")
        return heatmap([[1]], "q", "k", title="" if n else "none")

    view = View({"n": widgets.IntSlider(0, 0, 9, description="n")}, compute)
    view.controls["n"].value = 9
    view.controls["n"].value = 1
    assert view.message == ""
    assert "too many" not in view._screen.widget.shown["message"]
    assert np.array_equal(shown(view), view.picture.pixels)
    view.close()


def test_the_projector_switch_enlarges_the_print(view):
    before = shown(view)
    view.set(projector=True)
    assert view.picture.layout.projector
    assert not np.array_equal(shown(view), before)


def test_one_bundle_for_pages_images_and_text(view):
    bundle, metadata = view._repr_mimebundle_()
    page = "application/vnd.jupyter.widget-view+json"
    assert set(bundle) == {"text/plain", "image/png", page}
    image = Image.open(BytesIO(b64decode(bundle["image/png"]))).convert("RGB")
    apart = abs(np.array(image, int) - view.picture.pixels).max(axis=-1)
    assert (apart > 16).mean() < 0.01  # it has the colours of a palette
    assert metadata["image/png"]["alt"] == view.picture.sentence


def test_Q04_the_text_holds_controls_message_and_numbers(view):
    text = repr(view)
    assert "h=2, d_model=16, word=mat, large=False, projector=False" in text
    assert "message: d_k <8>" in text
    assert view.picture.text in text
    assert "0x" not in text
    assert repr(view.set(h=4)) != text


def test_both_ends_of_each_control_show_what_a_fresh_view_shows(view):
    ends = {"h": (1, 8), "d_model": (16, 24), "word": ("", "字" * 40)}
    for name, values in {**ends, "large": (True, False)}.items():
        for value in values:
            view.set(**{name: value})
            fresh = make().set(**view.values)
            assert same(view, fresh)
            fresh.close()


def test_random_moves_always_show_what_a_fresh_view_shows(view):
    moves = random.Random(0)
    offers = {"h": [1, 2, 4, 8], "d_model": [16, 20, 24], "word": ["mat", "hat"]}
    offers |= {"large": [False, True], "projector": [False, True]}
    for n in range(100):
        name = moves.choice(list(offers))
        view.controls[name].value = moves.choice(offers[name])
        assert view.refused == (view.values["d_model"] % view.values["h"] != 0)
        if n % 20 == 0 and not view.refused:
            fresh = make().set(**view.values)
            assert same(view, fresh)
            fresh.close()
    assert len(view._screen.plates) <= 6


def test_moves_from_several_threads_end_with_the_last_values(view):
    def drag(name, values):
        for value in values * 6:
            from_browser(view.controls[name], value)

    drags = {"h": [1, 4, 2, 8], "d_model": [16, 20, 24], "large": [True, False]}
    threads = [Thread(target=drag, args=move) for move in drags.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    fresh = make().set(**view.values)
    assert same(view, fresh)
    fresh.close()


def test_W02_the_picture_keeps_its_size(view):
    for values in ({"h": 8}, {"large": True}, {"projector": True}):
        view.set(**values)
        assert shown(view).shape == (540, 900, 3)
        geometry = view._screen.widget.shown["geometry"]
        assert (geometry["width"], geometry["height"]) == (900, 540)


def test_W04_W10_a_refusal_is_seen_and_goes_with_the_next_valid_setting(view):
    view.set(d_model=20)
    fine, picture = shown(view), view.picture
    from_browser(view.controls["h"], 8)
    assert view.message == "8 does not divide 20; try 2 or 4"
    assert view.picture is picture
    assert np.array_equal(shown(view), greyed(fine))
    assert "the last picture that could be drawn:" in repr(view)
    view.controls["h"].value = 2
    assert view.message == "d_k <10>"
    assert np.array_equal(shown(view), fine)


def test_set_raises_what_the_view_says(view):
    with pytest.raises(ValueError, match="8 does not divide 20"):
        view.set(h=8, d_model=20)
    assert view.values["h"] == 8
    assert "8 does not divide 20" in view.message
    view.set(d_model=16)
    assert not view.refused


def test_W04_any_other_error_is_seen_and_raised(view):
    with pytest.raises(KeyError):
        view.controls["word"].value = "crash"
    assert view.message == "KeyError: 'no such <b>word</b>'"
    view.set(word="mat")
    assert view.message == "d_k <8>"


@pytest.mark.parametrize(
    ("values", "part"),
    [
        ({"head": 1}, "there is no control head; there are h, d_model, word, large"),
        ({"h": 3}, "h cannot be 3; choose one of 1, 2, 4, 8"),
        ({"d_model": 99}, "d_model cannot be 99; choose a number from 16 to 24"),
        ({"d_model": 17}, "in steps of 4"),
        ({"d_model": 16.5}, "choose a number"),
        ({"large": "yes"}, "choose True or False"),
        ({"word": 5}, "give it a text"),
        ({"h": 4, "d_model": None}, "d_model cannot be None"),
    ],
)
def test_set_refuses_what_is_not_offered_and_moves_nothing(view, values, part):
    before, text = view.values, repr(view)
    with pytest.raises(ValueError) as refusal:
        view.set(**values)
    assert part in str(refusal.value)
    assert (view.values, repr(view)) == (before, text)
    view.controls["h"].value = 4
    assert view.message == "d_k <4>"


def test_controls_need_a_label():
    with pytest.raises(ValueError, match="the control h needs a description"):
        View({"h": widgets.IntSlider()}, heads)


def test_a_view_that_cannot_start_raises_and_leaves_nothing():
    before = len(widgets_there())
    with pytest.raises(ValueError, match="nothing to see"):
        View({}, lambda: (_ for _ in ()).throw(ValueError("nothing to see")))
    assert len(widgets_there()) == before


def test_A05_every_control_is_labelled_and_can_be_focused(view):
    for control in view.controls.values():
        assert control.description
        assert not control.disabled


def test_no_description_is_cut_off(view):
    for control in view.controls.values():
        assert control.style.description_width == "initial"
        assert control.layout.width in ("26em", "auto")


def test_a_width_that_a_control_has_is_kept():
    slider = widgets.IntSlider(0, 0, 9, description="n", layout={"width": "40em"})
    view = View({"n": slider}, lambda n: heatmap([[1]], "q", "k"))
    assert slider.layout.width == "40em"
    view.close()


def test_W15_what_a_view_says_stands_in_a_widget(view, capfd):
    view.set(h=4)
    assert "d_k <4>" == view._screen.widget.shown["message"]
    assert view.picture.sentence[:9] in view._screen.widget.shown["alt"]
    assert capfd.readouterr() == ("", "")


def test_W07_W17_no_pile_of_figures(view):
    view.set(h=1)
    for n in range(200):
        view.controls["h"].value = (1, 2, 4, 8)[n % 4]
    gc.collect()
    figures = [o for o in gc.get_objects() if isinstance(o, Figure)]
    kept = {id(plate.figure) for plate in view._screen.plates._kept.values()}
    assert len(kept) == 4
    assert Gcf.figs == {}
    assert kept <= {id(figure) for figure in figures}


def test_W17_a_seen_layout_is_not_drawn_again(view, monkeypatch):
    view.set(h=4)
    view.set(h=2)
    monkeypatch.setattr(type(view.picture.layout), "plate", None)
    view.set(h=4, d_model=24)
    assert view.picture.array.shape == (4, 6, 6)


def test_the_cache_is_bounded(view):
    for n in range(20):
        view.set(word=f"word {n}")
    assert len(view._screen.plates) == 6


def test_close_leaves_no_widgets_and_no_observers():
    before = len(widgets_there())
    view = make()
    shown_before = repr(view)
    view.close()
    view.close()
    assert len(widgets_there()) == before
    assert len(view._screen.plates) == 0
    view.controls["h"].value = 8
    assert repr(view.picture) in shown_before


def test_W14_only_core_widgets(view):
    for part in (view._box, *view._box.children, *view.controls.values()):
        core = isinstance(part, PictureWidget) or "ipywidgets" in type(part).__module__
        assert core
        assert not isinstance(part, widgets.Output)


def test_a_view_keeps_the_language_it_was_made_with(opened, monkeypatch):
    def spell(text, language):
        return f"{language}: {text}" if isinstance(text, Sentence) else text

    def compute(f):
        if f == "other":
            raise ValueError(sentence("not {f}", f=f))
        return heatmap([[1]], "q", "k", sentence=sentence("one")), sentence("fine")

    def make():
        options = [(sentence("The first"), "first"), (sentence("Another"), "other")]
        label = sentence("which")
        return View(
            {"f": widgets.Dropdown(options=options, description=label)}, compute
        )

    monkeypatch.setattr("mha_core.lab.views.translated", spell)
    monkeypatch.setattr("mha_core.lab.drawing.picture.translated", spell)
    monkeypatch.setattr("mha_core.lab.views.current", lambda: "zz")
    view = opened(make)
    monkeypatch.setattr("mha_core.lab.views.current", lambda: "en")
    assert view.values["f"] == "first"
    control = view.controls["f"]
    assert (control.label, control.description) == ("zz: The first", "zz: which")
    assert view.controls["projector"].description == "zz: projector"
    assert view.message == "zz: fine"
    assert view.picture.sentence == "zz: one"
    control.value = "other"
    assert (view.message, control.value) == ("zz: not other", "other")
    assert "zz: the last picture that could be drawn:" in repr(view)
    assert repr(view).startswith("zz: controls: f=other, projector=False\n")
    view.set(f="first")
    assert (view.message, view.picture.sentence) == ("zz: fine", "zz: one")
    assert "zz: one" in view._screen.widget.shown["alt"]
    assert opened(make).message == "en: fine"


def test_views_do_not_need_pyplot():
    check = "import sys, mha_core.lab.views; print('matplotlib.pyplot' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True)
    assert run.stdout.strip() == "False", run.stderr
