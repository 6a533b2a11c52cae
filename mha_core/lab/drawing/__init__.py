"""How pictures are drawn: what stays is drawn once, the data over it many times."""

import logging


def _find_fonts():
    """Let Matplotlib look for fonts, without a word below the reader's first cell."""
    log = logging.getLogger("matplotlib")
    level = log.level
    log.setLevel(logging.ERROR)
    try:
        import matplotlib.font_manager  # noqa: F401
    finally:
        log.setLevel(level)


_find_fonts()
