"""Heat maps that tell what is hidden, what is yes or no, and what is no weight."""

import numpy as np
import pytest

from drawn import softmax, texts
from mha_core.lab import head_grid, heatmap, influence_map

SCORES = 3 * np.random.RandomState(0).randn(2, 4, 4)
CAUSAL = np.tri(4, dtype=bool)
PADDED = np.array([1, 1, 1, 0], bool)


def masked(visible, scores=SCORES):
    """Return weights in which hidden keys have none."""
    weights = np.where(True if visible is None else visible, np.exp(scores), 0)
    return weights / np.maximum(weights.sum(axis=-1, keepdims=True), 1e-9)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("T_k", [1, 3, 64, 512])
def test_T03_weights_pass_however_they_were_rounded(dtype, T_k):
    weights = softmax(np.random.RandomState(T_k).randn(2, 5, T_k)).astype(dtype)
    keys = [str(j) for j in range(T_k)]
    assert heatmap(weights[0], "abcde", keys).array.shape == (5, T_k)
    assert head_grid(weights, "abcde", keys).array.shape == (2, 5, T_k)


T03 = [[0.7, 0.1], [0.2, 0.3], [0.1, 0.6]]


@pytest.mark.parametrize(
    ("row", "told"),
    [([0.7, 0.1], "0.8"), ([0.5, 0.49], "0.99"), ([1, 1], "2"), ([0.01, 0], "0.01")],
)
def test_T03_rows_that_are_no_weights_are_refused(row, told):
    with pytest.raises(ValueError, match=rf"weights\[1\] sums to {told};.*value_name"):
        heatmap([[0, 1], row], "qr", "ab")
    with pytest.raises(ValueError, match=rf"weights\[1, 0\] sums to {told};.*value_na"):
        head_grid([[[0, 1]], [row]], "q", "ab")


@pytest.mark.parametrize("name", ["attention weight", "Attention weights of head 0"])
def test_T03_the_name_counts_however_it_is_written(name):
    with pytest.raises(ValueError, match="sums to 0.8"):
        heatmap(T03, "abc", "de", value_name=name)
    with pytest.raises(ValueError, match="not below 0"):
        heatmap([[-0.5, 1.5]], "a", "de", value_name=name, limits=(-1, 2))


@pytest.mark.parametrize("name", ["score", "share", "influence"])
def test_T03_other_names_are_free_and_so_are_rows_of_zeros(name):
    assert heatmap(T03, "abc", "de", value_name=name).layout.value_name == name
    assert head_grid([T03], "abc", "de", value_name=name).array.shape == (1, 3, 2)
    assert heatmap([[0, 0], [0, 1]], "ab", "de").array.max() == 1


def numbers(axes):
    """Return the numbers drawn in the cells by their place."""
    return {
        tuple(int(round(n)) for n in t.get_position()[::-1]): t.get_text()
        for t in axes.texts
        if t.get_text()
    }


HOLES = ~np.eye(4, k=1, dtype=bool) & np.array([1, 1, 1, 0], bool)


@pytest.mark.parametrize(
    "visible", [CAUSAL, PADDED, PADDED[None], CAUSAL & PADDED, HOLES]
)
def test_hidden_cells_are_hatched_and_have_no_number(visible):
    full = np.broadcast_to(visible, (4, 4))
    axes = heatmap(masked(full)[0], "abcd", "efgh", visible=visible).figure.axes[0]
    (patch,) = (p for p in axes.patches if p.get_hatch())
    assert patch.get_visible()
    path = patch.get_path()
    for i, j in np.ndindex(4, 4):
        assert path.contains_point((j, i)) == (not full[i, j])
    assert all(full[place] for place in numbers(axes))


def test_a_score_that_is_hidden_has_no_number_either():
    names = {"value_name": "score", "limits": (-9, 9)}
    axes = heatmap(SCORES[0], "abcd", "efgh", visible=CAUSAL, **names).figure.axes[0]
    assert set(numbers(axes)) == set(map(tuple, np.argwhere(CAUSAL)))


def test_hatches_are_seen_in_the_pixels_and_only_where_keys_are_hidden():
    mine = heatmap(masked(CAUSAL)[0], "abcd", "efgh", visible=CAUSAL)
    plain = heatmap(masked(CAUSAL)[0], "abcd", "efgh")
    axes = mine.figure.axes[0]
    for i, j in np.ndindex(4, 4):
        corner = [(j - 0.45, i - 0.2), (j - 0.25, i - 0.45)]  # beside the number
        (left, low), (right, high) = axes.transData.transform(corner).astype(int)
        part = mine.pixels[540 - high : 540 - low, left:right]
        assert (np.ptp(part, axis=(0, 1)).max() > 60) == (not CAUSAL[i, j])
    assert "hatched: hidden keys" in [t.get_text() for t in texts(mine.figure)]
    assert not [t for t in texts(plain.figure) if "hatched" in t.get_text()]


