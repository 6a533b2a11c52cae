"""Strict validation accepts what the builder stores, and nothing else."""

import base64
import copy
import io
import os
import subprocess
import sys
from xml.etree import ElementTree

import pytest
from PIL import Image

import build
from stored import code_cells, faults

ROOT = build.NOTEBOOKS.parent
PATHS = ROOT, ROOT / "tests", build.SOURCES
PYTEST = [sys.executable, "-m", "pytest", "-q", "--nbval", "-p", "nbval_pictures"]
LESSON = """# %% [markdown] lang="en"
# # Look

# %%
import io
import ipywidgets
import numpy as np
from PIL import Image
from tqdm.auto import tqdm

# %%
class View:
    def _repr_mimebundle_(self, **options):
        file = io.BytesIO()
        Image.fromarray(np.zeros((40, 40, 3), np.uint8)).save(file, "png")
        slider = ipywidgets.IntSlider()
        data = slider_view(ipywidgets.IntSlider())
        data |= {"image/png": file.getvalue(), "text/plain": "It shows 0.75 here."}
        return data, {"image/png": {"alt": "It shows 0.75 here."}}

def slider_view(slider):
    return slider._repr_mimebundle_()

# %%
View()

# %%
sum(k for k in tqdm(range(50), leave=False))

# %%
print("0.25")
"""


@pytest.fixture(scope="module")
def notebook(tmp_path_factory):
    """Return a lesson with a view and a progress bar, as it is stored."""
    path = tmp_path_factory.mktemp("lesson") / "planted.py"
    path.write_text(LESSON, encoding="utf-8")
    blocks = build.read_blocks(path)
    built = build.edition(blocks, "en")
    build.execute(built, "planted")
    build.clean(built)
    return built


# What is stored in place of what the lesson shows, and what validation says of it.
def square(size, colour):
    file = io.BytesIO()
    Image.new("RGB", (size, size), colour).save(file, "png")
    return base64.b64encode(file.getvalue()).decode()


def view(cells):
    return cells[2].outputs[0].data


CHANGES = {
    "the number in a view": lambda cells: view(cells).update(
        {"text/plain": "It shows 0.76 here."}
    ),
    "the number in print": lambda cells: cells[-1].outputs[0].update(text="0.26\n"),
    "no picture": lambda cells: view(cells).pop("image/png"),
}
PICTURES = {
    "the same": square(40, (0, 0, 0)),
    "rounded": square(40, (2, 2, 2)),
    "another colour": square(40, (0, 90, 0)),
    "another size": square(41, (0, 0, 0)),
    "damaged": "iVBO",
}
SAYS = {
    "the number in a view": "0.76",
    "the number in print": "0.26",
    "no picture": "1 pictures, not 0",
    "another colour": "picture 1 shows something else",
    "another size": "picture 1 shows something else",
    "damaged": "picture 1 shows something else",
}


def put(png):
    return lambda cells: view(cells).update({"image/png": png})


CHANGES |= {name: put(png) for name, png in PICTURES.items()}


def validate(folder, *options):
    """Validate the notebooks of a folder strictly; return what it says of each."""
    (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    run = subprocess.run(
        [*PYTEST, *options, "--junitxml=said.xml", *sorted(folder.glob("*.ipynb"))],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(map(str, PATHS))},
        capture_output=True,
        encoding="utf-8",
        errors="replace",
    )
    assert run.returncode < 2, run.stdout
    said = {path.name: "" for path in folder.glob("*.ipynb")}
    for case in ElementTree.parse(folder / "said.xml").iter("testcase"):
        name = case.get("classname").removesuffix(".ipynb") + ".ipynb"
        said[name] += "".join(each.text or "" for each in case.iter("failure"))
    return said


@pytest.fixture(scope="module")
def said(notebook, tmp_path_factory):
    """What strict validation says of each changed notebook."""
    folder = tmp_path_factory.mktemp("changed")
    for number, change in enumerate(CHANGES.values()):
        changed = copy.deepcopy(notebook)
        change(code_cells(changed))
        build.write_notebook(changed, folder / f"{number}.ipynb")
    reports = validate(folder)
    return {name: reports[f"{n}.ipynb"] for n, name in enumerate(CHANGES)}


@pytest.mark.parametrize("options", [[], ["--nbval-current-env"]], ids=["Q06", "env"])
def test_accepts_a_view_and_a_progress_bar(notebook, tmp_path, options):
    build.write_notebook(notebook, tmp_path / "planted.ipynb")
    assert validate(tmp_path, *options) == {"planted.ipynb": ""}


def test_stored_view_is_a_picture_with_its_text(notebook):
    (output,) = code_cells(notebook)[2].outputs
    assert set(output.data) == {"image/png", "text/plain"}
    assert output.metadata["image/png"]["alt"] == "It shows 0.75 here."
    assert not [fault for fault in faults(notebook) if "picture" in fault]


@pytest.mark.parametrize("name", CHANGES)
def test_what_is_stored_is_compared(name, said):
    assert SAYS.get(name, "") in said[name]
    assert bool(said[name]) == (name in SAYS)
