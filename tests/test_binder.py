"""Binder's build without its containers, and what a reader finds on a fresh machine."""

import itertools
import json
import re
import shlex
import subprocess
import tomllib
from importlib.metadata import distribution

import nbformat
import pytest
from packaging.specifiers import SpecifierSet

from binder import ROOT, build, commands, export, instructions
from browser import NOT_RUN, find_chromium, printed, serve, start_lab
from build import lesson_names
from test_browser import ON_BINDER, check_lesson
from test_requirements import pins

LESSON = f"notebooks/{ON_BINDER}.ipynb"
FIRST = "notebooks/01_the_bottleneck.ipynb"


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


README = " ".join(read("README.md").split())
CLASS = " ".join(read("docs/classroom.md").split())


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    """The files of the last commit, as a reader gets them."""
    return export(tmp_path_factory.mktemp("reader") / "attention")


@pytest.fixture(scope="module")
def built(reader, tmp_path_factory):
    """The Python of the environment that the builder's commands make there."""
    return build(reader, tmp_path_factory.mktemp("binder") / "environment")


@pytest.fixture(scope="module")
def lab(reader, built, tmp_path_factory):
    """A JupyterLab of that environment, which serves those files."""
    assert find_chromium(), NOT_RUN
    command = (built, "-m", "jupyterlab")
    with start_lab(tmp_path_factory.mktemp("lab"), reader, command) as lab:
        yield lab


def test_b01_binder_installs_the_pins_and_the_package_of_the_root(reader):
    dockerfile, _ = instructions(reader)
    pip, executable, after = commands(dockerfile)
    assert pip.endswith('bin/pip install --no-cache-dir -r "binder/requirements.txt"')
    assert (executable, after) == ("chmod +x binder/postBuild", "./binder/postBuild")
    assert read("binder/requirements.txt") == "-r ../requirements.txt\n"
    assert read("requirements.txt").endswith("\n-e .[lab]\n")


def test_b04_the_builder_takes_our_python(reader):
    _, told = instructions(reader)
    version = re.fullmatch(r"python-(3\.\d+)\n", read("binder/runtime.txt"))[1]
    assert f"Building conda environment for python={version}\n" in told
    project = tomllib.loads(read("pyproject.toml"))["project"]
    here = pins("requirements.txt").values()
    needs = [distribution(pin.name).metadata["Requires-Python"] for pin in here]
    for need in [project["requires-python"], *filter(None, needs)]:
        assert f"{version}.0" in SpecifierSet(need)


def test_binder_installs_a_chinese_font_and_nothing_else(reader):
    assert read("binder/apt.txt").split() == ["fonts-noto-cjk"]
    assert "--no-install-recommends fonts-noto-cjk" in instructions(reader)[0]


def test_x03_binder_files_have_unix_lines_and_the_execute_bit():
    listed = subprocess.run(
        ["git", "ls-files", "-s", "binder"], cwd=ROOT, capture_output=True, text=True
    )
    modes = {line.split("\t")[1]: line[:6] for line in listed.stdout.splitlines()}
    assert modes.pop("binder/postBuild") == "100755"
    assert set(modes.values()) == {"100644"}
    for name in [*modes, "binder/postBuild"]:
        assert b"\r" not in (ROOT / name).read_bytes()


@pytest.mark.network
def test_b01_a_fresh_environment_has_all_packages(built):
    names = "numpy, matplotlib, ipywidgets, jupyterlab, nbval, mha_core"
    script = f"import {names}; print(mha_core.__file__)"
    run = subprocess.run(
        [built, "-c", script], cwd=built.parent, capture_output=True, text=True
    )
    assert run.stderr == ""
    assert run.stdout.strip().endswith("attention/mha_core/__init__.py")


@pytest.mark.network
def test_b06_the_fresh_environment_has_no_conflicts(built):
    check = [built, "-m", "pip", "check"]
    run = subprocess.run(check, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout


@pytest.mark.network
def test_a_reader_on_binder_runs_lesson_4_and_moves_its_sliders(lab):
    check_lesson(lab, ON_BINDER)


@pytest.mark.network
def test_a_link_without_a_page_opens_lesson_1(lab):
    with lab.open(FIRST, address="") as page:
        assert page.cells()[0]["source"].startswith("# Lesson 1.")
        assert page.asked() == []


def without_make(python):
    """Return the README's last line without make, for a Python."""
    told = re.search(r"Scripts.python (-m jupyterlab .*)", read("README.md"))[1]
    return (python, *shlex.split(told))


def with_make(python):
    """Return ``make lab`` for a Python that has all packages."""
    return ("make", "lab", f"BIN={python}", "--old-file=.venv/lab.stamp")


@pytest.mark.network
@pytest.mark.parametrize("start", [with_make, without_make])
def test_the_printed_address_opens_lesson_1(start, lab, reader, built, tmp_path):
    (reader / ".venv").mkdir(exist_ok=True)
    (reader / ".venv" / "lab.stamp").touch()
    with serve(lab.browser, tmp_path, reader, start(built)) as lab:
        with lab.open(FIRST, address=printed(tmp_path)) as page:
            assert page.cells()[0]["source"].startswith("# Lesson 1.")
            assert page.asked() == []


@pytest.mark.network
def test_lessons_are_compared_with_nothing_but_the_requirements(reader, built):
    run = subprocess.run(
        [built, "-m", "pytest", "--nbval", "notebooks/03_scaled_dot_product.ipynb"],
        cwd=reader,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_the_readme_has_a_badge_that_opens_lesson_1():
    link = re.search(r"\(https://mybinder.org/v2/gh/OWNER/REPOSITORY/([^)]*)\)", README)
    assert link[1] == f"HEAD?urlpath=lab/tree/{FIRST}"
    config = json.loads(read("binder/jupyter_server_config.json"))
    urls = {app["default_url"] for app in config.values()}
    assert urls == {f"/lab/tree/{FIRST}"}


def test_b08_the_readme_states_the_memory():
    assert "less than 1,050 MB of the 2 GB" in README


def test_b10_the_class_page_advises_a_tag_and_an_early_launch():
    assert "Link to a tag" in CLASS
    assert "Open the link once on the morning of the class" in CLASS


@pytest.mark.parametrize("name", ["README.md", FIRST])
def test_b12_readers_are_told_how_to_keep_their_work(name):
    text = README if name == "README.md" else lesson_text(FIRST)
    assert "ends after about ten minutes without use" in text
    assert "*Download*" in text
    assert "open a new session" in text
    assert "about 100 people" in README


def lesson_text(name):
    """Return the text before the first code cell of a lesson."""
    cells = nbformat.read(ROOT / name, as_version=4).cells
    texts = itertools.takewhile(lambda cell: cell.cell_type == "markdown", cells)
    return " ".join(" ".join(cell.source for cell in texts).split())


@pytest.mark.parametrize("name", lesson_names())
def test_b03_a_lesson_downloaded_alone_says_what_it_needs(name):
    text = lesson_text(f"notebooks/{name}.ipynb")
    assert "If the next cell fails with *No module named 'mha_core'*, get the" in text
    assert "get the whole project and run `make lab` in its folder" in text


@pytest.mark.network
def test_b03_a_kernel_finds_the_package_from_any_folder(built, tmp_path):
    code = nbformat.read(ROOT / LESSON, as_version=4).cells[1].source
    run = subprocess.run([built, "-c", code], cwd=tmp_path, stderr=subprocess.PIPE)
    assert run.stderr == b""
