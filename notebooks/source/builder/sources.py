"""Lessons as they are written: blocks of a passage in each language, or of code."""

from pathlib import Path

import jupytext

SOURCES = Path(__file__).resolve().parents[1]
NOTEBOOKS = SOURCES.parent
LANGUAGES = ("en", "zh")


class SourceError(Exception):
    """A source that cannot be built; the message names file and cell."""


def lesson_names(sources=SOURCES):
    """Return the names of all lessons, without the ending."""
    return sorted(p.stem for p in sources.glob("*.py") if p.stem != "build")


def read_blocks(path):
    """Read a source as a list of blocks: language to cell, or "code" to cell."""
    text = path.read_text(encoding="utf-8-sig")
    blocks = []
    for number, cell in enumerate(jupytext.reads(text, fmt="py:percent").cells, 1):
        try:
            _add_cell(blocks, cell)
        except SourceError as error:
            raise SourceError(f"{path.name}, cell {number}: {error}") from None
    return blocks


def _add_cell(blocks, cell):
    lang = cell.metadata.get("lang")
    if cell.cell_type == "code":
        if lang not in (None, *LANGUAGES):
            raise SourceError(f"there is no edition {lang!r} for this code cell")
        blocks.append({"code": cell})
    elif lang == "en":
        blocks.append({"en": cell})
    elif lang not in LANGUAGES:
        raise SourceError(f'a passage needs lang="en" or lang="zh", not {lang!r}')
    elif blocks and "en" in blocks[-1] and lang not in blocks[-1]:
        blocks[-1][lang] = cell
    else:
        raise SourceError(f'a lang="{lang}" passage must follow its lang="en" passage')


def numbered(blocks):
    """Return pairs of block and number of its first cell in the source, from 1."""
    numbers, number = [], 1
    for block in blocks:
        numbers.append((block, number))
        number += len(block)
    return numbers


def chosen(blocks, lang):
    """Return pairs of block and number for the blocks that an edition shows.

    A code cell may belong to one edition alone.
    """
    return [
        (block, number)
        for block, number in numbered(blocks)
        if "code" not in block or block["code"].metadata.get("lang", lang) == lang
    ]


def has_edition(blocks, lang):
    """Tell whether a lesson has an edition: one translated passage is enough."""
    return lang == "en" or any(lang in block for block in blocks)


def untranslated(blocks, lang):
    """Return the numbers of the passages that an edition has in English only."""
    return [n for block, n in numbered(blocks) if "en" in block and lang not in block]


def passage_count(blocks):
    """Return how many passages a lesson has."""
    return sum("en" in block for block in blocks)


def shares_code(blocks):
    """Tell whether all editions have the same code, so that one run serves all."""
    return not any(block["code"].metadata.get("lang") for block in _codes(blocks))


def _codes(blocks):
    return [block for block in blocks if "code" in block]
