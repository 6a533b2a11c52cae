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
    has_edition,
    lesson_names,
    read_blocks,
    read_notebook,
    untranslated,
)
from builder import passages
from builder.sources import shares_code

NAMES = lesson_names()
LESSONS = [name for name in NAMES if re.match(r"0[1-9]_", name)]
BLOCKS = {name: read_blocks(SOURCES / f"{name}.py") for name in NAMES}
EDITIONS = [
    (name, lang)
    for name in NAMES
    for lang in LANGUAGES
    if has_edition(BLOCKS[name], lang)
]
# How many passages an edition has in English only, where there are some.
NOT_TRANSLATED = {}


def without_outputs(notebook):
    for cell in stored.code_cells(notebook):
        cell.outputs, cell.execution_count = [], None
    return notebook


def with_numbers_of(cell, filled):
    """Return a cell of the source, its computed numbers taken from a built one."""
    parts = [re.escape(part) for part in passages.FIELD.split(cell.source)[::3]]
    if len(parts) > 1 and re.fullmatch("[^\\n]+?".join(parts), filled.source):
        cell.source = filled.source
    return cell


@pytest.mark.parametrize(("name", "lang"), EDITIONS)
def test_committed_is_what_the_source_builds(name, lang):
    """But for the computed numbers, which ``test_rebuilt`` compares."""
    committed = without_outputs(read_notebook(edition_path(name, lang)))
    made = edition(BLOCKS[name], lang, name)
    pairs = zip(made.cells, committed.cells, strict=False)
    made.cells[: len(committed.cells)] = [with_numbers_of(*pair) for pair in pairs]
    assert committed == made, "run: make notebooks"


@pytest.mark.parametrize("name", NAMES)
def test_what_is_not_translated_is_known(name):
    left = {x: len(untranslated(BLOCKS[name], x)) for n, x in EDITIONS if n == name}
    left = {(name, lang): count for lang, count in left.items() if count}
    assert left == {k: n for k, n in NOT_TRANSLATED.items() if k[0] == name}


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
    assert shape.faults(edition(BLOCKS[name], "en", name).cells) == []


@pytest.mark.parametrize(("name", "lang"), EDITIONS)
def test_the_first_thing_after_the_imports_is_a_picture(name, lang):
    first = shape.codes(read_notebook(edition_path(name, lang)).cells)[1]
    assert any("image/png" in output.get("data", {}) for output in first.outputs)


@pytest.mark.parametrize("name", LESSONS)
def test_editions_with_the_same_code_share_outputs(name):
    """Where one has code of its own, each is validated on its own."""
    own = [lang for lesson, lang in EDITIONS if lesson == name]
    codes = [stored.code_cells(read_notebook(edition_path(name, x))) for x in own]
    assert "en" in own
    if shares_code(BLOCKS[name]):
        assert all(code == codes[0] for code in codes)
