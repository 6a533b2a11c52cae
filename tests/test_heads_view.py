"""The explorers of heads, influence, scaling, dates and words, without a browser."""

import gc
import io
import random
import re
from functools import partial

import ipywidgets as widgets
import numpy as np
import psutil
import pytest
from matplotlib._pylab_helpers import Gcf
from PIL import Image

from mha_core.lab import (
    BUGS,
    explore_alignment,
    explore_blocks,
    explore_bottleneck,
    explore_bugs,
    explore_dates,
    explore_heads,
    explore_influence,
    explore_knockout,
    explore_letters,
    explore_scaling,
    explore_sentence,
    explore_sizes,
    explore_writing,
    head_alignments,
    influence,
    plug,
)
from mha_core.lab.explorers.heads import WIDTHS, describe
from mha_core.lab.explorers.measured import Measured
from mha_core.lab.measure.bugs import buggy_attention
from mha_core.lab.measure.random_scores import random_attention
from mha_core.lab.pictures.roles import owners
from mha_core.models import Transformer
from mha_core.models.four_relations import untrained
from mha_core.pretrained import load, load_relations
from mha_core.pronouncing import pronounce
from mha_core.recipes.relations import measure
from mha_core.tasks import to_ipa
from mha_core.tasks import written_dates as dates
from mha_core.tasks.tagged_sentences import ROLES, name_tokens, sentences
from moved import divisors, from_browser, settled, widgets_there
from small_models import tiny

MAKERS = {
    "heads": explore_heads,
    "influence": explore_influence,
    "scaling": explore_scaling,
    "dates": explore_dates,
    "alignment": explore_alignment,
    "bottleneck": explore_bottleneck,
    "blocks": explore_blocks,
    "knockout": explore_knockout,
    "sentence": explore_sentence,
    "letters": explore_letters,
    "writing": explore_writing,
    "plug": plug,
    "bugs": explore_bugs,
    "sizes": explore_sizes,
}
TEXTS = {
    "text": ("The king left.", "the cat sat on the mat because it was tired ."),
    "word": ("a", "z" * 40),
    "start": ("", "strength"),
    "letters": ("a", "strength"),
    "date": ("1.1.1950", "30. September 2049"),
}
WRONG = {
    explore_heads: [
        {"d_model": 20},
        {"d_model": 64, "h": 65},
        {"h": 0},
        {"h": 2.5},
        {"head": 4},
    ],
    explore_influence: [{"bug": "mask"}, {"causal": 3}],
    explore_scaling: [{"d_k": 3}, {"length": 13}, {"length": -1}, {"scaled": "no"}],
    explore_dates: [{"date": "31 February 2018"}, {"date": 20180509}],
    explore_alignment: [{"step": 3}, {"step": -1}, {"word": 5}, {"head": 1}],
    explore_knockout: [{"word": "x1"}, {"head_4": False}, {"head_0": 2}],
    explore_bottleneck: [{"word": "x1"}, {"word": None}],
    explore_letters: [{"letters": "x1"}, {"head": 8}, {"letters": "a" * 20}],
    explore_sentence: [{"text": "zyzzyva"}, {"layer": 4}, {"head": 12}, {"out": 3}],
    explore_writing: [{"temperature": 0}, {"start": "é"}, {"start": "a" * 20}],
    plug: [{"word": "x1"}, {"word": 5}],
    explore_sizes: [{"d_model": 20}, {"h": 5}, {"T": 7}, {"dtype": "int8"}],
    explore_bugs: [{"bug": "typo"}, {"show": "all"}],
}
TRAINED = {16, 24, 32, 64}
each_view = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)


def shown(view):
    """Return the pixels that the page shows."""
    return np.array(Image.open(io.BytesIO(view._screen.widget.shown["png"])))


def same(view, other):
    """Tell whether two views show the same, whatever moved them there."""
    texts = settled(repr(view)), settled(repr(other))
    return (
        texts[0] == texts[1]
        and view._screen.widget.shown["png"] == other._screen.widget.shown["png"]
    )


