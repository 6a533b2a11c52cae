"""What the texts under all pictures share: lists, sizes, and which font is missing."""

from mha_core._checks.sentences import sentence
from mha_core.lab.drawing.characters import line
from mha_core.lab.drawing.fonts import missing, packages

SIGNS_TOLD = 12


def joined(parts, join):
    """Return several sentences as one; `join` makes one of two."""
    if len(parts) == 1:
        return parts[0]
    half = len(parts) // 2
    return join(joined(parts[:half], join), joined(parts[half:], join))


def semicolons(before, after):
    """Return two sentences with a semicolon between them."""
    return sentence("{before}; {after}", before=before, after=after)


def commas(before, after):
    """Return two sentences with a comma between them."""
    return sentence("{before}, {after}", before=before, after=after)


def indented(part):
    """Return a sentence as a line that belongs to the one above it."""
    return sentence("  {part}", part=part)


def one_line(text):
    """Return a text on one line; a sentence stays one that can be translated."""
    clean = line(text)
    return text if clean == text else clean


def font_lines(texts):
    """Return a line that names a package of fonts, where a glyph is missing."""
    signs = missing(texts)
    if not signs:
        return []
    few = ", ".join(signs[:SIGNS_TOLD]) + (", …" if len(signs) > SIGNS_TOLD else "")
    if not packages(signs):
        return [sentence("No font here draws {signs}: shown by number.", signs=few)]
    return [
        sentence(
            "No font here draws {signs}: shown by number. On Debian and Ubuntu, "
            "sudo apt-get install {packages}, then restart the kernel.",
            signs=few,
            packages=" ".join(packages(signs)),
        )
    ]
