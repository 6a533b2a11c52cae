"""What the bench runs can run, and what it measures is what it says."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from bench.attention import BARE, TORCH, bare_products
from bench.cells import FLOOR, OURS, PLAIN
from bench.report import report
from mha_core import multi_head_attention
from mha_core.lab.explorers.heads import WIDTHS


@pytest.fixture
def floor():
    scope = {}
    exec(FLOOR, scope)
    yield scope
    for control in scope["floor"].controls.values():
        control.observe(scope["floor"]._follow, names="value")  # which close ends
    scope["floor"].close()


def test_the_floor_swaps_two_ready_pictures_and_draws_none(floor):
    controls, widget = floor["floor"].controls, floor["widget"]
    before = floor["floor"].picture
    first, second = floor["pictures"]
    assert first["png"] != second["png"] and widget.shown == first
    shown = []
    for d_model, h in ((32, 8), (32, 4), (64, 4)):
        controls["d_model"].value, controls["h"].value = d_model, h
        shown.append(widget.shown)
    assert shown == [second, first, second]
    assert floor["floor"].picture is before


@pytest.mark.filterwarnings("ignore:FigureCanvasAgg is non-interactive")
@pytest.mark.parametrize("view", ["one", "every"])
def test_plain_interact_draws_the_same_weights(view):
    scope = {}
    exec(PLAIN.replace("VIEW", view).partition("slider =")[0], scope)
    for d_model in WIDTHS:
        scope["draw"](d_model, 8)
        figure = plt.gcf()
        assert len(figure.axes) == 1 + 8 + 1
        assert len(figure.axes[0].get_xticklabels()) == 12
        plt.close(figure)


def test_our_cell_is_the_view_with_eight_heads():
    scope = {}
    *lines, last = OURS.splitlines()
    exec("\n".join(lines), scope)
    view = eval(last, scope)
    assert (view.values["d_model"], view.values["h"]) == (64, 8)
    view.close()


def test_bare_products_are_attention_without_its_softmax():
    rng = np.random.default_rng(0)
    X, *W = (rng.standard_normal(shape) for shape in [(5, 8), *[(8, 8)] * 4])
    ours = multi_head_attention(X, *W, 2)[0]
    assert bare_products(X, *W, 2).shape == ours.shape
    one = [np.zeros((8, 8)), W[1], W[2], W[3]]  # no query: all products are 0
    assert not bare_products(X, *one, 2).any()


def test_the_reaches():
    assert BARE == {
        (64, 128, 8): 2.0,
        (128, 512, 8): 1.2,
        (512, 512, 8): 1.45,
        (1024, 1024, 16): 1.45,
    }
    assert set(TORCH) == {*BARE, (10, 16, 4)} and set(TORCH.values()) == {1.0}


@pytest.mark.parametrize(("ours", "held"), [(1.9, True), (2.0, True), (2.1, False)])
def test_a_ratio_holds_up_to_its_limit(ours, held, capsys):
    assert report("any", ours, 1.0, 2.0) is held
    assert ("holds" if held else "FAILS") in capsys.readouterr().out
