"""Six planted faults must turn tests and lessons red, and nothing else may.

It runs lessons many times, so it is not among the tests that run each time.
"""

import pytest

from mutants import run
from mutants.fault import Fault
from mutants.faults import FAULTS

SIX = (
    "reshape-only split",
    "no scale",
    "mask inverted",
    "the current state looks, not the previous one",
    "swapped axes of the heat map",
    "division ignored",
)
BY_NAME = {fault.name: fault for fault in FAULTS}


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the project to plant faults in."""
    return run.copy_project(tmp_path_factory.mktemp("planted"))


@pytest.mark.parametrize("name", SIX)
def test_unit_tests_and_lessons_notice(name, copy):
    row = run.row(BY_NAME[name], copy)
    assert run.caught(row), row


def test_a_fault_that_changes_nothing_survives(copy):
    same = Fault(
        "a new comment",
        "attention.py",
        "import math\n",
        "import math  # new\n",
        "test_golden",
        "03",
    )
    row = run.row(same, copy)
    assert (row["unit"], row["lessons"]) == ("passed", "passed")
    assert not run.caught(row)


def test_a_fault_that_hides_the_package_is_no_catch(copy):
    gone = Fault(
        "no package",
        "__init__.py",
        "from mha_core.attention import",
        "from mha_core.nowhere import",
        "test_golden",
        "03",
    )
    assert run.row(gone, copy)["unit"] == "broken"


def test_rows_are_kept_and_not_made_again(tmp_path):
    table, copies = tmp_path / "table.jsonl", tmp_path / "copies"
    fault, told = BY_NAME["no scale"], []
    rows = run.run([fault], table, copies, 1, told.append)
    assert run.caught(rows[0])
    assert run.run([fault], table, copies, 1, told.append) == rows
    assert len(told) == 1
