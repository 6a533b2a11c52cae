"""What stands in the text of a passage: code, formulas, headings, computed numbers."""

import re

FENCED = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
CODE_WORD = re.compile(r"`[^`\n]+`")
FORMULA = re.compile(r"\$\$.+?\$\$|\$[^$]+\$", re.DOTALL)
VERBATIM = re.compile(
    f"({FENCED.pattern}|{CODE_WORD.pattern}|{FORMULA.pattern})",
    re.DOTALL | re.MULTILINE,
)
HEADING = re.compile(r"^(#{1,6}) +(.+?) *$", re.MULTILINE)
TAG = re.compile(r"</?[a-z][^<>]*>")
# The target of a Markdown link or picture, or of an HTML tag.
TARGET = re.compile(r"(?<=\]\()[^()\s]+|(?<=href=\")[^\"]+|(?<=src=\")[^\"]+")
# A computed number, such as {{ weights.max():.2f }}. Spaces and a format have to be
# there, so that braces of a formula, such as a_{{i}}, are no such thing.
FIELD = re.compile(
    r"\{\{ (?P<expression>[^{}\n]+):(?P<format>(?! )[<>^+,.\d]*[a-zA-Z%]?) \}\}"
)
NO_FIELD = re.compile(r"\{\{[^{}\n]*\}\}")


def fields(text):
    """Return the computed numbers of a text, as they are written."""
    return [match.group() for match in FIELD.finditer(text)]


def expression(field):
    """Return the Python expression that gives the text of a computed number."""
    match = FIELD.fullmatch(field)
    return f"format({match['expression']}, {match['format']!r})"


def filled(text, values):
    """Return a text with its computed numbers, from a dict of field to text."""
    return FIELD.sub(lambda match: values[match.group()], text)


def malformed_fields(text):
    """Return what looks like a computed number and is none.

    Code and formulas may hold any braces.
    """
    return NO_FIELD.findall(FIELD.sub("", VERBATIM.sub("", text)))


def headings(text):
    """Return the level and the words of each heading."""
    return [(len(m), words) for m, words in HEADING.findall(FENCED.sub("", text))]


def targets(text):
    """Return where the links and the pictures of a text lead."""
    return TARGET.findall(VERBATIM.sub("``", text))


def with_targets(text, change):
    """Return a text with each target changed by a function."""
    parts = VERBATIM.split(text)
    plain = [TARGET.sub(lambda m: change(m.group()), part) for part in parts[::2]]
    parts[::2] = plain
    return "".join(parts)
