"""A lesson in Notebook 7, in a real browser: run by ``make notebook7``."""

import pytest

from browser import NOT_RUN, NOTEBOOK, find_chromium, start_lab

LESSON = "notebooks/04_multi_head_splitting.ipynb"


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    assert find_chromium(), NOT_RUN
    with start_lab(tmp_path_factory.mktemp("notebook7"), command=NOTEBOOK) as lab:
        yield lab


def test_a_lesson_runs_and_its_slider_moves_the_picture(lab):
    """With the mouse: Notebook 7 keeps the arrow keys for itself."""
    view = ".mha-view:has(.mha-control-d_model)"
    with lab.open(LESSON, address=f"notebooks/{LESSON}") as page:
        own = list(page.errors)
        page.run_all()
        before, message = page.picture(f"{view} .mha-picture"), page.text(view)
        page.drag(f"{view} .mha-control-d_model", 0)
        page.wait_for_new_picture(f"{view} .mha-picture", before)
        assert page.text(view) != message
        assert (page.cell_errors(), page.foreign, page.asked()) == ([], [], [])
        assert page.errors == own
