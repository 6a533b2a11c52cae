"""Each drawn thing stands where it belongs: places are compared, not orders."""

import numpy as np
import pytest

from drawn import softmax, texts, tick_texts
from mha_core.lab import bars, head_grid, heatmap, lines

TABLE = np.array([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]])


def table(values=TABLE, **options):
    rows = options.pop("rows", "qr")
    return heatmap(
        values, rows, "abc", **{"value_name": "share", "title": "t"} | options
    )


def box(figure, text):
    """Return the box of the one text with this wording."""
    (found,) = (t for t in texts(figure) if t.get_text() == text)
    return found.get_window_extent(figure.canvas.get_renderer())


def middle(box):
    return (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2


@pytest.mark.parametrize("place", [*np.ndindex(2, 3)])
def test_the_number_in_a_cell_is_that_of_the_cell(place):
    axes = table().figure.axes[0]
    (number,) = (
        t.get_text()
        for t in axes.texts
        if np.allclose(t.get_position(), place[::-1], atol=0.01)
    )
    assert number == f"{TABLE[place]:.2f}"


@pytest.mark.parametrize("place", [*np.ndindex(2, 3)])
def test_the_ink_of_a_number_is_in_the_middle_of_its_cell(place):
    alone = np.zeros((2, 3))
    alone[place] = 0.25
    picture, empty = table(alone), table(np.where(alone, 0.001, 0))
    ink = np.argwhere(picture.pixels.max(axis=-1) < 60)
    blank = {tuple(p) for p in np.argwhere(empty.pixels.max(axis=-1) < 60)}
    ink = np.array([p for p in ink if tuple(p) not in blank])
    x, y = picture.figure.axes[0].transData.transform(place[::-1])
    found = ink.mean(axis=0)
    assert abs(found - (len(picture.pixels) - y, x)).max() < 4


@pytest.mark.parametrize("projector", [False, True])
def test_labels_stand_beside_their_rows_and_below_their_columns(projector):
    figure = heatmap(
        TABLE, ["one", "two"], ["red", "wide", "x"], value_name="s", projector=projector
    ).figure
    at = figure.axes[0].transData.transform
    for i, word in enumerate(["one", "two"]):
        label = box(figure, word)
        assert abs(middle(label)[1] - at((0, i))[1]) < 5
        assert label.x1 < at((-0.5, 0))[0]
    for j, word in enumerate(["red", "wide", "x"]):
        label = box(figure, word)
        assert abs(middle(label)[0] - at((j, 0))[0]) < 5
        assert label.y1 < at((0, 1.5))[1]


@pytest.mark.parametrize("count", [100, 400])
def test_labels_that_are_left_stand_at_their_own_rows_and_columns(count):
    tokens = [f"w{n}" for n in range(count)]
    axes = heatmap(np.eye(count), tokens, tokens).figure.axes[0]
    for axis in (axes.xaxis, axes.yaxis):
        places = axis.get_ticklocs().astype(int)
        assert 5 < len(places) < count
        assert tick_texts(axis) == [tokens[place] for place in places]


def test_titles_and_names_stand_where_they_belong():
    figure = table(query_name="row", key_name="column").figure
    axes = figure.axes[0].get_window_extent()
    assert box(figure, "t").y0 > axes.y1
    assert box(figure, "row (query)").x1 < box(figure, "q").x0
    assert box(figure, "column (key)").y1 < box(figure, "a").y0
    assert box(figure, "share (0-1)").x0 > axes.x1


@pytest.mark.parametrize("enlarge", range(8))
def test_the_ring_lies_around_the_enlarged_thumbnail(enlarge):
    weights = softmax(np.random.RandomState(0).randn(8, 3, 3))
    picture = head_grid(weights, "abc", "abc", enlarge=enlarge)
    figure, pixels = picture.figure, picture.pixels
    for n, axes in enumerate(figure.axes[1:9]):
        left, low, right, high = axes.get_window_extent().extents.round().astype(int)
        edge = pixels[540 - high : 540 - low, left - 2 : left].min(axis=(1, 2))
        assert (np.median(edge) < 60) == (n == enlarge)
        title = axes.title.get_window_extent(figure.canvas.get_renderer())
        assert axes.get_title() == f"head {n}"
        assert abs(middle(title)[0] - (left + right) / 2) < 3
        assert 0 < title.y0 - high < 20
    assert np.array_equal(figure.axes[0].images[0].get_array(), weights[enlarge])


def test_each_thumbnail_shows_its_own_head():
    weights = softmax(np.random.RandomState(0).randn(5, 3, 3))
    figure = head_grid(weights, "abc", "abc", enlarge=2).figure
    for n in range(5):
        assert np.array_equal(figure.axes[n + 1].images[0].get_array(), weights[n])


def test_marks_lie_around_their_own_cells():
    marks = np.zeros((2, 3), bool)
    marks[0, 2] = True
    axes = table(marks=marks).figure.axes[0]
    (frame,) = (p for p in axes.patches if not p.get_fill())
    corners = frame.get_path().vertices
    assert corners.min(axis=0).tolist() == [1.5, -0.5]
    assert corners.max(axis=0).tolist() == [2.5, 0.5]


CURVES = {"high": [1, 9], "low": [9, 1], "level": [5, 5]}


@pytest.mark.parametrize("projector", [False, True])
def test_names_stand_at_the_ends_of_their_curves_in_their_colours(projector):
    axes = lines([1, 2], CURVES, projector=projector).figure.axes[0]
    for name, line in zip(CURVES, axes.lines, strict=False):
        (text,) = (t for t in axes.texts if t.get_text().strip() == name)
        end = axes.transData.transform((2, CURVES[name][-1]))
        label = text.get_window_extent(axes.figure.canvas.get_renderer())
        assert abs(middle(label)[1] - end[1]) < 6
        assert label.x0 > end[0]
        assert text.get_color() == line.get_color()
        assert np.array_equal(line.get_ydata(), CURVES[name])


def test_names_that_meet_are_led_to_the_ends_of_their_own_curves():
    series = {"a": [0, 5.0], "b": [0, 5.1], "c": [0, 4.9]}
    axes = lines([1, 2], series).figure.axes[0]
    to_axes = axes.transData + axes.transAxes.inverted()
    leaders = axes.lines[len(series) :]
    for (name, values), leader in zip(series.items(), leaders, strict=True):
        (text,) = (t for t in axes.texts if t.get_text().strip() == name)
        start, stop = np.transpose(leader.get_data())
        assert np.allclose(start, to_axes.transform((2, values[-1])))
        assert stop[1] == text.get_position()[1]
        assert leader.get_color() == text.get_color()


def test_each_band_lies_around_its_own_curve():
    spread = {"a": ([0, 1], [2, 3]), "b": ([5, 6], [7, 8])}
    axes = lines([1, 2], {"a": [1, 2], "b": [6, 7]}, spread=spread).figure.axes[0]
    for band, line, (low, high) in zip(
        axes.patches, axes.lines, spread.values(), strict=False
    ):
        corners = band.get_xy()[:4]
        assert corners[:2].tolist() == [[1, low[0]], [2, low[1]]]
        assert corners[2:].tolist() == [[2, high[1]], [1, high[0]]]
        assert band.get_facecolor()[:3] == pytest.approx(
            tuple(int(line.get_color()[n : n + 2], 16) / 255 for n in (1, 3, 5))
        )


@pytest.mark.parametrize("x", [[3, 1, 2], ["c", "a", "b"]])
def test_counts_stand_under_their_own_ticks(x):
    picture = lines(x, {"s": [0.3, 0.1, 0.2]}, counts=[300, 100, 200])
    axes = picture.figure.axes[0]
    pairs = {str(place): count for place, count in zip(x, (300, 100, 200), strict=True)}
    labels = [text.split("\n") for text in tick_texts(axes.xaxis)]
    assert {place: int(count) for place, count in labels} == pairs
    places = dict(zip(map(str, x), picture.layout.places, strict=True))
    for tick, (place, _) in zip(axes.get_xticks(), labels, strict=True):
        assert tick == places[place]


SPREAD = {"one": ([0.1, 0.3], [0.9, 0.5]), "two": ([0.2, 0.6], [0.3, 0.8])}
VALUES = {"one": [0.5, 0.4], "two": [0.25, 0.7]}


@pytest.mark.parametrize("spread", [None, SPREAD])
@pytest.mark.parametrize("projector", [False, True])
def test_the_number_above_a_bar_is_its_value_and_its_place_is_above_it(
    spread, projector
):
    axes = bars("ab", VALUES, spread=spread, projector=projector).figure.axes[0]
    heights = [bar.get_height() for bar in axes.patches]
    assert heights == [0.5, 0.4, 0.25, 0.7]
    tops = heights if spread is None else [0.9, 0.5, 0.3, 0.8]
    for bar, text, top in zip(axes.patches, axes.texts, tops, strict=True):
        assert text.get_text() == f"{bar.get_height():.2f}"
        x, y = text.get_position()
        assert x == pytest.approx(bar.get_x() + bar.get_width() * 0.5 / 0.94)
        assert y == top


def test_bars_stand_above_their_own_names_beside_each_other():
    axes = bars(["first", "last"], VALUES).figure.axes[0]
    assert tick_texts(axes.xaxis) == ["first", "last"]
    for n, bar in enumerate(axes.patches):
        series, place = divmod(n, 2)
        assert place - 0.4 <= bar.get_x() < bar.get_x() + bar.get_width() <= place + 0.4
        assert (bar.get_x() < place) == (series == 0)
    for line, bar in zip(
        bars("ab", VALUES, spread=SPREAD).figure.axes[0].lines,
        axes.patches,
        strict=True,
    ):
        assert bar.get_x() < line.get_xdata()[0] < bar.get_x() + bar.get_width()


def test_the_legend_names_its_own_bars():
    axes = bars("ab", VALUES).figure.axes[0]
    legend = axes.get_legend()
    names = [t.get_text() for t in legend.get_texts()]
    assert names == list(VALUES)
    for n, patch in enumerate(legend.get_patches()):
        assert patch.get_facecolor() == axes.patches[2 * n].get_facecolor()
        assert patch.get_hatch() == axes.patches[2 * n].get_hatch()


def test_ticks_stand_at_their_heights():
    for options in ({}, {"log": True}, {"limits": (0.001, 7)}):
        axes = lines([1, 2], {"a": [0.01, 5]}, **options).figure.axes[0]
        ticks = zip(axes.get_yticks(), tick_texts(axes.yaxis), strict=True)
        assert all(float(text) == pytest.approx(tick) for tick, text in ticks)


def moved(values, by):
    values = np.array(values, dtype=float)
    values[0, 1] += by
    return values


CHANGES = {
    "a key": lambda: heatmap(TABLE, "qr", "abd", value_name="share", title="t"),
    "a query": lambda: table(rows="qs"),
    "a title": lambda: table(title="u"),
    "a scale": lambda: table(limits=(0, 2)),
    "a name": lambda: table(query_name="word"),
    "two cells": lambda: table(TABLE[:, ::-1]),
    "one cell": lambda: table(moved(TABLE, 0.01)),
    "a mark": lambda: table(marks=np.eye(2, 3)),
    "a hidden key": lambda: table(visible=[1, 1, 0]),
}


@pytest.mark.parametrize("change", CHANGES)
def test_pictures_that_differ_in_one_thing_differ_in_pixels(change):
    apart = CHANGES[change]().pixels.astype(int) - table().pixels
    assert (abs(apart).max(axis=-1) > 40).sum() > 3


# Many tokens


@pytest.mark.parametrize("shape", [(512, 512), (1, 900), (700, 3)])
@pytest.mark.parametrize("projector", [False, True])
def test_V12_many_tokens_are_drawn_with_a_note(shape, projector):
    weights = np.zeros(shape)
    weights[np.arange(shape[0]), np.arange(shape[0]) % shape[1]] = 1
    tokens = [[f"t{n}" for n in range(T)] for T in shape]
    picture = heatmap(weights, *tokens, projector=projector)
    drawn = [t.get_text() for t in texts(picture.figure)]
    assert any("labels: 1 " in text for text in drawn)
    assert any("a pixel: the largest of" in text for text in drawn)
    said = picture.text.splitlines()
    assert [line for line in said if line.startswith("Labelled: 1 query in ")]
    assert [line for line in said if line.startswith("A pixel shows the largest of")]
    assert picture.array.shape == shape


@pytest.mark.parametrize("place", [(0, 0), (511, 511), (300, 7), (255, 256)])
def test_V12_one_weight_of_512_by_512_is_seen_at_its_place(place):
    weights = np.zeros((512, 512))
    weights[place] = 1
    tokens = [str(n) for n in range(512)]
    picture = heatmap(weights, tokens, tokens)
    axes = picture.figure.axes[0]
    box = axes.get_window_extent()
    inside = picture.pixels[
        540 - int(box.y1) + 3 : 540 - int(box.y0) - 3, int(box.x0) + 3 : int(box.x1) - 3
    ]
    x, y = axes.transData.transform(place[::-1])
    found = np.argwhere(inside[..., 0] < 60)
    if 3 < place[0] < 508 and 3 < place[1] < 508:
        row, column = found.mean(axis=0) + (540 - int(box.y1) + 3, int(box.x0) + 3)
        assert abs(540 - y - row) < 2
        assert abs(x - column) < 2
    shown = axes.images[0].get_array()
    assert shown.sum() == 1
    at = np.argwhere(shown == 1)[0] / shown.shape
    assert abs(at - np.divide(place, 512)).max() < 1 / min(shown.shape)


def test_V12_heads_of_512_tokens_are_drawn_too():
    tokens = [str(n) for n in range(512)]
    picture = head_grid([np.eye(512)] * 8, tokens, tokens, enlarge=3)
    assert picture.pixels.std() > 5
    assert "A pixel shows the largest of up to" in picture.text


@pytest.mark.parametrize("projector", [False, True])
def test_thumbnails_of_twelve_tokens_show_every_cell(projector):
    tokens = [f"{n:w<10}" for n in range(12)]
    titles = [f"head {n}: previous word" for n in range(8)]
    options = {"enlarge": 3, "titles": titles, "projector": projector}
    figure = head_grid([np.eye(12)] * 8, tokens, tokens, **options).figure
    for axes in figure.axes[1:9]:
        assert axes.images[0].get_size() == (12, 12)
        assert axes.get_window_extent().height >= 36


def test_V12_few_tokens_have_no_note():
    assert "labels" not in " ".join(t.get_text() for t in texts(table().figure))
    assert "Labelled" not in table().text


@pytest.mark.parametrize("size", [(3, 2), (5, 4), (9, 5.4), (12, 4), (20, 15)])
def test_any_size_is_drawn(size):
    picture = table(size=size)
    assert picture.pixels.shape == (size[1] * 100, size[0] * 100, 3)
    eight = head_grid([np.eye(9)] * 8, "abcdefghi", "abcdefghi", enlarge=1, size=size)
    assert eight.pixels.any()


# Titles


@pytest.mark.parametrize(
    ("make", "title"),
    [
        (lambda **o: heatmap([[1, 0]], "q", "ab", **o), "attention weight, 1 × 2"),
        (
            lambda **o: head_grid([[[1]]] * 3, "q", "k", **o),
            "attention weight, 3 × 1 × 1",
        ),
        (lambda **o: lines([1], {"a": [1]}, x_name="T", y_name="ms", **o), "ms over T"),
        (lambda **o: bars("a", {"a": [1]}, y_name="ms", **o), "ms"),
    ],
)
def test_every_picture_has_a_title_drawn_and_told(make, title):
    for given, shown in (("mine", "mine"), ("", title)):
        picture = make(title=given)
        assert picture.text.splitlines()[0] == shown
        assert shown in [t.get_text() for t in texts(picture.figure)]
