"""Texts as whole characters that can be seen: none invisible, none cut in half."""

import unicodedata

BLANKS = " \u00a0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
SIGNS = {**dict.fromkeys(BLANKS, "␣"), "\t": "⇥", "\n": "⏎", "\r": "⏎"}
JOINERS = "\u200c\u200d\u200e\u200f"  # invisible, but they shape what stands beside
UNSEEN = JOINERS + "\ufe0e\ufe0f\u2800\u115f\u1160\u3164\uffa0"
TAGS = range(0xE0020, 0xE0080)  # spell the name of a flag
TONES = range(0x1F3FB, 0x1F400)  # colours of skin
FLAGS = range(0x1F1E6, 0x1F200)  # two letters make a flag
SYLLABLES = range(0x1100, 0x1200)  # parts of one Korean letter
VIRAMA = 9  # the combining class of what ties two letters


def code_point(character):
    """Return a character as its code point, such as ``U+6211``."""
    return f"U+{ord(character):04X}"


def visible(token):
    """Return the characters of a token as visible pieces, the same on all machines.

    Spaces, tabs and line ends get a sign of their own; an invisible character or half
    a surrogate pair becomes its code point; nothing at all is shown as ∅. What only
    shapes its neighbours is left as it is, unless there are none.
    """
    show = _visible if str(token).strip(UNSEEN) else code_point
    return [show(character) for character in str(token)] or ["∅"]


def spaced(text):
    """Return the characters of a title as visible pieces, spaces kept."""
    pairs = zip(str(text), visible(text), strict=False)
    return [" " if character == " " else piece for character, piece in pairs]


def named(name):
    """Return the characters of a name as visible pieces, spaces between words kept."""
    around = zip(f" {name}"[:-1], str(name), f"{name} "[1:], strict=True)
    words = [b == " " and " " not in (a, c) for a, b, c in around]
    pieces = zip(visible(name), words or [False], strict=True)
    return [" " if between else piece for piece, between in pieces]


def spoken(token):
    """Return a token as the text under a picture spells it, whole, whatever the fonts.

    It is never shortened.
    """
    return "".join(visible(token))


def line(text):
    """Return a text as one line that can be stored, spaces kept."""
    return "".join(spaced(text))


def wholes(text, pieces):
    """Return the pieces of a text's characters, those of one whole character as one.

    A letter keeps its accents, a family its members, a flag both its letters.
    """
    found, before = [], ""
    for character, piece in zip(str(text), pieces, strict=False):
        if before and _belongs(before, character):
            found[-1] += piece
            before += character
        else:
            found.append(piece)
            before = character
    return found or list(pieces)


def _belongs(before, character):
    """Tell whether a character is a part of the whole character before it."""
    last, code = before[-1], ord(character)
    tied = unicodedata.combining(last) == VIRAMA and character.isalpha()
    return (
        unicodedata.category(character).startswith("M")
        or character in JOINERS
        or last == "\u200d"
        or tied
        or code in TAGS
        or code in TONES
        or (code in FLAGS and len(before) == 1 and ord(before) in FLAGS)
        or (code in SYLLABLES and code >= 0x1160 and ord(last) in SYLLABLES)
    )


def _visible(character):
    if character in SIGNS:
        return SIGNS[character]
    category = unicodedata.category(character)
    hidden = category in ("Cc", "Cf", "Cs", "Zl", "Zp") and character not in JOINERS
    return code_point(character) if hidden else character
