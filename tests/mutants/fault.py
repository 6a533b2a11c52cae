"""What a planted fault is."""

from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Fault:
    """A text that stands once in a file of ``mha_core``, and a wrong one for it.

    ``unit`` names the test files that must turn red, ``lessons`` the notebooks, both
    with a space between: ``"test_golden test_onnx"``, ``"03 04"``. Where no lesson
    can notice, ``exempt`` says in a sentence why. In place of an .npz file the fault
    puts the file of the same folder that ``new`` names; ``old`` is empty.
    """

    name: str
    file: str
    old: str = field(repr=False)
    new: str = field(repr=False)
    unit: str
    lessons: str = ""
    exempt: str = ""

    def tests(self):
        """Return the paths of the unit tests."""
        return [f"tests/{name}.py" for name in self.unit.split()]

    def notebooks(self):
        """Return the paths of the lessons."""
        found = [[*ROOT.glob(f"notebooks/{n}_*.ipynb")] for n in self.lessons.split()]
        return [path.relative_to(ROOT).as_posix() for (path,) in found]

    def wrong(self, root=ROOT):
        """Return the bytes of the file with the fault in it."""
        path = root / "mha_core" / self.file
        if path.suffix == ".npz":
            return (path.parent / self.new).read_bytes()
        text = path.read_text(encoding="utf-8")
        if text.count(self.old) != 1 or self.old == self.new:
            raise ValueError(f"{self.name}: the text must stand once in {self.file}")
        return text.replace(self.old, self.new).encode()
