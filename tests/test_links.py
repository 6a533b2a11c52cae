"""Links between lessons lead to the lesson in the same language, or in English."""

import re

import pytest

import build
from builder import links, passages

LINKING = """# %% [markdown] lang="en"
# # First
#
# [next](02_b.ipynb), [there](02_b.ipynb#Look-back), [here](#First), [file](a.md#x),
# [web](https://a.example/b), `[code](gone.ipynb)`, ![picture](a.md).
"""
TWIN = LINKING.replace("en", "zh", 1).replace("First\n", "第一课\n")
OTHER = '# %% [markdown] lang="en"\n# # Begin\n#\n# ## Look back\n'
OTHER_TWIN = '\n# %% [markdown] lang="zh"\n# # 开始\n#\n# ## 回头 看\n'


@pytest.fixture
def sources(tmp_path):
    (tmp_path / "source").mkdir()
    (tmp_path / "a.md").write_text("x", encoding="utf-8")
    return tmp_path / "source"


def targets(sources, first, second, lang):
    (sources / "01_a.py").write_text(first, encoding="utf-8")
    (sources / "02_b.py").write_text(second, encoding="utf-8")
    blocks = build.read_blocks(sources / "01_a.py")
    notebook = build.edition(blocks, lang, "01_a", sources)
    assert "`[code](gone.ipynb)`" in notebook.cells[0].source
    return passages.targets(notebook.cells[0].source)


WEB = "https://a.example/b"
ENGLISH = ["02_b.ipynb", "02_b.ipynb#Look-back", "#First", "a.md#x", WEB, "a.md"]


@pytest.mark.parametrize("second", [OTHER, OTHER + OTHER_TWIN])
def test_english_leads_to_english(sources, second):
    assert targets(sources, LINKING, second, "en") == ENGLISH
    assert targets(sources, LINKING + "\n" + TWIN, second, "en") == ENGLISH


def test_a_translation_leads_to_the_translation(sources):
    assert targets(sources, LINKING + "\n" + TWIN, OTHER + OTHER_TWIN, "zh") == [
        "02_b.ipynb",
        "02_b.ipynb#回头-看",
        "#第一课",
        "../a.md#x",
        WEB,
        "../a.md",
    ]


def test_a_translation_leads_to_english_where_there_is_no_other(sources):
    found = targets(sources, LINKING + "\n" + TWIN, OTHER, "zh")
    assert found[:2] == ["../02_b.ipynb", "../02_b.ipynb#Look-back"]


def test_a_passage_that_is_not_translated_leads_to_the_translation(sources):
    first = '# %% [markdown] lang="en"\n# x\n\n# %% [markdown] lang="zh"\n# 文\n\n'
    (sources / "01_a.py").write_text(first + LINKING, encoding="utf-8")
    (sources / "02_b.py").write_text(OTHER + OTHER_TWIN, encoding="utf-8")
    blocks = build.read_blocks(sources / "01_a.py")
    last = build.edition(blocks, "zh", "01_a", sources).cells[-1].source
    assert passages.targets(last)[:3] == ["02_b.ipynb", "02_b.ipynb#回头-看", "#First"]


@pytest.mark.parametrize(
    ("target", "sentence"),
    [
        ("03_c.ipynb", "the link 03_c.ipynb leads to no file"),
        ("02_b", "the link 02_b leads to no file"),
        ("gone.md", "the link gone.md leads to no file"),
        ("02_b.ipynb#Look", "02_b has no heading #Look"),
        ("#look-back", "01_a has no heading #look-back"),
    ],
)
@pytest.mark.parametrize("lang", build.LANGUAGES)
def test_a_link_that_leads_nowhere_is_named_with_file_and_cell(
    sources, target, sentence, lang
):
    first = LINKING.replace("02_b.ipynb)", f"{target})")
    with pytest.raises(build.SourceError) as refusal:
        targets(sources, first, OTHER, lang)
    assert str(refusal.value) == f"01_a.py, cell 1: {sentence}"


def committed():
    return [
        (path.parent, cell.source, build.read_notebook(path))
        for path in sorted(build.NOTEBOOKS.rglob("*.ipynb"))
        for cell in build.read_notebook(path).cells
        if cell.cell_type == "markdown"
    ]


def test_every_link_of_a_committed_lesson_leads_somewhere():
    found = [(f, b, to) for f, text, b in committed() for to in passages.targets(text)]
    near = [one for one in found if not links.ELSEWHERE.match(one[2])]
    assert len(near) >= len(build.lesson_names())
    for folder, notebook, target in near:
        address, _, anchor = target.partition("#")
        assert (folder / address).exists(), target
        if anchor:
            there = build.read_notebook(folder / address) if address else notebook
            texts = [c.source for c in there.cells if c.cell_type == "markdown"]
            words = [w for text in texts for _, w in passages.headings(text)]
            assert anchor in map(links.slug, words), target


def test_lessons_link_to_their_neighbours():
    text = "".join(source for _, source, _ in committed())
    assert len(set(re.findall(r"\((0\d_\w+\.ipynb)", text))) >= 6
