import subprocess
import sys
import warnings

import matplotlib
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib._pylab_helpers import Gcf
from matplotlib.patches import PathPatch
from PIL import Image

from drawn import clashes, contrast, outside, softmax, texts, tick_texts
from mha_core.lab import bars, head_grid, heatmap, influence_map, lines
from mha_core.lab.drawing import characters, colours, curves, fonts
from mha_core.lab.drawing.canvas import greyed
from mha_core.lab.drawing.png import png

KNIGHT = np.array(
    [[0.05, 0.9, 0.05, 0, 0, 0], [0, 0, 0.6, 0.3, 0.1, 0], [1 / 6] * 6], dtype=float
)
SOUNDS = ["n", "aɪ", "t"]


def knight(**options):
    names = {"query_name": "phoneme", "key_name": "letter"}
    return heatmap(KNIGHT, SOUNDS, "knight", title="knight", **names, **options)


def weights(*shape, seed=0):
    return softmax(3 * np.random.RandomState(seed).randn(*shape))


def image_of(picture, n=0):
    return picture.figure.axes[n].images[0]


def eight(**options):
    tokens = [f"{n:w<10}" for n in range(12)]
    return head_grid(weights(8, 12, 12), tokens, tokens, title="heads", **options)


def curve(**options):
    x = range(2, 21)
    y = {"last state only": np.linspace(0.2, 0.4, 19), "attention": np.full(19, 0.1)}
    spread = {name: (v - 0.02, v + 0.02) for name, v in y.items()}
    names = {"x_name": "letters in the word", "y_name": "phoneme error"}
    counts = {"counts": range(100, 2000, 100), "counts_name": "words"}
    return lines(x, y, title="error", spread=spread, **names, **counts, **options)


def groups(**options):
    series = {"without": [0.1, 0.3, 0.12], "with": [0.1, 0.11, 0.1]}
    return bars(["first", "middle", "last"], series, title="where", **options)


KINDS = {"heatmap": knight, "heads": eight, "lines": curve, "bars": groups}
each_kind = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
each_size = pytest.mark.parametrize("projector", [False, True])


def test_heatmap_shows_the_array_on_a_fixed_scale():
    picture = knight()
    image = image_of(picture)
    assert np.array_equal(image.get_array(), KNIGHT)
    assert np.array_equal(picture.array, KNIGHT)
    assert image.get_clim() == (0, 1)


def test_each_cell_has_the_colour_of_its_weight():
    picture = heatmap([[0.0, 1.0], [0.5, 0.25]], "ab", "cd", value_name="share")
    image = image_of(picture)
    for (i, j), value in np.ndenumerate(picture.array):
        x, y = image.axes.transData.transform((j - 0.4, i - 0.4))  # beside the number
        found = picture.pixels[round(len(picture.pixels) - y), round(x)].astype(int)
        assert abs(found - image.cmap(value, bytes=True)[:3]).max() <= 1


def test_each_number_is_drawn_in_the_middle_of_its_cell():
    picture = heatmap([[0.1, 0.11]], "q", "ab", value_name="share")
    axes, inks = picture.figure.axes[0], []
    for j in range(2):
        x, y = axes.transData.transform((j, 0)).round().astype(int)
        y = len(picture.pixels) - y
        inks.append(picture.pixels[y - 15 : y + 15, x - 30 : x + 30].max(axis=-1) < 60)
        middle = np.argwhere(inks[-1]).mean(axis=0)
        assert abs(middle - (15, 30)).max() < 3
    assert not np.array_equal(*inks)


def test_cell_values_are_printed_and_readable():
    shown = [t for t in texts(knight().figure) if "." in t.get_text()]
    cells = [t for t in shown if t.axes and t.axes.images]
    values = [v for v in KNIGHT.flat if v]
    assert [t.get_text() for t in cells] == [f"{v:.2f}" for v in values]
    cmap = image_of(knight()).cmap
    for text, value in zip(cells, values, strict=True):
        ink = colours.luminance(matplotlib.colors.to_rgb(text.get_color()))
        assert contrast(ink, colours.luminance(cmap(value))) >= 4.5


