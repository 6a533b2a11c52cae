"""Catalogues of sentences: nothing missing, nothing stale, fields as in English."""

import ast
import re
from pathlib import Path
from string import Formatter

import pytest
from babel.messages import Catalog

from mha_core.recipes import catalogues

PACKAGE = catalogues.PACKAGE
TEMPLATE = catalogues.read(catalogues.template_path())
PATHS = catalogues.catalogue_paths()
CATALOGUES = {name: catalogues.read(path) for name, path in PATHS.items()}
MESSAGES = [
    pytest.param(name, message, id=f"{name}-{n}")
    for name, catalogue in CATALOGUES.items()
    for n, message in enumerate(catalogue)
    if message.id
]
each_catalogue = pytest.mark.parametrize("name", CATALOGUES)
MAKERS = {"sentence": 1, "counted": 2}
# Sentences that a catalogue lacks: they are shown in English.
NOT_TRANSLATED = {"zh": 0}


def ids(catalogue):
    return {message.id for message in catalogue if message.id}


def forms(text):
    return list(text) if isinstance(text, (tuple, list)) else [text]


def fields(template):
    """Return name, conversion and format of each field of a template, sorted."""
    parsed = Formatter().parse(template)
    return sorted((name, kind or "", spec) for _, name, spec, kind in parsed if name)


@each_catalogue
def test_every_catalogue_has_the_sentences_of_the_template(name):
    assert ids(CATALOGUES[name]) == ids(TEMPLATE), "run: make catalogues"


@each_catalogue
def test_the_compiled_catalogue_is_made_from_the_one_that_is_read(name):
    committed = PATHS[name].with_suffix(".mo").read_bytes()
    assert committed == catalogues.compiled(CATALOGUES[name]), "run: make catalogues"


@each_catalogue
def test_nothing_is_marked_as_a_guess(name):
    assert not [message.id for message in CATALOGUES[name] if message.fuzzy][1:]


def faults(message, plurals):
    """Return what is wrong with the translation of one message."""
    english, found = forms(message.id), forms(message.string)
    if not any(found):
        return []
    if len(english) == 2 and (len(found) != plurals or not all(found)):
        return [f"{len(list(filter(None, found)))} of {plurals} plural forms"]
    wanted = fields(english[-1])
    return [f"{text!r} has other fields" for text in found if fields(text) != wanted]


@pytest.mark.parametrize(("name", "message"), MESSAGES)
def test_a_translation_has_the_fields_of_its_template(name, message):
    assert faults(message, CATALOGUES[name].num_plurals) == []


@pytest.mark.parametrize(("name", "message"), MESSAGES)
def test_a_translation_keeps_code_and_ends(name, message):
    """Names of code, numbers and the spaces at both ends are those of the English."""
    english = forms(message.id)[-1]
    for text in filter(None, forms(message.string)):
        assert re.match(r" *", text).group() == re.match(r" *", english).group()
        assert text.rstrip() == text or english.rstrip() != english
        for code in re.findall(r"d_\w+|W_\w+|T_\w+|\.T\b|\*\*|softmax\(", english):
            assert code in text, (english, text)


@pytest.mark.parametrize(
    ("english", "chinese", "fault"),
    [
        ("{a} of {b}", "{b} 的 {a}", ""),
        ("{a} of {b}", "{b}", "other fields"),
        ("{a}", "{a} {b}", "other fields"),
        ("{a:.2f}", "{a:.1f}", "other fields"),
        ("{a!r}", "{a}", "other fields"),
        ("no", "没有", ""),
        ("no", "", ""),
        (("{n} row", "{n} rows"), ("{n} 行",), ""),
        (("{n} row", "{n} rows"), ("行",), "other fields"),
        (("{n} row", "{n} rows"), ("{n} 行", ""), "1 of 1 plural"),
    ],
)
def test_each_kind_of_fault_is_seen(english, chinese, fault):
    catalogue = Catalog(locale="zh")
    found = faults(catalogue.add(english, chinese), catalogue.num_plurals)
    assert (fault in found[0]) if fault else not found


def calls(tree):
    """Return pairs of a call that makes a sentence and the node that it stands in."""
    return [
        (node, parent)
        for parent in ast.walk(tree)
        for node in ast.iter_child_nodes(parent)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in MAKERS
    ]


def glued(tree):
    """Return each call whose template is no plain text, or that is part of another."""
    pieces = (ast.BinOp, ast.JoinedStr, ast.FormattedValue)
    return [
        ast.unparse(call)
        for call, parent in calls(tree)
        if isinstance(parent, pieces) or not all(map(plain, templates(call)))
    ]


def templates(call):
    return call.args[: MAKERS[call.func.id]] or [None]


def plain(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


@pytest.mark.parametrize(
    "path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: path.stem
)
def test_no_sentence_is_glued_from_parts(path):
    assert glued(ast.parse(Path(path).read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    "code",
    [
        "sentence(f'{a} of b')",
        "sentence(text)",
        "sentence('a' + b)",
        "sentence('a') + 'b'",
        "'a' + sentence('b')",
        "f\"{sentence('a')} b\"",
        "counted('one', several, n=2)",
        "'; '.join(parts) + sentence('b', c=1)",
    ],
)
def test_glue_is_seen(code):
    assert glued(ast.parse(code))


@pytest.mark.parametrize(
    "code", ["sentence('a' 'b', c=sentence('d'))", "counted('a', 'b', n=1)"]
)
def test_whole_templates_are_fine(code):
    assert not glued(ast.parse(code))


def test_a_new_sentence_is_added_and_an_old_one_dropped(tmp_path):
    path = tmp_path / "zh" / "LC_MESSAGES" / "mha_core.po"
    path.parent.mkdir(parents=True)
    text = '\nmsgid "old"\nmsgstr "旧"\n\nmsgid "kept"\nmsgstr "留"\n'
    path.write_text(text, encoding="utf-8")
    template = Catalog()
    template.add("kept")
    template.add("new")
    assert catalogues.update(template, path) == 1
    assert {m.id: m.string for m in catalogues.read(path) if m.id} == {
        "kept": "留",
        "new": "",
    }


def test_sentences_of_the_code_are_collected_with_their_files():
    found = catalogues.extracted()
    places = {path for message in found for path, _ in message.locations}
    assert any(isinstance(message.id, tuple) for message in found)
    assert places
    assert all((PACKAGE / path).is_file() for path in places)


def test_every_sentence_of_the_code_is_in_the_template_and_no_other():
    assert ids(TEMPLATE) == ids(catalogues.extracted()), "run: make catalogues"
    assert len(TEMPLATE) > 0


@each_catalogue
def test_how_many_sentences_are_not_translated_is_known(name):
    assert len(catalogues.untranslated(CATALOGUES[name])) == NOT_TRANSLATED[name]


def test_renewing_twice_changes_nothing(tmp_path):
    path = tmp_path / "zh" / "LC_MESSAGES" / "mha_core.po"
    path.parent.mkdir(parents=True)
    path.write_bytes(PATHS["zh"].read_bytes())
    catalogues.update(catalogues.extracted(), path)
    assert path.read_bytes() == PATHS["zh"].read_bytes()
    compiled = path.with_suffix(".mo").read_bytes()
    assert compiled == PATHS["zh"].with_suffix(".mo").read_bytes()
    catalogues.write(catalogues.extracted(), tmp_path / "mha_core.pot")
    committed = catalogues.template_path().read_bytes()
    assert (tmp_path / "mha_core.pot").read_bytes() == committed
