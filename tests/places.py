"""Names of folders that readers have."""

import sys


def spelled(name):
    """Return a name of a file, with ? for letters that the locale lacks."""
    encoding = sys.getfilesystemencoding()
    return name.encode(encoding, "replace").decode(encoding)
