"""The glossary and the lessons: each term stands in bold once, where it is met."""

import re
from collections import Counter

import pytest

from build import SOURCES, lesson_names, read_blocks

TEXT = (SOURCES.parent / "glossary.md").read_text(encoding="utf-8")
SIGNS, WORDS = TEXT.split("## Words")
BOLD = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)
# What is bold for another reason.
OTHERS = {"Predict, then run.", "You will do:", "You will learn:", "You need:"}
LESSONS = sorted(path.stem for path in SOURCES.glob("0*.py"))


def rows(text):
    """Return the cells of the rows of a table, without its head."""
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line[1:-1].split("|")] for line in lines[1:]]


def terms():
    """Return each term of the glossary with the number of its lesson."""
    return [(row[0], int(row[-1])) for row in rows(WORDS)]


def bold(name):
    """Return what stands in bold in a lesson, on one line each."""
    texts = [b["en"].source for b in read_blocks(SOURCES / f"{name}.py") if "en" in b]
    found = [" ".join(part.split()) for text in texts for part in BOLD.findall(text)]
    return [part.lower() for part in found if part not in OTHERS]


def test_every_row_has_all_its_cells():
    assert {len(row) for row in rows(SIGNS)} == {4}
    assert {len(row) for row in rows(WORDS)} == {3}
    assert all(row[2] for row in rows(SIGNS)) and all(map(all, rows(WORDS)))


def test_terms_stand_once_and_in_order():
    names = [name.lower() for name, _ in terms()]
    assert names == sorted(set(names))


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_prints_its_terms_in_bold_once(name):
    number = int(name[:2])
    due = Counter(term.lower() for term, lesson in terms() if lesson == number)
    assert Counter(bold(name)) == due


def test_lessons_gone_through_are_there():
    assert set(LESSONS) <= set(lesson_names())


def test_what_is_found_in_a_table():
    text = "| word | in plain words | lesson |\n|---|---|---|\n| a b | c, $d$ | 7 |\n"
    assert rows(text) == [["a b", "c, $d$", "7"]]
