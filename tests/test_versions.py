"""Packages that are too old or too new are named in a sentence, with what works."""

import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from mha_core.lab import explore_scaling
from mha_core.lab.versions import RANGES, check_version

PROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"
VERSION, REQUIRES = metadata.version, metadata.requires


@pytest.fixture
def installed(monkeypatch):
    """Pretend that other versions are installed, or that the project is not."""

    def installed(versions, requires=REQUIRES):
        monkeypatch.setattr(metadata, "version", lambda p: versions.get(p, VERSION(p)))
        monkeypatch.setattr(metadata, "requires", requires)

    return installed


def not_installed(name):
    raise metadata.PackageNotFoundError(name)


def test_the_ranges_are_those_of_the_project():
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    for package, wanted in RANGES.items():
        assert f"{package}{wanted}" in project["dependencies"]
        check_version(package)


def as_pip_writes_it(name):
    more = "ipywidgets>=8.1; extra == 'lab'"
    return [more, "numpy>=2", "ipywidgets!=8.1.9,<9,>=7.7", "matplotlib >= 3.10", more]


@pytest.mark.parametrize(
    "requires", [REQUIRES, not_installed, lambda name: None, as_pip_writes_it]
)
@pytest.mark.parametrize(
    ("package", "version"),
    [
        ("ipywidgets", "7.6.5"),
        ("ipywidgets", "7"),
        ("ipywidgets", "9.0.0"),
        ("matplotlib", "3.7.5"),
        ("matplotlib", "3.9"),
        ("matplotlib", "3.9.2rc1"),
    ],
)
def test_K26_another_version_is_told_with_the_one_that_works(
    package, version, requires, installed
):
    installed({package: version}, requires)
    with pytest.raises(ImportError) as refusal:
        check_version(package)
    told = str(refusal.value)
    assert f"need {package} >=" in told
    assert f"version {version} is installed" in told
    assert f'pip install "{package}>=' in told
    assert "\n" not in told


@pytest.mark.parametrize(
    ("package", "version"),
    [
        ("ipywidgets", "7.7.1"),
        ("ipywidgets", "8.0.7"),
        ("ipywidgets", "8.1.0"),
        ("ipywidgets", "8.1.9"),
        ("ipywidgets", "8.10"),
        ("matplotlib", "3.10"),
        ("matplotlib", "3.11.0rc1"),
    ],
)
def test_versions_in_the_range_are_taken(package, version, installed):
    installed({package: version})
    check_version(package)


def test_K26_an_explorer_says_which_widgets_it_needs(installed):
    installed({"ipywidgets": "7.6.5"})
    with pytest.raises(
        ImportError, match="need ipywidgets >=7.7,!=8.1.9,<9, but version 7"
    ):
        explore_scaling()


def test_the_lab_says_which_matplotlib_it_needs_before_it_imports_it():
    check = (
        "from importlib import metadata; real = metadata.version\n"
        "metadata.version = lambda p: '3.7.1' if p == 'matplotlib' else real(p)\n"
        "import mha_core.lab"
    )
    run = subprocess.run(
        [sys.executable, "-c", check], capture_output=True, encoding="utf-8"
    )
    last = run.stderr.strip().splitlines()[-1]
    assert last.startswith("ImportError: The pictures and views here need matplotlib")
    assert "version 3.7.1 is installed" in last