def test_T01_rows_are_queries_and_columns_are_keys():
    picture = heatmap(np.full((2, 3), 1 / 3), ["x", "y"], ["a", "b", "c"])
    axes = picture.figure.axes[0]
    assert picture.array.shape == (2, 3)
    assert tick_texts(axes.yaxis) == ["x", "y"]
    assert tick_texts(axes.xaxis) == ["a", "b", "c"]
    assert (axes.get_ylabel(), axes.get_xlabel()) == ("query", "key")
    assert axes.yaxis_inverted()


def test_axes_are_named_with_their_role():
    axes = knight().figure.axes[0]
    assert axes.get_ylabel() == "phoneme (query)"
    assert axes.get_xlabel() == "letter (key)"


def test_T09_T11_heads_are_shown_one_by_one_and_count_from_0():
    both = np.array([[[1.0, 0]], [[0, 1.0]]])
    picture = head_grid(both, ["q"], ["a", "b"])
    titles = [axes.get_title() for axes in picture.figure.axes[:2]]
    assert titles == ["head 0", "head 1"]
    assert np.array_equal(image_of(picture, 1).get_array(), both[1])


def test_T17_padded_and_masked_rows_are_shown_as_they_are():
    picture = heatmap([[0.5, 0.5, 0], [0, 0, 0]], ["a", "pad"], ["a", "b", "pad"])
    assert "pad <- no key 0.000" in picture.text
    assert not np.isnan(image_of(picture).get_array()).any()


@each_kind
def test_V01_chinese_is_drawn_or_named_and_nothing_is_warned(kind, monkeypatch):
    families = fonts.families()
    monkeypatch.setattr(fonts, "FAMILIES", ("DejaVu Sans",))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        picture = heatmap(
            weights(3, 3), "我爱你", "我爱👍", title="注意力", key_name="键"
        )
        assert picture.pixels.any()
    assert tick_texts(picture.figure.axes[0].yaxis)[0] == "U+6211"
    assert "我" in picture.text
    assert "DejaVu Sans" in families


def test_V01_fonts_of_all_three_systems_are_tried():
    assert {"Microsoft YaHei", "PingFang SC", "Noto Sans CJK SC"} <= set(fonts.FAMILIES)


def test_V04_words_from_right_to_left_pass_unchanged():
    words = ["שלום", "عالم"]
    axes = heatmap(weights(2, 2), words, words).figure.axes[0]
    assert tick_texts(axes.xaxis) == words


def test_V05_negative_scores_keep_their_minus():
    scores = np.array([[-1.5, 2.0], [0.25, -0.001]])
    picture = heatmap(scores, "ab", "cd", limits=(-2, 2), value_name="score")
    shown = [t.get_text() for t in texts(picture.figure)]
    assert {"−1.50", "2.00", "0.25", "−2"} <= set(shown)
    assert not {"−0.00", "0.00"} & set(shown)
    assert picture.figure.axes[1].get_ylabel() == "score (−2 to 2)"
    assert "score, -2 to 2" in picture.text


def test_V06_ticks_sit_on_their_cells():
    axes = heatmap(weights(10, 10), "abcdefghij", "abcdefghij").figure.axes[0]
    for axis in (axes.xaxis, axes.yaxis):
        assert list(axis.get_ticklocs()) == list(range(10))
        assert tick_texts(axis) == list("abcdefghij")
    assert axes.get_xlim() == (-0.5, 9.5)
    assert axes.get_ylim() == (9.5, -0.5)


def test_V07_repeated_tokens_stay_apart():
    words = ["the", "cat", "the", "dog"]
    picture = heatmap(np.eye(4), words, words)
    assert tick_texts(picture.figure.axes[0].xaxis) == words
    assert "the <- the [2] 1.000" in picture.text


