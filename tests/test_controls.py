import ipywidgets as widgets
import pytest

from mha_core.lab import View, explore_alignment, heatmap


def one(**controls):
    return View(controls, lambda **values: heatmap([[1]], "q", "k"))


def pair(step=1):
    return widgets.IntRangeSlider(
        value=(1, 3), min=1, max=9, step=step, description="f"
    )


@pytest.mark.parametrize(
    ("control", "value", "part"),
    [
        (widgets.FloatLogSlider(10, min=0, max=3, description="f"), 5e3, "1 to 1000$"),
        (pair(), (2, 40), "choose two numbers from 1 to 9$"),
        (pair(step=2), (1, 4), "two numbers from 1 to 9 in steps of 2"),
        (widgets.BoundedFloatText(1, min=0, max=3, description="f"), 4, "from 0 to 3$"),
    ],
)
def test_controls_say_what_they_offer(opened, control, value, part):
    view = opened(one, f=control)
    with pytest.raises(ValueError, match=part):
        view.set(f=value)


def test_two_numbers_are_set_at_once(opened):
    assert opened(one, f=pair(step=2)).set(f=(3, 7)).values["f"] == (3, 7)


def test_a_key_is_set_and_told_and_its_label_is_shown(opened):
    options = [("Which head?", "first"), ("The other", "last")]
    view = opened(one, f=widgets.Dropdown(options=options, description="f"))
    assert view.set(f="last").values["f"] == "last"
    assert "controls: f=last, projector=False" in repr(view)
    assert view.controls["f"].label == "The other"
    with pytest.raises(ValueError) as refusal:
        view.set(f="The other")
    assert str(refusal.value) == "f cannot be 'The other'; choose one of first, last"


def test_the_control_of_the_view_itself_is_not_replaced():
    with pytest.raises(ValueError, match="adds the control projector itself"):
        one(projector=pair())


def test_each_step_of_the_longest_word_can_be_looked_at(opened):
    view = opened(explore_alignment, word="x" * 40)
    last = view.picture.array.shape[0] - 1
    assert view.set(step=last).message.count(f"Step {last} writes")
    assert view.controls["step"].options == tuple(range(last + 1))
    assert last > 40
