"""Binder's build without its containers, and what a reader finds on a fresh machine."""

import re
import subprocess
import tomllib
from importlib.metadata import distribution

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from binder import ROOT, build, commands, export, instructions
from browser import NOT_RUN, find_chromium, start_lab
from test_browser import LONG, check_memory, slide_heads

LESSON = "notebooks/04_multi_head_splitting.ipynb"
FIRST = "notebooks/01_the_bottleneck.ipynb"


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


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
    with start_lab(tmp_path_factory.mktemp("lab"), reader, built) as lab:
        yield lab


def test_b01_binder_installs_the_pins_and_the_package_of_the_root(reader):
    dockerfile, _ = instructions(reader)
    pip, executable, after = commands(dockerfile)
    assert pip.endswith('bin/pip install --no-cache-dir -r "binder/requirements.txt"')
    assert (executable, after) == ("chmod +x binder/postBuild", "./binder/postBuild")
    assert read("binder/requirements.txt") == "-r ../requirements.txt\n"
    assert read("requirements.txt").endswith("\n-e .\n")


def test_b04_the_builder_takes_our_python(reader):
    _, told = instructions(reader)
    version = re.fullmatch(r"python-(3\.\d+)\n", read("binder/runtime.txt"))[1]
    assert f"Building conda environment for python={version}\n" in told
    project = tomllib.loads(read("pyproject.toml"))["project"]
    pins = re.findall(r"^([\w-]+)==", read("requirements.txt"), re.MULTILINE)
    here = [Requirement(line) for line in read("requirements.txt").splitlines()[2:-1]]
    names = [pin.name for pin in here if pin.marker is None or pin.marker.evaluate()]
    assert set(names) <= set(pins)
    needs = [distribution(name).metadata["Requires-Python"] for name in names]
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
    told = "print(mha_core.__file__, *sys.version_info[:2])"
    script = f"import sys, {names}; {told}"
    run = subprocess.run(
        [built, "-c", script], cwd=built.parent, capture_output=True, text=True
    )
    assert run.stderr == ""
    place, *version = run.stdout.split()
    assert place.endswith("attention/mha_core/__init__.py")
    assert ".".join(version) in read("binder/runtime.txt")


@pytest.mark.network
def test_b06_the_fresh_environment_has_no_conflicts(built):
    check = [built, "-m", "pip", "check"]
    run = subprocess.run(check, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout


@pytest.mark.network
def test_a_reader_on_binder_runs_lesson_4_and_moves_its_sliders(lab):
    with lab.open(LESSON) as page:
        page.run_all()
        slide_heads(page)
        page.to_the_ends(LONG)
        assert (page.cell_errors(), page.errors, page.foreign) == ([], [], [])
    check_memory(lab)


@pytest.mark.network
def test_a_link_without_a_page_opens_lesson_1(lab):
    with lab.open(FIRST, address="") as page:
        assert page.cells()[0]["source"].startswith("# Lesson 1.")