def test_V08_all_heads_share_one_scale_and_one_bar():
    near = [[0.2501, 0.7499], [0.7499, 0.2501]]
    figure = head_grid(np.array([near, np.eye(2)]), "ab", "ab").figure
    assert [axes.images[0].get_clim() for axes in figure.axes[:2]] == [(0, 1)] * 2
    assert len(figure.axes) == 3


def test_V11_many_heads_come_in_pages():
    picture = head_grid(weights(64, 3, 3), "abc", "abc", page=1)
    assert picture.array.shape == (16, 3, 3)
    assert len(picture.figure.axes) == 17
    assert "head 16 to head 31 of 64 heads (page 1)" in picture.sentence
    with pytest.raises(ValueError, match="page 4 does not exist; 64 heads fill 0 to 3"):
        head_grid(weights(64, 3, 3), "abc", "abc", page=4)


def test_the_sharpest_head_has_the_strongest_keys_on_average():
    one_row, both_rows = [[1, 0], [0.5, 0.5]], [[0.9, 0.1], [0.1, 0.9]]
    picture = head_grid([one_row, both_rows], "ab", "ab")
    assert "the sharpest is head 1, with 0.900" in picture.sentence


def test_heads_of_a_page_stand_in_rows_from_the_top():
    axes = head_grid(weights(16, 3, 3), "abc", "abc").figure.axes[:16]
    corners = [(-a.get_position().y0, a.get_position().x0) for a in axes]
    assert corners == sorted(corners)


LAYOUTS = {
    "one token": lambda **o: heatmap([[1]], "a", "a", title="one", **o),
    "knight": knight,
    "long tokens": lambda **o: heatmap(
        weights(4, 5), ["internationally"] * 4, ["administration"] * 5, **o
    ),
    "40 tokens": lambda **o: heatmap(weights(40, 40), ["to"] * 40, ["to"] * 40, **o),
    "2 by 40": lambda **o: heatmap(weights(2, 40), "ab", ["key"] * 40, **o),
    "40 by 2": lambda **o: heatmap(weights(40, 2), ["key"] * 40, "ab", **o),
    "heads": eight,
    "enlarged": lambda **o: eight(enlarge=3, **o),
    "16 enlarged": lambda **o: head_grid(
        weights(16, 14, 14), ["administration"] * 14, "x" * 14, enlarge=9, **o
    ),
    "5 heads": lambda **o: head_grid(weights(5, 3, 4), "abc", "defg", title="t", **o),
    "16 heads": lambda **o: head_grid(
        weights(16, 9, 9), "abcdefghi", "abcdefghi", title="sixteen", **o
    ),
    "lines": curve,
    "six lines": lambda **o: lines(
        [1, 2], {f"series {n}": [0.5, 0.5 + n / 1000] for n in range(6)}, **o
    ),
    "log": lambda **o: lines(range(9), {"g": 0.1 ** np.arange(9.0)}, log=True, **o),
    "bars": groups,
    "tall bars": lambda **o: bars("ab", {"x": [1, 2], "y": [2, 0.5]}, title="t", **o),
}


@each_size
@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_V13_no_text_overlaps_or_leaves_the_canvas(layout, projector):
    figure = layout(projector=projector).figure
    assert clashes(figure) == []
    assert outside(figure) == []


@each_kind
@each_size
def test_A03_text_is_at_least_12_points(kind, projector):
    sizes = [t.get_fontsize() for t in texts(kind(projector=projector).figure)]
    assert min(sizes) >= (18 if projector else 12)


def test_V13_small_cells_lose_their_values_and_some_labels():
    axes = LAYOUTS["40 tokens"]().figure.axes[0]
    assert not axes.texts
    assert 10 <= len(axes.get_xticks()) <= 40


WRONG = {
    "(2, 4, 4)": (weights(2, 4, 4), "abc", "abc"),
    "(1, 2, 3, 3)": (weights(1, 2, 3, 3), "abc", "abc"),
    "(3,)": (weights(3), "abc", "abc"),
    "(3, 4)": (weights(3, 4), "abc", "abc"),
    "(0,)": ([], "abc", "abc"),
}


