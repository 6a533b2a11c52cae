"""Views in a real JupyterLab, by mouse and by keys: one server, one notebook."""

import nbformat
import numpy as np
import pytest

from mha_core import lab as looking
from twins import Twin

HEADS, STEPS, BLOCKS, SLOW = ".heads", ".steps", ".blocks", ".slow"
CELLS = """\
import time
from mha_core import lab
from mha_core.lab.widgets import Slider
import ipywidgets

def named(view, name):
    view._box.add_class(name)
    return view

def compute(seconds, text):
    time.sleep(seconds)
    return lab.heatmap([[1.0]], [text or "q"], ["k"], title=text), f"It says {text}."

heads = named(lab.explore_heads(64, 4), "heads"); heads
---
steps = named(lab.explore_alignment("knight"), "steps"); steps
---
blocks = named(lab.explore_blocks("knight"), "blocks"); blocks
---
left = named(lab.explore_heads(64, 1), "left")
right = named(lab.explore_heads(64, 4), "right")
lab.beside(left, right, link=("d_model",))
---
controls = {"seconds": Slider(options=[0, 1], description="seconds", tooltip="s")}
controls["text"] = ipywidgets.Text(description="text")
controls["text"].tooltip = "A text."
controls["text"].continuous_update = False
slow = named(lab.View(controls, compute), "slow"); slow"""
NODES = """() => {
  window.kept = ['.mha-picture', '.mha-message', '.mha-frame svg', '.mha-slider input']
    .map(css => document.querySelector(css));
}"""
SAME = """() => window.kept.every(node => node && node.isConnected)"""
LISTEN = """() => {
  const session = window.jupyterapp.shell.currentWidget.sessionContext.session;
  window.heard = [];
  session.kernel.anyMessage.connect((_, { msg, direction }) =>
    window.heard.push(`${direction} ${msg.header.msg_type}`));
}"""
WRITTEN = (
    f"{STEPS} .mha-control-word label",
    f"{STEPS} .mha-control-word input",
    f"{STEPS} .mha-control-step label",
    f"{STEPS} .mha-control-attention span",
    f"{STEPS} .mha-presets button",
    f"{BLOCKS} .mha-control-place select",
)
FIELDS = """() => [...document.querySelectorAll('.mha-view :is(input, select, button)')]
  .filter(field => field.checkVisibility())
  .map(field => ({
    name: field.ariaLabel || field.labels?.[0]?.textContent || field.textContent,
    told: field.title,
    room: field.getBoundingClientRect(),
    html: field.outerHTML,
  }))"""


@pytest.fixture(scope="module")
def page(lab):
    codes = map(nbformat.v4.new_code_cell, CELLS.split("\n---\n"))
    book = nbformat.v4.new_notebook(cells=[*codes])
    book.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(book, lab.home / "notebooks" / "live.ipynb")
    with lab.open("notebooks/live.ipynb") as page:
        page.errors.clear()  # JupyterLab's own, before there is a view
        page.run_all()
        assert page.cell_errors() == []
        for css in (HEADS, STEPS, BLOCKS, ".left", ".right", SLOW):
            page.drawn_at(css)
        page.page.evaluate(NODES)
        page.page.evaluate(LISTEN)
        yield page


@pytest.fixture(autouse=True)
def aside(page):
    """Begin with the mouse where no view is."""
    page.page.mouse.move(5, 5)


@pytest.fixture
def heads(page, opened):
    page.run("heads.set(d_model=64, h=4, head=0)")
    return Twin(page, HEADS, opened(looking.explore_heads, d_model=64, h=4))


@pytest.fixture
def steps(page, opened):
    page.run("steps.set(word='knight', step=0, attention=True)")
    return Twin(page, STEPS, opened(looking.explore_alignment, word="knight"))


def heard(page, css):
    """Return what a screen reader hears of what is pointed at."""
    return page.page.locator(f"{css} .mha-pointed").text_content()


def marks(page, css):
    """Return the words and numbers that stand at the lines."""
    return page.page.locator(f"{css} .mha-frame svg text").all_text_contents()


def told(page, css, control):
    """Return what a slider says of its value."""
    slider = page.page.locator(f"{css} .mha-control-{control} input")
    return slider.get_attribute("aria-valuetext")


def test_the_mouse_on_a_row_draws_its_lines_and_says_them(page, steps):
    page.page.evaluate("heard = []")
    steps.point(0, 0)
    assert page.page.locator(f"{STEPS} .mha-line").count() == 2
    assert marks(page, STEPS) == ["n", "0.59", "k", "0.41"]
    assert heard(page, STEPS) == "n looks at n 0.59, k 0.41"
    steps.point(0, 2)
    assert heard(page, STEPS).startswith("t looks at t 0.76, g 0.13")
    page.page.mouse.move(5, 5)
    assert page.page.locator(f"{STEPS} .mha-line").count() == 0
    assert heard(page, STEPS) == ""
    assert page.page.evaluate("heard") == []  # the kernel was not asked