def ends(name, control):
    """Return the first and the last value that a control offers."""
    if isinstance(control, widgets.Text):
        return TEXTS[name]
    if isinstance(control, widgets.Checkbox):
        return False, True
    if hasattr(control, "options"):
        first, last = control.options[0], control.options[-1]
        return (first[1], last[1]) if isinstance(first, tuple) else (first, last)
    return control.min, control.max


def fresh(make, *, projector, **values):
    """Return a new view that starts with the values of another one."""
    view = make(**values)
    return view.set(projector=True) if projector else view


def weights_of(d_model, h):
    """Return the weights of a layer on the first sentence, and its accuracy or None."""
    words, tags = sentences(np.random.default_rng(0), 1)
    if d_model in TRAINED:
        layer = load_relations(d_model, h)
        return layer.attend(words, tags)[1][0], measure(layer)["accuracy"]
    layer = untrained(d_model, h, np.random.default_rng(0))
    return layer.attend(words, tags)[1][0], None


@each_view
def test_both_ends_of_each_control_show_what_a_fresh_view_shows(make, opened):
    view = opened(make)
    for name, control in view.controls.items():
        for value in ends(name, control):
            before = view.values
            control.value = value
            assert not view.refused
            assert view.picture.array.size
            assert same(view, opened(partial(fresh, make, **view.values)))
            view.set(**before)


@each_view
def test_A05_each_control_is_reached_by_keyboard_and_has_words_to_it(make, opened):
    for control in opened(make).controls.values():
        assert control.tabbable is not False
        assert not control.disabled
        assert control.description
        assert len(control.tooltip) > 20
        assert isinstance(
            control,
            widgets.IntSlider
            | widgets.SelectionSlider
            | widgets.Checkbox
            | widgets.Dropdown
            | widgets.Text,
        )


@each_view
def test_a_second_view_does_not_disturb_the_first(make, opened):
    view = opened(make)
    name, control = next(iter(view.controls.items()))
    control.value = ends(name, control)[1]
    before, again = (repr(view), view._screen.widget.shown["png"]), opened(make)
    assert same(again, opened(make))
    again.controls[name].value = ends(name, control)[0]
    again.close()
    assert (repr(view), view._screen.widget.shown["png"]) == before
    control.value = ends(name, control)[0]
    assert same(view, opened(partial(fresh, make, **view.values)))


@each_view
def test_close_closes_all_children(make):
    before = len(widgets_there())
    view = make()
    assert len(widgets_there()) > before
    view.close()
    assert len(widgets_there()) == before
    assert len(view._screen.plates) == 0


@pytest.mark.parametrize(
    ("make", "first"), [(make, first) for make in WRONG for first in WRONG[make]]
)
def test_W10_first_values_that_are_not_offered_are_refused(make, first):
    before = len(widgets_there())
    with pytest.raises(ValueError) as refusal:
        make(**first)
    assert "\n" not in str(refusal.value)
    assert len(widgets_there()) == before


@pytest.mark.parametrize("d_model", WIDTHS)
def test_W10_T06_T11_all_pairs_of_width_and_heads(d_model, opened):
    view = opened(explore_heads, d_model=d_model, h=1)
    assert view.controls["h"].options == divisors(d_model)
    for h in divisors(d_model):
        from_browser(view.controls["h"], h)
        assert view.controls["head"].options == tuple(range(h))
        weights, accuracy = weights_of(d_model, h)
        assert not view.refused
        assert np.array_equal(view.picture.array, weights[:16])
        heads = [title.partition(":")[0] for title in view.picture.layout.titles]
        assert heads == [f"head {n}" for n in range(h)][:16]
        how = "untrained" if accuracy is None else "trained"
        told = f"{how}, d_model {d_model}, h {h}, sentence 0"
        assert view.picture.data.title == told
        assert f" d_k = {d_model // h}, " in view.message
        assert f" {4 * d_model**2:,} numbers for any h" in view.message
        assert f"scores for 1024 words: {h * 1024**2:,} numbers" in view.message
        if accuracy is None:
            assert view.message.startswith("Nothing was learned here")
        else:
            told = float(re.search(r"accuracy (\d\.\d\d)", view.message)[1])
            assert abs(told - accuracy) <= 0.015
        assert np.array_equal(shown(view), view._screen.paint(view.picture, False))


