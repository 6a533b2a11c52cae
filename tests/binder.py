"""What Binder would build: its own instructions, followed without its containers."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILDER = [sys.executable, "-m", "repo2docker", "--no-build", "--debug"]


def export(folder):
    """Write the files of the last commit to a folder, as a reader gets them."""
    archive = ["git", "archive", "--format=tar", "HEAD"]
    packed = subprocess.run(archive, cwd=ROOT, capture_output=True, check=True).stdout
    folder.mkdir()
    subprocess.run(["tar", "-x", "-C", folder], input=packed, check=True)
    return folder


def instructions(folder):
    """Return the Dockerfile for a folder, and what the builder told on the way."""
    run = subprocess.run(
        [*BUILDER, "."], cwd=folder, capture_output=True, encoding="utf-8"
    )
    assert run.returncode == 0, run.stderr
    return run.stdout, run.stderr


def commands(dockerfile):
    """Return the shell commands that run once the files are there."""
    copied = re.search(r"^COPY --chown=\d+:\d+ src/ .*$", dockerfile, re.MULTILINE)
    after = dockerfile[copied.end() :]
    return re.findall(r"^RUN ((?:.*\\\n)*.*)$", after, re.MULTILINE)


def build(folder, environment):
    """Make an environment, run the builder's commands in it, and return its Python.

    It is made by the Python that Binder takes, or the running one where that lacks.
    """
    wanted = (folder / "binder" / "runtime.txt").read_text(encoding="utf-8").strip()
    python = shutil.which(wanted.replace("-", "")) or sys.executable
    subprocess.run([python, "-m", "venv", environment], check=True)
    settings = {
        "HOME": str(folder),
        "REPO_DIR": str(folder),
        "KERNEL_PYTHON_PREFIX": str(environment),
        "NB_PYTHON_PREFIX": str(environment),
        "PATH": f"{environment}/bin{os.pathsep}{os.environ['PATH']}",
        "PIP_NO_COMPILE": "1",  # Python compiles what is imported
    }
    for command in commands(instructions(folder)[0]):
        subprocess.run(
            ["bash", "-c", command],
            cwd=folder,
            env={k: v for k, v in os.environ.items() if k != "PYTHONPATH"} | settings,
            check=True,
        )
    return environment / "bin" / "python"
