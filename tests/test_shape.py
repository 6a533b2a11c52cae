"""Each rule of ``shape`` refuses a lesson that breaks it, and only that."""

import pytest
from nbformat.v4 import new_code_cell as code
from nbformat.v4 import new_markdown_cell as text

import shape

WORDS = "Twenty words are the least that may stand before a cell of code in these " * 2


def good_lesson():
    title = text("# See a thing\n\nYou will do this, learn that, and need nothing.")
    title.metadata.slideshow = {"slide_type": "slide"}
    first = code("import numpy as np\nfrom mha_core.attention import softmax")
    cells = [title, first]
    for k in range(20):
        bold = "**Predict, then run.** " if k in (3, 9) else ""
        cells += [text(f"{bold}{WORDS}"), code(f"x = {k}\nx  # (T_q, T_k)")]
    cells += [code("view.set(h=2)\nview"), text(f"## Exercises\n\n{WORDS}")]
    for k in range(4):
        cells += [text(WORDS), code(f"answer = None\nsheet.check('{k}', answer)")]
    end = "## Summary\n\n- a\n- b\n- c\n\n## Further reading\n\n## Next\n\nOn."
    return [*cells, text(end)]


def replaced(old, new, times=-1):
    cells = good_lesson()
    for cell in cells:
        if times and old in cell.source:
            cell.source = cell.source.replace(old, new)
            times -= 1
    return cells


def with_code(*sources):
    return good_lesson()[:-1] + [code(s) for s in sources] + good_lesson()[-1:]


PLANTED = {
    shape.cell_count: good_lesson()[:10],
    shape.cell_length: with_code("\n".join("x" * 13)),
    shape.cells_in_a_row: with_code("x", "x"),
    shape.prose_before_code: replaced(WORDS, "Run this."),
    shape.definitions: replaced("x = 1", "def f():\n    return 1\nx = 1"),
    shape.comments: with_code("x  # the answer"),
    shape.printed_sentences: with_code("print(f'the answer is {x}')"),
    shape.heading_levels: replaced("## Exercises", "### Exercises"),
    shape.opening: replaced("learn that", "run that"),
    shape.first_cell: replaced("import numpy as np\n", ""),
    shape.predictions: replaced("Predict, then run", "Guess", 1),
    shape.exercises: replaced("'3'", "'2'"),
    shape.moved_view: replaced("view.set(h=2)", "view"),
    shape.closing: replaced("## Further reading", "## Books"),
    shape.summary: replaced("- c\n", ""),
    shape.slides: [text(good_lesson()[0].source), *good_lesson()[1:]],
}


def test_accepts_a_good_lesson():
    assert shape.faults(good_lesson()) == []


@pytest.mark.parametrize("rule", shape.RULES, ids=lambda rule: rule.__name__)
def test_refuses(rule):
    assert rule(PLANTED[rule])


@pytest.mark.parametrize(
    ("rule", "cells"),
    [
        (shape.cell_length, [code("x")] * 20),
        (shape.heading_levels, [text("# A\n\n# B")]),
        (shape.heading_levels, [text("## A")]),
        (shape.definitions, [code("f = lambda x: x")]),
        (shape.definitions, [code("class A:\n    pass")]),
    ],
)
def test_refuses_also(rule, cells):
    assert rule(cells)


@pytest.mark.parametrize(
    "comment",
    ["# (T_q, T_k)", "# (h, T, d_k) -> (T, d_model)", "# (2,)", "# (..., T, h * d_k)"],
)
def test_shapes_may_be_comments(comment):
    assert shape.comments([code(f"x  {comment}")]) == []
