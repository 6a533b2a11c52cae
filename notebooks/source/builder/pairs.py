"""A passage against its translation: what has to be the same in both."""

import re
from collections import Counter
from unicodedata import normalize

from builder import passages
from builder.sources import LANGUAGES, SourceError, numbered

NUMBER = re.compile(r"(?<![A-Za-z0-9_])(?<!\d\.)[-\u2212]?\.?\d+(?:[.,]\d+)*")
METADATA = ("lang", "lines_to_next_cell", "lines_to_end_of_cell_marker")


def check(blocks, file):
    """Refuse a lesson whose passages and translations differ, naming each place."""
    found = [f"{file}, {fault}" for fault in faults(blocks)]
    if found:
        raise SourceError("\n".join(found))


def faults(blocks):
    """Return a sentence for each difference in a lesson, with the cell."""
    return [
        f"cell {number + place} (lang={lang!r}): {fault}"
        for block, number in numbered(blocks)
        for place, lang in enumerate(LANGUAGES)
        if lang != "en" and lang in block
        for fault in differences(block["en"], block[lang])
    ]


def differences(english, other):
    """Return a sentence for each kind of thing that two cells do not have alike."""
    found = []
    for kind, read in READERS.items():
        here, there = (Counter(read(cell)) for cell in (english, other))
        found += _told(kind, here - there, there - here)
    levels = [[level for level, _ in _headings(cell)] for cell in (english, other)]
    if levels[0] != levels[1]:
        found.append(f"heading levels {levels[1]}, in English {levels[0]}")
    return found


def _told(kind, missing, extra):
    told = [f"missing {_listed(missing)}"] if missing else []
    told += [f"not in English {_listed(extra)}"] if extra else []
    return [f"{kind}: {'; '.join(told)}"] if told else []


def _listed(counter):
    return ", ".join(sorted(counter.elements()))


def _links(cell):
    return passages.targets(cell.source)


def _formulas(cell):
    text = passages.CODE_WORD.sub("", passages.FENCED.sub("", cell.source))
    return ["".join(found.split()) for found in passages.FORMULA.findall(text)]


def _code(cell):
    text = passages.FENCED.sub("", cell.source)
    return passages.FENCED.findall(cell.source) + passages.CODE_WORD.findall(text)


def _fields(cell):
    return passages.fields(cell.source)


def _tags(cell):
    return passages.TAG.findall(passages.VERBATIM.sub("", cell.source))


def _numbers(cell):
    text = passages.FIELD.sub("", passages.VERBATIM.sub("", cell.source))
    text = passages.TAG.sub("", passages.TARGET.sub("", text))
    found = NUMBER.findall(normalize("NFKC", text))
    return [number.replace(",", "").replace("\u2212", "-") for number in found]


def _headings(cell):
    return passages.headings(cell.source)


def _metadata(cell):
    return [f"{k}={v}" for k, v in sorted(cell.metadata.items()) if k not in METADATA]


READERS = {
    "links": _links,
    "formulas": _formulas,
    "code": _code,
    "computed numbers": _fields,
    "numbers": _numbers,
    "HTML tags": _tags,
    "slide type and other metadata": _metadata,
}
