"""Numbers in prose that the builder takes from the kernel."""

import pytest

import build
from builder import passages

LESSON = """# %% [markdown] lang="en"
# # Look
#
# At first {{ __name__:s }}.

# %% [markdown] lang="zh"
# # 看
#
# 起初 {{ __name__:s }}。

# %%
import numpy as np
x = np.array([1.0, 2.5])

# %% [markdown] lang="en"
# The last is {{ x[1]:.2f }}, of {{ 12345 * len(x):,d }}.
# Half: {{ x[0:1].sum() / 2:.1f }}, $a_{{i}} b_{{ i }} {{ x[0]:.0f }}$, `{{x:d}}`.

# %% [markdown] lang="zh"
# {{ 12345 * len(x):,d }} 之末是 {{ x[1]:.2f }}。
# 一半：{{ x[0:1].sum() / 2:.1f }}，$a_{{i}} b_{{ i }} {{ x[0]:.0f }}$，`{{x:d}}`。

# %%
x += 1
x
"""


@pytest.fixture
def sources(tmp_path):
    (tmp_path / "source").mkdir()
    return tmp_path / "source"


def built(sources, text, lang="en"):
    (sources / "01_a.py").write_text(text, encoding="utf-8")
    build.build("01_a", sources)
    return build.read_notebook(build.edition_path("01_a", lang, sources.parent))


EXPECTED = {
    "en": (
        "# Look\n\nAt first __main__.",
        "The last is 2.50, of 24,690.\nHalf: 0.5, $a_{{i}} b_{{ i }} 1$, `{{x:d}}`.",
    ),
    "zh": (
        "# 看\n\n起初 __main__。",
        "24,690 之末是 2.50。\n一半：0.5，$a_{{i}} b_{{ i }} 1$，`{{x:d}}`。",
    ),
}


@pytest.mark.parametrize("lang", build.LANGUAGES)
def test_numbers_are_filled_at_their_place_in_every_language(sources, lang):
    cells = built(sources, LESSON, lang).cells
    assert (cells[0].source, cells[2].source) == EXPECTED[lang]
    assert [c.execution_count for c in cells if c.cell_type == "code"] == [1, 2]


def test_an_edition_that_runs_on_its_own_has_its_own_numbers(sources):
    own = '# %% lang="zh"\nx = [0, 7]\n\n# %% [markdown] lang="en"\n# The'
    text = LESSON.replace('# %% [markdown] lang="en"\n# The', own)
    text = text.replace(":1].sum()", "]").replace("x += 1\n", "")
    assert "之末是 7.00" in built(sources, text, "zh").cells[3].source
    assert "last is 2.50" in built(sources, text, "en").cells[2].source


@pytest.mark.parametrize(
    ("field", "error"),
    [
        ("{{ y[1]:.2f }}", "NameError: name 'y' is not defined"),
        ("{{ x[7]:.2f }}", "IndexError: index 7 is out of bounds"),
        ("{{ x:.2f }}", "TypeError: unsupported format string"),
        ("{{ 1 +:.2f }}", "SyntaxError"),
    ],
)
def test_an_expression_that_fails_is_named_with_file_and_cell(sources, field, error):
    with pytest.raises(build.SourceError) as refusal:
        built(sources, LESSON.replace("{{ x[1]:.2f }}", field))
    told = f"01_a.py, cell 4: {field} failed: {error}"
    assert str(refusal.value).startswith(told)
    assert not (sources.parent / "01_a.ipynb").exists()


WRONG = ["{{ x[1] }}", "{{ x[1]: }}", "{{ x[1]:two }}", "{{x[1]:.2f}}", "{{ x[1]:.2f}}"]


@pytest.mark.parametrize("wrong", [*WRONG, "{{x[1]:.2f }}", "{{}}"])
def test_what_looks_like_a_computed_number_and_is_none_is_named(sources, wrong):
    with pytest.raises(build.SourceError) as refusal:
        built(sources, LESSON.replace("{{ x[1]:.2f }}", wrong))
    assert str(refusal.value).startswith(f"01_a.py, cell 4: {wrong} is no computed")


@pytest.mark.parametrize(
    "text",
    ["$a_{{i}}$", r"$\frac{{a}}{{b}}$", "$x_{{ i }}$", "$${{i:d}}$$", "{ {x:d} }"]
    + ["`{{x:d}}`", "```\n{{x}}\n```", "${{i:d }}$"],
)
def test_braces_of_formulas_are_left_alone(text):
    assert passages.fields(text) == []
    assert passages.malformed_fields(text) == []
    assert passages.filled(text, {}) == text
