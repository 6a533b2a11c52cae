"""What the builder makes of a source: editions, their cells, their outputs."""

import jupytext
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

import build
from builder import editions, running

EN = '# %% [markdown] lang="en"\n# # Look\n\n'
ZH = '# %% [markdown] lang="zh"\n# # 注意力\n\n'
CODE = "# %%\n1 + 1\n\n"
ONLY_ZH = '# %% lang="zh"\nword = "注"\n\n'
CONFLICT = "<" * 7 + " HEAD\n{}"


@pytest.fixture
def sources(tmp_path):
    """A folder for the sources of a series of its own."""
    (tmp_path / "source").mkdir()
    return tmp_path / "source"


def add_lesson(sources, text, name="01_a"):
    path = sources / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    return path


def built(sources, name="01_a", lang="en"):
    return build.read_notebook(build.edition_path(name, lang, sources.parent))


def test_an_untranslated_lesson_has_one_edition(sources):
    add_lesson(sources, EN + CODE)
    assert build.build("01_a", sources) == "built 01_a"
    assert built(sources).metadata.language == "en"
    assert not (sources.parent / "zh").exists()


def test_an_untranslated_passage_stands_in_english_under_a_note(sources):
    add_lesson(sources, EN + ZH + CODE + EN)
    told = build.build("01_a", sources)
    assert told == "built 01_a\n  zh: 1 of 2 passages not translated"
    chinese = [cell.source for cell in built(sources, lang="zh").cells]
    assert chinese == ["# 注意力", "1 + 1", "> （此段尚未翻译）\n\n# Look"]
    assert "翻译" not in "".join(cell.source for cell in built(sources).cells)


def test_an_edition_is_never_deleted(sources):
    path = build.edition_path("01_a", "zh", sources.parent)
    add_lesson(sources, EN + ZH + CODE)
    build.build("01_a", sources)
    add_lesson(sources, EN + CODE)
    build.build("01_a", sources)
    assert path.exists()
    add_lesson(sources, EN + ZH + CODE + "\n# %%\nlen(5)\n")
    with pytest.raises(build.SourceError):
        build.build("01_a", sources)
    assert path.exists()


def test_one_run_serves_all_editions_with_the_same_code(sources, monkeypatch):
    runs = []
    monkeypatch.setattr(
        build, "execute", lambda *given: runs.append(1) or running.execute(*given)
    )
    add_lesson(sources, EN + ZH + CODE)
    build.build("01_a", sources)
    english, chinese = (built(sources, lang=lang) for lang in build.LANGUAGES)
    assert english.cells[1] == chinese.cells[1]
    assert english.cells[1].outputs[0].data["text/plain"] == "2"
    assert english.cells[1].execution_count == 1
    assert chinese.cells[0].source == "# 注意力"
    assert english.cells[0].id == chinese.cells[0].id
    assert len(runs) == 1


def test_an_edition_with_code_of_its_own_is_run_on_its_own(sources):
    show = '# %%\nglobals().get("word", "-")\n\n'
    only_en = '# %% lang="en"\nother = 1\n\n'
    add_lesson(sources, EN + ZH + ONLY_ZH + only_en + show)
    build.build("01_a", sources)
    codes = {
        lang: [c for c in built(sources, lang=lang).cells if c.cell_type == "code"]
        for lang in build.LANGUAGES
    }
    assert [c.source for c in codes["en"]] == ["other = 1", show[5:].strip()]
    assert [c.source for c in codes["zh"]] == ['word = "注"', show[5:].strip()]
    shown = {lang: cs[-1].outputs[0].data["text/plain"] for lang, cs in codes.items()}
    assert shown == {"en": "'-'", "zh": "'注'"}
    assert [c.execution_count for c in codes["zh"]] == [1, 2]
    assert codes["en"][-1].id == codes["zh"][-1].id


