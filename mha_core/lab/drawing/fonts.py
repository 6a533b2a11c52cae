"""Labels that every installed font can draw: literal, visible, never a box."""

import unicodedata
from pathlib import Path

from matplotlib import get_data_path
from matplotlib.font_manager import FontProperties, findfont, fontManager, get_font

OWN = "DejaVu Sans"
FAMILIES = (
    OWN,
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
BLANKS = " \u00a0\u1680\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
SIGNS = {**dict.fromkeys(BLANKS, "␣"), "\t": "⇥", "\n": "⏎", "\r": "⏎"}
JOINERS = "\u200c\u200d\u200e\u200f"  # invisible, but they shape what stands beside
UNSEEN = JOINERS + "\ufe0e\ufe0f\u2800\u115f\u1160\u3164\uffa0"
ELLIPSIS = "…"
MINUS = "\u2212"


def families():
    """Return the names in `FAMILIES` that are installed and whole, in that order."""
    found = _whole_families()
    if OWN not in found:
        _bring_own()
        found = _whole_families()
    return found


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
    return shortened(drawable(_spaced(text)), limit)


def line(text):
    """Return a text as one line that can be stored, spaces kept."""
    return "".join(_spaced(text))


def _spaced(text):
    pairs = zip(str(text), visible(text), strict=False)
    return [" " if character == " " else piece for character, piece in pairs]


def _visible(character):
    if character in SIGNS:
        return SIGNS[character]
    category = unicodedata.category(character)
    hidden = category in ("Cc", "Cf", "Cs", "Zl", "Zp") and character not in JOINERS
    return code_point(character) if hidden else character


def _whole_families():
    installed = {font.name for font in fontManager.ttflist}
    return [name for name in FAMILIES if name in installed and _is_whole(name)]


def _bring_own():
    """Take the font that comes with Matplotlib; its list may be old or lack it."""
    path = Path(get_data_path(), "fonts", "ttf", "DejaVuSans.ttf")
    fontManager.ttflist = [font for font in fontManager.ttflist if font.name != OWN]
    try:
        fontManager.addfont(path)
    except (OSError, RuntimeError):
        raise ValueError(
            f"{path} is missing or damaged, so no text can be drawn; "
            "python -m pip install --force-reinstall matplotlib brings it back."
        ) from None


def _is_whole(name):
    try:
        _font(name)
    except (OSError, RuntimeError, ValueError):
        return False
    return True


def _font(name):
    return get_font(findfont(FontProperties(family=name), fallback_to_default=False))


def _has_glyphs(piece, fonts):
    return all(any(font.get_char_index(ord(c)) for font in fonts) for c in piece)


def _points(piece):
    return "".join(code_point(c) for c in piece)
