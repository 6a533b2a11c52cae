"""What a view shows on a page and hears from it, without a browser."""

import time
from io import BytesIO

import numpy as np
import pytest
from matplotlib.text import Text
from PIL import Image
from traitlets import TraitError

from mha_core import lab
from mha_core.lab import (
    View,
    bars,
    explore_alignment,
    explore_heads,
    explore_steps,
    explore_timing,
    head_grid,
    heatmap,
    influence_map,
)
from mha_core.lab.drawing.canvas import greyed
from mha_core.lab.drawing.colours import HEADS as HEAD_COLOURS
from mha_core.lab.drawing.colours import INK, head_colour
from mha_core.lab.widgets import Play, Slider

WEIGHTS = np.array([[0.9, 0.1, 0], [0.2, 0.5, 0.3]])
HEADS = np.random.RandomState(0).dirichlet(np.ones(3), (20, 2))
VISIBLE = [[True, True, False]] * 2


def page(view, width, height, density=1):
    """Tell a view what a page of this size tells it."""
    screen = {"width": width, "height": height, "density": density}
    view._screen.pointer.screen = screen


def choose(view, control, value, times=1):
    """Choose in the picture as a click does."""
    view._screen.pointer.chosen = {"control": control, "value": value, "times": times}


def shown(view):
    return view._screen.widget.shown


def pixels(view):
    return np.array(Image.open(BytesIO(shown(view)["png"])))


def grid(head, step):
    """Return the picture of a view with heads and steps."""
    if step == 1 and head == 7:
        raise ValueError("head 7 has no step 1")
    first = head // 16
    picture = head_grid(HEADS, "qr", "abc", page=first, enlarge=head)
    return picture, f"head {head}, step {step}"


@pytest.fixture
def view(opened):
    controls = {
        "head": Slider(options=range(20), description="head"),
        "step": Slider(options=range(2), description="step"),
    }
    return opened(lambda: View(controls, grid))


@pytest.mark.parametrize(
    ("screen", "size"),
    [
        ((1180, 900), (1180, 708)),
        ((1180, 500), (1180, 500)),
        ((3000, 2000), (1600, 960)),
        ((330, 700), (478, 765)),
        ((530, 100), (768, 320)),
        ((800, -50), (800, 320)),
    ],
)
@pytest.mark.parametrize("density", [1, 1.25, 2, 3])
def test_a_picture_is_drawn_for_the_page_and_its_density(view, screen, size, density):
    page(view, *screen, density)
    geometry = shown(view)["geometry"]
    assert (geometry["width"], geometry["height"]) == size
    times = 1 if density == 1 else 2
    assert pixels(view).shape == (size[1] * times, size[0] * times, 3)
    assert np.array_equal(pixels(view), view._screen.picture.pixels)


@pytest.mark.parametrize("width", [200, 274, 524, 590])
def test_a_drawing_stays_legible_on_a_phone(width, opened):
    view = opened(explore_steps, word="phone")
    page(view, width, 150)
    drawn, least = shown(view)["geometry"]["width"], shown(view)["least"]
    figure = view._screen.picture.figure
    sizes = [t.get_fontsize() for t in figure.findobj(Text) if t.get_text()]
    assert min(sizes) * 100 / 72 * max(least, width) / drawn >= 11


@pytest.mark.parametrize("make", [explore_alignment, explore_timing])
def test_a_phone_leaves_no_band_above_a_picture_without_small_maps(make, opened):
    view = opened(make)
    page(view, 274, 700)
    geometry = shown(view)["geometry"]
    assert 1 < geometry["height"] / geometry["width"] < 1.2
    assert shown(view)["least"] == 0


@pytest.mark.parametrize(("large", "high"), [(False, 474), (True, 632)])
def test_half_a_projected_page_is_used_to_its_height(large, high, view):
    view.set(projector=large)
    page(view, 790, 800)
    assert shown(view)["geometry"]["height"] == high


@pytest.mark.parametrize(("large", "most"), [(False, 120), (True, 200)])
def test_few_cells_fill_a_large_page(large, most, opened):
    view = opened(explore_alignment, word="knight")
    view.set(projector=large)
    page(view, 1590, 790)
    (panel,) = shown(view)["geometry"]["panels"]
    assert 0.9 * most < panel["box"][2] / 6 <= most


