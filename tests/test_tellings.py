import numpy as np
import pytest

from drawn import texts, tick_texts
from mha_core.lab import bars, head_grid, heatmap, influence_map, lines
from mha_core.lab.drawing import characters

HALF = "\ud83d"  # the first half of an emoji


@pytest.mark.parametrize(
    ("row", "limits", "told"),
    [
        ([0.0001, 0.0005], (0, 0.0005), "q <- b 0.000500."),
        ([1e-8, 9e-8], (0, 1e-7), "q <- b 0.000000090."),
        ([0, 0], (-1, 1), "q <- all 2 keys alike 0.000."),
        ([0, 0], (0, 0.0005), "q <- no key 0.000000."),
        ([0, 0], (0, 1), "q <- no key 0.000."),
        ([0.0004, 0], (0, 1), "q <- all 2 keys alike 0.000."),
        ([-0.3, -0.0001], (-1, 1), "q <- b 0.000."),
    ],
)
def test_what_is_alike_depends_on_the_scale(row, limits, told):
    picture = heatmap([row], "q", "ab", limits=limits, value_name="value")
    assert picture.sentence.endswith(told)


def test_cells_of_a_small_scale_differ_where_their_numbers_do():
    figure = heatmap(
        [[1e-4, 5e-4]], "q", "ab", limits=(0, 5e-4), value_name="value"
    ).figure
    assert {"0.00010", "0.00050"} <= {text.get_text() for text in texts(figure)}


def test_the_sharpest_head_is_found_on_a_small_scale():
    heads = 1e-8 * np.array([[[1.0, 2]], [[0, 9]]])
    sentence = head_grid(
        heads, "q", "ab", limits=(0, 1e-7), value_name="value"
    ).sentence
    assert "the sharpest is head 1, with 0.000000090 on" in sentence


def test_one_is_singular_and_more_are_not():
    assert ", 1 query by 1 key: " in heatmap([[1]], "q", "k").sentence
    assert ", 2 queries by 1 key each; " in head_grid([[[1], [1]]], "ab", "k").sentence
    assert ", 1 query by 2 keys: " in heatmap([[1, 0]], "q", "ab").sentence


def test_every_text_of_a_picture_is_one_line_that_can_be_stored():
    names = {"title": f"t\n{HALF}", "x_name": HALF, "y_name": HALF}
    chart = bars(["a\nb", " ", "", HALF], {"s": [1, 2, 3, 4], "\n": [1] * 4}, **names)
    assert chart.text.splitlines()[:2] == ["t⏎U+D83D", "x: U+D83D: a⏎b, ␣, ∅, U+D83D"]
    grid = head_grid([[[1]]], "q", "k", titles=[HALF], title=HALF, value_name="\n")
    given = heatmap([[1]], "q", "k", sentence=HALF, query_name=HALF)
    for picture in (chart, grid, given):
        assert repr(picture).encode("utf-8")
        assert "\n" not in picture.sentence
    assert repr(chart).count("\n") == 5


@pytest.mark.parametrize("unseen", [*characters.UNSEEN, "\u200d\ufe0f"])
def test_what_is_never_seen_alone_is_told_by_its_code_point(unseen):
    points = "".join(characters.code_point(character) for character in unseen)
    assert characters.spoken(unseen) == points


@pytest.mark.parametrize("joined", ["👩\u200d🔬", "❤\ufe0f", "م\u200cی", "⠓\u2800⠓"])
def test_what_shapes_its_neighbours_stays_beside_them(joined):
    assert characters.spoken(joined) == joined


def test_places_and_ticks_that_differ_are_told_apart():
    picture = lines([1000000.1, 1000000.2], {"a": [1234567.1, 1234567.4]})
    axes = picture.figure.axes[0]
    assert tick_texts(axes.xaxis) == ["1000000.1", "1000000.2"]
    assert len(set(tick_texts(axes.yaxis))) == len(axes.get_yticks()) > 2
    assert picture.text.splitlines()[1:3] == [
        "x: x: 1000000.1, 1000000.2",
        "y: y, 1234567.1 to 1234567.4",
    ]
    assert "at 1000000.1, " in picture.sentence


def test_influence_is_true_or_false_and_has_a_token_for_each_column():
    with pytest.raises(ValueError, match="moved holds NaN or infinity in 1 of 4"):
        influence_map([[np.nan, 0], [0, 1]])
    with pytest.raises(ValueError, match=r"moved has shape \(3, 3\); expected.* 2\)"):
        influence_map(np.ones((3, 3)), ["a", "b"])


def test_each_series_is_told_with_its_own_values():
    spread = {"a": ([0, 1], [2, 3]), "b": ([5, 6], [7, 8])}
    picture = bars(["x", "y"], {"a": [1, 2], "b": [6, 7]}, spread=spread)
    assert picture.text.splitlines()[3:] == [
        "  a: 1.000, 2.000",
        "    lowest: 0.000, 1.000",
        "    highest: 2.000, 3.000",
        "  b: 6.000, 7.000",
        "    lowest: 5.000, 6.000",
        "    highest: 7.000, 8.000",
    ]
    assert picture.sentence == (
        "Bars, y: a 1.000 at x, 2.000 at y; b 6.000 at x, 7.000 at y."
    )


def test_rows_are_told_from_the_first_to_the_last():
    told = [f"{row} <- {row} 1.000" for row in "abcde"]
    sentence = heatmap(np.eye(5), "abcde", "abcde").sentence
    assert sentence == f"Heat map, 5 queries by 5 keys: {'; '.join(told)}."
    grid = head_grid([np.eye(5)], "abcde", "abcde").text.splitlines()
    assert grid[-1] == f"  head 0: {', '.join(told)}"
