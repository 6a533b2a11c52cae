"""Build the notebooks from their sources.

    python notebooks/source/build.py [NAME ...]

A source ``NN_name.py`` is in jupytext's percent format. Code cells stand once;
each passage is a ``# %% [markdown] lang="en"`` cell, followed at once by its
``lang="zh"`` cell where it is translated. The code runs once. The English edition
goes to ``notebooks/``; the Chinese one goes to ``notebooks/zh/`` when no passage
lacks its translation.
"""

import base64
import hashlib
import io
import os
import re
import sys
from collections import Counter
from pathlib import Path

import jupytext
import nbformat
import numpy as np
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from PIL import Image

SOURCES = Path(__file__).resolve().parent
NOTEBOOKS = SOURCES.parent
LANGUAGES = ("en", "zh")
METADATA = {
    "kernelspec": {
        "display_name": "Python 3 (ipykernel)",
        "language": "python",
        "name": "python3",
    },
    "language_info": {"name": "python"},
}
SOURCE_ONLY = {"lang", "lines_to_next_cell", "lines_to_end_of_cell_marker"}
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "VECLIB_MAXIMUM_THREADS": "1",
}
CELL_TIMEOUT = 120


class SourceError(Exception):
    """A source that cannot be built; the message names file and cell."""


def lesson_names():
    """Return the names of all lessons, without the ending."""
    return sorted(p.stem for p in SOURCES.glob("*.py") if p.stem != "build")


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
    if cell.cell_type == "code":
        blocks.append({"code": cell})
        return
    lang = cell.metadata.get("lang")
    if lang == "en":
        blocks.append({"en": cell})
    elif lang == "zh" and blocks and set(blocks[-1]) == {"en"}:
        blocks[-1]["zh"] = cell
    elif lang == "zh":
        raise SourceError('a lang="zh" passage must follow its lang="en" passage')
    else:
        raise SourceError(f'a passage needs lang="en" or lang="zh", not {lang!r}')


def is_complete(blocks, lang):
    """Tell whether every passage exists in a language."""
    return all("code" in block or lang in block for block in blocks)


def edition(blocks, lang):
    """Return a lesson in one language as a notebook that has not been run."""
    seen = Counter()
    cells = []
    for block in blocks:
        cell = block.get("code") or block[lang]
        make = new_code_cell if "code" in block else new_markdown_cell
        metadata = {k: v for k, v in cell.metadata.items() if k not in SOURCE_ONLY}
        id_ = _cell_id(block, seen)
        cells.append(make(source=cell.source, id=id_, metadata=metadata))
    notebook = new_notebook(cells=cells, metadata=METADATA)
    notebook.nbformat_minor = 5
    return notebook


def _cell_id(block, seen):
    """Return an id made of the text, so that other cells keep theirs."""
    kind, cell = next(iter(block.items()))
    digest = hashlib.sha256(f"{kind}\n{cell.source}".encode()).hexdigest()[:8]
    seen[digest] += 1
    return digest if seen[digest] == 1 else f"{digest}-{seen[digest]}"


def execute(notebook, name):
    """Run a notebook in place, as strict validation will run it."""
    client = NotebookClient(
        notebook,
        timeout=CELL_TIMEOUT,
        kernel_name="python3",
        store_widget_state=False,
        record_timing=False,
        resources={"metadata": {"path": str(NOTEBOOKS)}},
    )
    try:
        client.execute()
    except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
        raise SourceError(_failure(notebook, name, error)) from None


def _failure(notebook, name, error):
    codes = [cell for cell in notebook.cells if cell.cell_type == "code"]
    failed = [c for c in codes if any(o.output_type == "error" for o in c.outputs)]
    started = [c for c in codes if c.execution_count or c.outputs] or codes
    cell = (failed or started)[-1]
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error)).strip()
    return (
        f"{name}.py, code cell {codes.index(cell) + 1} failed:\n\n{cell.source}\n\n"
        f"{text.splitlines()[-1]}"
    )


def clean(notebook):
    """Remove what changes from run to run, in place."""
    codes = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for count, cell in enumerate(codes, 1):
        cell.execution_count = count
        cell.outputs = [out for out in map(_clean_output, cell.outputs) if out]
        for output in cell.outputs:
            if output.output_type == "execute_result":
                output.execution_count = count
    notebook.metadata = nbformat.from_dict(METADATA)


def _clean_output(output):
    if "data" not in output:
        return output
    output.data.pop(WIDGET_VIEW, None)
    alt = output.metadata.get("image/png", {}).get("alt")
    output.metadata = nbformat.from_dict({"image/png": {"alt": alt}} if alt else {})
    return output if output.data else None


def keep_pictures(notebook, committed):
    """Keep the committed bytes of each picture that still looks the same."""
    before = {cell.get("id"): cell.get("outputs", []) for cell in committed.cells}
    for cell in notebook.cells:
        pairs = zip(cell.get("outputs", []), before.get(cell.id, []), strict=False)
        for new, old in pairs:
            pictures = [out.get("data", {}).get("image/png") for out in (new, old)]
            if all(pictures) and _look_the_same(*pictures):
                new.data["image/png"] = pictures[1]


def _look_the_same(first, second):
    if first == second:
        return True
    try:
        a, b = (
            np.asarray(Image.open(io.BytesIO(base64.b64decode(p))).convert("RGBA"), int)
            for p in (first, second)
        )
    except (OSError, SyntaxError, ValueError):  # of a damaged picture
        return False
    return a.shape == b.shape and abs(a - b).max() <= 2


def with_outputs(notebook, executed):
    """Give a notebook the outputs of another edition of the same lesson."""
    for cell, source in zip(notebook.cells, executed.cells, strict=True):
        if cell.cell_type == "code":
            cell.outputs = source.outputs
            cell.execution_count = source.execution_count
    return notebook


def edition_path(name, lang):
    """Return where an edition of a lesson is written."""
    folder = NOTEBOOKS if lang == "en" else NOTEBOOKS / lang
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


def run(blocks, name):
    """Return the English edition with its outputs."""
    notebook = edition(blocks, "en")
    execute(notebook, name)
    clean(notebook)
    keep_pictures(notebook, committed(edition_path(name, "en")))
    return notebook


def build(name):
    """Run one lesson and write each edition that is complete."""
    if name not in lesson_names():
        raise SourceError(f"no lesson {name}; there are {', '.join(lesson_names())}")
    blocks = read_blocks(SOURCES / f"{name}.py")
    executed = run(blocks, name)
    for lang in LANGUAGES:
        target = edition_path(name, lang)
        if is_complete(blocks, lang):
            write_notebook(with_outputs(edition(blocks, lang), executed), target)
        else:
            target.unlink(missing_ok=True)


def main(names):
    """Build the named lessons, or all of them."""
    os.environ.update(ONE_THREAD)
    try:
        for name in names or lesson_names():
            build(name.removesuffix(".py"))
            print(f"built {name}")
    except SourceError as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main(sys.argv[1:])