@pytest.mark.parametrize("width", [900, 1100])
def test_sixteen_small_maps_are_not_flat(width, opened):
    view = opened(explore_heads, d_model=64, h=16)
    page(view, width, 700)
    small = [panel["box"] for panel in shown(view)["geometry"]["panels"]][1:]
    assert len(small) == 16
    for _, _, wide, high in small:
        assert high >= 24
        assert wide <= 3 * high


def test_the_stored_form_does_not_depend_on_the_page(view):
    before, told = view._repr_mimebundle_(), repr(view)
    page(view, 500, 400, 2)
    assert view._repr_mimebundle_() == before
    assert repr(view) == told


def test_a_refused_picture_stays_pale_when_the_page_changes(view):
    with pytest.raises(ValueError):
        view.set(head=7, step=1)
    page(view, 500, 400)
    assert shown(view)["message"] == "head 7 has no step 1"
    assert np.array_equal(pixels(view), greyed(view._screen.picture.pixels))


def test_panels_stand_where_their_cells_are_drawn(view):
    view.set(head=3)
    page(view, 1000, 600)
    for panel in shown(view)["geometry"]["panels"]:
        left, top, width, height = (round(part) for part in panel["box"])
        edges = [(top, left + width // 2), (top + height // 2, left)]
        edges += [(top + height, left + width // 2), (top + height // 2, left + width)]
        for y, x in edges:  # the frame of a map, on white or on pale blue
            near = pixels(view)[y - 2 : y + 3, x - 2 : x + 3]
            assert near.min() <= 175


def test_the_page_gets_the_line_that_makes_the_state(opened):
    view = opened(explore_heads, d_model=64, h=2)
    view.controls["h"].value = 4
    assert shown(view)["code"] == view.code()
    assert "h=4" in shown(view)["code"]
    again = opened(lambda: eval(shown(view)["code"], {"lab": lab}))
    assert repr(again) == repr(view)


@pytest.mark.parametrize("h", [2, 8, 16])
@pytest.mark.parametrize("height", [320, 600])
def test_small_maps_stand_below_on_a_phone(h, height, opened):
    view = opened(explore_heads, d_model=64, h=h)
    page(view, 290, height, 2)
    geometry = shown(view)["geometry"]
    assert geometry["height"] > geometry["width"]
    (left, top, wide, high), *small = (p["box"] for p in geometry["panels"])
    assert wide > 180 and high > 100
    for box in small:
        assert box[1] > top + high
        assert 0 <= box[0] and box[0] + box[2] <= geometry["width"]
        assert box[1] + box[3] <= geometry["height"]
    figure = view._screen.picture.figure
    texts = [t for t in figure.findobj(Text) if t.get_visible() and t.get_text()]
    for text in texts:
        extent = text.get_window_extent().extents / figure.dpi * 100
        assert min(extent) >= -1
        assert extent[2] <= geometry["width"] + 1, text.get_text()
        assert text.get_fontsize() * 100 / 72 / 1.45 >= 11


@pytest.mark.parametrize(("d_model", "h"), [(24, 12), (64, 16)])
@pytest.mark.parametrize("width", [600, 759])
def test_many_small_maps_are_not_flat_on_half_a_page(d_model, h, width, opened):
    view = opened(explore_heads, d_model=d_model, h=h)
    page(view, width, 640, 1)
    for panel in shown(view)["geometry"]["panels"]:
        _, _, wide, high = panel["box"]
        assert high > wide / 3


def test_weights_are_those_of_the_head_row_by_row(view):
    view.set(head=17)
    large, *small = shown(view)["geometry"]["panels"]
    assert large["head"] == 17
    assert large["weights"] == np.round(HEADS[17], 2).tolist()
    assert [panel["head"] for panel in small] == [16, 17, 18, 19]
    assert all(panel["weights"] is None for panel in small)


def test_hidden_keys_have_no_weight(opened):
    weights = [[0.5, 0.5, 0]] * 2
    view = opened(
        lambda: View({}, lambda: heatmap(weights, "qr", "abc", visible=VISIBLE))
    )
    assert shown(view)["geometry"]["panels"][0]["weights"] == [[0.5, 0.5, None]] * 2


def test_yes_and_no_have_no_numbers_and_charts_have_no_panels(opened):
    moves = opened(lambda: View({}, lambda: influence_map(np.eye(2, dtype=bool))))
    assert shown(moves)["geometry"]["exact"] == 0
    chart = opened(lambda: View({}, lambda: bars("ab", {"n": [1, 2]})))
    assert shown(chart)["geometry"]["panels"] == []
    assert shown(chart)["chooses"] == []


def test_a_click_chooses_a_head_and_a_step(view):
    assert shown(view)["chooses"] == ["head", "step"]
    choose(view, "head", 17)
    assert view.values["head"] == 17
    choose(view, "step", 1)
    assert view.message == "head 17, step 1"
    choose(view, "head", 7)
    assert view.message == "head 7 has no step 1"
    choose(view, "word", "x")  # no such control: nothing moves
    assert view.values["head"] == 7


def test_nothing_is_heard_after_the_end(view):
    pointer = view._screen.pointer
    view.close()
    pointer.chosen = {"control": "head", "value": 3}
    assert view.values["head"] == 0


def test_all_that_belongs_together_is_sent_as_one(view):
    seen = []
    view._screen.widget.observe(lambda change: seen.append(change["name"]))
    view.set(head=2)
    assert [name for name in seen if name != "busy"] == ["shown"]


def test_a_sign_is_there_while_something_takes_long(opened):
    seen = []

    def slow(seconds):
        time.sleep(seconds)
        return heatmap([[1]], "q", "k")

    times = Slider(options=[0, 0.6], description="seconds")
    view = opened(lambda: View({"seconds": times}, slow))
    view._screen.widget.observe(lambda change: seen.append(change["new"]), "busy")
    view.set(seconds=0.6)
    assert seen == ["drawing…", ""]
    view.set(seconds=0)
    assert seen == ["drawing…", ""]


def test_a_slider_has_what_a_selection_slider_has():
    slider = Slider(options=[("one", 1), ("two", 2)], value=2, description="n")
    assert (slider.value, slider.label, slider.index) == (2, "two", 1)
    with pytest.raises(TraitError):
        slider.value = 3
    slider.options = range(5)
    assert slider.value == 0
    assert Play(slider=slider).slider is slider
    slider.close()


def test_scripts_and_styles_ask_for_nothing_from_outside():
    view = explore_heads()
    parts = [view._screen.widget, *view.controls.values()]
    for part in parts:
        text = str(getattr(part, "_esm", "")) + str(getattr(part, "_css", ""))
        links = text.replace("http://www.w3.org/2000/svg", "")
        assert "://" not in links and "import " not in links and "eval(" not in links
    view.close()


def test_what_stays_takes_little_memory_and_is_drawn_again_exactly(view):
    page(view, 1180, 700, 2)
    first = pixels(view)
    for head in (3, 12, 0):
        view.set(head=head)
    assert np.array_equal(pixels(view), first)
    plates = view._screen.plates._kept.values()
    assert (
        max(sum(p.nbytes for p in plate._fixed) for plate in plates) < first.nbytes / 3
    )


def test_heads_keep_the_colour_that_they_have_in_drawings(opened):
    view = opened(explore_heads, d_model=64, h=4, head=1)
    large, *small = shown(view)["geometry"]["panels"]
    assert large["colour"] == HEAD_COLOURS[1]
    assert [panel["colour"] for panel in small] == list(HEAD_COLOURS[:4])
    titles = [axes.title for axes in view._screen.picture.figure.axes[:5]]
    assert [title.get_color() for title in titles[1:]] == list(HEAD_COLOURS[:4])
    view.set(h=8)
    assert {p["colour"] for p in shown(view)["geometry"]["panels"]} == {None}


@pytest.mark.parametrize(
    ("title", "count", "colour"),
    [
        ("head 0", 4, HEAD_COLOURS[0]),
        ("3: first .98", 4, HEAD_COLOURS[3]),
        ("头 2", 4, HEAD_COLOURS[2]),
        ("head 0", 8, INK),
        ("head 0", 1, INK),
        ("layer 0", 4, INK),
        ("a", 4, INK),
    ],
)
def test_only_titles_of_few_heads_are_coloured(title, count, colour):
    assert head_colour(title, count) == colour
