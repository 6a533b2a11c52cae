"""Two views side by side, presets, and what can be taken away from a view."""

import io
from base64 import b64decode
from functools import partial

import numpy as np
import pytest
from PIL import Image

from mha_core import lab
from mha_core.lab import beside
from mha_core.lab.controls import figure
from mha_core.lab.presets import add_buttons, buttons, with_preset
from mha_core.lab.projecting import enrol
from mha_core.pretrained import load
from moved import from_browser, widgets_there

MAKERS = {name: getattr(lab, name) for name in dir(lab) if name.startswith("explore_")}
each_view = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)


@pytest.fixture
def twins(opened):
    a, b = opened(lab.explore_bottleneck, word="at"), opened(lab.explore_alignment)
    return opened(beside, a=a, b=b, link=("word",))


def test_linked_controls_move_both_ways_and_each_view_draws_once(twins, monkeypatch):
    a, b = twins.views
    assert b.values["word"] == "at"
    drawn = []
    for view in twins.views:
        compute = view._compute
        monkeypatch.setattr(
            view,
            "_compute",
            lambda view=view, compute=compute, **v: (drawn.append(view), compute(**v))[
                1
            ],
        )
    from_browser(a.controls["word"], "phone")
    assert b.message.startswith("phone: ")
    b.set(word="queue")
    assert a.message.startswith("queue: ")
    assert [drawn.count(a), drawn.count(b)] == [2, 2]
    b.controls["step"].value = 1
    assert len(drawn) == 5


def test_set_moves_what_each_view_has_or_nothing(twins):
    a, b = twins.set(word="phone", step=1).views
    assert (a.values["word"], b.values["word"], b.values["step"]) == ("phone",) * 2 + (
        1,
    )
    before = repr(twins)
    for wrong in ({"word": "phone", "step": 9}, {"word": "x1"}, {"head": 1}):
        with pytest.raises(ValueError):
            twins.set(**wrong)
        assert repr(twins) == before


def test_what_the_other_view_refuses_is_told_until_it_follows_again(opened):
    wide = opened(lab.explore_heads, d_model=64, h=4)
    narrow = opened(lab.explore_heads, d_model=16, h=4)
    pair = opened(beside, a=wide, b=narrow, link="h")
    wide.controls["h"].value = 64
    assert "The other view: h cannot be 64; choose one of 1, 2, 4, 8, 16." in repr(pair)
    assert "h cannot be 64" in pair._told.value
    assert narrow.values["h"] == 4
    narrow.controls["h"].value = 8
    assert (wide.values["h"], pair.message) == (8, "")
    assert pair._told.value == ""


def test_both_are_stored_as_one_picture_and_both_texts(twins):
    bundle, metadata = twins._repr_mimebundle_()
    a, b = twins.views
    assert bundle["text/plain"] == f"{a!r}\n\n{b!r}"
    alt = metadata["image/png"]["alt"]
    assert alt == f"{a.picture.sentence} {b.picture.sentence}"
    pixels = [pixels_of(one) for one in (twins, a, b)]
    width = pixels[1].shape[1]
    assert pixels[0].shape == (540, 2 * width + 20, 3)
    for part, whole in ((pixels[0][:, :width], 1), (pixels[0][:, width + 20 :], 2)):
        apart = abs(part.astype(int) - pixels[whole]).max(axis=-1)
        assert (apart > 24).mean() < 0.01
    assert (pixels[0][:, width : width + 20] == 255).all()


def pixels_of(view):
    """Return the picture that a notebook stores."""
    file = io.BytesIO(b64decode(view._repr_mimebundle_()[0]["image/png"]))
    return np.array(Image.open(file).convert("RGB"))


def test_close_leaves_nothing():
    before = len(widgets_there())
    beside(lab.explore_scaling(), lab.explore_scaling(), ("d_k",)).close()
    assert len(widgets_there()) == before


def test_what_cannot_be_linked_is_refused(opened):
    a, b = opened(lab.explore_scaling), opened(lab.explore_heads)
    with pytest.raises(ValueError, match="h cannot be linked: both"):
        beside(a, b, ("h",))
    with pytest.raises(ValueError, match="beside itself"):
        beside(a, a)


