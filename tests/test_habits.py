"""Versions, the list of changes, the workflow file, and the paths that guides name."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml

import mha_core

ROOT = Path(__file__).resolve().parent.parent
GUIDES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/classroom.md")
# Told in a sentence that names their folder; or not there before a translation is.
INSIDE = ("builder/", "LC_MESSAGES/", "notebooks/zh/")
NEEDED = {"Linux": "ubuntu", "macOS": "macos", "Windows": "windows"}


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


TARGETS = set(re.findall(r"^([a-z]\w*):", read("Makefile"), re.MULTILINE))
WORKFLOW = yaml.safe_load(read(".github/workflows/test.yml"))
JOBS = WORKFLOW["jobs"].values()
STEPS = [step for job in JOBS for step in job["steps"]]
RUNS = [step["run"] for step in STEPS if "run" in step]


def test_the_newest_change_is_of_this_version():
    heads = re.findall(r"^## (.+)$", read("CHANGELOG.md"), re.MULTILINE)
    versions = [re.fullmatch(r"(\d+\.\d+\.\d+) - \d{4}-\d\d-\d\d", h)[1] for h in heads]
    assert versions[0] == mha_core.__version__
    numbers = [tuple(map(int, version.split("."))) for version in versions]
    assert numbers == sorted(set(numbers), reverse=True)


def test_links_for_a_class_name_this_version():
    for name in ("docs/classroom.md", "CONTRIBUTING.md", "Makefile"):
        found = set(re.findall(r"\bv(\d+\.\d+\.\d+)\b", read(name)))
        assert found == {mha_core.__version__}, name


def make_calls(text):
    """Return the targets of the calls of make in a text."""
    calls = re.findall(r"\bmake((?: [A-Z]+=\S+)*(?: [a-z]\w*)+)", text)
    return {word for call in calls for word in call.split() if "=" not in word}


def test_the_workflow_calls_targets_that_exist():
    called = set().union(*map(make_calls, RUNS))
    assert called == {"chromium", "test"}
    assert called <= TARGETS


@pytest.mark.parametrize("name", GUIDES)
def test_guides_call_targets_that_exist(name):
    codes = re.findall(r"`(make [^`]+)`", read(name))
    codes += re.findall(r"^make .*?(?= *#|$)", read(name), re.MULTILINE)
    assert set().union(*map(make_calls, codes)) <= TARGETS


def test_every_target_is_no_file_and_is_told():
    phony = re.search(r"\.PHONY: ((?:.*\\\n)*.*)", read("Makefile"))[1]
    assert set(phony.replace("\\", "").split()) == TARGETS
    told = "".join(map(read, (*GUIDES, "tests/README.md")))
    assert {t for t in TARGETS if f"make {t}" not in told} == set()


def test_the_workflow_asks_for_little_and_pins_what_it_uses():
    assert WORKFLOW["permissions"] == {"contents": "read"}
    assert not any("permissions" in job for job in JOBS)
    uses = [step["uses"] for step in STEPS if "uses" in step]
    assert all(re.fullmatch(r"actions/\w[\w-]*@v\d+\.\d+\.\d+", use) for use in uses)
    assert all(0 < job["timeout-minutes"] <= 60 for job in JOBS)
    kept = [s["with"]["persist-credentials"] for s in STEPS if "checkout" in str(s)]
    assert kept == [False] * len(JOBS)
    assert "secrets." not in read(".github/workflows/test.yml")


def test_the_workflow_visits_three_systems_and_the_oldest_python():
    text = read(".github/workflows/test.yml")
    assert all(system in text for system in NEEDED.values())
    project = tomllib.loads(read("pyproject.toml"))["project"]
    oldest = project["requires-python"].removeprefix(">=")
    assert all(job["strategy"]["matrix"]["python"][0] == oldest for job in JOBS)


def test_windows_needs_no_make_and_a_browser_is_for_linux():
    windows = WORKFLOW["jobs"]["windows"]["steps"]
    assert not any("make" in step.get("run", "") for step in windows)
    for step in STEPS:
        if "chromium" in step.get("run", ""):
            assert step["if"] == "runner.os == 'Linux'"


def test_continuous_integration_runs_what_the_readme_gives():
    assert re.search(r"^make test ", read("README.md"), re.MULTILINE)
    assert read(".ci/run").splitlines()[-1] == "exec make chromium test"


def paths(text):
    """Return the paths of the project that a text names between backticks."""
    found = re.findall(r"`([\w.]+(?:/[\w.]+)*/?)`", text)
    return {name for name in found if "/" in name and not name.startswith(INSIDE)}


@pytest.mark.parametrize("name", GUIDES)
def test_paths_that_guides_name_exist(name):
    kinds = {"NN_name": "0*", "NN": "0*", "xx": "zh"}
    for path in sorted(paths(read(name))):
        pattern = re.sub(r"NN_name|NN|\bxx\b", lambda m: kinds[m[0]], path)
        assert list(ROOT.glob(pattern.rstrip("/"))), path


def test_K23_the_lines_without_make_run_in_every_shell_of_windows():
    block = re.search(r"^```\n(python -m venv.*?)^```", read("README.md"), re.S | re.M)
    lines = block[1].splitlines()
    assert lines[0] == "python -m venv .venv"
    assert all(line.startswith(r".venv\Scripts\python -m ") for line in lines[1:])
    assert not set("&|;$%`'<>~") & set(block[1])
