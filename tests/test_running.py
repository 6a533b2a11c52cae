"""The run itself: the same tests in every worker, and each file whole on one."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MANY = """import os, pytest
from pathlib import Path

@pytest.mark.parametrize("k", range(12))
def test_writes_down_its_worker(k):
    with Path(f"{Path(__file__).stem}.told").open("a") as file:
        print(os.environ["PYTEST_XDIST_WORKER"], k, file=file)
"""


def test_names_of_tests_are_the_same_in_every_worker(request):
    names = [item.nodeid for item in request.session.items]
    assert [name for name in names if re.search(r"\b0x[0-9a-f]{6}", name)] == []


def test_the_longest_files_are_there(request):
    plugin = request.config.pluginmanager.get_plugin(str(ROOT / "conftest.py"))
    files = [path.name for name in ("tests", "notebooks") for path in here(name)]
    for ending in plugin.LONGEST:
        assert any(name.endswith(ending) for name in files), ending


def here(folder):
    return (ROOT / folder).iterdir()


def test_a_file_goes_whole_and_in_order_to_one_worker(tmp_path):
    shutil.copy(ROOT / "conftest.py", tmp_path)
    (tmp_path / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    names = ["test_a", "test_b", "test_c"]
    for name in names:
        (tmp_path / f"{name}.py").write_text(MANY, encoding="utf-8")
    paths = [str(ROOT), str(ROOT / "tests"), str(ROOT / "notebooks" / "source")]
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "2", "-p", "no:cacheprovider"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
        check=True,
        capture_output=True,
    )
    workers = set()
    for name in names:
        told = (tmp_path / f"{name}.told").read_text(encoding="utf-8").split()
        assert told[1::2] == [str(k) for k in range(12)]
        assert len(set(told[::2])) == 1
        workers |= set(told[::2])
    assert len(workers) == 2
