"""A lesson in one language, as a notebook."""

import hashlib
from collections import Counter

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from builder.links import placed
from builder.sources import NOTEBOOKS, SOURCES, SourceError, chosen

METADATA = {
    "kernelspec": {
        "display_name": "Python 3 (ipykernel)",
        "language": "python",
        "name": "python3",
    },
    "language_info": {"name": "python"},
}
SOURCE_ONLY = {"lang", "lines_to_next_cell", "lines_to_end_of_cell_marker"}
NOT_TRANSLATED = {"zh": "> （此段尚未翻译）"}


def metadata_of(lang):
    """Return the metadata of a notebook, which says in what language it is."""
    return nbformat.from_dict(METADATA | {"language": lang})


def edition(blocks, lang, name="", sources=SOURCES):
    """Return a lesson in one language as a notebook that has not been run.

    A passage that is not translated stands there in English, under a note.

    Raises
    ------
    SourceError
        If a link leads nowhere; the message names file and cell.
    """
    seen = Counter()
    cells = [_cell(*one, lang, name, sources, seen) for one in chosen(blocks, lang)]
    notebook = new_notebook(cells=cells, metadata=metadata_of(lang))
    notebook.nbformat_minor = 5
    return notebook


def _cell(block, number, lang, name, sources, seen):
    cell = block.get("code") or block.get(lang) or block["en"]
    id_ = _cell_id(block, seen)
    metadata = {k: v for k, v in cell.metadata.items() if k not in SOURCE_ONLY}
    if "code" in block:
        return new_code_cell(source=cell.source, id=id_, metadata=metadata)
    try:
        text = placed(cell.source, lang, name, sources)
    except SourceError as error:
        raise SourceError(f"{name}.py, cell {number}: {error}") from None
    if lang not in block:
        text = f"{NOT_TRANSLATED[lang]}\n\n{text}"
    return new_markdown_cell(source=text, id=id_, metadata=metadata)


def _cell_id(block, seen):
    """Return an id made of the text, so that other cells keep theirs."""
    kind, cell = next(iter(block.items()))
    digest = hashlib.sha256(f"{kind}\n{cell.source}".encode()).hexdigest()[:8]
    seen[digest] += 1
    return digest if seen[digest] == 1 else f"{digest}-{seen[digest]}"


def edition_path(name, lang, notebooks=NOTEBOOKS):
    """Return where an edition of a lesson is written."""
    folder = notebooks if lang == "en" else notebooks / lang
    return folder / f"{name}.ipynb"


def read_notebook(path):
    """Read a notebook file."""
    return nbformat.reads(path.read_text(encoding="utf-8"), as_version=4)


def committed(path):
    """Read the notebook that is there; one that cannot be read counts as absent."""
    try:
        return read_notebook(path)
    except Exception:  # nbformat has an error of its own for each kind of damage
        return new_notebook()


def write_notebook(notebook, path):
    """Write a notebook, the same bytes on every system."""
    nbformat.validate(notebook)
    path.parent.mkdir(exist_ok=True)
    text = nbformat.writes(notebook).rstrip("\n") + "\n"
    path.write_text(text, encoding="utf-8", newline="\n")
