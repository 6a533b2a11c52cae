"""Pull new lessons as students do on a JupyterHub: run by ``make classroom``."""

import shutil
import subprocess
import sys

import nbformat
import pytest

from mutants.fault import ROOT

LESSON = "notebooks/04_multi_head_splitting.ipynb"
AUTHOR = ["-c", "user.name=Teacher", "-c", "user.email=teacher@localhost"]


class Class:
    """A teacher's repository, and a student's folder that nbgitpuller fills."""

    def __init__(self, folder):
        self.upstream, self.student = folder / "upstream", folder / "student"
        subprocess.run(["git", "clone", "-q", ROOT, self.upstream], check=True)
        self.git("checkout", "-q", "-B", "main")

    def git(self, *words):
        subprocess.run(["git", *AUTHOR, *words], cwd=self.upstream, check=True)

    def publish(self):
        """Commit what the teacher changed."""
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "Change the lessons")

    def pull(self):
        """Do what a click on the link does."""
        puller = [sys.executable, "-m", "nbgitpuller.pull"]
        url = self.upstream.as_uri()
        subprocess.run([*puller, url, "main", self.student], check=True)


def change(path, place, text):
    """Put a text at the end of one cell."""
    book = nbformat.read(path, as_version=4)
    book.cells[place].source += text
    nbformat.write(book, path)


def source(path, place):
    """Return the text of a cell of a notebook that must be valid."""
    book = nbformat.read(path, as_version=4)
    nbformat.validate(book)
    return book.cells[place].source


@pytest.fixture
def room(tmp_path):
    room = Class(tmp_path)
    room.pull()
    return room


def test_an_edit_survives_and_the_newest_lesson_arrives(room):
    change(room.student / LESSON, 3, "\nmy own line")
    change(room.upstream / LESSON, -1, "\nA new last line.")
    shutil.copy(room.upstream / LESSON, room.upstream / "notebooks" / "99_new.ipynb")
    room.publish()
    room.pull()
    assert source(room.student / LESSON, 3).endswith("my own line")
    assert source(room.student / LESSON, -1).endswith("A new last line.")
    assert (room.student / "notebooks" / "99_new.ipynb").exists()


def test_where_both_changed_a_cell_the_student_keeps_the_own_one(room):
    change(room.student / LESSON, 3, "\nmy own line")
    change(room.upstream / LESSON, 3, "\nthe teacher's line")
    room.publish()
    room.pull()
    assert source(room.student / LESSON, 3).endswith("my own line")


def test_outputs_of_a_run_do_not_break_the_notebook(room):
    run = [sys.executable, "-m", "nbconvert", "--to", "notebook", "--inplace"]
    path = room.student / LESSON
    subprocess.run([*run, "--execute", path], check=True, capture_output=True)
    change(path, 3, "\nmy own line")
    for place in range(0, 40, 2):
        change(room.upstream / LESSON, place, " ")
    room.publish()
    room.pull()
    assert source(path, 3).endswith("my own line")


def test_an_own_file_survives_a_new_one_of_the_same_name(room):
    own = room.student / "notebooks" / "notes.txt"
    own.write_text("mine", encoding="utf-8")
    (room.upstream / "notebooks" / "notes.txt").write_text("new", encoding="utf-8")
    room.publish()
    room.pull()
    kept = {path.read_text(encoding="utf-8") for path in own.parent.glob("notes*.txt")}
    assert kept == {"mine", "new"}


def test_a_deleted_lesson_comes_back(room):
    (room.student / LESSON).unlink()
    room.pull()
    assert (room.student / LESSON).exists()