@pytest.mark.parametrize("got", WRONG)
def test_V15_a_wrong_shape_is_refused_with_both(got):
    with pytest.raises(ValueError) as refusal:
        heatmap(*WRONG[got])
    assert got in str(refusal.value)
    assert "(3, 3)" in str(refusal.value)


@pytest.mark.parametrize(
    ("values", "part"),
    [
        ([[np.nan, 1]], "NaN or infinity in 1 of 2"),
        ([[1, -np.inf]], "NaN or infinity"),
        ([[0.5, 1.5]], "outside the scale from 0 to 1"),
        ([["a", "b"]], "must be numbers"),
    ],
)
def test_numbers_that_cannot_be_shown_are_refused(values, part):
    with pytest.raises(ValueError, match=part):
        heatmap(values, "q", "ab")


def test_what_else_is_refused():
    ok = weights(2, 2, 2)
    with pytest.raises(ValueError, match="queries is empty"):
        heatmap(ok[0], "", "ab")
    with pytest.raises(ValueError, match="1 title for 2 heads"):
        head_grid(ok, "ab", "ab", titles=["one"])
    with pytest.raises(ValueError, match="head 2 is not on page 0: 0 to 1"):
        head_grid(ok, "ab", "ab", enlarge=2)
    with pytest.raises(
        ValueError, match=r"marks has shape \(1, 2\); expected \(2, 2\)"
    ):
        heatmap(ok[0], "ab", "ab", marks=[[1, 0]])


def test_V16_the_bar_says_what_colour_means():
    assert knight().figure.axes[1].get_ylabel() == "attention weight (0-1)"
    assert eight().figure.axes[-1].get_ylabel() == "attention weight (0-1)"


def test_A01_every_picture_has_a_sentence_as_its_alternative_text():
    bundle, metadata = knight()._repr_mimebundle_()
    alt = metadata["image/png"]["alt"]
    assert "n <- n 0.900" in alt
    assert alt in bundle["text/plain"]
    assert set(bundle) == {"image/png", "text/plain"}


def test_A02_lightness_falls_in_equal_steps():
    ramp = colours.even_blues()(np.linspace(0, 1, 256))
    light = np.array([colours.lightness(colour) for colour in ramp])
    steps = -np.diff(light)
    assert steps.min() > 0.1
    assert steps.max() / steps.min() < 2.5


def test_A02_lines_differ_without_colour_and_are_seen_on_white():
    assert len(set(curves.MARKERS)) == len(colours.LINES) == curves.MOST
    for colour in colours.LINES:
        on_white = contrast(1, colours.luminance(matplotlib.colors.to_rgb(colour)))
        assert on_white >= 4.5
    first, second = curve().figure.axes[0].lines[:2]
    assert first.get_marker() != second.get_marker()
    assert first.get_linestyle() != second.get_linestyle()


@each_kind
def test_Q01_text_is_stable_and_holds_no_address(kind):
    assert kind().text == kind().text
    assert "0x" not in repr(kind())
    assert "np." not in repr(kind())


@each_kind
def test_Q07_the_picture_ignores_and_keeps_the_users_settings(kind):
    usual = kind().pixels
    custom = {"figure.figsize": (4, 3), "font.size": 30, "savefig.dpi": 31}
    with matplotlib.rc_context({**custom, "image.cmap": "jet", "axes.grid": True}):
        before = dict(matplotlib.rcParams)
        assert np.array_equal(kind().pixels, usual)
        assert dict(matplotlib.rcParams) == before


@each_kind
def test_pictures_stay_out_of_pyplot(kind):
    kind().figure.canvas.draw()
    assert Gcf.figs == {}


