"""Run the tests in every situation, and note what came of it."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 1800
LAST = re.compile(r"^.*\b\d+ (?:passed|failed|error).*$", re.MULTILINE)
FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+?::.+?)(?: - .*)?$", re.MULTILINE)


LAB = ("--extra", "lab", "pyproject.toml")
# What the tests run on; the rest may change while the situations are visited.
TESTED = ("mha_core", "notebooks", "tests", "conftest.py", "pyproject.toml")
TESTED += ("requirements.txt", "requirements-dev.txt")
BESIDE = ("tests/mutants/", "tests/robust/", "tests/README.md", "tests/test_mutants.py")
BESIDE += ("tests/planting.py", "tests/pulling.py")


def state():
    """Return what stands for the files that the tests run on, in the last commit."""
    command = ["git", "ls-tree", "-r", "HEAD", *TESTED]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    files = [line for line in listed.decode().splitlines() if not _beside(line)]
    return hashlib.sha256("\n".join(files).encode()).hexdigest()[:10]


def _beside(line):
    return line.partition("\t")[2].startswith(BESIDE)


def newest_python():
    """Return the newest Python that is installed, on the PATH or by pyenv."""
    names = [shutil.which(f"python3.{n}") for n in range(11, 15)]
    folder = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    found = [*filter(None, names), *folder.glob("3.*/bin/python")]
    versions = {version(python): str(python) for python in found}
    return versions[max(versions)]


def version(python):
    """Return the version of a Python as numbers; (0,) if it does not run."""
    told = subprocess.run([python, "-V"], capture_output=True, text=True)
    return tuple(map(int, re.findall(r"\d+", told.stdout))) or (0,)


def environment(situation, clone, folder):
    """Make the environment of a situation, and return its Python."""
    if not situation.python:
        return sys.executable
    base = newest_python() if situation.python == "newest" else sys.executable
    subprocess.run([base, "-m", "venv", folder], check=True)
    python = str(folder / "bin" / "python")
    uv = [sys.executable, "-m", "uv", "--quiet", "pip"]
    install = [*uv, "install", "--python", python]
    if situation.packages in ("highest", "lowest-direct"):
        resolve = ["--resolution", situation.packages, "--python", python]
        subprocess.run(
            [*uv, "compile", *resolve, *LAB, "-o", "../ranges.txt"],
            cwd=clone,
            check=True,
        )
        steps = [["-c", "../ranges.txt", "--group", "dev", "-e", ".[lab]"]]
    else:
        steps = [["-r", "requirements.txt", "-r", "requirements-dev.txt"]]
        steps += [situation.packages.split()] if situation.packages != "pins" else []
    for step in steps:
        subprocess.run([*install, *step], cwd=clone, check=True)
    return python


def visit(situation, folder):
    """Run the tests of one situation in a folder of its own; return a row."""
    start, before = time.monotonic(), state()
    clone = folder / situation.folder
    subprocess.run(["git", "clone", "-q", ROOT, clone], check=True)
    try:
        python = environment(situation, clone, folder / "environment")
        told = run(situation, python, clone)
    except subprocess.CalledProcessError as error:
        told = f"could not be set up: {error}"
    shutil.rmtree(folder, ignore_errors=True)
    return {
        "name": situation.name,
        "state": before,
        "told": told,
        "seconds": round(time.monotonic() - start),
    }


def run(situation, python, clone):
    """Run the tests and return the last words of pytest, and who failed."""
    path = f"{Path(python).parent}{os.pathsep}{os.environ['PATH']}"
    settings = {"PYTHONPATH": str(clone), "PATH": path} | situation.variables
    try:
        done = subprocess.run(
            situation.command(python),
            cwd=clone,
            env=os.environ | settings,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=SECONDS,
        )
    except subprocess.TimeoutExpired:
        return f"not done in {SECONDS} s"
    text = done.stdout.decode("utf-8", errors="replace")
    (clone.parents[1] / f"{clone.parent.name}.log").write_text(text, encoding="utf-8")
    last = "; ".join(line.strip("= ") for line in LAST.findall(text)) or text[-200:]
    failed = " ".join(FAILED.findall(text)[:5])
    return last if done.returncode == 0 else f"exit {done.returncode}: {last} {failed}"


def passed(row):
    """Tell whether all tests of a row passed, and some did."""
    clean = re.fullmatch(r"(\d+ passed( in [^;]*)?(; )?)+", row["told"])
    return bool(clean)


def run_all(situations, table, workers=2, tell=print):
    """Visit all situations that the table does not have for this state yet.

    Each row is appended to the file as soon as it is known; all rows are returned.
    """
    table.parent.mkdir(parents=True, exist_ok=True)
    done = read(table)
    todo = [one for one in situations if one.name not in done]

    def work(situation):
        folder = table.parent / re.sub(r"\W+", "-", situation.name)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        row = visit(situation, folder)
        with table.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
        done[situation.name] = row
        tell(row)

    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(work, [one for one in todo if not one.alone]))
    for situation in todo:
        if situation.alone:
            work(situation)
    return [done[situation.name] for situation in situations]


def read(table):
    """Return name to row of a table file, without those of other states."""
    lines = table.read_text(encoding="utf-8").splitlines() if table.exists() else []
    now = state()
    rows = [row for row in map(json.loads, lines) if row["state"] == now]
    return {row["name"]: row for row in rows}