@pytest.mark.parametrize("d_model", WIDTHS)
def test_a_head_count_that_does_not_divide_is_refused_with_those_that_do(
    d_model, opened
):
    view = opened(explore_heads, d_model=d_model, h=1)
    before = repr(view), view._screen.widget.shown["png"]
    offered = ", ".join(map(str, divisors(d_model)))
    for h in {*range(1, 66)} - {*divisors(d_model)}:
        with pytest.raises(ValueError) as refusal:
            view.set(h=h)
        assert str(refusal.value) == f"h cannot be {h}; choose one of {offered}"
    assert (repr(view), view._screen.widget.shown["png"]) == before


@pytest.mark.parametrize(
    ("h", "d_model", "nearest"),
    [(8, 24, 8), (16, 24, 12), (64, 24, 24), (64, 16, 16), (32, 48, 24), (1, 16, 1)],
)
def test_h_stays_where_it_can_and_else_becomes_the_nearest(h, d_model, nearest, opened):
    view = opened(explore_heads, d_model=64, h=h)
    from_browser(view.controls["d_model"], d_model)
    assert view.values["h"] == nearest
    told = f"There is no h {h} here; h is {nearest} now. "
    assert view.message.startswith(told) == (h != nearest)
    assert ("There is no" in view.message) == (h != nearest)
    assert same(view, opened(explore_heads, d_model=d_model, h=nearest))


def test_several_values_are_set_at_once_in_any_order(opened):
    view = opened(explore_heads, d_model=64, h=64, head=60)
    assert view.picture.data.enlarged == 12
    view.set(head=11, h=12, d_model=24)
    assert (view.values["d_model"], view.values["h"]) == (24, 12)
    assert "There is no" not in view.message
    view.set(d_model=64, h=32, head=31)
    with pytest.raises(ValueError, match="h cannot be 32; choose one of 1, 2, 3, 4,"):
        view.set(h=32, d_model=24)
    assert view.values["d_model"] == 64
    assert view.controls["h"].options == divisors(64)
    assert view.controls["head"].options == tuple(range(32))
    assert view.set(h=32).values["head"] == 31


def test_every_head_can_be_enlarged_and_none_beyond_h(opened):
    view = opened(explore_heads, d_model=64, h=4)
    for head in range(4):
        view.controls["head"].value = head
        assert view.picture.data.enlarged == head
        assert same(view, opened(explore_heads, head=head))
    with pytest.raises(ValueError, match="head cannot be 4; choose one of 0, 1, 2, 3"):
        view.set(head=4)
    view.set(h=2)
    assert view.picture.data.enlarged == 1
    assert view.message.startswith("There is no head 3 here; head is 1 now. ")
    view.set(h=64, head=63)
    titles = [title.partition(":")[0] for title in view.picture.layout.titles]
    assert titles == [f"head {n}" for n in range(48, 64)]
    assert view.picture.data.enlarged == 15


def test_one_head_is_drawn_once(opened):
    view = opened(explore_heads, d_model=64, h=1)
    assert not view.picture.layout.enlarge
    maps = [axes for axes in view.picture.figure.axes if axes.get_title()]
    assert len(maps) == 1
    assert maps[0].get_title() == "head 0: previous .31, next .29, first .24"
    one = opened(explore_blocks, model=with_one_head())
    assert one.controls["head"].options == (0,)
    assert not one.picture.layout.enlarge


def with_one_head():
    """Return a Transformer of one head, untrained."""
    model = tiny("transformer", dtype=np.float32)
    return Transformer(model.params, 1)


@pytest.mark.parametrize("d_model", sorted(TRAINED))
def test_heads_are_named_by_what_the_table_says_that_they_do(d_model, opened):
    view = opened(explore_heads, d_model=d_model, h=1)
    for h in divisors(d_model):
        view.set(h=h)
        table, titles = owners(d_model, h), {}
        for page in range(0, h, 16):
            view.set(head=page)
            titles |= dict(enumerate(view.picture.layout.titles, page))
        named = {
            (role, head)
            for head, title in titles.items()
            for role in ROLES
            if f"{role} " in title
        }
        assert named == {(r, head) for r, (head, mass) in table.items() if mass >= 0.2}
        for role, head in named:
            assert f"{role} {table[role][1]:.2f}".replace(" 0.", " .") in titles[head]


