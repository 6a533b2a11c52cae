"""Scripts and styles of widgets, read from the files beside this one."""

from importlib.resources import files


def read(*names):
    """Return the text of some files of this folder, one after another."""
    folder = files("mha_core.lab.widgets")
    return "\n".join((folder / name).read_text(encoding="utf-8") for name in names)
