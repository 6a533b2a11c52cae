import sys

import psutil
import pytest

from browser import end
from build import lesson_names
from mha_core import lab as looking
from twins import Twin


def type_words(page):
    """Type words into the drawing of a step and go through one, with the keyboard."""
    view = ".mha-view:has(.mha-control-step)"
    expect(page, view, looking.explore_steps, "phone")
    for word in ("knight", "administration"):
        page.type_text(f"{view} .mha-control-word", word)
        expect(page, view, looking.explore_steps, word)
    page.slide(f"{view} .mha-control-step", "ArrowRight", 3)
    expect(page, view, looking.explore_steps, "administration", 3)
    page.type_text(f"{view} .mha-control-word", "x1")
    page.wait_for_text(f"{view} .mha-message", "and '1' is none of them")
    page.type_text(f"{view} .mha-control-word", "phone")
    page.wait_for_text(f"{view} .mha-message", "step is 2 now")
    expect(page, view, looking.explore_steps, "phone", 2)


def slide_heads(page):
    """Move h and d_model with the keyboard: h offers the divisors of d_model alone."""
    view = ".mha-view:has(.mha-control-d_model)"
    expect(page, view, looking.explore_heads, 64, 1)
    page.slide(f"{view} .mha-control-h", "ArrowRight", 3)
    expect(page, view, looking.explore_heads, 64, 8)
    page.slide(f"{view} .mha-control-d_model", "ArrowLeft", 3)
    expect(page, view, looking.explore_heads, 24, 8)
    page.slide(f"{view} .mha-control-h", "End")
    expect(page, view, looking.explore_heads, 24, 24)
    page.slide(f"{view} .mha-control-d_model", "ArrowLeft")
    page.wait_for_text(f"{view} .mha-message", "There is no h 24 here; h is 16 now")
    expect(page, view, looking.explore_heads, 16, 16)


def expect(page, css, make, *values):
    """Wait until the page shows the picture and the message that a new view shows."""
    view = make(*values)
    Twin(page, css, view).expect()
    view.close()


LONG = "supercalifragilisticexpialidocious"
USES = {"02_bahdanau_attention": type_words, "04_multi_head_splitting": slide_heads}
ON_BINDER = "04_multi_head_splitting"  # runs in the environment of a reader there


@pytest.mark.parametrize("name", [n for n in lesson_names() if n != ON_BINDER])
def test_lesson_runs_in_jupyterlab(lab, name):
    check_lesson(lab, name)


def check_lesson(lab, name):
    """Run a lesson in JupyterLab, use its views, and hold it to have no error."""
    with lab.open(f"notebooks/{name}.ipynb") as page:
        page.run_all()
        codes = [cell for cell in page.cells() if cell["cell_type"] == "code"]
        assert [cell["execution_count"] for cell in codes] == list(
            range(1, len(codes) + 1)
        )
        USES.get(name, lambda page: None)(page)
        page.to_the_ends(LONG)
        assert page.cell_errors() == []
        assert page.errors == []
        assert page.foreign == []
        assert page.asked() == []
        check_memory(lab)


def check_memory(lab):
    """Hold what the README says of the memory: less than half of what Binder gives."""
    server, kernel = lab.memory()
    assert kernel < 900
    assert server + kernel < 1050


def test_the_lessons_whose_views_are_used_are_there():
    assert {*USES, ON_BINDER} <= set(lesson_names())


def test_a_server_ends_with_all_that_it_has_started():
    child = [sys.executable, "-c", "import time; time.sleep(60)"]
    program = f"import subprocess as s; s.run({child!r})"
    parent = psutil.Popen([sys.executable, "-c", program])
    while not (family := parent.children(recursive=True)):
        assert parent.is_running()
    end(parent)
    assert not any(process.is_running() for process in (parent, *family))
