"""Pins against ranges, and what is installed against the pins."""

import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
ALONE = [Requirement(line) for line in PROJECT["project"]["dependencies"]]
LAB = PROJECT["project"]["optional-dependencies"]["lab"]
DIRECT = [*ALONE, *map(Requirement, LAB)]
DEV = [Requirement(line) for line in PROJECT["dependency-groups"]["dev"]]
TEXTS = {
    name: (ROOT / name).read_text(encoding="utf-8")
    for name in ("requirements.txt", "requirements-dev.txt")
}


def lines(name):
    """Return the lines of a requirements file that are no comments."""
    return [line for line in TEXTS[name].splitlines() if line[:1] not in ("", "#")]


def pins(*names):
    """Return project name to requirement for all pins that hold on this machine."""
    all_ = [Requirement(k) for n in names for k in lines(n) if not k.startswith("-")]
    here = [pin for pin in all_ if pin.marker is None or pin.marker.evaluate()]
    return {canonicalize_name(pin.name): pin for pin in here}


def closure(requirements):
    """Return project name to installed version of all that requirements need."""
    found, todo = {}, list(requirements)
    while todo:
        requirement = todo.pop()
        name = canonicalize_name(requirement.name)
        installed = distribution(name)
        new = {(name, extra) for extra in {"", *requirement.extras}} - set(found)
        found |= {key: installed.version for key in new}
        needs = [Requirement(line) for line in installed.requires or []]
        todo += [need for need in needs for _, extra in new if wanted(need, extra)]
    return {name: version for (name, _), version in found.items()}


def wanted(requirement, extra):
    """Tell whether a requirement holds here, with an extra."""
    environment = default_environment() | {"extra": extra}
    return requirement.marker is None or requirement.marker.evaluate(environment)


@pytest.mark.parametrize("name", TEXTS)
def test_every_line_is_one_exact_pin(name):
    *pinned, last = lines(name)
    assert last == "-e .[lab]" if name == "requirements.txt" else "==" in last
    assert all(re.match(r"[\w.-]+==[\w.]+( ; .+)?$", line) for line in pinned)
    assert "://" not in TEXTS[name]


def test_pins_are_within_the_ranges():
    for requirement in DIRECT:
        (specifier,) = pins("requirements.txt")[requirement.name].specifier
        assert specifier.version in requirement.specifier, requirement.name
    for requirement in DEV:
        (specifier,) = pins("requirements-dev.txt")[requirement.name].specifier
        assert specifier.version in requirement.specifier, requirement.name


@pytest.mark.network
@pytest.mark.parametrize("system", ["linux", "windows", "macos"])
@pytest.mark.parametrize("version", ["3.11", "3.13", "3.14"])
def test_K24_every_pin_is_there_without_a_compiler(version, system, tmp_path):
    pinned = tmp_path / "pins.txt"
    pinned.write_text("\n".join(lines("requirements.txt")[:-1]), encoding="utf-8")
    where = ["--python-version", version, "--python-platform", system]
    command = [sys.executable, "-m", "uv", "pip", "compile", "--no-deps", *where]
    run = subprocess.run(
        [*command, "--only-binary", ":all:", pinned],
        env=os.environ | {"UV_PYTHON_DOWNLOADS": "never"},  # versions are enough
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    assert "numpy==" in run.stdout


def test_ipywidgets_is_the_last_that_shows_in_vs_code():
    """By report; its two parts are those that came out with it."""
    pinned = pins("requirements.txt")
    versions = {k: next(iter(v.specifier)).version for k, v in pinned.items()}
    assert versions["ipywidgets"] == "8.1.8"
    assert versions["jupyterlab-widgets"] == "3.0.16"
    assert versions["widgetsnbextension"] == "4.0.15"
    assert "8.1.9" not in next(n for n in ALONE if n.name == "ipywidgets").specifier


def test_both_files_pin_the_same_versions():
    base, dev = pins("requirements.txt"), pins("requirements-dev.txt")
    assert all(base[name].specifier == dev[name].specifier for name in {*base} & {*dev})


@pytest.mark.parametrize(
    ("direct", "files"),
    [
        (DIRECT, ["requirements.txt"]),
        (DEV, ["requirements-dev.txt"]),
    ],
    ids=["package", "dev"],
)
def test_installed_closure_is_what_is_pinned(direct, files):
    pinned = {k: next(iter(v.specifier)).version for k, v in pins(*files).items()}
    assert closure(direct) == pinned


def test_no_deep_learning_framework_is_installed_with_the_lessons():
    heavy = {"torch", "tensorflow", "jax", "keras"}
    assert not heavy & {*pins("requirements.txt"), *pins("requirements-dev.txt")}


def test_build_backend_is_pinned():
    (backend,) = PROJECT["build-system"]["requires"]
    assert re.fullmatch(r"flit_core==[\d.]+", backend)


def test_every_direct_dependency_has_a_lower_bound():
    bounds = [{s.operator for s in need.specifier} for need in DIRECT + DEV]
    assert all(operators & {">=", "=="} for operators in bounds)
