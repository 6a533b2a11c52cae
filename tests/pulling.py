"""Pull new lessons as students do on a JupyterHub: run by ``make classroom``."""

import re
import shlex
import shutil
import subprocess
import sys

import nbformat
import pytest

from mutants.fault import ROOT

LESSON = "notebooks/04_multi_head_splitting.ipynb"
AUTHOR = ["-c", "user.name=Teacher", "-c", "user.email=teacher@localhost"]


class Class:
    """A teacher's clone, the host that it is pushed to, and a student's folder."""

    def __init__(self, folder):
        self.host, self.student = folder / "host", folder / "student"
        self.upstream = folder / "upstream"
        for folder, how in ((self.host, "--bare"), (self.upstream, "--quiet")):
            init = ["git", "init", "-q", "-b", "main", how, folder]
            subprocess.run(init, check=True)
        self.git("fetch", "-q", str(ROOT), "HEAD")
        self.git("reset", "-q", "--hard", "FETCH_HEAD")
        self.git("remote", "add", "origin", str(self.host))
        self.git("push", "-q", "--set-upstream", "origin", "main")

    def git(self, *words):
        """Run git as the teacher; return what it tells."""
        command = ["git", *AUTHOR, *words]
        run = subprocess.run(
            command, cwd=self.upstream, check=True, stdout=subprocess.PIPE, text=True
        )
        return run.stdout

    def publish(self):
        """Commit and push what the teacher changed."""
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "Change the lessons")
        self.git("push", "-q")

    def rewrite(self):
        """Amend what students have, and force it on the host."""
        change(self.upstream / LESSON, 0, "\nAmended.")
        self.git("commit", "-q", "-a", "--amend", "-m", "Amend the lessons")
        self.git("push", "-q", "--force")

    def add_lesson(self, name):
        """Publish a new lesson, whose path in the student's folder is returned."""
        shutil.copy(self.upstream / LESSON, self.upstream / "notebooks" / name)
        self.publish()
        return self.student / "notebooks" / name

    def pull(self):
        """Do what a click on the link does; tell whether it went well."""
        puller = [sys.executable, "-m", "nbgitpuller.pull"]
        command = [*puller, self.host.as_uri(), "main", self.student]
        return subprocess.run(command, check=False).returncode == 0


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
    assert room.pull()
    return room


def test_an_edit_survives_and_the_newest_lesson_arrives(room):
    change(room.student / LESSON, 3, "\nmy own line")
    change(room.upstream / LESSON, -1, "\nA new last line.")
    new = room.add_lesson("99_new.ipynb")
    assert room.pull()
    assert source(room.student / LESSON, 3).endswith("my own line")
    assert source(room.student / LESSON, -1).endswith("A new last line.")
    assert new.exists()


def test_where_both_changed_a_cell_the_student_keeps_the_own_one(room):
    change(room.student / LESSON, 3, "\nmy own line")
    change(room.upstream / LESSON, 3, "\nthe teacher's line")
    room.publish()
    assert room.pull()
    assert source(room.student / LESSON, 3).endswith("my own line")


def test_outputs_of_a_run_do_not_break_the_notebook(room):
    run = [sys.executable, "-m", "nbconvert", "--to", "notebook", "--inplace"]
    path = room.student / LESSON
    subprocess.run([*run, "--execute", path], check=True, capture_output=True)
    change(path, 3, "\nmy own line")
    for place in range(0, 40, 2):
        change(room.upstream / LESSON, place, " ")
    room.publish()
    assert room.pull()
    assert source(path, 3).endswith("my own line")


def test_an_own_file_survives_a_new_one_of_the_same_name(room):
    own = room.student / "notebooks" / "notes.txt"
    own.write_text("mine", encoding="utf-8")
    (room.upstream / "notebooks" / "notes.txt").write_text("new", encoding="utf-8")
    room.publish()
    assert room.pull()
    kept = {path.read_text(encoding="utf-8") for path in own.parent.glob("notes*.txt")}
    assert kept == {"mine", "new"}


def test_a_deleted_lesson_comes_back(room):
    (room.student / LESSON).unlink()
    assert room.pull()
    assert (room.student / LESSON).exists()


def test_K03_a_spoilt_lesson_is_whole_again_once_it_is_deleted(room):
    path = room.student / LESSON
    book = nbformat.read(path, as_version=4)
    whole = len(book.cells)
    del book.cells[5:15]
    nbformat.write(book, path)
    assert room.pull()
    assert len(nbformat.read(path, as_version=4).cells) == whole - 10
    path.unlink()
    assert room.pull()
    assert path.read_bytes() == (room.upstream / LESSON).read_bytes()


def told(word):
    """Return the commands of the class page's block that holds a word."""
    text = (ROOT / "docs" / "classroom.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    (block,) = (block for block in blocks if word in block)
    return [shlex.split(line, comments=True) for line in block.splitlines()]


def test_W1_after_a_rewrite_nothing_arrives_until_the_histories_are_joined(room):
    change(room.student / LESSON, 3, "\nmy own line")
    room.rewrite()
    lost = room.add_lesson("98_lost.ipynb")
    assert not room.pull()
    assert not lost.exists()
    find, join, push = told("--strategy ours")
    old = room.git(*find[1:]).split()[0]
    for command in (join, push):
        room.git(*[old if word == "OLD" else word for word in command[1:]])
    new = room.add_lesson("99_new.ipynb")
    assert room.pull()
    assert lost.exists() and new.exists()
    assert source(room.student / LESSON, 0).endswith("Amended.")
    assert source(room.student / LESSON, 3).endswith("my own line")


def test_W1_a_renamed_folder_is_pulled_anew(room):
    room.rewrite()
    new = room.add_lesson("99_new.ipynb")
    assert not room.pull()
    room.student.rename(room.student.with_name("student-old"))
    assert room.pull()
    assert new.exists()
