import numpy as np
import pytest

from drawn import tick_texts
from mha_core.lab import bars, head_grid, heatmap, lines


@pytest.mark.parametrize("x", [[0, 500, 1000], [0, 5, 10], [0, 0.5, 1], [7]])
def test_ticks_have_labels_however_far_apart_they_are(x):
    axes = lines(x, {"a": x}).figure.axes[0]
    assert tick_texts(axes.xaxis) == [f"{value:g}" for value in x]


def test_labels_of_uneven_places_keep_apart():
    x = [2**i for i in range(11)]
    axes = lines(x, {"a": x}).figure.axes[0]
    assert tick_texts(axes.xaxis) == ["1", "128", "256", "512", "1024"]


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ([-0.001, 0.5], ["0.00", "0.50"]),
        ([0.0004, 0.0012], ["0.0004", "0.0012"]),
        ([0.5, 1], ["0.50", "1.00"]),
        ([-5, 20], ["−5.0", "20.0"]),
        ([5, 200], ["5", "200"]),
    ],
)
def test_numbers_above_bars_fit_the_scale(values, shown):
    axes = bars("ab", {"s": values}).figure.axes[0]
    assert [text.get_text() for text in axes.texts] == shown


ONE, TWO = [[1]], {"a": [1, 2]}
REFUSED = {
    "x holds 1 more than once": lambda: lines([1, 1], TWO),
    "counts must be whole numbers, but 1.9": lambda: lines(
        [1, 2], TWO, counts=[1.9, 2]
    ),
    "spread has a low above its high": lambda: lines(
        [1, 2], TWO, spread={"a": ([0, 3], [3, 0])}
    ),
    "the least is -1": lambda: lines([1], {"a": [-1]}, log=True, limits=(0.1, 10)),
    "bars run from 0 to 0.9": lambda: bars("a", {"s": [0.9]}, limits=(0.5, 1)),
    "series must be a dict": lambda: lines([1, 2], [1, 2]),
    "limits must be two numbers.* None": lambda: heatmap(ONE, "q", "k", limits=None),
    "limits must be two numbers.* not 3": lambda: lines([1, 2], TWO, limits=3),
    "limits must be two numbers.* 'ab'": lambda: heatmap(ONE, "q", "k", limits="ab"),
    "page 0.0 does not exist": lambda: head_grid([ONE], "q", "k", page=0.0),
    "head 0.0 is not on page 0": lambda: head_grid([ONE], "q", "k", enlarge=0.0),
    "spread is given for 3; expected for 2": lambda: lines(
        [1], {2: [1]}, spread={3: 1}
    ),
}


@pytest.mark.parametrize("part", REFUSED)
def test_what_cannot_be_drawn_is_refused_with_a_sentence(part):
    with pytest.raises(ValueError, match=part):
        REFUSED[part]()


@pytest.mark.parametrize("limits", [np.array([0, 3]), [0, 3], ("0", "3")])
def test_limits_may_be_any_two_numbers(limits):
    assert lines([1, 2], TWO, limits=limits).layout.limits == (0, 3)
    layout = heatmap(ONE, "q", "k", limits=limits).layout
    assert layout.limits == (0, 3)
    assert hash(layout)


def test_series_may_be_named_by_numbers():
    spread = {1: ([1, 1], [2, 2])}
    picture = lines([1, 2], {1: [1, 2]}, spread=spread, tell=False)
    assert picture.sentence == "Curves, y over x: 1."
