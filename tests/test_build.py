import base64
import io

import numpy as np
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output
from PIL import Image

import build

EN = '# %% [markdown] lang="en"\n# # Look\n\n'
ZH = '# %% [markdown] lang="zh"\n# # 注意力\n\n'
CODE = "# %%\n1 + 1\n"
CONFLICT = "<" * 7 + " HEAD\n{}"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A place with sources of its own; returns a function that adds a lesson."""
    (tmp_path / "source").mkdir()
    monkeypatch.setattr(build, "NOTEBOOKS", tmp_path)
    monkeypatch.setattr(build, "SOURCES", tmp_path / "source")
    return tmp_path


def add_lesson(folder, text, name="01_a"):
    path = folder / "source" / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    return path


def test_writes_english_alone_while_a_translation_is_missing(folder):
    add_lesson(folder, EN + ZH + CODE + EN)
    (folder / "zh").mkdir()
    (folder / "zh" / "01_a.ipynb").write_text("{}", encoding="utf-8")
    build.build("01_a")
    assert (folder / "01_a.ipynb").exists()
    assert not (folder / "zh" / "01_a.ipynb").exists()


def test_writes_both_editions_from_one_run(folder):
    add_lesson(folder, EN + ZH + CODE)
    build.build("01_a")
    english, chinese = (
        build.read_notebook(build.edition_path("01_a", lang))
        for lang in build.LANGUAGES
    )
    assert english.cells[1] == chinese.cells[1]
    assert english.cells[1].outputs[0].data["text/plain"] == "2"
    assert english.cells[1].execution_count == 1
    assert chinese.cells[0].source == "# 注意力"
    assert english.cells[0].id == chinese.cells[0].id


def test_builds_the_same_bytes_twice(folder):
    add_lesson(folder, EN + ZH + CODE)
    paths = [build.edition_path("01_a", lang) for lang in build.LANGUAGES]
    build.build("01_a")
    first = [path.read_bytes() for path in paths]
    build.build("01_a")
    assert [path.read_bytes() for path in paths] == first


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (CODE + ZH, '01_a.py, cell 2: a lang="zh" passage must follow'),
        (EN + CODE + ZH, "01_a.py, cell 3: a lang"),
        (EN + ZH + ZH, "01_a.py, cell 3: a lang"),
        ("# %% [markdown]\n# Text\n", "01_a.py, cell 1: a passage needs lang"),
        (EN.replace("en", "fr"), "not 'fr'"),
    ],
)
def test_refuses_passages_out_of_order(folder, text, sentence):
    with pytest.raises(build.SourceError, match="01_a.py") as refusal:
        build.read_blocks(add_lesson(folder, text))
    assert sentence in str(refusal.value)


def test_failing_cell_is_named_and_nothing_is_written(folder, capsys):
    add_lesson(folder, EN + CODE + "\n# %%\nlen(5)\n")
    with pytest.raises(SystemExit) as exit_:
        build.main(["01_a"])
    assert "01_a.py, code cell 2 failed" in exit_.value.code
    assert "len(5)" in exit_.value.code
    assert exit_.value.code.endswith("TypeError: object of type 'int' has no len()")
    assert not (folder / "01_a.ipynb").exists()


@pytest.mark.parametrize("name", ["01_b", "build", "build.py", "../source/01_a"])
def test_unknown_lesson_is_named(folder, name):
    add_lesson(folder, EN)
    add_lesson(folder, "1", "build")
    with pytest.raises(SystemExit) as exit_:
        build.main([name])
    assert f"no lesson {name.removesuffix('.py')}; there are 01_a" in exit_.value.code


def test_a_byte_order_mark_is_no_code(folder):
    blocks = build.read_blocks(add_lesson(folder, "\ufeff" + EN + CODE))
    assert [set(block) for block in blocks] == [{"en"}, {"code"}]


@pytest.mark.parametrize("text", ["", CONFLICT, "[]", "{}", "\0"])
def test_a_notebook_that_cannot_be_read_counts_as_absent(folder, text):
    path = build.edition_path("01_a", "en")
    assert build.committed(path).cells == []
    path.write_text(text, encoding="utf-8")
    assert build.committed(path).cells == []


def test_a_lesson_is_built_over_a_conflict(folder):
    add_lesson(folder, EN + CODE)
    path = build.edition_path("01_a", "en")
    path.write_text(CONFLICT, encoding="utf-8")
    build.build("01_a")
    assert len(build.read_notebook(path).cells) == 2


def test_ids_stay_when_a_cell_is_added(folder):
    before = build.edition(build.read_blocks(add_lesson(folder, EN + CODE * 2)), "en")
    text = EN + "# %%\nx = 1\n" + CODE * 2
    after = build.edition(build.read_blocks(add_lesson(folder, text)), "en")
    ids = [[cell.id for cell in notebook.cells] for notebook in (before, after)]
    assert len(set(ids[1])) == 4
    assert set(ids[0]) < set(ids[1])


def test_metadata_carries_over_but_for_the_language(folder):
    header = '# %% [markdown] lang="en" slideshow={"slide_type": "slide"} tags=["a"]'
    path = add_lesson(folder, f"{header}\n# # Look\n")
    (cell,) = build.edition(build.read_blocks(path), "en").cells
    assert cell.metadata == {"slideshow": {"slide_type": "slide"}, "tags": ["a"]}


def picture(pixels, **options):
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "png", **options)
    return base64.b64encode(file.getvalue()).decode()


def notebook_with(png, text="0.5"):
    metadata = {"image/png": {"alt": "A sentence.", "width": 3}, "volatile": 1}
    data = {"image/png": png, "text/plain": text, build.WIDGET_VIEW: {"model_id": "1"}}
    outputs = [
        new_output("display_data", data, metadata=metadata),
        new_output("display_data", {build.WIDGET_VIEW: {}}),
    ]
    return new_notebook(cells=[new_code_cell("x", id="a", outputs=outputs)])


def test_cleaning_keeps_picture_text_and_alternative_text():
    notebook = notebook_with("iVBO")
    notebook.metadata.widgets = {"state": {}}
    build.clean(notebook)
    (output,) = notebook.cells[0].outputs
    assert output.data == {"image/png": "iVBO", "text/plain": "0.5"}
    assert output.metadata == {"image/png": {"alt": "A sentence."}}
    assert notebook.cells[0].execution_count == 1
    assert notebook.metadata == build.METADATA


@pytest.mark.parametrize(("step", "kept"), [(0, True), (2, True), (3, False)])
def test_picture_that_looks_the_same_keeps_its_bytes(step, kept):
    pixels = np.zeros((4, 4, 3), np.uint8)
    old = picture(pixels, compress_level=0)
    new = picture(pixels + np.uint8(step), compress_level=9)
    notebook = notebook_with(new)
    build.keep_pictures(notebook, notebook_with(old))
    assert notebook.cells[0].outputs[0].data["image/png"] == (old if kept else new)


@pytest.mark.parametrize("damaged", ["iVBO", "iVBORw0KGgo=", "x", "picture"])
def test_a_damaged_picture_is_not_kept(damaged):
    good = picture(np.zeros((40, 40, 3), np.uint8))
    damaged = good[:-60] if damaged == "picture" else damaged
    notebook = notebook_with(good)
    build.keep_pictures(notebook, notebook_with(damaged))
    assert notebook.cells[0].outputs[0].data["image/png"] == good
