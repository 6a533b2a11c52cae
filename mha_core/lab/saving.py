"""What can be taken away from a view: its picture as a file, and a line of code."""

from pathlib import Path

from mha_core._checks.arguments import told
from mha_core._checks.sentences import sentence
from mha_core.lab.controls import values_of

SUFFIXES = (".png", ".svg", ".pdf")


class Saving:
    """A view's picture and state, to be kept outside of it."""

    def save(self, path):
        """Write the picture to a file: a png, svg or pdf, by its suffix.

        Raises
        ------
        ValueError
            If the suffix is another one.
        """
        if not isinstance(path, (str, Path)) or Path(path).suffix not in SUFFIXES:
            raise ValueError(
                sentence(
                    "A picture is saved as .png, .svg or .pdf, not as {path}; a name "
                    "that works is 'heads.svg'.",
                    path=told(path),
                )
            )
        self.picture.figure.savefig(path)

    def code(self):
        """Return a line that makes the same state again.

        What was given beside the controls, a model of one's own above all, is named
        as it is called there: ``model=model``.
        """
        values = values_of(self.controls)
        if not values["projector"]:
            del values["projector"]
        if not self._called:
            return f"view.set({_arguments(values)})"
        name, given = self._called
        projector = "projector" in values
        values.pop("projector", None)
        line = f"lab.{name}({_arguments({**values, **given})})"
        return f"{line}.set(projector=True)" if projector else line


def _arguments(values):
    return ", ".join(f"{name}={_literal(value)}" for name, value in values.items())


def _literal(value):
    """Return a value as code writes it; an object without such a form by its name."""
    if isinstance(value, (str, int, float, bool, list, tuple)):
        return repr(value)
    return getattr(value, "__name__", "model")