def test_a_click_on_a_row_chooses_the_step(page, steps):
    steps.click(0, 2)
    steps.expect(step=2)
    assert told(page, STEPS, "step") == "2"


def test_keys_on_a_picture_point_at_a_row_and_choose_the_step(page, steps):
    overlay = page.page.locator(f"{STEPS} .mha-frame svg")
    overlay.press("ArrowDown")
    assert heard(page, STEPS) == "n looks at n 0.59, k 0.41"
    overlay.press("ArrowDown")
    assert heard(page, STEPS).startswith("aɪ looks at i 0.61")
    overlay.press("Enter")
    steps.expect(step=1)
    overlay.press("Escape")
    assert heard(page, STEPS) == ""
    assert page.page.evaluate("document.activeElement.localName") == "svg"


def test_a_click_on_a_small_map_enlarges_that_head(page, heads):
    heads.point(3, 5)
    assert page.page.locator(f"{HEADS} .mha-head").count() == 1
    assert heard(page, HEADS).startswith("head 2: next")
    heads.click(3, 5)
    heads.expect(head=2)
    assert told(page, HEADS, "head") == "2"


def test_keys_on_a_picture_choose_a_head(page, heads):
    overlay = page.page.locator(f"{HEADS} .mha-frame svg")
    overlay.press("ArrowRight")
    assert heard(page, HEADS).startswith("head 1: partner")
    overlay.press("ArrowRight")
    overlay.press(" ")
    heads.expect(head=2)


def test_the_slider_of_steps_answers_to_keys_and_to_the_mouse(page, steps):
    page.slide(f"{STEPS} .mha-control-step", "ArrowRight")
    steps.expect(step=1)
    page.drag(f"{STEPS} .mha-control-step", 1)
    steps.expect(step=2)


def test_single_steps_and_play(page, steps):
    back, play, on = page.page.locator(f"{STEPS} .mha-play button").all()
    on.click()
    steps.expect(step=1)
    on.press("Enter")
    steps.expect(step=2)
    assert on.is_disabled()
    back.press(" ")
    steps.expect(step=1)
    assert play.get_attribute("aria-label") == "play"
    play.click()
    assert play.get_attribute("aria-label") == "pause"
    steps.expect(step=2)
    page.page.wait_for_selector(f"{STEPS} [aria-label=play]")  # the end is reached
    play.press("Enter")  # from the first step again
    steps.expect(step=0)
    play.press("Enter")
    assert play.get_attribute("aria-label") == "play"


def test_presets_are_pressed_by_mouse_and_by_key(page, steps):
    page.page.get_by_role("button", name="two letters, one sound").click()
    steps.expect(preset="two letters, one sound")
    page.page.get_by_role("button", name="without attention").press("Enter")
    steps.expect(preset="without attention")


def test_steps_follow_the_word(page, steps):
    slider = page.page.locator(f"{STEPS} .mha-control-step input")
    page.type_text(f"{STEPS} .mha-control-word", "congratulating")
    page.page.wait_for_function("one => one.max === '12'", arg=slider.element_handle())
    slider.press("End")
    page.type_text(f"{STEPS} .mha-control-word", "phone")
    page.wait_for_text(f"{STEPS} .mha-message", "There is no step 12 here")
    assert slider.get_attribute("max") == told(page, STEPS, "step") == "2"


def test_heads_follow_the_width(page, heads):
    page.slide(f"{HEADS} .mha-control-d_model", "Home")
    heads.expect(d_model=16)
    seen = [told(page, HEADS, "h")]
    page.slide(f"{HEADS} .mha-control-h", "Home")
    for _ in range(5):
        seen.append(told(page, HEADS, "h"))
        page.slide(f"{HEADS} .mha-control-h", "ArrowRight")
    assert seen == ["4", "1", "2", "4", "8", "16"]
    heads.expect(h=16)
    slider = page.page.locator(f"{HEADS} .mha-control-head input")
    assert slider.get_attribute("max") == "15"


def test_a_list_moves_the_picture(page, opened):
    twin = Twin(page, BLOCKS, opened(looking.explore_blocks))
    choices = page.page.locator(f"{BLOCKS} .mha-control-place select")
    choices.select_option(label="encoder self-attention")
    twin.expect(place="encoder")
    choices.press("ArrowDown")
    twin.expect(place="decoder self")
    page.page.locator(f"{STEPS} .mha-control-attention input").press(" ")
    page.wait_for_text(f"{STEPS} .mha-message", "every letter weighs")


