"""Strict validation accepts what the builder stores, and nothing else."""

import base64
import copy
import io
import os
import subprocess
import sys

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


def validate(notebook, folder, *options):
    """Run strict validation on a notebook; return the exit code and what it says."""
    build.write_notebook(notebook, folder / "planted.ipynb")
    (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    run = subprocess.run(
        [*PYTEST, *options, "planted.ipynb"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(map(str, PATHS))},
        capture_output=True,
        encoding="utf-8",
        errors="replace",
    )
    return run.returncode, run.stdout


@pytest.mark.parametrize("options", [[], ["--nbval-current-env"]], ids=["Q06", "env"])
def test_accepts_a_view_and_a_progress_bar(notebook, tmp_path, options):
    code, report = validate(notebook, tmp_path, *options)
    assert code == 0, report


def test_stored_view_is_a_picture_with_its_text(notebook):
    (output,) = code_cells(notebook)[2].outputs
    assert set(output.data) == {"image/png", "text/plain"}
    assert output.metadata["image/png"]["alt"] == "It shows 0.75 here."
    assert not [fault for fault in faults(notebook) if "picture" in fault]


def test_refuses_another_number_in_a_view(notebook, tmp_path):
    changed = copy.deepcopy(notebook)
    code_cells(changed)[2].outputs[0].data["text/plain"] = "It shows 0.76 here."
    code, report = validate(changed, tmp_path)
    assert code == 1
    assert "0.76" in report


def test_refuses_another_number_in_print(notebook, tmp_path):
    changed = copy.deepcopy(notebook)
    code_cells(changed)[-1].outputs[0].text = "0.26\n"
    code, report = validate(changed, tmp_path)
    assert code == 1
    assert "0.26" in report


def square(size, colour):
    file = io.BytesIO()
    Image.new("RGB", (size, size), colour).save(file, "png")
    return base64.b64encode(file.getvalue()).decode()


@pytest.mark.parametrize(
    ("png", "code"),
    [
        (square(40, (0, 0, 0)), 0),
        (square(40, (2, 2, 2)), 0),
        (square(40, (0, 90, 0)), 1),
        (square(41, (0, 0, 0)), 1),
        ("iVBO", 1),
    ],
    ids=["the same", "rounded", "another colour", "another size", "damaged"],
)
def test_compares_the_picture_with_the_stored_one(notebook, tmp_path, png, code):
    changed = copy.deepcopy(notebook)
    code_cells(changed)[2].outputs[0].data["image/png"] = png
    found, report = validate(changed, tmp_path)
    assert found == code, report
    assert code == 0 or "picture 1 shows something else" in report


def test_refuses_a_picture_that_is_not_stored(notebook, tmp_path):
    changed = copy.deepcopy(notebook)
    del code_cells(changed)[2].outputs[0].data["image/png"]
    code, report = validate(changed, tmp_path)
    assert code == 1
    assert "1 pictures, not 0" in report
