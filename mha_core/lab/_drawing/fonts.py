"""Labels that every installed font can draw: literal, visible, never a box."""

import unicodedata

from matplotlib.font_manager import FontProperties, findfont, fontManager, get_font

FAMILIES = (
    "DejaVu Sans",
    "Microsoft YaHei",
    "SimHei",
    "PingFang SC",
    "Hiragino Sans GB",
    "Heiti SC",
    "Heiti TC",
    "STHeiti",
    "Arial Unicode MS",
    "Noto Sans CJK SC",
    "Noto Sans CJK JP",
    "Noto Sans SC",
    "Source Han Sans SC",
    "Source Han Sans CN",
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
    "Droid Sans Fallback",
    "SimSun",
    "AR PL UMing CN",
    "Segoe UI Symbol",
    "Segoe UI Emoji",
    "Noto Emoji",
    "Symbola",
)
SIGNS = {" ": "␣", "\u00a0": "␣", "\u3000": "␣", "\t": "⇥", "\n": "⏎", "\r": "⏎"}
ELLIPSIS = "…"
MINUS = "\u2212"


def families():
    """Return the names in `FAMILIES` that are installed, in that order."""
    installed = {font.name for font in fontManager.ttflist}
    return [name for name in FAMILIES if name in installed]


def code_point(character):
    """Return a character as its code point, such as ``U+6211``."""
    return f"U+{ord(character):04X}"


def visible(token):
    """Return the characters of a token as visible pieces, the same on all machines.

    Spaces, tabs and line ends get a sign of their own; a control character or half a
    surrogate pair becomes its code point; nothing at all is shown as ∅.
    """
    return [_visible(character) for character in str(token)] or ["∅"]


def drawable(pieces):
    """Return the pieces with each glyph that no font has as its code point."""
    fonts = [_font(name) for name in families()]
    return [piece if _has_glyphs(piece, fonts) else _points(piece) for piece in pieces]


def shortened(pieces, limit):
    """Return the pieces as one string of at most `limit` characters."""
    text = "".join(pieces)
    if len(text) <= limit:
        return text
    kept = ""
    for piece in pieces:
        if len(kept) + len(piece) >= limit:
            break
        kept += piece
    return kept + ELLIPSIS


def label(token, limit=14):
    """Return a token as a picture draws it."""
    return shortened(drawable(visible(token)), limit)


def spoken(token, limit=24):
    """Return a token as the text under a picture spells it, whatever the fonts."""
    return shortened(visible(token), limit)


def caption(text, limit=90):
    """Return a title or an axis name as a picture draws it, spaces kept."""
    pieces = [c if c == " " else _visible(c) for c in str(text)]
    return shortened(drawable(pieces), limit)


def _visible(character):
    if character in SIGNS:
        return SIGNS[character]
    hidden = unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp")
    return code_point(character) if hidden else character


def _font(name):
    return get_font(findfont(FontProperties(family=name), fallback_to_default=False))


def _has_glyphs(piece, fonts):
    return all(any(font.get_char_index(ord(c)) for font in fonts) for c in piece)


def _points(piece):
    return "".join(code_point(c) for c in piece)
