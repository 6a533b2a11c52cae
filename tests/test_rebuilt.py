"""Each lesson with computed numbers in its prose, built anew and compared.

Strict validation runs the code cells alone. This compares the passages too.
"""

import copy

import pytest

from build import SOURCES, edition_path, editions, lesson_names, read_notebook
from builder import passages
from builder.pictures import show_the_same
from mha_core import lab, pretrained
from mha_core.lab.drawing.png import stored

NAMES = [
    name
    for name in lesson_names()
    if passages.fields((SOURCES / f"{name}.py").read_text(encoding="utf-8"))
]


def differences(new, old):
    """Return a sentence for each cell of a notebook that another run would change."""
    found = []
    if [cell.id for cell in new.cells] != [cell.id for cell in old.cells]:
        return ["other cells: run make notebooks"]
    for number, (one, two) in enumerate(zip(new.cells, old.cells, strict=True), 1):
        if one.source != two.source:
            found.append(f"cell {number}: {one.source!r}, not {two.source!r}")
        found += [f"cell {number}: {fault}" for fault in _outputs(one, two)]
    return found


def _outputs(one, two):
    new, old = _bundles(one), _bundles(two)
    if [set(data) for data in new] != [set(data) for data in old]:
        return ["other kinds of outputs"]
    return [
        f"another {mime}"
        for a, b in zip(new, old, strict=True)
        for mime in a
        if not _alike(mime, a[mime], b[mime])
    ]


def _bundles(cell):
    outputs = cell.get("outputs", [])
    return [output.get("data") or {"text": output.text} for output in outputs]


def _alike(mime, new, old):
    return show_the_same(new, old) if mime == "image/png" else new == old


@pytest.mark.parametrize("name", NAMES)
def test_the_committed_editions_are_what_a_new_run_makes(name):
    for lang, new in editions(name).items():
        old = read_notebook(edition_path(name, lang))
        assert differences(new, old) == [], "run: make notebooks"


def test_some_lessons_have_computed_numbers():
    assert "03_scaled_dot_product" in NAMES


LESSON = """# %% [markdown] lang="en"
# # {{ 1 + 1:d }}

# %%
from mha_core import lab, pretrained
said = pretrained.pronounce(pretrained.load("bahdanau"), "knight")

# %%
lab.alignment(said)

# %%
print("0.25")
"""


@pytest.fixture(scope="module")
def notebook(tmp_path_factory):
    """A small lesson as it is built."""
    sources = tmp_path_factory.mktemp("small") / "source"
    sources.mkdir()
    (sources / "01_a.py").write_text(LESSON, encoding="utf-8")
    return editions("01_a", sources)["en"]


def test_a_notebook_is_like_itself(notebook):
    assert differences(notebook, copy.deepcopy(notebook)) == []


def phone():
    model = pretrained.load("bahdanau")
    return stored(lab.alignment(pretrained.pronounce(model, "phone")).pixels)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda cells: cells[0].update(source="# 3"), "cell 1: '# 2', not '# 3'"),
        (lambda cells: picture_of(cells).update({"image/png": phone()}), "image/png"),
        (lambda cells: picture_of(cells).update({"image/png": "iVBO"}), "image/png"),
        (lambda cells: picture_of(cells).update({"text/plain": "0"}), "text/plain"),
        (lambda cells: picture_of(cells).pop("image/png"), "cell 3: other kinds"),
        (lambda cells: cells[3].outputs[0].update(text="0.26"), "cell 4: another text"),
        (lambda cells: cells[3].update(outputs=[]), "cell 4: other kinds"),
        (lambda cells: cells.pop(), "other cells"),
    ],
)
def test_what_is_stale_is_named(notebook, change, fault):
    old = copy.deepcopy(notebook)
    change(old.cells)
    (found,) = differences(notebook, old)
    assert fault in found


def picture_of(cells):
    return cells[2].outputs[0].data
