"""What each redraw asks for again is found once: sizes of texts, notes, catalogues."""

import gettext

import numpy as np
import pytest
from matplotlib.font_manager import FontProperties

from mha_core._checks.sentences import sentence
from mha_core.lab import explore_heads, heatmap
from mha_core.lab.drawing import fitting, fonts, maps
from mha_core.lab.drawing.canvas import new_figure, own_style
from mha_core.lab.locale import translated


def counted(monkeypatch, owner, name):
    """Count the calls of a function from now on."""
    called, function = [], getattr(owner, name)

    def counting(*args, **kwargs):
        called.append(args)
        return function(*args, **kwargs)

    monkeypatch.setattr(owner, name, counting)
    return called


@pytest.mark.parametrize("density", [1, 1.25, 2])
@pytest.mark.parametrize("size", [12, 14.5, 21])
def test_texts_are_as_large_as_a_figure_draws_them(size, density):
    with own_style():
        figure = new_figure()
        figure.dpi *= density
        font = FontProperties(family=fonts.families(), size=size)
        measure = figure.canvas.get_renderer().get_text_width_height_descent
        texts = ["knight", "0.25", "é", "two words", "gj", " "]
        drawn = [measure(text, font, False)[:2] for text in texts]
        assert fitting.text_size(figure, texts, size) == tuple(np.max(drawn, axis=0))
        for text, there in zip(texts, drawn, strict=True):
            assert fitting.text_size(figure, [text], size) == there


def test_other_fonts_give_other_sizes(monkeypatch):
    figure = new_figure()
    before = fitting.text_size(figure, ["knight"], 12)
    monkeypatch.setattr(fitting, "families", lambda: ["DejaVu Sans Mono"])
    assert fitting.text_size(figure, ["knight"], 12) != before


def test_the_notes_of_a_layout_are_placed_once(monkeypatch):
    placed = counted(monkeypatch, maps, "frame")
    keys = [f"once {n}" for n in range(300)]
    texts = [heatmap(np.eye(300)[::way], keys, keys).text for way in (1, -1, 1)]
    assert len(placed) == 1
    assert texts[0] == texts[2] != texts[1]
    assert heatmap(np.eye(3), "qrs", "abc").text != texts[0]
    assert len(placed) == 2


def test_a_catalogue_is_looked_for_once(monkeypatch):
    looked = counted(monkeypatch, gettext, "find")
    said = [translated(sentence("drawing…"), "qq") for _ in range(5)]
    assert said == ["drawing…"] * 5
    assert len(looked) == 1


@pytest.mark.parametrize("h", [1, 2, 4, 8, 16])
def test_other_titles_of_heads_need_no_other_fixed_part(h, opened):
    view, fixed = opened(explore_heads, h=h), set()
    for d_model in (16, 24, 32, 64):
        if d_model % h == 0:
            view.set(d_model=d_model)
            fixed.add(view.picture.layout.fixed)
            heads = [axes.get_title() for axes in view.picture.figure.axes]
            assert all(any(str(n) in title for title in heads) for n in range(h))
    assert len(fixed) <= 2 + (h == 16)


def test_the_titles_of_the_last_picture_do_not_stay(opened):
    view = opened(explore_heads, d_model=64, h=8)
    before = view.picture.pixels
    view.set(d_model=32)
    assert view.picture.pixels[50:70].tolist() != before[50:70].tolist()
    view.set(d_model=64)
    assert np.array_equal(view._screen.paint(view.picture, False), before)
