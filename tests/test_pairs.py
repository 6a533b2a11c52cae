"""A passage and its translation: each thing that must be alike is compared."""

import pytest

import build
from builder import pairs

ENGLISH = """## Look at `softmax`

With $d_k = 64$ the 3 weights of [lesson 2](02_b.ipynb#Look) add up to 1.5, not -2,
and {{ x.max():.2f }} is left of 1,000 ($$a_{{i}}$$).

<details><summary>Hint</summary>None.</details>

```python
y = 3
```"""
CHINESE = """## 看 `softmax`

剩下 {{ x.max():.2f }}（共 1000，$$a_{{i}}$$）。
当 $d_k=64$ 时，[第 2 课](02_b.ipynb#Look)的
3 个权重之和是 1.5，不是−2。

<details><summary>提示</summary>没有。</details>

```python
y = 3
```"""
SLIDE = ' slideshow={"slide_type": "slide"}'


def blocks_of(tmp_path, english=ENGLISH, chinese=CHINESE, marks=("", "")):
    cells = []
    for lang, text, mark in zip(("en", "zh"), (english, chinese), marks, strict=True):
        lines = "\n".join(f"# {line}".rstrip() for line in text.splitlines())
        cells.append(f'# %% [markdown] lang="{lang}"{mark}\n{lines}\n')
    path = tmp_path / "01_a.py"
    path.write_text("# %%\n1\n\n" + "\n".join(cells), encoding="utf-8")
    return build.read_blocks(path)


def test_a_true_translation_has_no_faults(tmp_path):
    assert pairs.faults(blocks_of(tmp_path, marks=(SLIDE, SLIDE))) == []


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("(02_b.ipynb#Look)", "(02_b.ipynb)", "links: missing 02_b.ipynb#Look"),
        ("[第 2 课](02_b.ipynb#Look)", "第 2 课", "links: missing 02_b.ipynb#Look"),
        ("没有", "[没有](c.md)", "links: not in English c.md"),
        ("$d_k=64$", "$d_k=32$", "formulas: missing $d_k=64$; not in English $d_k=32$"),
        ("$$a_{{i}}$$", "a", "formulas: missing $$a_{{i}}$$"),
        ("\n3", "\n4", "numbers: missing 3; not in English 4"),
        ("\n3", "\n三", "numbers: missing 3"),
        ("没有", "没有 7 个", "numbers: not in English 7"),
        ("−2", "2", "numbers: missing -2; not in English 2"),
        ("1.5", "15", "numbers: missing 1.5; not in English 15"),
        ("1000", "10000", "numbers: missing 1000; not in English 10000"),
        ("`softmax`", "softmax", "code: missing `softmax`"),
        ("y = 3", "y = 4", "code: missing"),
        (":.2f", ":.3f", "computed numbers: missing {{ x.max():.2f }}"),
        ("## 看", "### 看", "heading levels [3], in English [2]"),
        ("## 看", "看", "heading levels [], in English [2]"),
        ("<summary>提示</summary>", "提示", "HTML tags: missing </summary>, <summary>"),
    ],
)
def test_each_difference_is_named_with_its_cell(tmp_path, old, new, fault):
    assert CHINESE.count(old) == 1
    found = pairs.faults(blocks_of(tmp_path, chinese=CHINESE.replace(old, new)))
    assert len(found) == 1
    assert found[0].startswith(f"cell 3 (lang='zh'): {fault}")


@pytest.mark.parametrize("marks", [(SLIDE, ""), ("", SLIDE)])
def test_slide_types_are_compared(tmp_path, marks):
    (fault,) = pairs.faults(blocks_of(tmp_path, marks=marks))
    assert "slide type" in fault
    assert "slide_type" in fault


def test_the_builder_names_file_and_cell_and_all_differences(tmp_path):
    blocks_of(tmp_path, chinese=CHINESE.replace("y = 3", "y").replace("1.5", "15"))
    with pytest.raises(SystemExit) as exit_:
        build.main(["01_a"], tmp_path)
    assert exit_.value.code.count("01_a.py, cell 3 (lang='zh'): ") == 2


@pytest.mark.parametrize("name", build.lesson_names())
def test_lessons_and_their_translations_are_alike(name):
    assert pairs.faults(build.read_blocks(build.SOURCES / f"{name}.py")) == []
