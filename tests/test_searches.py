"""What readers find with an explorer is tried on the networks; pictures hold it."""

import numpy as np
import pytest

from mha_core._checks.sentences import sentence
from mha_core.lab import Sheet
from mha_core.lab.exercises.asking_back import largest_weight, look_back
from mha_core.lab.exercises.heads_to_find import neighbours
from mha_core.lab.exercises.maps_to_read import (
    four_maps,
    leaking_maps,
    relations_maps,
    weights_of_maps,
)
from mha_core.lab.exercises.searching import (
    Unfit,
    a_number,
    a_word,
    held_out,
    in_ipa,
    judged,
    network,
    said_by,
)
from mha_core.lab.measure.held_out import some_held_out

OTHERS = [
    (1, "middle", ["decapitation", "malfunctions", "headquarters"]),
    (2, "better", ["acceptance", "cranberries", "disparaging"]),
    (2, "faint_e", ["phone", "name", "home"]),
    (2, "silent", ["etw", "twe", list("wte")]),
    (3, "query", [(-9, 9), np.array([[-5.0, 5.0]]), [-4, 9]]),
    (4, "robust", ["cardboards", "disappears", "outsource"]),
    (5, "same_end", [("xyz", "yxz"), ["attention", "tatention"]]),
    (6, "cut_short", ["intercontinental", "acquaintanceship"]),
]


@pytest.mark.parametrize(("lesson", "name", "answers"), OTHERS)
def test_there_is_more_than_one_answer(lesson, name, answers):
    for answer in answers:
        verdict = Sheet(lesson).check(name, answer)
        assert verdict.solved, (answer, verdict)


def test_words_and_numbers_are_taken_in_any_form():
    assert [a_word(w) for w in (" Phone ", ["phone"], '"phone"')] == ["phone"] * 3
    assert [a_number(n) for n in (3, 3.0, [3], np.array([[3]]))] == [3] * 4
    for wrong in ("3", 2.5, [1, 2], None, {}):
        with pytest.raises(Unfit, match="one whole number"):
            a_number(wrong)
    with pytest.raises(Unfit, match="as text, not int"):
        a_word(3)


def test_a_word_has_to_be_held_out_and_long():
    assert held_out("administration", 10) == "administration"
    for word, part in (("phone", "5 letters"), ("internationalization", "in training")):
        with pytest.raises(Unfit, match=part):
            held_out(word, 10)
    with pytest.raises(Unfit, match="not in the dictionary"):
        held_out("qqqqqqqqqqqq", 10)
    with pytest.raises(Unfit, match="letters a to z only"):
        said_by("bahdanau", "ä")
    said = said_by("bahdanau", "phone")
    assert in_ipa(said.phonemes) == "f oʊ n"
    assert network("bahdanau") is network("bahdanau")


def test_what_cannot_be_tried_is_told():
    def refuses(answer):
        raise Unfit(sentence("no"))

    assert judged(refuses)(1) == "no"
    assert judged(lambda answer: answer)(2) == 2


def test_the_four_maps_are_what_the_replies_say_of_them():
    a, b, c, d = weights_of_maps()
    assert (a[:, 3] > 0).all()
    assert np.allclose(a.sum(axis=1), 1)
    assert (b[:, 3] == 0).all()
    assert np.allclose(b.sum(axis=1), 1)
    assert (c[:, 3] == 0).all()
    assert (c.sum(axis=1) < 1).all()
    assert np.allclose(d.sum(axis=0), [1, 1, 1, 0])
    assert np.array_equal(four_maps().array, weights_of_maps())


def test_the_three_layers_see_what_the_lesson_prints():
    shown = [["#..", "##.", "###"], ["#..", "###", "###"], ["#..", ".#.", "..#"]]
    wanted = [[[sign == "#" for sign in row] for row in rows] for rows in shown]
    assert np.array_equal(leaking_maps().array, wanted)


def test_one_head_of_the_relations_looks_back():
    looked = relations_maps().array
    back = np.diagonal(looked, -1, 1, 2).mean(axis=1)  # (h,)
    assert back.argmax() == 0
    assert back[0] > 0.9
    assert (back[1:] < 0.3).all()


def test_one_head_of_the_encoder_looks_at_the_letter_before():
    before, after = neighbours([p for p in some_held_out(20) if len(p[0]) > 1])
    assert [tuple(map(int, at)) for at in np.argwhere(before > 0.5)] == [(1, 3)]
    assert {tuple(map(int, at)) for at in np.argwhere(after > 0.5)} == {(1, 0), (1, 1)}


def test_a_wide_key_takes_all_without_the_scale():
    raw = [largest_weight(n, False) for n in (1, 4, 16, 64, 256, 1024)]
    assert raw == sorted(raw)
    assert raw[-2] < 0.9 < raw[-1]
    assert largest_weight(1024, True) < 0.4


def test_a_causal_layer_without_positions_sees_a_set_at_its_end():
    one, two = look_back("abcd"), look_back("bcad")
    assert np.allclose(one[-1], two[-1])
    assert not np.allclose(one[:-1], two[:-1])
    assert not np.allclose(one[-1], look_back("abdc")[-1])