def test_builds_the_same_bytes_twice(sources):
    add_lesson(sources, EN + ZH + CODE + ONLY_ZH)
    paths = [build.edition_path("01_a", x, sources.parent) for x in build.LANGUAGES]
    build.build("01_a", sources)
    first = [path.read_bytes() for path in paths]
    build.build("01_a", sources)
    assert [path.read_bytes() for path in paths] == first


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (CODE + ZH, '01_a.py, cell 2: a lang="zh" passage must follow'),
        (EN + CODE + ZH, "01_a.py, cell 3: a lang"),
        (EN + ZH + ZH, "01_a.py, cell 3: a lang"),
        ("# %% [markdown]\n# Text\n", "01_a.py, cell 1: a passage needs lang"),
        (EN.replace("en", "fr"), "not 'fr'"),
        (ONLY_ZH.replace("zh", "fr"), "no edition 'fr'"),
    ],
)
def test_refuses_passages_out_of_order(sources, text, sentence):
    with pytest.raises(build.SourceError, match="01_a.py") as refusal:
        build.read_blocks(add_lesson(sources, text))
    assert sentence in str(refusal.value)


def test_failing_cell_is_named_and_nothing_is_written(sources, capsys):
    add_lesson(sources, EN + CODE + "\n# %%\nlen(5)\n")
    with pytest.raises(SystemExit) as exit_:
        build.main(["01_a"], sources)
    assert "01_a.py, code cell 2 failed" in exit_.value.code
    assert "len(5)" in exit_.value.code
    assert exit_.value.code.endswith("TypeError: object of type 'int' has no len()")
    assert not (sources.parent / "01_a.ipynb").exists()


@pytest.mark.parametrize("name", ["01_b", "build", "build.py", "../source/01_a"])
def test_unknown_lesson_is_named(sources, name):
    add_lesson(sources, EN)
    add_lesson(sources, "1", "build")
    with pytest.raises(SystemExit) as exit_:
        build.main([name], sources)
    assert f"no lesson {name.removesuffix('.py')}; there are 01_a" in exit_.value.code


def test_a_byte_order_mark_is_no_code(sources):
    blocks = build.read_blocks(add_lesson(sources, "\ufeff" + EN + CODE))
    assert [set(block) for block in blocks] == [{"en"}, {"code"}]


@pytest.mark.parametrize("text", ["", CONFLICT, "[]", "{}", "\0"])
def test_a_notebook_that_cannot_be_read_counts_as_absent(sources, text):
    path = build.edition_path("01_a", "en", sources.parent)
    assert editions.committed(path).cells == []
    path.write_text(text, encoding="utf-8")
    assert editions.committed(path).cells == []


def test_a_lesson_is_built_over_a_conflict(sources):
    add_lesson(sources, EN + CODE)
    path = build.edition_path("01_a", "en", sources.parent)
    path.write_text(CONFLICT, encoding="utf-8")
    build.build("01_a", sources)
    assert len(build.read_notebook(path).cells) == 2


def test_ids_stay_when_a_cell_is_added(sources):
    before = build.edition(build.read_blocks(add_lesson(sources, EN + CODE * 2)), "en")
    text = EN + "# %%\nx = 1\n" + CODE * 2
    after = build.edition(build.read_blocks(add_lesson(sources, text)), "en")
    ids = [[cell.id for cell in notebook.cells] for notebook in (before, after)]
    assert len(set(ids[1])) == 4
    assert set(ids[0]) < set(ids[1])


def test_metadata_carries_over_but_for_the_language(sources):
    header = '# %% [markdown] lang="en" slideshow={"slide_type": "slide"} tags=["a"]'
    path = add_lesson(sources, f"{header}\n# # Look\n")
    (cell,) = build.edition(build.read_blocks(path), "en").cells
    assert cell.metadata == {"slideshow": {"slide_type": "slide"}, "tags": ["a"]}


def test_K25_jupytext_keeps_slide_types_and_languages(sources):
    slides = ("slide", "fragment", "notes")
    header = '# %% [markdown] lang="en" slideshow={{"slide_type": "{}"}}\n# # Look\n\n'
    path = add_lesson(sources, "".join(map(header.format, slides)))
    text = jupytext.writes(jupytext.read(path), "py:percent")
    path.write_text(text, encoding="utf-8")
    cells = build.edition(build.read_blocks(path), "en").cells
    assert [cell.metadata.slideshow.slide_type for cell in cells] == [*slides]
    assert text.count('lang="en"') == len(slides)


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
    assert notebook.metadata == build.metadata_of("en")
