"""How pictures are drawn: what stays is drawn once, the data over it many times."""

import logging

from mha_core.lab.versions import check_version


def _find_fonts():
    """Let Matplotlib look for fonts, without a word below the reader's first cell."""
    log = logging.getLogger("matplotlib")
    level = log.level
    log.setLevel(logging.ERROR)
    try:
        import matplotlib.font_manager  # noqa: F401
    finally:
        log.setLevel(level)


check_version("matplotlib")
_find_fonts()
