"""A notebook with views as a web page: with the state of its widgets and without."""

import base64
import copy
import io
import json
from pathlib import Path

import nbformat
import numpy as np
import pytest
from bs4 import BeautifulSoup
from nbclient import NotebookClient
from nbconvert import HTMLExporter
from PIL import Image
from traitlets.config import Config

from mha_core.lab import explore_alignment

ROOT = Path(__file__).resolve().parent.parent
CONFIG = json.loads((ROOT / "docs" / "export.json").read_text(encoding="utf-8"))
TEXT = '<b id="bold">&amp;" $x$'
VIEW, MADE = (
    "lab.explore_alignment('knight')",
    f"""\
def compute():
    return lab.heatmap([[1.0]], [{TEXT!r}], ["k"], title={TEXT!r}), {TEXT!r}

lab.View({{}}, compute)""",
)
templates = pytest.mark.parametrize("template", ["classic", "lab"])


@pytest.fixture(scope="module")
def stateful():
    """A notebook that was run and saved with the state of its widgets."""
    codes = "from mha_core import lab", VIEW, MADE
    book = nbformat.v4.new_notebook(cells=[*map(nbformat.v4.new_code_cell, codes)])
    NotebookClient(book, kernel_name="python3", store_widget_state=True).execute()
    assert book.metadata.widgets
    return book


@pytest.fixture(scope="module")
def stateless(stateful):
    """The same notebook without that state."""
    book = copy.deepcopy(stateful)
    del book.metadata["widgets"]
    return book


def export(book, template, config=None):
    """Return the exported page, parsed."""
    exporter = HTMLExporter(config=Config(config or {}), template_name=template)
    return BeautifulSoup(exporter.from_notebook_node(book)[0], "html.parser")


def pixels(image):
    """Return the pixels of an image that stands in a page."""
    data = base64.b64decode(image["src"].removeprefix("data:image/png;base64,"))
    return np.array(Image.open(io.BytesIO(data)).convert("RGB"))


@templates
def test_without_state_the_picture_is_there(stateless, template, opened):
    image, _ = export(stateless, template).find_all("img")
    stored = opened(explore_alignment)._repr_mimebundle_()[0]["image/png"]
    assert image["src"].endswith(stored.strip())
    assert pixels(image).shape == (540, 900, 3)


def test_the_picture_has_its_sentence(stateless, opened):
    image, _ = export(stateless, "classic").find_all("img")
    assert image["alt"] == opened(explore_alignment).picture.sentence


@templates
def test_with_state_the_picture_is_there_as_well(stateful, stateless, template):
    page = export(stateful, template, CONFIG)
    plain = export(stateless, template).find_all("img")
    assert [image["src"] for image in page.find_all("img")] == [
        image["src"] for image in plain
    ]
    assert not page.find_all(type="application/vnd.jupyter.widget-view+json")


def test_the_state_holds_all_that_a_live_page_needs(stateful, opened):
    states = stateful.metadata.widgets["application/vnd.jupyter.widget-state+json"]
    pictures = [one for one in states["state"].values() if "shown" in one["state"]]
    assert len(pictures) == 2
    (buffer,) = pictures[0]["buffers"]
    assert buffer["path"] == ["shown", "png"]
    picture = opened(explore_alignment).picture
    live = Image.open(io.BytesIO(base64.b64decode(buffer["data"]))).convert("RGB")
    assert np.array_equal(live, picture.pixels)
    assert "function build(" in pictures[0]["state"]["_esm"]
    assert ".mha-frame" in pictures[0]["state"]["_css"]


@templates
@pytest.mark.parametrize("book", ["stateful", "stateless"])
def test_text_is_never_html(book, template, request):
    page = export(request.getfixturevalue(book), template, CONFIG)
    assert page.find_all(id="bold") == []
    if template == "classic":
        assert TEXT in page.find_all("img")[1]["alt"]


@templates
def test_the_text_of_a_view_is_never_html(stateless, template):
    book = copy.deepcopy(stateless)
    for cell in book.cells[1:]:
        del cell.outputs[0].data["image/png"]
    page = export(book, template)
    assert page.find_all(id="bold") == []
    assert f"message: {TEXT}" in page.get_text()