def test_linked_controls_move_in_both_views(page, opened):
    left = Twin(page, ".left", opened(looking.explore_heads, d_model=64, h=1))
    right = Twin(page, ".right", opened(looking.explore_heads, d_model=64, h=4))
    page.slide(".left .mha-control-d_model", "ArrowLeft")
    left.expect(d_model=48)
    right.expect(d_model=48)
    page.drag(".right .mha-control-d_model", 0)
    right.expect(d_model=16)
    left.expect(d_model=16)
    page.slide(".right .mha-control-h", "ArrowLeft")
    right.expect(h=2)
    left.expect()
    sides = [page.page.locator(css).bounding_box() for css in (".left", ".right")]
    assert sides[0]["x"] + sides[0]["width"] <= sides[1]["x"] + 1
    assert sides[0]["y"] == sides[1]["y"]


def test_a_sign_stands_there_while_something_takes_long(page):
    frame = page.page.locator(f"{SLOW} .mha-frame")
    page.slide(f"{SLOW} .mha-control-seconds", "End")
    page.wait_for_text(f"{SLOW} .mha-busy", "drawing…")
    assert frame.get_attribute("aria-busy") == "true"
    page.page.wait_for_selector(f"{SLOW} [aria-busy=false]")
    assert not page.page.locator(f"{SLOW} .mha-busy").is_visible()


def test_text_is_shown_as_it_is_never_as_html(page):
    text = '<b id="bold">&amp;" $x$'
    page.type_text(f"{SLOW} .mha-control-text", text)
    page.wait_for_text(f"{SLOW} .mha-message", "It says <b")
    assert page.text(f"{SLOW} .mha-message") == f"It says {text}."
    page.page.locator(f"{SLOW} .mha-frame svg").press("ArrowDown")
    assert heard(page, SLOW) == f"{text.replace(' ', '␣')} looks at k 1.00"
    assert text in page.page.locator(f"{SLOW} .mha-picture").get_attribute("alt")
    assert page.page.locator("#bold").count() == 0


def test_the_projector_enlarges_all_views(page, heads, steps):
    size = "one => parseFloat(getComputedStyle(one).fontSize)"
    message = page.page.locator(f"{STEPS} .mha-message")
    before = message.evaluate(size)
    page.run("lab.projector(True)")
    try:
        for twin in (heads, steps):
            twin.expect(projector=True)
        assert message.evaluate(size) > 1.4 * before
        assert {page.page.locator(css).first.evaluate(size) for css in WRITTEN} == {21}
        assert page.page.locator(".mha-shown:not(.mha-large)").count() == 0
        steps.point(0, 0)
        line = page.page.locator(f"{STEPS} .mha-frame svg text").first
        assert line.evaluate(size) >= 22
    finally:
        page.run("lab.projector(False)")
    heads.expect(projector=False)


def test_a_view_is_saved_beside_the_notebook(page):
    page.run("[heads.save(f'heads.{suffix}') for suffix in ('png', 'svg', 'pdf')]")
    files = page.run(
        "import os; print(*[os.path.getsize(f'heads.{s}') > 5000"
        " for s in ('png', 'svg', 'pdf')])"
    )
    assert files == "True True True\n"


def test_every_field_has_a_name_a_tooltip_and_room_for_a_finger(page):
    fields = page.page.evaluate(FIELDS)
    assert len(fields) > 30
    for field in fields:
        assert field["name"].strip() and field["told"], field["html"]
        assert min(field["room"]["width"], field["room"]["height"]) >= 24, field["html"]


def test_alternative_text_changes_with_the_picture(page, heads):
    image = page.page.locator(f"{HEADS} .mha-picture")
    assert image.get_attribute("alt") == heads.view.picture.sentence
    page.slide(f"{HEADS} .mha-control-h", "Home")
    heads.expect(h=1)
    assert image.get_attribute("alt") == heads.view.picture.sentence


def test_a_narrow_page_gets_a_picture_of_its_own(page):
    wide = page.drawn_at(HEADS)
    page.page.set_viewport_size({"width": 1080, "height": 700})
    page.page.wait_for_function(
        "wide => document.querySelector('.mha-picture').width < wide", arg=wide[0] - 50
    )
    width, height, density = page.drawn_at(HEADS)
    assert width < wide[0]
    shape = page.picture(f"{HEADS} .mha-picture").shape
    assert np.array_equal(shape[:2], (height * density, width * density))


def test_nodes_last_and_nothing_was_complained_of(page):
    assert page.page.evaluate(SAME)
    assert page.errors == []
    assert page.foreign == []
    assert page.cell_errors() == []