def test_untrained_heads_have_no_name(opened):
    view = opened(explore_heads, d_model=48, h=3)
    assert view.picture.layout.titles == ("head 0", "head 1", "head 2")
    assert view.picture.layout.short == ("head 0", "head 1", "head 2")


@pytest.mark.parametrize(
    ("d_model", "h", "told"),
    [
        (64, 1, "One head serves all four relations with a single blend."),
        (64, 2, "4 of the four relations have no head of their own."),
        (64, 4, "Each head follows one relation."),
        (64, 8, "Each of the four relations has a head of its own."),
        (64, 32, "1 of the four relations has no head of its own."),
        (48, 4, "Nothing was learned here: the weights are random."),
    ],
)
def test_one_plain_sentence_comes_before_the_numbers(d_model, h, told, opened):
    view = opened(explore_heads, d_model=d_model, h=h)
    assert view.message.startswith(f"{told} d_k = {d_model // h}, ")


def test_shared_relations_are_not_called_apart():
    layer = load_relations(64, 4)
    both = {
        "previous": (0, 0.6),
        "next": (1, 0.9),
        "first": (0, 0.6),
        "partner": (2, 1),
    }
    assert Measured(layer, 1.0, both).sentence == "The heads share the four relations."


def test_V07_V11_words_that_repeat_stay_apart(opened):
    view = opened(explore_heads)
    words, tags = sentences(np.random.default_rng(0), 1)
    tokens = name_tokens(words[0], tags[0])
    assert view.picture.layout.queries == view.picture.layout.keys == tuple(tokens)
    assert tokens == [
        f"{'ABCDEFGHIJKLMNOP'[w]}{t}" for w, t in zip(words[0], tags[0], strict=True)
    ]
    other = opened(explore_heads, sentence=1)
    assert other.picture.data.title.endswith("h 4, sentence 1")
    assert other.picture.layout.keys != view.picture.layout.keys


def test_what_heads_cost_in_one_line():
    assert describe(512, 8, None) == (
        "d_k = 64, untrained; W_Q, W_K, W_V and W_O: 1,048,576 numbers for any h; "
        "scores for 1024 words: 8,388,608 numbers."
    )
    assert describe(16, 16, 0.488).startswith("d_k = 1, accuracy 0.49; ")


def test_500_random_moves_always_show_what_a_fresh_view_shows():
    view, moves, states = explore_heads(), random.Random(0), {}
    for n in range(500):
        name = moves.choice(["d_model", "h", "h", "head"] if n % 90 else ["projector"])
        control = view.controls[name]
        few = {"d_model": [24, 48, 64], "projector": [False, True]}
        value = moves.choice(
            few.get(name) or control.options[:2] + control.options[-1:]
        )
        if n % 2:
            from_browser(control, value)
        else:
            control.value = value
        now = view.values
        assert now[name] == value
        assert now["d_model"] % now["h"] == 0
        assert now["head"] < now["h"]
        assert not view.refused
        key = tuple(now.values())
        states[key] = states.get(key) or fresh_state(**now)
        assert (settled(repr(view)), view._screen.widget.shown["png"]) == states[key]
    assert len(states) > 30
    view.close()


def fresh_state(**values):
    """Return text and image of a new view that starts with these values."""
    view = fresh(explore_heads, **values)
    state = repr(view), view._screen.widget.shown["png"]
    view.close()
    return state


