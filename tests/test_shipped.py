import errno
import hashlib
import json
import re
import shutil
from pathlib import Path

import pytest

from mha_core.shipped import DATA, read_shipped, replace_file, ship
from places import spelled

MANIFEST = json.loads((DATA / "manifest.json").read_text(encoding="utf-8"))
UNLISTED = {"README.md", "CMUDICT-LICENSE", "MINILM-LICENSE", "manifest.json"}
each_file = pytest.mark.parametrize("name", sorted(MANIFEST))


@pytest.fixture
def folder(tmp_path):
    """A copy of the shipped data, in a folder with a space and Chinese letters."""
    return Path(shutil.copytree(DATA, tmp_path / spelled("my 数据")))


def refusal(name, folder):
    with pytest.raises(ValueError) as caught:
        read_shipped(name, folder)
    return str(caught.value)


def test_every_shipped_file_stands_in_the_manifest():
    there = {path.name for path in DATA.iterdir() if path.is_file()}
    assert there - UNLISTED == set(MANIFEST)


def test_readme_lists_source_and_licence_of_every_file():
    text = (DATA / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`.+) \|$", text, re.M)
    listed = [row.split(" | ") for row in rows]
    for path in DATA.iterdir():
        patterns = [re.findall("`([^`]+)`", cells[0]) for cells in listed]
        of = [n for n, some in enumerate(patterns) if any(map(path.match, some))]
        if path.name != "README.md":
            assert of, f"{path.name} is not in the README"
            assert all(len(cells) == 4 and all(cells) for cells in listed)
    there = [name for cells in listed for name in re.findall("`([^`]+)`", cells[0])]
    assert all(list(DATA.glob(name)) for name in there)


@each_file
def test_readme_names_the_command_that_rebuilds(name):
    text = (DATA / "README.md").read_text(encoding="utf-8")
    command = MANIFEST[name]["rebuild"].removesuffix(" cmudict.dict")
    assert re.sub(r" --kind \w+ --seed 0| message-\d+$| '[^']+'$", "", command) in text


@each_file
def test_the_checksum_is_that_of_the_file(name):
    content = (DATA / name).read_bytes()
    assert hashlib.sha256(content).hexdigest() == MANIFEST[name]["sha256"]
    assert MANIFEST[name]["rebuild"]


@each_file
def test_Y06_a_whole_file_is_read_from_any_folder(name, folder):
    assert read_shipped(name, folder) == (DATA / name).read_bytes()


@each_file
@pytest.mark.parametrize("damage", ["one byte", "cut short", "empty", "missing"])
def test_a_damaged_file_is_named_with_the_command_that_rebuilds_it(
    name, damage, folder
):
    content = bytearray((folder / name).read_bytes())
    content[len(content) // 2] ^= 1
    if damage == "missing":
        (folder / name).unlink()
    elif damage == "one byte":
        (folder / name).write_bytes(content)
    else:
        (folder / name).write_bytes(content[: -1 if damage == "cut short" else 0])
    told = refusal(name, folder)
    assert str(folder / name) in told
    assert told.endswith(f"this command makes it anew: {MANIFEST[name]['rebuild']}")
    assert "\n" not in told


@pytest.mark.parametrize("content", [None, b"", b"[]", b"{", b"\xff\xfe"])
def test_without_a_manifest_nothing_counts_as_whole(content, folder):
    (folder / "manifest.json").unlink()
    if content is not None:
        (folder / "manifest.json").write_bytes(content)
    told = refusal("phonemes.tsv", folder)
    assert str(folder / "phonemes.tsv") in told
    assert "git checkout -- mha_core/data" in told


def test_what_is_shipped_is_read_back(tmp_path):
    ship("b", b"two", "make b", tmp_path)
    ship("a", b"one", "make a", tmp_path)
    ship("b", b"three", "make b", tmp_path)
    assert (read_shipped("a", tmp_path), read_shipped("b", tmp_path)) == (
        b"one",
        b"three",
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "a",
        "b",
        "manifest.json",
    ]
    text = (tmp_path / "manifest.json").read_text(encoding="utf-8")
    assert list(json.loads(text)) == ["a", "b"]


def test_a_full_disk_leaves_the_old_file_whole(tmp_path, monkeypatch):
    path = tmp_path / "weights"
    replace_file(path, b"old")

    def write_half(self, content):
        with open(self, "wb") as file:
            file.write(content[: len(content) // 2])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", write_half)
    with pytest.raises(OSError, match="No space left"):
        replace_file(path, b"new and longer")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_an_interrupted_rename_leaves_the_old_file_whole(tmp_path, monkeypatch):
    path = tmp_path / "weights"
    replace_file(path, b"old")

    def interrupt(source, target):
        raise KeyboardInterrupt

    monkeypatch.setattr("os.replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        replace_file(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]
