"""Build the notebooks from their sources.

    python notebooks/source/build.py [NAME ...]

A source ``NN_name.py`` is in jupytext's percent format. Code cells stand once;
each passage is a ``# %% [markdown] lang="en"`` cell, followed at once by its
``lang="zh"`` cell where it is translated. The English edition goes to
``notebooks/``; the Chinese one goes to ``notebooks/zh/`` as soon as one passage is
translated, with the others in English under a note. The code runs once, or once for
each edition where one has code of its own (``# %% lang="zh"``).
"""

import os
import sys

from builder import pairs
from builder.editions import (
    METADATA,
    committed,
    edition,
    edition_path,
    metadata_of,
    read_notebook,
    write_notebook,
)
from builder.passages import malformed_fields
from builder.pictures import keep_pictures, look_the_same
from builder.running import (
    WIDGET_VIEW,
    clean,
    execute,
    fill,
    with_outputs,
)
from builder.sources import (
    LANGUAGES,
    NOTEBOOKS,
    SOURCES,
    SourceError,
    chosen,
    has_edition,
    lesson_names,
    numbered,
    passage_count,
    read_blocks,
    shares_code,
    untranslated,
)
from builder.threads import ONE_THREAD

__all__ = [
    "LANGUAGES",
    "METADATA",
    "NOTEBOOKS",
    "ONE_THREAD",
    "SOURCES",
    "SourceError",
    "WIDGET_VIEW",
    "build",
    "clean",
    "edition",
    "edition_path",
    "editions",
    "execute",
    "has_edition",
    "keep_pictures",
    "lesson_names",
    "look_the_same",
    "metadata_of",
    "read_blocks",
    "read_lesson",
    "read_notebook",
    "untranslated",
    "write_notebook",
]


def read_lesson(name, sources=SOURCES):
    """Return the blocks of a lesson, checked: each passage against its translation."""
    if name not in lesson_names(sources):
        names = ", ".join(lesson_names(sources))
        raise SourceError(f"no lesson {name}; there are {names}")
    blocks = read_blocks(sources / f"{name}.py")
    pairs.check(blocks, f"{name}.py")
    for block, number in numbered(blocks):
        for wrong in malformed_fields(block["en"].source) if "en" in block else ():
            raise SourceError(
                f"{name}.py, cell {number}: {wrong} is no computed number; "
                "write {{ expression:format }}"
            )
    return blocks


def editions(name, sources=SOURCES):
    """Run a lesson and return language to notebook, in English first."""
    blocks = read_lesson(name, sources)
    english, values = _run(blocks, "en", name, sources)
    made = {"en": english}
    for lang in LANGUAGES[1:]:
        if has_edition(blocks, lang) and shares_code(blocks):
            twin = with_outputs(edition(blocks, lang, name, sources), english)
            fill(twin, values)
            made[lang] = twin
        elif has_edition(blocks, lang):
            made[lang], _ = _run(blocks, lang, name, sources)
    return made


def _run(blocks, lang, name, sources):
    notebook = edition(blocks, lang, name, sources)
    values = execute(notebook, name, [number for _, number in chosen(blocks, lang)])
    fill(notebook, values)
    clean(notebook, lang)
    return notebook, values


def build(name, sources=SOURCES):
    """Run one lesson, write its editions, and return what there is to tell."""
    told = [f"built {name}"]
    blocks = read_lesson(name, sources)
    for lang, notebook in editions(name, sources).items():
        target = edition_path(name, lang, sources.parent)
        keep_pictures(notebook, committed(target))
        write_notebook(notebook, target)
        left = len(untranslated(blocks, lang))
        if left:
            count = f"{left} of {passage_count(blocks)} passages"
            told.append(f"  {lang}: {count} not translated")
    return "\n".join(told)


def main(names, sources=SOURCES):
    """Build the named lessons, or all of them."""
    os.environ.update(ONE_THREAD)
    try:
        for name in names or lesson_names(sources):
            print(build(name.removesuffix(".py"), sources))
    except SourceError as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main(sys.argv[1:])