def test_each_head_hides_its_own_keys():
    visible = np.array([CAUSAL, np.ones((4, 4), bool)])
    picture = head_grid(masked(visible), "abcd", "efgh", visible=visible)
    paths = [
        next(p for p in axes.patches if p.get_hatch()).get_path()
        for axes in picture.figure.axes[:2]
    ]
    assert paths[0].contains_point((3, 0))
    assert not paths[1].contains_point((3, 0))
    assert "head 0, hidden keys per row: 3, 2, 1, 0" in picture.text
    assert "head 1, hidden keys per row: 0, 0, 0, 0" in picture.text


def test_masks_of_a_page_are_those_of_its_heads():
    visible = np.ones((20, 1, 4), bool)
    visible[17, 0, 3] = False
    weights = masked(visible, np.zeros((20, 4, 4)))
    picture = head_grid(weights, "abcd", "efgh", visible=visible, page=1)
    assert picture.data.hidden.shape == (4, 4, 4)
    assert picture.data.hidden[1, :, 3].all()
    assert picture.data.hidden.sum() == 4


def test_a_row_whose_every_key_is_hidden_looks_and_reads_so():
    visible = CAUSAL & np.array([[1], [1], [1], [0]], bool)
    picture = heatmap(masked(visible)[0], "abcd", "efgh", visible=visible)
    assert "  d <- every key is hidden" in picture.text.splitlines()
    assert picture.sentence.endswith("d <- every key is hidden. 10 cells are hidden.")
    assert not [place for place in numbers(picture.figure.axes[0]) if place[0] == 3]


def test_the_text_counts_visible_keys_and_names_what_every_row_hides():
    even = heatmap([[0.5, 0.5, 0]] * 2, "ab", "efg", visible=[1, 1, 0])
    assert "  a <- all 2 visible keys alike 0.500" in even.text
    assert "hidden from every row: g" in even.text.splitlines()
    scores = heatmap([[1, 9]], "q", "ab", visible=[1, 0], limits=(0, 9), value_name="s")
    assert "  q <- a 1.000" in scores.text
    assert scores.sentence.endswith("1 cell is hidden.")


def test_a_mask_that_hides_nothing_changes_nothing():
    plain = heatmap(masked(None)[0], "abcd", "efgh")
    open_ = heatmap(masked(None)[0], "abcd", "efgh", visible=np.ones((4, 4)))
    assert repr(open_) == repr(plain)
    assert np.array_equal(open_.pixels, plain.pixels)


@pytest.mark.parametrize(
    ("visible", "part"),
    [
        (np.ones((3, 4)), r"visible has shape \(3, 4\); expected \(4, 4\)"),
        (np.full((4, 4), 0.5), "True or False, True where a query may attend.* 0.5"),
        (np.where(CAUSAL, 0, -1e9), "True or False.* not -1e"),
        (np.full((4, 4), np.nan), "visible holds NaN"),
        (~CAUSAL, r"weights\[0, 0\] is 1, but visible hides that key.*True means"),
    ],
)
def test_a_mask_that_does_not_fit_is_refused(visible, part):
    with pytest.raises(ValueError, match=part):
        heatmap(masked(CAUSAL)[0], "abcd", "efgh", visible=visible)


@pytest.mark.parametrize("value", [0, 0.004, 1e-9])
def test_numbers_that_round_to_nothing_are_left_out(value):
    axes = heatmap([[value, 1 - value], [0.5, 0.5]], "ab", "cd").figure.axes[0]
    assert set(numbers(axes)) == {(0, 1), (1, 0), (1, 1)}


def test_the_least_number_that_does_not_is_drawn():
    axes = heatmap([[0.006, 0.994]], "a", "cd").figure.axes[0]
    assert numbers(axes) == {(0, 0): "0.01", (0, 1): "0.99"}


def test_yes_and_no_have_two_colours_a_legend_and_no_number():
    moved = np.tri(3, dtype=bool)
    figure = influence_map(moved, "abc").figure
    assert len(figure.axes) == 1  # no bar of colours
    assert numbers(figure.axes[0]) == {}
    (legend,) = figure.legends
    names = [t.get_text() for t in legend.get_texts()]
    assert names == ["moves", "does not move"]
    image = figure.axes[0].images[0]
    for patch, value in zip(legend.get_patches(), (1, 0), strict=True):
        assert patch.get_facecolor() == tuple(image.cmap(image.norm(value)))
    assert np.array_equal(image.get_array(), moved)


def test_the_text_of_yes_and_no_says_which():
    lines = influence_map(np.tri(3, 4, -1), list("abcd")).text.splitlines()
    assert lines[3:] == [
        "colour: dark moves, pale does not move",
        "moves, row by row:",
        "  0 <- no key",
        "  1 <- a",
        "  2 <- a b",
    ]
