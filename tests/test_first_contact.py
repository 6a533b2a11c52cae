"""What ``make lab`` tells, and what an installation of the package alone brings."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = {"PIL": "pillow"}  # where a package is imported by another name
EVERY_MODULE = """
import importlib, pkgutil, mha_core
for found in pkgutil.walk_packages(mha_core.__path__, "mha_core."):
    if not found.name.startswith("mha_core.recipes."):
        importlib.import_module(found.name)
from mha_core import lab
print(lab.explore_alignment("knight").message)
"""


def needs():
    """Return the names of what the package alone asks for."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    lines = tomllib.loads(text)["project"]["dependencies"]
    return {canonicalize_name(Requirement(line).name) for line in lines}


def imported(path):
    """Return the packages that a file imports, apart from Python's own."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = [
        a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names
    ]
    froms = [n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and not n.level]
    tops = {name.split(".")[0] for name in [*names, *(n.module for n in froms)]}
    return {PACKAGES.get(top, top) for top in tops - set(sys.stdlib_module_names)}


def test_the_package_asks_for_what_it_imports_and_nothing_else():
    files = {*(ROOT / "mha_core").rglob("*.py")}
    files -= {*(ROOT / "mha_core" / "recipes").rglob("*.py")}  # for development
    found = set().union(*map(imported, files)) - {"mha_core"}
    assert found == needs()


@pytest.mark.network
def test_the_cell_of_the_readme_installs_what_the_explorers_need(tmp_path):
    told = re.search(
        r"`%pip (install \S+)OWNER/REPOSITORY`",
        (ROOT / "README.md").read_text(encoding="utf-8"),
    )[1]
    assert told == "install git+https://github.com/"
    python = tmp_path / "environment" / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", python.parents[1]], check=True)
    pins = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()[:-1]
    (tmp_path / "pins.txt").write_text("\n".join(pins), encoding="utf-8")
    pip = [python, "-m", "pip", "install", "-qq", "-c", "pins.txt"]
    subprocess.run([*pip, f"git+{ROOT.as_uri()}"], cwd=tmp_path, check=True)
    run = subprocess.run(
        [python, "-c", EVERY_MODULE], cwd=tmp_path, capture_output=True, text=True
    )
    assert run.returncode == 0 and "knight" in run.stdout, run.stderr
    listed = subprocess.run(
        [python, "-m", "pip", "list", "--format=json"], capture_output=True, check=True
    )
    names = {canonicalize_name(row["name"]) for row in json.loads(listed.stdout)}
    assert needs() <= names and not names & {"jupyterlab", "nbval", "pytest"}


def make_lab(folder, *words):
    """Return what ``make lab`` prints where its Python only repeats its arguments."""
    for name in ("Makefile", "requirements.txt", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    (folder / ".venv").mkdir()
    (folder / ".venv" / "python.stamp").touch()
    make = ["make", "lab", "BIN=echo python", "--old-file=.venv/python.stamp", *words]
    # A make that runs these tests hands its own settings on.
    alone = {
        k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS"))
    }
    run = subprocess.run(
        make, cwd=folder, env=alone, capture_output=True, text=True, check=True
    )
    assert run.stderr == ""
    return run.stdout.splitlines()


def test_make_lab_says_how_long_it_takes_where_it_goes_and_what_opens(tmp_path):
    about, pip, opens, stop, lab = make_lab(tmp_path)
    assert "into .venv" in about and "about two minutes" in about
    assert " install -qq " in pip
    assert "browser opens the lesson" in opens and "Control-C" in stop
    assert "/lab/tree/notebooks/01_the_bottleneck.ipynb" in lab


def test_make_lab_opens_another_lesson_and_installs_once(tmp_path):
    *_, lab = make_lab(tmp_path, "LESSON=notebooks/05_self_attention.ipynb")
    assert "/lab/tree/notebooks/05_self_attention.ipynb" in lab
    again = subprocess.run(
        ["make", "-n", "lab"], cwd=tmp_path, capture_output=True, text=True
    )
    assert "install" not in again.stdout