def test_pictures_do_not_need_pyplot():
    check = (
        "import sys, mha_core.lab.pictures; print('matplotlib.pyplot' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True)
    assert run.stdout.strip() == "False", run.stderr


@each_kind
def test_a_saved_figure_holds_the_data_too(kind, tmp_path):
    with matplotlib.rc_context(matplotlib.rcParamsDefault):  # not a user's own way
        kind().figure.savefig(tmp_path / "picture.png")
        kind().figure.savefig(tmp_path / "picture.pdf")
    saved = matplotlib.image.imread(tmp_path / "picture.png")[..., :3]
    assert np.abs(saved - kind().pixels / 255).mean() < 0.02


def test_text_under_a_heat_map():
    assert knight().text.splitlines() == [
        "knight",
        "rows: phoneme (query) n aɪ t",
        "columns: letter (key) k n i g h t",
        "colour: attention weight, 0 to 1",
        "strongest key per row:",
        "  n <- n 0.900",
        "  aɪ <- i 0.600",
        "  t <- all 6 keys alike 0.167",
    ]


def test_text_under_curves_and_bars():
    picture = lines([2, 3], {"a": [0.25, 1 / 3]}, x_name="letters", y_name="error")
    assert picture.text.splitlines() == [
        "error over letters",
        "x: letters: 2, 3",
        "y: error, 0.24 to 0.34",
        "  a: 0.250, 0.333",
    ]
    assert picture.sentence == "Curves, error over letters: a 0.250 at 2, 0.333 at 3."
    assert "x: names: first, middle, last" in groups().text
    assert "    lowest: 0.180" in curve().text
    assert "words: 100, 200" in curve().text


def frames(marks):
    """Return the lines of the frames that a map draws, as sorted pairs of corners."""
    axes = knight(marks=marks).figure.axes[0]
    return sorted(frame_of(axes).get_path().vertices.reshape(-1, 4).tolist())


def frame_of(axes):
    """Return what frames the marked cells: the one outline that is not filled."""
    return next(
        a for a in axes.patches if isinstance(a, PathPatch) and not a.get_fill()
    )


def test_a_marked_row_has_one_frame():
    marks = np.zeros((3, 6), bool)
    assert frames(marks) == []
    marks[1] = True
    left, right, top, bottom = -0.5, 5.5, 0.5, 1.5
    assert frames(marks) == [
        [left, top, left, bottom],
        [left, top, right, top],
        [left, bottom, right, bottom],
        [right, top, right, bottom],
    ]


def _cells(line):
    return round(line[2] - line[0] + line[3] - line[1])


def test_lines_of_frames_part_marked_cells_from_the_others():
    marks = np.random.default_rng(0).random((3, 6)) < 0.5
    around, parted = np.pad(marks, 1), []
    for i, j in np.ndindex(4, 7):
        if j < 6 and around[i, j + 1] != around[i + 1, j + 1]:
            parted.append((j - 0.5, i - 0.5, j + 0.5, i - 0.5))
        if i < 3 and around[i + 1, j] != around[i + 1, j + 1]:
            parted.append((j - 0.5, i - 0.5, j - 0.5, i + 0.5))
    steps = [
        np.linspace(line[:2], line[2:], _cells(line) + 1) for line in frames(marks)
    ]
    pieces = [(*a, *b) for ends in steps for a, b in zip(ends, ends[1:], strict=False)]
    assert sorted(pieces) == sorted(parted)


def test_frames_are_dark_and_thin_with_a_light_rim():
    for projector, width in ((False, 2), (True, 3)):
        axes = knight(marks=KNIGHT > 0.5, projector=projector).figure.axes[0]
        frame = frame_of(axes)
        assert frame.get_linewidth() == width
        assert frame.get_edgecolor() == matplotlib.colors.to_rgba(colours.INK)
        assert frame.get_path_effects()


def test_enlarged_head_stands_first_and_is_framed():
    picture = eight(enlarge=3)
    figure = picture.figure
    assert np.array_equal(image_of(picture).get_array(), picture.array[3])
    assert figure.axes[0].get_title() == "head 3"
    frame = figure.artists[0].get_bbox().bounds
    assert np.allclose(frame, figure.axes[4].get_position().bounds)


def test_the_text_names_the_enlarged_head_and_no_other():
    lines = eight(enlarge=3).text.splitlines()
    (told,) = (line for line in lines if "(enlarged)" in line)
    assert told.startswith("  head 3 (enlarged): ")
    assert "enlarged" not in eight().text


def test_lines_show_their_values_names_and_spread():
    picture = curve()
    axes = picture.figure.axes[0]
    assert np.array_equal(axes.lines[0].get_ydata(), picture.array[0])
    assert axes.get_ylim() == (0, 0.5)
    assert {"last state only", "attention"} <= {
        t.get_text().strip() for t in axes.texts
    }
    for band, low in zip(axes.patches, (0.18, 0.08), strict=True):
        assert band.get_xy()[0].tolist() == pytest.approx([2, low])


def test_each_curve_is_named_where_it_ends():
    names = curve().figure.axes[0].texts
    heights = {t.get_text().strip(): t.get_position()[1] for t in names}
    assert heights["last state only"] == pytest.approx(0.8)
    assert heights["attention"] == pytest.approx(0.2)


def test_a_log_axis_is_drawn_as_one():
    assert LAYOUTS["log"]().figure.axes[0].get_yscale() == "log"
    assert curve().figure.axes[0].get_yscale() == "linear"


def test_ticks_that_are_left_keep_their_labels():
    axes = lines(range(100, 200), {"a": [0.5] * 100}).figure.axes[0]
    assert 4 < len(axes.get_xticks()) < 100
    assert tick_texts(axes.xaxis) == [f"{tick:g}" for tick in axes.get_xticks()]


def test_bars_show_their_values():
    axes = groups().figure.axes[0]
    assert [bar.get_height() for bar in axes.patches[:3]] == [0.1, 0.3, 0.12]
    assert len({bar.get_hatch() for bar in axes.patches}) == 2
    assert "0.30" in [t.get_text() for t in axes.texts]
    assert bars("ab", {"x": [0.9, 1]}).figure.axes[0].get_ylim() == (0, 1)


def test_bars_and_whiskers_are_those_of_their_series():
    spread = {"without": ([0, 0.2, 0.1], [0.2, 0.4, 0.2])}
    spread |= {"with": ([0.1, 0.1, 0.05], [0.3, 0.2, 0.1])}
    axes = groups(spread=spread).figure.axes[0]
    heights = [bar.get_height() for bar in axes.patches]
    assert heights == [0.1, 0.3, 0.12, 0.1, 0.11, 0.1]
    found = np.array([line.get_ydata() for line in axes.lines])
    ends = [np.transpose(both) for both in spread.values()]
    assert np.array_equal(found, np.concatenate(ends))


@pytest.mark.parametrize(
    ("make", "part"),
    [
        (lambda: lines([], {"a": []}), "x is empty"),
        (lambda: lines([1], {}), "0 series"),
        (lambda: lines([1], {str(n): [1] for n in range(7)}), "7 series"),
        (lambda: lines([1, 2], {"a": [1]}), r"a has shape \(1,\); expected \(2,\)"),
        (lambda: lines([1], {"a": [np.nan]}), "a holds NaN"),
        (lambda: lines([1], {"a": [0]}, log=True), "numbers above 0"),
        (lambda: lines([1], {"a": [2]}, limits=(0, 1)), "outside the scale"),
        (lambda: lines([1], {"a": [1]}, limits=(1, 0)), "the first must be less"),
        (lambda: lines([1], {"a": [1]}, counts=[1, 2]), "counts has shape"),
        (lambda: lines([1], {"a": [1]}, spread={}), "spread is given for nothing"),
        (lambda: bars([], {"a": []}), "names is empty"),
    ],
)
def test_curves_and_bars_refuse_with_a_sentence(make, part):
    with pytest.raises(ValueError, match=part):
        make()


def test_constant_and_single_values_are_drawn():
    for value in (0, 1, -1, 0.5):
        assert lines([3], {"a": [value]}).pixels.any()
        assert bars(["x"], {"a": [value]}).pixels.any()
    assert lines([1, 2], {"a": [0.5, 0.5]}, log=True).pixels.any()
    assert heatmap(np.full((2, 2), 0.5), "ab", "ab").pixels.any()


def test_tokens_are_drawn_literally():
    assert characters.spoken("$x^2$") == "$x^2$"
    assert characters.spoken("a b") == "a␣b"
    assert characters.spoken("") == "∅"
    assert characters.spoken("\n\t\x07") == "⏎⇥U+0007"
    shown = texts(heatmap([[1.0]], ["$x$"], ["a_b^c"], title="$t$").figure)
    assert {"$x$", "a_b^c", "$t$"} <= {t.get_text() for t in shown}
    assert not any(t.get_parse_math() for t in shown)


@settings(max_examples=20, deadline=None)
@given(st.lists(st.text(max_size=30), min_size=1, max_size=4), st.text(max_size=200))
def test_any_tokens_and_any_title_give_a_picture(tokens, title):
    count = len(tokens)
    even = np.full((count, count), 1 / count)
    picture = heatmap(even, tokens, tokens, title=title, query_name=title)
    assert outside(picture.figure) == []
    assert repr(picture).encode("utf-8")


def test_input_is_not_changed_and_the_array_is_not_the_callers():
    mine = KNIGHT.copy()
    picture = heatmap(mine, SOUNDS, "knight")
    mine[:] = 0
    assert picture.array.max() == 0.9
    assert not picture.array.flags.writeable


def test_pixels_are_pale_when_greyed_and_kept_in_a_png():
    pixels = knight().pixels
    pale = greyed(pixels)
    assert np.ptp(pale.astype(int), axis=-1).max() == 0
    assert pale.min() > 150
    assert pale.max() == 255
    assert png(pixels).startswith(b"\x89PNG")


def test_keys_that_weigh_the_same_are_counted():
    text = influence_map(np.tri(3)).text
    assert "  0 <- 0\n  1 <- 0 1\n  2 <- all 3 keys" in text
    halves = heatmap([[0.5, 0.5, 0]], "q", "abc").text
    assert "  q <- a and 1 more 0.500" in halves


@pytest.mark.parametrize(("T_q", "told"), [(6, "."), (7, "1 more row."), (8, "rows.")])
def test_rows_that_are_left_out_are_counted(T_q, told):
    array = np.eye(T_q)
    assert heatmap(array, [*"abcdefgh"[:T_q]], [*"abcdefgh"[:T_q]]).sentence.endswith(
        told
    )


@pytest.mark.parametrize("make", [knight, curve])
def test_a_saved_figure_has_the_title_and_the_data_that_are_shown(make, tmp_path):
    picture = make()
    picture.figure.savefig(tmp_path / "saved.png", dpi="figure")
    saved = np.array(Image.open(tmp_path / "saved.png").convert("RGB"))
    above = slice(0, int(540 - picture.figure.axes[0].bbox.y1) - 6)
    assert (picture.pixels[above] < 100).any()
    assert np.array_equal(saved[above], picture.pixels[above])
    other = (saved != picture.pixels).any(axis=-1).mean()
    assert other < 0.01  # frames that data or texts are drawn over


def test_a_scale_around_0_has_colours_that_show_the_sign():
    for low, high in [(-1, 1), (0, 1), (-1, 2)]:
        five = colours.colours_of((low, high))(np.linspace(0, 1, 5))
        light = [colours.lightness(colour[:3]) for colour in five]
        steps = np.diff(light)
        assert (steps > 5).all() if low == -high else (steps < -5).all()
    picture = heatmap([[-1.0, 0, 1]], "a", "bcd", limits=(-1, 1), value_name="score")
    plain = heatmap([[-1.0, 0, 1]], "a", "bcd", limits=(-1, 2), value_name="score")
    images = [p.figure.axes[0].images[0].cmap.name for p in (picture, plain)]
    assert images == ["cividis", "even blues"]
