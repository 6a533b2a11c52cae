"""A made-up lesson in English and in Chinese: built, run, compared, exported.

It has a view, a picture and an exercise, and a passage that is not translated.
"""

import re
import shutil
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from nbconvert import HTMLExporter

import build
from builder import passages
from mha_core import lab
from mha_core.lab import explore_scaling, heatmap, locale
from stored import code_cells, faults
from test_validation import validate

LESSONS = Path(__file__).with_name("lessons")
NAMES = ("90_made_up", "91_other")
CHINESE = re.compile(r"[\u4e00-\u9fff]")
# What stays as it is in a Chinese text: keys of controls, answers and axes of figures.
KEPT = re.compile(
    r"\b(True|False|scaled|length|projector|spread|role|masked|query|softmax"
    r"|attention weight)\b"
)
each_language = pytest.mark.parametrize("lang", build.LANGUAGES)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Both lessons built: a pair of name and language to its notebook."""
    sources = tmp_path_factory.mktemp("series") / "source"
    shutil.copytree(LESSONS, sources, ignore=shutil.ignore_patterns("__pycache__"))
    told = {name: build.build(name, sources) for name in NAMES}
    paths = {
        (name, lang): build.edition_path(name, lang, sources.parent)
        for name in NAMES
        for lang in build.LANGUAGES
    }
    return told, {key: build.read_notebook(path) for key, path in paths.items()}


def english_words(text):
    """Return the lines that hold a word of English which is to be translated."""
    lines = text.splitlines()
    return [line for line in lines if re.search(r"[A-Za-z]{4,}", KEPT.sub("", line))]


def shown(notebook):
    """Return the text of each output, in order."""
    outputs = [out for cell in code_cells(notebook) for out in cell.outputs]
    return [output.data["text/plain"] for output in outputs]


@each_language
def test_each_edition_passes_strict_validation(made, lang, tmp_path):
    build.write_notebook(made[1]["90_made_up", lang], tmp_path / "one.ipynb")
    assert validate(tmp_path) == {"one.ipynb": ""}


def test_an_edition_with_texts_of_another_language_is_refused(made, tmp_path):
    notebook = made[1]["90_made_up", "zh"].copy()
    codes = [c for c in notebook.cells if c.source != 'lab.language("zh")']
    notebook.cells = codes
    build.write_notebook(notebook, tmp_path / "one.ipynb")
    assert "Cell outputs differ" in validate(tmp_path)["one.ipynb"]


@each_language
def test_nothing_is_stored_that_may_not_be(made, lang):
    found = [f for f in faults(made[1]["90_made_up", lang]) if "counts" not in f]
    assert found == []


def test_english_speaks_english(made):
    texts = shown(made[1]["90_made_up", "en"])
    assert len(texts) == 6
    assert not [text for text in texts if CHINESE.search(text)]
    assert texts[-1] == "1 of 2 solved; still open: role"


def test_chinese_speaks_chinese_line_by_line(made):
    texts = shown(made[1]["90_made_up", "zh"])
    assert len(texts) == 6
    assert english_words("\n".join(texts)) == []


def test_the_numbers_are_the_same(made):
    numbers = {
        lang: [re.findall(r"\d+\.\d+", t) for t in shown(made[1]["90_made_up", lang])]
        for lang in build.LANGUAGES
    }
    assert numbers["en"] == numbers["zh"]
    assert sum(map(len, numbers["en"])) > 10


def test_pictures_are_the_same_and_described_in_the_language(made):
    metadata = {
        lang: [
            (out.data["image/png"], out.metadata["image/png"]["alt"])
            for cell in code_cells(made[1]["90_made_up", lang])
            for out in cell.outputs
            if "image/png" in out.data
        ]
        for lang in build.LANGUAGES
    }
    assert len(metadata["en"]) == 2
    for (png, english), (same, chinese) in zip(*metadata.values(), strict=True):
        assert png == same
        assert CHINESE.search(chinese)
        assert not CHINESE.search(english)


def test_what_is_not_translated_is_counted_and_marked(made):
    told, books = made
    line = "built 90_made_up\n  zh: 1 of 4 passages not translated"
    assert told == {"90_made_up": line, "91_other": "built 91_other"}
    texts = [cell.source for cell in books["90_made_up", "zh"].cells]
    assert texts.count("> （此段尚未翻译）\n\nThis passage is not translated.") == 1


def test_links_lead_to_the_same_language(made):
    targets = {
        key: passages.targets("".join(cell.source for cell in book.cells))
        for key, book in made[1].items()
    }
    assert targets["90_made_up", "en"] == ["91_other.ipynb#What-comes-next"]
    assert targets["90_made_up", "zh"] == ["91_other.ipynb#接下来"]
    assert targets["91_other", "zh"] == ["90_made_up.ipynb#看两遍"]


@each_language
def test_A05_a_page_says_its_own_language(made, lang):
    notebook = made[1]["90_made_up", lang]
    assert notebook.metadata.language == lang
    exporter = HTMLExporter(template_name="classic")
    exporter.language_code = notebook.metadata.language
    html, _ = exporter.from_notebook_node(notebook)
    assert BeautifulSoup(html, "html.parser").html["lang"] == lang


@pytest.fixture
def chinese():
    """Speak Chinese in this test."""
    locale.language("zh")
    yield
    locale.language("en")


def test_what_is_there_keeps_its_language(chinese, opened):
    view, picture = opened(explore_scaling), heatmap([[1.0]], ["a"], ["b"])
    locale.language("en")
    new = heatmap([[1.0]], ["a"], ["b"])
    view.set(d_k=16)
    assert english_words(repr(view)) == []
    assert english_words(view.picture.sentence) == []
    assert CHINESE.search(view.message)
    assert CHINESE.search(repr(picture))
    assert not CHINESE.search(repr(new))
    with pytest.raises(ValueError, match="d_k cannot be 3"):
        view.set(d_k=3)


def test_controls_are_labelled_in_the_language_and_keep_their_keys(chinese, opened):
    view = opened(explore_scaling)
    assert set(view.controls) >= {"d_k", "scaled", "length"}
    assert CHINESE.search(view.controls["scaled"].description)
    assert view.set(scaled=False).values["scaled"] is False


EXPLORERS = [name for name in dir(lab) if name.startswith("explore_")]
SYMBOLS = {"d_k", "d_model", "h", "T", "dtype", "float16", "float32", "float64"}


def labels(control):
    """Return what a control is called and what it offers, as it is shown."""
    options = [o for o in getattr(control, "options", ()) if isinstance(o, tuple)]
    return [control.description, *(label for label, _ in options)]


@pytest.mark.parametrize("name", EXPLORERS)
def test_every_explorer_speaks_chinese(name, chinese, opened):
    view = opened(getattr(lab, name))
    shown = [view.message, view.picture.sentence, repr(view).splitlines()[0]]
    shown += [text for c in view.controls.values() for text in labels(c)]
    assert [t for t in shown if t not in SYMBOLS and not CHINESE.search(t)] == []
