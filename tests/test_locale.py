"""Sentences in another language: filled anew, and for this kernel alone."""

import shutil
import subprocess
import sys

import numpy as np
import pytest

from mha_core._checks.sentences import counted, sentence
from mha_core.lab import locale
from mha_core.recipes import catalogues

PO = """
msgid ""
msgstr "Content-Type: text/plain; charset=utf-8\\n"

msgid "{name} weighs {weight:.2f}."
msgstr "权重 {weight:.2f} 属于 {name}。"

msgid "{n} row"
msgid_plural "{n} rows"
msgstr[0] "{n} 行"

msgid "no row"
msgstr ""

msgid "knight"
msgstr "骑士"
"""
WEIGHS = "{name} weighs {weight:.2f}."


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a catalogue of its own."""
    place = tmp_path / "zh" / "LC_MESSAGES"
    place.mkdir(parents=True)
    (place / "mha_core.po").write_text(PO, encoding="utf-8")
    found = catalogues.compiled(catalogues.read(place / "mha_core.po"))
    (place / "mha_core.mo").write_bytes(found)
    monkeypatch.setattr(locale, "FOLDER", tmp_path)
    return tmp_path


@pytest.fixture(autouse=True)
def english():
    """Speak English again after each test."""
    yield
    locale.language("en")


def test_a_sentence_is_filled_anew(folder):
    made = sentence(WEIGHS, name="knight", weight=1 / 3)
    assert locale.translated(made, "zh") == "权重 0.33 属于 knight。"
    assert made == "knight weighs 0.33."


def test_sentences_among_the_fields_are_translated_too(folder):
    rows = counted("{n} row", "{n} rows", n=2)
    made = sentence(WEIGHS, name=sentence(WEIGHS, name=rows, weight=1), weight=2)
    assert locale.translated(made, "zh") == "权重 2.00 属于 权重 1.00 属于 2 行。。"


@pytest.mark.parametrize("n", [0, 1, 2, np.int64(1), np.int64(5)])
def test_numbers_pick_the_form_of_their_language(folder, n):
    made = counted("{n} row", "{n} rows", n=n)
    assert locale.translated(made, "zh") == f"{n} 行"
    assert locale.translated(made, "en") == ("1 row" if n == 1 else f"{n} rows")


@pytest.mark.parametrize("text", ["knight", "", "{name} {", WEIGHS])
def test_a_plain_text_stays(folder, text):
    assert locale.translated(text, "zh") == text
    made = sentence(WEIGHS, name=text, weight=1)
    assert locale.translated(made, "zh") == f"权重 1.00 属于 {text}。"


@pytest.mark.parametrize(
    "made",
    [
        sentence("no row"),
        sentence("{n} columns", n=3),
        counted("{n} key", "{n} keys", n=1),
        counted("{n} key", "{n} keys", n=2),
    ],
)
def test_what_is_not_translated_stays_english(folder, made):
    assert locale.translated(made, "zh") == made
    inner = sentence(WEIGHS, name=made, weight=1)
    assert locale.translated(inner, "zh") == f"权重 1.00 属于 {made}。"


def test_without_a_compiled_catalogue_all_stays_english(folder):
    (folder / "zh" / "LC_MESSAGES" / "mha_core.mo").unlink()
    made = sentence(WEIGHS, name="knight", weight=1)
    assert locale.translated(made, "zh") == made
    locale.language("zh")
    shutil.rmtree(folder / "zh")
    assert locale.translated(made, "zh") == made


def test_a_language_is_chosen_for_what_is_made_from_now_on(folder):
    assert locale.languages() == ["en", "zh"]
    assert locale.current() == "en"
    assert locale.language("zh") is None
    assert locale.current() == "zh"


@pytest.mark.parametrize("name", ["fr", "ZH", "", None, 3, ["zh"]])
def test_an_unknown_language_is_refused(name):
    with pytest.raises(ValueError, match="There is no language .*; there are en, zh"):
        locale.language(name)
    assert locale.current() == "en"


def test_another_kernel_speaks_its_own_language():
    locale.language("zh")
    script = "from mha_core.lab import locale; print(locale.current())"
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, encoding="utf-8"
    )
    assert run.stdout.strip() == "en", run.stderr


def test_a_thread_speaks_the_language_of_its_kernel():
    from concurrent.futures import ThreadPoolExecutor

    locale.language("zh")
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(locale.current).result() == "zh"
