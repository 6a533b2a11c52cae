"""The demo page: every explorer, one to a section, with a question for the room."""

import re

import nbformat

from build import NOTEBOOKS
from mha_core import lab

CELLS = nbformat.read(NOTEBOOKS / "demo.ipynb", as_version=4).cells
CODES = [cell for cell in CELLS if cell.cell_type == "code"]
SECTIONS = [c for c in CELLS if c.cell_type == "markdown"][1:]


def test_every_explorer_is_there_once():
    called = re.findall(r"lab\.(explore_\w+)", " ".join(c.source for c in CODES))
    explorers = [name for name in dir(lab) if name.startswith("explore_")]
    assert sorted({*called}) == sorted(explorers)
    assert len(called) == len(explorers) + 1  # one head stands beside four


def test_one_head_stands_beside_four():
    (cell,) = [cell for cell in CODES if "beside" in cell.source]
    assert "d_model=64, h=1, head=0" in cell.outputs[0].data["text/plain"]
    assert "d_model=64, h=4, head=0" in cell.outputs[0].data["text/plain"]


def test_code_is_folded_and_each_section_has_one_picture():
    assert all(cell.metadata["jupyter"]["source_hidden"] for cell in CODES)
    kinds = [cell.cell_type for cell in CELLS]
    assert kinds == ["markdown", "code"] * len(CODES)


def test_each_section_has_a_claim_and_a_question():
    for cell in SECTIONS:
        title, *text = cell.source.split("\n\n")
        assert title.startswith("## ") and len(text) == 1
        assert "**Ask:**" in text[0] and "?" in text[0]
        assert len(text[0].split()) <= 50
