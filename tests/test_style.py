"""Format, lint and the words that the project's texts may use."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from mha_core import lab, pretrained

ROOT = Path(__file__).resolve().parent.parent
ENDINGS = {".py", ".md", ".toml", ".txt", ".ipynb", ".cfg", ".yml", ".sh", ""}
FOLDERS = ("mha_core", "notebooks", "tests", "binder", "docs", ".ci", ".github")
ALIEN = re.compile(
    r"pypi\.org|pythonhosted|npmjs|deb\.debian|/work/|\bissue #?\d|<<<<<<<|>>>>>>>"
)


def project_texts():
    paths = [path for path in ROOT.iterdir() if path.is_file()]
    paths = [path for path in paths if path.name != ".git"]  # a file in a worktree
    for folder in FOLDERS:
        paths += [path for path in (ROOT / folder).rglob("*") if path.is_file()]
    hidden = {"__pycache__", ".ipynb_checkpoints", "data", ".git"}
    return [
        path
        for path in paths
        if path.suffix in ENDINGS
        and not hidden & set(path.parts)
        and path != Path(__file__).resolve()
    ]


@pytest.mark.parametrize("command", [["check"], ["format", "--check"]], ids=" ".join)
def test_ruff(command):
    run = subprocess.run(
        [sys.executable, "-m", "ruff", *command, "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_texts_speak_of_the_project_alone():
    found = {
        path.relative_to(ROOT).as_posix(): match.group()
        for path in project_texts()
        if (match := ALIEN.search(path.read_text(encoding="utf-8")))
    }
    assert found == {}


def test_readme_is_short():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 90


def test_the_picture_of_the_readme_is_told_as_it_is():
    said = pretrained.pronounce(pretrained.load("bahdanau"), "knight")
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"![{lab.alignment(said).sentence}](docs/knight.png)" in text
    assert (ROOT / "docs" / "knight.png").read_bytes().startswith(b"\x89PNG")


def test_X03_scripts_have_unix_lines():
    for path in (ROOT / ".ci" / "run", ROOT / "Makefile"):
        assert b"\r" not in path.read_bytes()
