"""Plant faults in copies of the project, and see who notices."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from queue import Queue

import nbformat

from .fault import ROOT

SECONDS = 600
# A cell that only took long is no catch.
LONG = f"--nbval-cell-timeout={SECONDS}"
PYTEST = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", LONG]
FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+?::.+?)(?: - .*)?$", re.MULTILINE)


def copy_project(folder):
    """Copy all files that git knows, or would add, to a folder.

    In the copy no cell prints source: a fault must show in what is computed.
    """
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    for path in folder.glob("notebooks/*.ipynb"):
        book = nbformat.read(path, as_version=4)
        for cell in book.cells:
            if cell.source.startswith("lab.show_source("):
                cell.source, cell.outputs = "", []
        nbformat.write(book, path)
    return folder


@contextmanager
def planted(fault, folder):
    """Have the fault in a copy of the project for a while; None plants nothing."""
    if fault is None:
        yield
        return
    path = folder / "mha_core" / fault.file
    right = path.read_bytes()
    path.write_bytes(fault.wrong(folder))
    try:
        yield
    finally:
        path.write_bytes(right)


def notice(paths, folder):
    """Run tests in a copy until one fails; return its name, or what came instead.

    "passed", "hung" and "broken" are not names: nobody noticed, it took too long, or
    no test could start.
    """
    # Python compares only time and size of a source with its byte code.
    settings = {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            [*PYTEST, *paths],
            cwd=folder,
            env=os.environ | settings,
            capture_output=True,
            timeout=SECONDS,
            encoding="utf-8",
            errors="replace",
        )
    except subprocess.TimeoutExpired:
        return "hung"
    if done.returncode == 1 and (failed := FAILED.search(done.stdout)):
        return failed[1]
    return "passed" if done.returncode == 0 else "broken"


def row(fault, folder):
    """Plant one fault and return who noticed it, among unit tests and lessons."""
    start = time.monotonic()
    with planted(fault, folder):
        unit = notice(fault.tests(), folder)
        lessons = notice(fault.notebooks(), folder) if fault.lessons else ""
    return {
        "name": fault.name,
        "file": fault.file,
        "unit": unit,
        "lessons": lessons,
        "exempt": fault.exempt,
        "seconds": round(time.monotonic() - start),
    }


def caught(row):
    """Tell whether a row is as it must be."""
    unit = row["unit"] not in ("passed", "hung", "broken")
    if row["exempt"]:
        return unit and not row["lessons"]
    return unit and row["lessons"] not in ("", "passed", "hung", "broken")


def digest(fault):
    """Return what a row depends on: the fault, its file, its tests and lessons."""
    paths = [f"mha_core/{fault.file}", *fault.tests(), *fault.notebooks()]
    parts = [repr((fault, fault.old, fault.new)).encode()]
    parts += [(ROOT / path).read_bytes() for path in paths]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:16]


def run(faults, table, copies, workers=2, tell=print):
    """Plant all faults whose rows are not in the table file yet; return all rows.

    Each row is appended to the file as soon as it is known.
    """
    digests = {fault.name: digest(fault) for fault in faults}  # before a file changes
    done = read(table)
    todo = [fault for fault in faults if digests[fault.name] not in done]
    folders = Queue()
    for k in range(workers):
        folders.put(copy_project(copies / str(k)))

    def work(fault):
        folder = folders.get()
        try:
            new = {"digest": digests[fault.name], **row(fault, folder)}
        finally:
            folders.put(folder)
        with table.open("a", encoding="utf-8") as file:
            file.write(json.dumps(new, ensure_ascii=False) + "\n")
        tell(f"{'caught' if caught(new) else 'SURVIVED'} {new}")

    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(work, todo))
    done = read(table)
    return [done[digest] for digest in digests.values()]


def read(table):
    """Return digest to row of a table file."""
    table.parent.mkdir(parents=True, exist_ok=True)
    lines = table.read_text(encoding="utf-8").splitlines() if table.exists() else []
    return {row["digest"]: row for row in map(json.loads, lines)}


def control(faults, folder):
    """Return who fails without any fault in a copy of the project: "passed" is right.

    Otherwise a fault would be caught by a test that fails anyway.
    """
    tests = sorted({path for fault in faults for path in fault.tests()})
    notebooks = sorted({path for fault in faults for path in fault.notebooks()})
    return notice([*tests, *notebooks], folder)
