"""What axe-core finds in every live view of the demo: run by ``make axe``.

The environment names the script, which is not a part of the project: ``AXE``.
"""

import os

import pytest

from browser import NOT_RUN, find_chromium, start_lab

THEMES = ("JupyterLab Light", "JupyterLab Dark")
THEME = """theme => window.jupyterapp.commands
  .execute('apputils:change-theme', { theme })"""
# What it found, and how many rules it could try.
AXE = """async () => {
  const rules = { 'target-size': { enabled: true } };
  const found = await axe.run('.mha-view', { rules });
  return [found.passes.length, found.violations.map(({ id, impact, nodes }) =>
    `${impact} ${id}: ${nodes.map(node => node.html).join(' ')}`)];
}"""


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    assert find_chromium(), NOT_RUN
    with (
        start_lab(tmp_path_factory.mktemp("axe")) as lab,
        lab.open("notebooks/demo.ipynb") as page,
    ):
        page.run_all()
        page.page.add_script_tag(path=os.environ["AXE"])
        page.drawn_at(".mha-view")
        yield page


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("large", [True, False])
def test_axe_finds_nothing_serious(page, theme, large):
    page.page.evaluate(THEME, theme)
    page.run(f"lab.projector({large})")
    page.drawn_at(".mha-view")
    tried, found = page.page.evaluate(AXE)
    assert page.page.locator(".mha-view").count() > 9
    assert tried > 15
    assert [one for one in found if one.startswith(("critical", "serious"))] == []


def test_a_nameless_field_is_found(page):
    page.page.evaluate("document.querySelector('.mha-picture').removeAttribute('alt')")
    assert any(
        one.startswith("critical image-alt") for one in page.page.evaluate(AXE)[1]
    )
