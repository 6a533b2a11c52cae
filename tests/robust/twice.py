"""Write each lesson with all its cells twice: two Run Alls in one kernel."""

import copy
from pathlib import Path

import nbformat

for path in sorted(Path("notebooks").glob("0*.ipynb")):
    book = nbformat.read(path, as_version=4)
    again = copy.deepcopy(book.cells)
    for cell in again:
        cell.id += "-again"
    book.cells += again
    Path("twice").mkdir(exist_ok=True)
    nbformat.write(book, Path("twice") / path.name)
