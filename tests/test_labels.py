"""V02, V14: labels that fit, made of whole characters, unlike where their words are."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from drawn import texts, tick_texts
from mha_core.lab import bars, head_grid, heatmap, lines
from mha_core.lab.drawing import characters, fonts, labels

JOINED = {
    "accent": "e\u0301",
    "two accents": "o\u0302\u0301",
    "family": "👨\u200d👩\u200d👧",
    "skin": "👍🏽",
    "flag": "🇩🇪",
    "named flag": "🏴\U000e0067\U000e0062\U000e007f",
    "key": "1\ufe0f\u20e3",
    "heart": "❤\ufe0f",
    "syllable": "\u1112\u1161\u11ab",
    "vowel sign": "नि",
    "tied letters": "क्ष",
    "hidden": "\u0301" * 3,
}
PAIRS = {
    "one beginning": ("internationalisation", "internationalism"),
    "one end": ("preprocessing of words", "postprocessing of words"),
    "both": ("a" * 60 + "b" + "c" * 60, "a" * 60 + "d" + "c" * 60),
    "a and a a": ("a" * 60, "a" * 61),
    "space or sign": ("a b", "a␣b"),
    "nothing or sign": ("", "∅"),
    "line ends": ("\n", "\r"),
    "point or character": ("U+200B", "\u200b"),
    "composed or not": ("é", "e\u0301"),
    "joiner": ("ab", "a\u200db"),
    "numbered": ("é", "é(1)"),
    "Chinese": ("我爱你", "我爱她"),
    "emoji": ("👨\u200d👩\u200d👧", "👨\u200d👩\u200d👦"),
}


def wholes(text):
    return characters.wholes(text, characters.visible(text))


def narrow(text):
    return len(text) <= 9


def looks(words):
    found = labels.unlike(words, wholes, narrow)
    return [labels._look(found[word]) for word in words]


@pytest.mark.parametrize("joined", JOINED.values(), ids=JOINED)
def test_what_belongs_together_is_one_character(joined):
    assert len(wholes(joined)) == 1
    beside = wholes(f"x{joined}y") if joined[0] != "\u0301" else ["x", "", "y"]
    assert [beside[0], beside[-1]] == ["x", "y"]
    assert "".join(wholes(joined * 5)) == characters.spoken(joined * 5)


def test_what_stands_apart_is_apart():
    assert wholes("a b") == ["a", "␣", "b"]
    assert wholes("🇩🇪🇫🇷") == ["🇩🇪", "🇫🇷"]
    assert wholes("") == ["∅"]
    assert wholes("我爱") == ["我", "爱"]


@pytest.mark.parametrize("joined", [v for v in JOINED.values() if v[0] != "\u0301"])
@pytest.mark.parametrize("width", range(1, 40))
def test_no_whole_character_is_cut(joined, width):
    pieces = wholes("ab" + joined * 9 + "cd")
    sums = {"".join(pieces[:n]) for n in range(14)}
    rest = {"".join(pieces[n:]) for n in range(14)}
    for way in (labels.start, labels.ends, labels.end):
        cut = labels.cut(pieces, lambda text: len(text) <= width, way)
        first, _, last = cut.partition(labels.ELLIPSIS)
        assert first in sums
        assert last in rest
        assert len(cut) <= max(width, 1)


def test_a_text_is_shortened_as_little_as_it_takes():
    pieces = list("abcdefghijklm")
    assert labels.cut(pieces, narrow) == "abcdefgh…"
    assert labels.cut(pieces, narrow, labels.ends) == "abcd…jklm"
    assert labels.cut(pieces, narrow, labels.end) == "…fghijklm"
    assert labels.cut(pieces, narrow, mark="(2)") == "abcde…(2)"
    assert labels.cut(pieces[:9], narrow) == "abcdefghi"


@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_unlike_words_look_unlike(pair):
    one, two = looks(pair)
    assert one != two


@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_a_word_that_is_alone_is_not_numbered(pair):
    (label,) = labels.unlike(pair[:1], wholes, narrow).values()
    assert label == labels.cut(wholes(pair[0]), narrow)


def test_words_are_shortened_in_the_middle_then_in_front_then_numbered():
    words = ["international", "internationally", "interval", "x" * 20, "x" * 21]
    found = labels.unlike(words, wholes, narrow)
    assert [*found.values()] == [
        "inte…onal",
        "inte…ally",
        "interval",
        "xxxxx…(1)",
        "xxxxx…(2)",
    ]


def test_numbers_of_two_groups_do_not_meet():
    words = ["x" * n + end for end in ("1" * 20, "2" * 20) for n in (20, 21)]
    assert len(set(looks(words))) == 4


WORDS = st.lists(st.text("aé\u0301 ␣\n\r∅(1)…x\u200d我", max_size=14), unique=True)


@settings(max_examples=200, deadline=None)
@given(WORDS)
@example(["é", "e\u0301", "é(1)", "e\u0301(1)"])
@example(["x" * n for n in range(20)])
def test_any_unlike_words_look_unlike(words):
    assert len(set(looks(words))) == len(words)
    told = labels.told_apart(words)
    assert len({labels._look(text) for text in told.values()}) == len(words)


LONG = ["w" * 60 + end for end in "ab"] + ["v" * 70]


@pytest.mark.parametrize("projector", [False, True])
def test_V14_unlike_names_are_unlike_in_every_picture(projector):
    options = {"projector": projector}
    even = np.full((3, 3), 1 / 3)
    maps = heatmap(even, LONG, LONG, **options)
    grid = head_grid([even] * 3, "abc", "abc", titles=LONG, **options)
    chart = bars(LONG, {name: [1, 2, 3] for name in LONG}, **options)
    curves = lines([1, 2], {name: [1, 2] for name in LONG}, **options)
    drawn = [
        tick_texts(maps.figure.axes[0].yaxis),
        tick_texts(maps.figure.axes[0].xaxis),
        [axes.get_title() for axes in grid.figure.axes[:3]],
        tick_texts(chart.figure.axes[0].xaxis),
        [t.get_text() for t in chart.figure.axes[0].get_legend().get_texts()],
        [t.get_text() for t in curves.figure.axes[0].texts],
    ]
    for names in drawn:
        assert len(set(names)) == len(names) == 3
        assert all(len(name) < 60 for name in names)
    for picture in (maps, grid, chart, curves):
        assert all(word in picture.text for word in LONG)
        assert labels.ELLIPSIS not in picture.text


def test_V14_a_word_has_the_same_label_in_rows_and_columns_and_keeps_it():
    picture = heatmap(np.eye(3), LONG, LONG[::-1])
    axes = picture.figure.axes[0]
    assert tick_texts(axes.yaxis) == tick_texts(axes.xaxis)[::-1]
    twice = heatmap(np.eye(4), LONG + LONG[:1], LONG + LONG[:1]).figure.axes[0]
    assert tick_texts(twice.xaxis)[0] == tick_texts(twice.xaxis)[3]


def test_V02_words_without_a_font_are_told_apart_and_a_package_is_named(monkeypatch):
    monkeypatch.setattr(fonts, "FAMILIES", ("DejaVu Sans",))
    words = ["我爱你", "我爱她", "我爱它"]
    picture = heatmap(np.eye(3), words, words)
    shown = tick_texts(picture.figure.axes[0].xaxis)
    assert len(set(shown)) == 3
    for label in shown:
        points = label.replace(labels.ELLIPSIS, "").split("U+")[1:]
        assert points
        assert all(len(point) == 4 for point in points)
    assert all(word in picture.text for word in words)
    (line,) = (line for line in picture.text.splitlines() if "apt-get" in line)
    assert "fonts-noto-cjk" in line
    assert all(sign in line for sign in "我爱你她它")


@pytest.mark.parametrize(
    ("sign", "package"),
    [("我", "noto-cjk"), ("か", "noto-cjk"), ("한", "noto-cjk"), ("👍", "symbola")]
    + [("ก", "unifont")],
)
def test_V02_each_script_has_its_package_in_every_picture(sign, package, monkeypatch):
    monkeypatch.setattr(fonts, "FAMILIES", ("DejaVu Sans",))
    for picture in (
        heatmap([[1]], [sign], "k"),
        heatmap([[1]], "q", "k", title=sign),
        head_grid([[[1]]], "q", "k", titles=[sign]),
        bars([sign], {"a": [1]}),
        lines([1], {sign: [1]}),
        lines([1], {"a": [1]}, y_name=sign),
    ):
        assert f"fonts-{package}" in picture.text


def test_V02_nothing_is_said_where_nothing_is_missing():
    assert "apt-get" not in heatmap([[1]], ["é"], ["$x"]).text
    assert "No font" not in lines([1], {"a": [1]}).text


def test_K07_pieces_of_words_are_literal_with_a_column_each():
    tokens = ["▁un", "##believ", "Ġable", "</s>", "<0x0A>"]
    picture = heatmap(np.eye(5), tokens, tokens)
    axes = picture.figure.axes[0]
    for axis in (axes.xaxis, axes.yaxis):
        assert tick_texts(axis) == tokens
        assert list(axis.get_ticklocs()) == [0, 1, 2, 3, 4]
    assert " ".join(tokens) in picture.text.splitlines()[1]


def test_a_long_title_is_whole_in_the_text():
    title = "word " * 60
    picture = heatmap([[1]], "q", "k", title=title)
    assert picture.text.splitlines()[0] == title
    drawn = max((t.get_text() for t in texts(picture.figure)), key=len)
    assert drawn.endswith(labels.ELLIPSIS)
