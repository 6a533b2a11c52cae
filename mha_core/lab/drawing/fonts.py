"""Labels that every installed font can draw: literal, visible, never a box."""

import unicodedata
from pathlib import Path

from matplotlib import get_data_path
from matplotlib.font_manager import FontProperties, findfont, fontManager, get_font

from mha_core.lab.drawing.characters import code_point, visible

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
    "Unifont",
)
SIGNS, SCRIPTS = "fonts-symbola", "fonts-unifont"
PACKAGES = dict.fromkeys(("CJK", "HIRAGANA", "KATAKANA", "HANGUL"), "fonts-noto-cjk")


def families():
    """Return the names in `FAMILIES` that are installed and whole, in that order."""
    found = _whole_families()
    if OWN not in found:
        _bring_own()
        found = _whole_families()
    return found


def open_fonts():
    """Return the fonts that draw, to look for glyphs in."""
    return [_font(name) for name in families()]


def drawable(pieces, fonts):
    """Return the pieces with each glyph that no font has as its code point."""
    return [piece if _has_glyphs(piece, fonts) else _points(piece) for piece in pieces]


def missing(texts):
    """Return the characters of some texts that no installed font draws, in order."""
    fonts = open_fonts()
    pieces = dict.fromkeys(piece for text in texts for piece in visible(text))
    return [piece for piece in pieces if not _has_glyphs(piece, fonts)]


def packages(characters):
    """Return the packages of Debian whose fonts draw some characters, in order."""
    return sorted({_package(character) for character in characters})


def _package(character):
    script = unicodedata.name(character[0], "").partition(" ")[0]
    other = SIGNS if unicodedata.category(character[0]) == "So" else SCRIPTS
    return PACKAGES.get(script, other)


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
