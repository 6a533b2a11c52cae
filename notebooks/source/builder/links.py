"""Where links lead: to the lesson in the same language, or in English."""

import re

from builder import passages
from builder.sources import SourceError, has_edition, lesson_names, read_blocks

ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|//")
NOTEBOOK = ".ipynb"


def placed(text, lang, name, sources):
    """Return a passage with its links as they stand in one edition of a lesson.

    In the source a link leads from the English edition: ``02_b.ipynb#Look-back``.

    Raises
    ------
    SourceError
        If there is no such file, or no such heading in it.
    """
    return passages.with_targets(text, lambda to: _target(to, lang, name, sources))


def _target(target, lang, name, sources):
    if ELSEWHERE.match(target):
        return target
    address, mark, anchor = target.partition("#")
    lesson = address.removesuffix(NOTEBOOK) if address else name
    if address and lesson not in _lessons(address, sources):
        return _file(target, address, lang, sources)
    blocks = read_blocks(sources / f"{lesson}.py")
    there = lang if has_edition(blocks, lang) else "en"
    if mark:
        anchor = _anchor(blocks, anchor, there, lesson)
    return f"{'' if there == lang else '../'}{address}{mark}{anchor}"


def _lessons(address, sources):
    return lesson_names(sources) if address.endswith(NOTEBOOK) else []


def _file(target, address, lang, sources):
    if address.endswith(NOTEBOOK) or not (sources.parent / address).exists():
        raise SourceError(f"the link {target} leads to no file")
    return target if lang == "en" else f"../{target}"


def _anchor(blocks, anchor, lang, lesson):
    english, there = (anchors(blocks, one) for one in ("en", lang))
    if anchor not in english:
        raise SourceError(f"{lesson} has no heading #{anchor}")
    return there[english.index(anchor)]


def anchors(blocks, lang):
    """Return the anchors of all headings of an edition, in their order."""
    texts = [
        (block.get(lang) or block["en"]).source for block in blocks if "en" in block
    ]
    return [slug(words) for text in texts for _, words in passages.headings(text)]


def slug(words):
    """Return the anchor that JupyterLab gives a heading."""
    return re.sub(r"[`*]", "", words).replace(" ", "-")
