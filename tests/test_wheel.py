"""What is built for installing holds all that the package needs when it runs."""

from pathlib import Path
from zipfile import ZipFile

import flit_core
import pytest
from flit_core import buildapi

from test_requirements import PROJECT

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    """The names of the files in the wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        name = buildapi.build_wheel(str(folder))
    with ZipFile(folder / name) as wheel:
        return set(wheel.namelist())


@pytest.mark.parametrize("suffix", ["js", "css", "mo", "npz", "gz", "json", "py"])
def test_the_wheel_carries_every_file(packed, suffix):
    files = (ROOT / "mha_core").rglob(f"*.{suffix}")
    names = {path.relative_to(ROOT).as_posix() for path in files}
    assert names and names <= packed


def test_the_wheel_carries_the_settings_of_jupyterlab(packed):
    end = "data/share/jupyter/lab/settings/overrides.d/mha_core.json"
    assert any(name.endswith(end) for name in packed)


def test_the_wheel_is_built_as_an_installer_builds_it():
    system = PROJECT["build-system"]
    assert system["build-backend"] == buildapi.__name__
    assert system["requires"] == [f"flit_core=={flit_core.__version__}"]
