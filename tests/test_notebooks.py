"""The committed notebooks: built from their sources, compared, and in shape."""

import re

import pytest

import shape
import stored
from build import (
    LANGUAGES,
    NOTEBOOKS,
    SOURCES,
    edition,
    edition_path,
    is_complete,
    lesson_names,
    read_blocks,
    read_notebook,
)

NAMES = lesson_names()
LESSONS = [name for name in NAMES if re.match(r"0[1-9]_", name)]
BLOCKS = {name: read_blocks(SOURCES / f"{name}.py") for name in NAMES}
EDITIONS = [
    (name, lang)
    for name in NAMES
    for lang in LANGUAGES
    if is_complete(BLOCKS[name], lang)
]


def without_outputs(notebook):
    for cell in stored.code_cells(notebook):
        cell.outputs, cell.execution_count = [], None
    return notebook


@pytest.mark.parametrize(("name", "lang"), EDITIONS)
def test_committed_is_what_the_source_builds(name, lang):
    committed = without_outputs(read_notebook(edition_path(name, lang)))
    assert committed == edition(BLOCKS[name], lang), "run: make notebooks"


def test_each_notebook_has_a_source():
    found = set(NOTEBOOKS.glob("*.ipynb")) | set(NOTEBOOKS.glob("zh/*.ipynb"))
    assert found == {edition_path(*pair) for pair in EDITIONS}


@pytest.mark.parametrize(("name", "lang"), EDITIONS)
def test_nothing_passes_without_being_compared(name, lang):
    path = edition_path(name, lang)
    assert stored.faults(read_notebook(path)) == []
    assert path.stat().st_size < stored.MAX_BYTES


@pytest.mark.parametrize(("name", "lang"), EDITIONS)
def test_file_is_plain_utf8_with_unix_lines(name, lang):
    data = edition_path(name, lang).read_bytes()
    assert b"\r" not in data
    assert b"\\u" not in data.replace(b"\\\\", b"")
    assert data.endswith(b"}\n")


@pytest.mark.parametrize("name", LESSONS)
def test_lesson_is_in_shape(name):
    assert shape.faults(edition(BLOCKS[name], "en").cells) == []


@pytest.mark.parametrize("name", LESSONS)
def test_editions_share_code_and_outputs(name):
    """So validating the English edition validates all of them."""
    own = [lang for lesson, lang in EDITIONS if lesson == name]
    codes = [stored.code_cells(read_notebook(edition_path(name, x))) for x in own]
    assert "en" in own
    assert all(code == codes[0] for code in codes)