@each_view
def test_each_preset_shows_what_its_values_show(make, opened):
    view = opened(make)
    some = len(view._presets) <= 3 or make is lab.explore_sizes  # what papers chose
    assert some and len(view._presets) >= 2 or make is lab.explore_timing
    for label, values in view._presets.items():
        button = next(
            b for b in view._box.children[0].children if b.description == label
        )
        button.click()
        assert values.items() <= view.values.items()
        assert not view.refused
        pressed = repr(view)
        assert repr(opened(make).set(preset=label)) == pressed
        assert all(str(figure(value)) in button.tooltip for value in values.values())
    with pytest.raises(ValueError, match="there is no preset 'nothing'; there are"):
        view.set(preset="nothing")


def test_a_preset_is_overruled_by_what_is_set_with_it():
    presets = {"both": {"a": 1, "b": 2}}
    assert with_preset({"b": 3, "preset": "both"}, presets) == {"a": 1, "b": 3}
    assert with_preset({"b": 3}, presets) == {"b": 3}
    pressed = []
    row = buttons(presets, str.upper, pressed.append)
    row.children[0].click()
    assert (row.children[0].description, pressed) == ("BOTH", ["both"])


@each_view
def test_the_line_of_code_makes_the_same_again(make, opened):
    view = opened(make)
    for preset in [None, *view._presets]:
        view.set(**({"preset": preset} if preset else {}))
        again = opened(partial(run, view.code()))
        assert repr(again) == repr(view)
    assert view.set(projector=True).code().endswith(").set(projector=True)")


def run(line):
    return eval(line, {"lab": lab})


def test_the_line_of_code_names_what_was_given(opened):
    assert (
        opened(lab.explore_heads, h=8, sentence=3).code()
        == "lab.explore_heads(d_model=64, h=8, head=0, sentence=3)"
    )
    view = opened(lab.explore_alignment, model=load("multihead"))
    line = "lab.explore_alignment(word='knight', step=0, head=0, model=model)"
    assert view.code() == line


@pytest.mark.parametrize(
    ("suffix", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")]
)
def test_a_view_is_saved_by_suffix(suffix, start, opened, tmp_path):
    path = tmp_path / f"x.{suffix}"
    view = opened(lab.explore_scaling)
    view.save(path)
    assert path.read_bytes().startswith(start)
    view.save(str(path))


def test_without_presets_no_row_is_added(opened):
    box = opened(lab.explore_timing)._box
    before = box.children
    add_buttons(box, {}, str, str)
    assert box.children == before


@pytest.mark.parametrize("path", ["x.gif", "x", "", None, 3])
def test_another_suffix_is_refused_in_a_sentence(path, opened):
    with pytest.raises(ValueError, match=r"saved as \.png, \.svg or \.pdf, not as"):
        opened(lab.explore_scaling).save(path)


def test_the_projector_is_for_all_views_open_or_to_come(opened):
    early, closed = opened(lab.explore_scaling), lab.explore_scaling()
    closed.close()
    try:
        lab.projector(True)
        late = opened(lab.explore_alignment)
        for view in (early, late):
            assert view.values["projector"]
            assert view.picture.layout.projector
        assert not closed.values["projector"]
        assert late.set(projector=False).values["projector"] is False
        refused = opened(lab.explore_bottleneck)
        refused.controls["word"].value = "x1"
        lab.projector(False)
        assert not early.picture.layout.projector
        refused.set(word="knight")
        assert not refused.picture.layout.projector
    finally:
        lab.projector(False)
    assert not opened(lab.explore_scaling).values["projector"]
    assert opened(lab.explore_scaling, d_k=4).values["d_k"] == 4


@pytest.mark.parametrize("on", ["yes", None, 2])
def test_the_projector_is_on_or_off(on):
    with pytest.raises(ValueError, match="on must be True or False"):
        lab.projector(on)


def test_a_view_joins_the_projector_of_its_kernel(opened):
    view = opened(lab.explore_scaling)
    assert enrol(view) is False
