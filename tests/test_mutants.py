"""Every fault can be planted, and what plants them keeps its books."""

from collections import Counter
from contextlib import nullcontext

import pytest

from mutants import run
from mutants.fault import ROOT
from mutants.faults import FAULTS

BY_NAME = {fault.name: fault for fault in FAULTS}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_every_fault_can_be_planted(fault):
    assert fault.wrong() != (ROOT / "mha_core" / fault.file).read_bytes()
    assert bool(fault.lessons) != bool(fault.exempt)
    for path in [*fault.tests(), *fault.notebooks()]:
        assert (ROOT / path).is_file()


def test_names_of_faults_are_unique():
    assert len(BY_NAME) == len(FAULTS)


def test_every_folder_that_is_not_small_has_five_faults():
    counted = Counter(fault.file.rpartition("/")[0] for fault in FAULTS)
    package, lines = ROOT / "mha_core", Counter()
    for path in package.rglob("*.py"):
        folder = path.parent.relative_to(package).as_posix().removeprefix(".")
        lines[folder] += len(path.read_bytes().splitlines())
    few = {name for name in lines if lines[name] > 200 and counted[name] < 5}
    assert few == set()


@pytest.fixture
def noticed(monkeypatch):
    """Run no tests; return the list of who is said to notice, first unit tests."""
    said = []
    monkeypatch.setattr(run, "notice", lambda paths, folder: said.pop(0))
    monkeypatch.setattr(run, "copy_project", lambda folder: ROOT)
    monkeypatch.setattr(run, "planted", lambda fault, folder: nullcontext())
    return said


def test_rows_are_kept_and_not_made_again(noticed, tmp_path):
    table, fault, told = tmp_path / "table.jsonl", BY_NAME["no scale"], []
    noticed += ["tests/test_golden.py::test_function", "03::Cell 1"]
    rows = run.run([fault], table, tmp_path, 1, told.append)
    assert run.caught(rows[0])
    assert run.run([fault], table, tmp_path, 1, told.append) == rows
    assert len(told) == 1


@pytest.mark.parametrize("unit", ["passed", "hung", "broken", "a test"])
@pytest.mark.parametrize("lessons", ["passed", "hung", "broken", "a cell"])
def test_a_fault_is_caught_by_a_test_and_by_a_cell(unit, lessons, noticed):
    noticed += [unit, lessons]
    row = run.row(BY_NAME["no scale"], ROOT)
    assert run.caught(row) == (unit == "a test" and lessons == "a cell")


def test_a_file_is_as_it_was_after_a_fault(tmp_path):
    fault = BY_NAME["no scale"]
    path = tmp_path / "mha_core" / fault.file
    path.parent.mkdir(parents=True)
    right = (ROOT / "mha_core" / fault.file).read_bytes()
    path.write_bytes(right)
    with pytest.raises(KeyboardInterrupt), run.planted(fault, tmp_path):
        assert path.read_bytes() == fault.wrong() != right
        raise KeyboardInterrupt
    assert path.read_bytes() == right
