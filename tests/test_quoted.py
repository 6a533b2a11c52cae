"""Numbers typed in prose: each stands in one table, with where it comes from."""

import re
import tomllib

import pytest

from build import SOURCES, read_blocks
from builder import passages
from builder.pairs import NUMBER

QUOTED = tomllib.loads((SOURCES / "quoted.toml").read_text(encoding="utf-8"))
LESSONS = sorted(path.stem for path in SOURCES.glob("0*.py"))
# What needs no source: another lesson of the series, and the list of further reading,
# which is itself a list of sources.
SERIES = re.compile(r"\b[Ll]essons?\s\d(\s(and|to)\s\d)?")
READING = re.compile(r"## Further reading.*?(?=## )", re.DOTALL)
WORDS = re.compile(
    r"\b(four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty"
    r"|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|half|halves|thirds"
    r"|quarters?|fifths?|tenths?|hundredths?|thousandths?|twice|percent)\b",
    re.IGNORECASE,
)


def prose(text):
    """Return a passage on one line, without code, targets and computed numbers.

    Solutions stand in code; each goes through the check of its own exercise.
    """
    text = re.sub(r"<code>.*?</code>", "", text)
    text = SERIES.sub("", READING.sub("", text))
    text = passages.CODE_WORD.sub("", passages.FENCED.sub("", text))
    text = passages.FIELD.sub("…", passages.TARGET.sub("", text))
    return " ".join(passages.TAG.sub(" ", text).split())


def typed(text, phrases):
    """Return the numbers of a text that stand in none of the phrases."""
    for phrase in sorted(phrases, key=len, reverse=True):
        text = text.replace(phrase, "…")
    return NUMBER.findall(text) + WORDS.findall(text)


def texts(lesson):
    """Return the prose of a lesson, passage by passage."""
    blocks = read_blocks(SOURCES / f"{lesson}.py")
    return [prose(block["en"].source) for block in blocks if "en" in block]


def test_lessons_that_are_held_have_a_table():
    assert list(QUOTED) == LESSONS


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_number_is_computed_or_in_the_table(lesson):
    found = {text: typed(text, QUOTED[lesson]) for text in texts(lesson)}
    found = {text: numbers for text, numbers in found.items() if numbers}
    assert found == {}, "compute it, or put it into notebooks/source/quoted.toml"


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_table_is_true(lesson):
    whole = "\n".join(texts(lesson))
    for phrase, source in QUOTED[lesson].items():
        assert whole.count(phrase) == 1, phrase
        assert NUMBER.search(phrase) or WORDS.search(phrase), phrase
        assert len(source.split()) >= 2, phrase


@pytest.mark.parametrize("lesson", LESSONS)
def test_some_numbers_are_computed(lesson):
    text = (SOURCES / f"{lesson}.py").read_text(encoding="utf-8")
    assert passages.fields(text)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It takes 0.93 of it.", ["0.93"]),
        ("It takes .71 of it.", [".71"]),
        ("Nineteen heads and 11,855 words", ["11,855", "Nineteen"]),
        ("a quarter of $d_k = 64$", ["64", "quarter"]),
        ("| 3 | 4 |", ["3", "4"]),
        ("in 2015 they had 12", ["12"]),
        ("in 2015 {{ x[12]:.2f }} `a[3]` [b](c_4.md)", []),
        ("one of two, or three", []),
        ("In lesson 2 and [lessons 3 to 5](a.md#b)", []),
        (
            "Summary 5\n\n## Further reading\n\n- Sutskever, 2014.\n\n## Next\n\n6",
            ["5", "6"],
        ),
    ],
)
def test_typed_numbers_are_seen(text, found):
    assert typed(prose(text), ["in 2015"]) == found


def test_another_number_in_a_phrase_is_seen():
    assert typed("in 2051 they", ["in 2015"]) == ["2051"]