def test_W17_200_moves_leave_no_figures_no_widgets_and_little_memory(opened):
    view, process = opened(explore_heads), psutil.Process()

    def drag(moves):
        for n in range(moves):
            name = ("h", "d_model", "head")[n % 3]
            offered = view.controls[name].options
            view.controls[name].value = offered[n // 3 % len(offered)]

    drag(60)
    gc.collect()
    parts = len(widgets_there())
    before = process.memory_info().rss
    drag(200)
    gc.collect()
    assert process.memory_info().rss - before < 20e6
    assert len(widgets_there()) == parts
    assert len(view._screen.plates) <= 6
    assert Gcf.figs == {}


@pytest.mark.parametrize("causal", [False, True])
def test_influence_shows_the_pattern_of_each_bug(causal, opened):
    view = opened(explore_influence)
    rng = np.random.default_rng(1)
    X, weights = rng.standard_normal((6, 8)), rng.standard_normal((4, 8, 8))
    for bug, title in BUGS.items():
        view.set(bug=bug, causal=causal)

        def f(x, bug=bug):
            return buggy_attention(x, weights, 2, bug=bug, causal=causal)[0]

        moved = influence(f, X)
        assert np.array_equal(view.picture.array, moved)
        mask = "causal mask" if causal else "no mask"
        assert view.picture.data.title == f"untrained, h 2, {mask}: {title}"
        future = int(np.triu(moved, 1).sum())
        assert f"{future} of 15 future tokens can be seen." in view.message
        assert "right shape, (6, 8);" in view.message


def test_influence_counts_the_future_tokens(opened):
    view = opened(explore_influence, bug="none", causal=True)
    assert "; 0 of 15 future" in view.message
    view.controls["bug"].value = "merge"
    assert "; 6 of 15 future" in view.message
    view.controls["bug"].value = "mask upside down"
    assert "; 15 of 15 future" in view.message


def test_N29_scaling_shows_the_weights_of_its_setting(opened):
    view = opened(explore_scaling)
    for d_k in view.controls["d_k"].options:
        for scaled in (True, False):
            for length in (0, 1, 12):
                view.set(d_k=d_k, scaled=scaled, length=length)
                weights = random_attention(d_k, scaled=scaled, length=length)
                assert np.array_equal(view.picture.array, weights)
                assert (view.picture.array[:, length:] == 0).all()
                assert view.message.startswith("Untrained. ")
                how = "divided by the root of d_k" if scaled else "not divided"
                title = f"untrained, d_k {d_k}, {how}, {length} of 12 keys"
                assert view.picture.data.title == title
                told = f"on average: {weights.max(axis=-1).mean():.2f};"
                hidden = "all weights are 0, the output too"
                assert (told if length else hidden) in view.message


@pytest.mark.parametrize(
    "text", ["9 May 2018", "May 9, 2018", "9 mai 2018", "9. Mai 2018", "2018年5月9日"]
)
def test_dates_are_written_and_judged(text, opened):
    view = opened(explore_dates)
    from_browser(view.controls["date"], text)
    assert view.picture.layout.keys == tuple(text.lower())
    assert view.picture.layout.queries == tuple("2018-05-09")
    assert view.message == "That is the day."


def test_a_wrong_day_is_told(opened, monkeypatch):
    view = opened(explore_dates)
    monkeypatch.setattr(
        "mha_core.lab.explorers.typed_words.write_date", lambda *_: ("2018-05-08", None)
    )
    view.set(date="10 May 2018")
    assert view.message == "Wrong: the day is 2018-05-10."


@pytest.mark.parametrize("text", ["", "tomorrow", "31 February 2018", "9 May 1905"])
def test_W04_no_date_gets_a_sentence_and_is_gone_with_the_next(text, opened):
    view = opened(explore_dates)
    before, picture = repr(view), view.picture
    from_browser(view.controls["date"], text)
    assert view.refused
    assert view.picture is picture
    with pytest.raises(ValueError) as refusal:
        dates.read(text)
    assert view.message == str(refusal.value)
    from_browser(view.controls["date"], "9 May 2018")
    assert repr(view) == before


def test_all_held_out_days_are_right_in_the_view(opened):
    view = opened(explore_dates)
    pairs = dates.draw(np.random.default_rng(5), 12, held_out=True)
    for text, iso in pairs:
        view.set(date=text)
        assert view.message == "That is the day."
        assert view.picture.layout.queries == tuple(iso)


def test_T09_T11_T12_each_head_of_a_word_has_its_own_map():
    said = pronounce(load("multihead"), "knight")
    picture = head_alignments(said)
    assert picture.array.shape == (4, len(said.phonemes), 6)
    assert np.array_equal(picture.array, said.weights)
    assert picture.layout.titles == ("head 0", "head 1", "head 2", "head 3")
    assert picture.data.title == "“knight”, with four heads, trained"
    assert picture.layout.queries == tuple(to_ipa(said.phonemes))
    assert picture.layout.keys == tuple("knight")
