"""Broken files, missing fonts, a full disk: one sentence, and nothing lost."""

import json
import os
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import mha_core.lab.pictures.costs
import mha_core.pretrained
import mha_core.pronouncing
import mha_core.reader
import mha_core.tables
import mha_core.tasks.sounds
import mha_core.tasks.words
from mha_core.lab import explore_heads, explore_timing
from mha_core.lab.explorers import explore_alignment
from mha_core.lab.pictures.costs import load_timings
from mha_core.models import KINDS
from mha_core.pretrained import (
    load,
    load_controls,
    load_dates,
    load_errors,
    load_evidence,
    load_head_pruning,
    load_head_relations,
    load_language,
    load_language_table,
    load_one_head,
    load_reader,
    load_relation_controls,
    load_relations,
    load_relations_table,
)
from mha_core.recipes import pronunciation as recipe
from mha_core.recipes import run
from mha_core.shipped import DATA, read_shipped, ship
from mha_core.tasks import batches, phoneme_names, pronunciation
from mha_core.training import train
from places import spelled
from small_models import tiny

ROOT = Path(__file__).resolve().parent.parent
MANIFEST = json.loads((DATA / "manifest.json").read_text(encoding="utf-8"))
READERS = {
    "classic-bugs.json": mha_core.tables.load_classic_bugs,
    "controls-pronunciation.json": load_controls,
    "controls-relations.json": load_relation_controls,
    "conventions.json": mha_core.tables.load_conventions,
    "dates.npz": load_dates,
    "dates-exact.json": lambda: read_here("dates-exact.json"),
    "evidence.json": load_evidence,
    "head-pruning.json": load_head_pruning,
    "head-relations.json": load_head_relations,
    "language-bits.json": load_language_table,
    "language-without-mask.npz": partial(load_language, causal=False),
    "language.npz": load_language,
    "one-head-errors.json": load_one_head,
    "phonemes.tsv": phoneme_names,
    "pronunciation-errors.json": load_errors,
    "relations-accuracy.json": load_relations_table,
    "relations.npz": lambda: load_relations(16, 2),
    "sentence-reader.npz": load_reader,
    "sentence-words.txt": load_reader,
    "timings.json": load_timings,
}
READERS |= {f"pronunciation-{kind}.npz": partial(load, kind) for kind in KINDS}
READERS |= {
    f"pronunciation-last_state-{width}.npz": partial(load, "last_state", width=width)
    for width in (20, 42, 168)
}
READERS |= {
    f"cmudict-{split}.txt.gz": partial(pronunciation, split)
    for split in ("train", "dev", "test")
}
POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"
BACK = "git checkout -- mha_core/data"


def read_here(name):
    return mha_core.pretrained.read_shipped(name)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A copy of the shipped data, which the package reads in place of its own."""
    copy = Path(shutil.copytree(DATA, tmp_path / spelled("my 数据")))

    def read(name, _=DATA):
        return read_shipped(name, copy)

    tasks = mha_core.tasks.words, mha_core.tasks.sounds
    shipped = mha_core.pretrained, mha_core.reader, mha_core.tables
    shipped += (mha_core.lab.pictures.costs,)
    for module in (*shipped, *tasks):
        monkeypatch.setattr(module, "read_shipped", read)
    mha_core.tasks.sounds._phoneme_table.cache_clear()
    mha_core.pronouncing._dictionary.cache_clear()
    yield copy
    mha_core.tasks.sounds._phoneme_table.cache_clear()


def with_objects(path):
    with path.open("wb") as file:
        np.savez(file, W=np.array([{"a": 1}], dtype=object))


def flip(path):
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def to_folder(path):
    path.unlink()
    path.mkdir()


def to_circle(path):
    """Put a link to itself in the file's place, which not even root can read."""
    path.unlink()
    path.symlink_to(path)


DAMAGE = {
    "missing": Path.unlink,
    "empty": lambda path: path.write_bytes(b""),
    "half": lambda path: path.write_bytes(
        path.read_bytes()[: path.stat().st_size // 2]
    ),
    "one bit": flip,
    "another file": lambda path: shutil.copy(path.with_name("manifest.json"), path),
    "Windows lines": lambda path: path.write_bytes(
        path.read_bytes().replace(b"\n", b"\r\n") + b"\r\n"
    ),
    "pointer": lambda path: path.write_bytes(POINTER),
    "objects": with_objects,
    "a folder": to_folder,
    "a circle": to_circle,
}
each_damage = pytest.mark.parametrize("damage", DAMAGE)


def refusal(call):
    """Return the sentence of the package's own refusal, and of no other error."""
    with pytest.raises(ValueError) as caught:
        call()
    assert type(caught.value) is ValueError
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_every_shipped_file_is_read_here():
    assert set(READERS) == set(MANIFEST)


@each_damage
@pytest.mark.parametrize("name", READERS)
def test_a_damaged_file_is_told_where_it_is_read(name, damage, folder):
    DAMAGE[damage](folder / name)
    told = refusal(READERS[name])
    assert told.startswith(str(folder / name))
    assert BACK in told
    assert told.endswith(MANIFEST[name]["rebuild"])


LISTS = {
    "missing": None,
    "empty": b"",
    "half": (DATA / "manifest.json").read_bytes()[:1300],
    "a list": b"[]",
    "another file": (DATA / "timings.json").read_bytes(),
    "no text": b"\xff\xfe\x00",
    "deep": b"[" * 100_000,
    "no entry": b'{"dates.npz": 5}',
    "half an entry": b'{"dates.npz": {"sha256": "0"}}',
    "pointer": POINTER,
}


@pytest.fixture(params=LISTS)
def unlisted(request, folder):
    """The folder with a manifest that is no manifest."""
    (folder / "manifest.json").unlink()
    if LISTS[request.param] is not None:
        (folder / "manifest.json").write_bytes(LISTS[request.param])
    return folder


def test_a_damaged_manifest_is_told_for_each_file(unlisted):
    told = refusal(load_dates)
    assert str(unlisted / "dates.npz") in told
    assert "manifest.json" in told
    assert told.endswith(BACK)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff"])
def test_no_recipe_writes_beside_a_damaged_manifest(content, folder):
    (folder / "manifest.json").write_bytes(content)
    before = (folder / "dates.npz").read_bytes()
    assert "manifest.json" in refusal(lambda: ship("dates.npz", b"new", "-", folder))
    assert (folder / "dates.npz").read_bytes() == before
    assert (folder / "manifest.json").read_bytes() == content


@pytest.mark.parametrize("damage", sorted(set(DAMAGE) - {"a folder", "a circle"}))
def test_the_table_of_errors_is_made_anew_by_the_command_that_says_so(damage, folder):
    DAMAGE[damage](folder / "pronunciation-errors.json")
    recipe.note("bahdanau", 0, {"error": 0.5}, folder)
    assert load_errors_of(folder) == {"bahdanau": {"0": {"error": 0.5}}}


def load_errors_of(folder):
    return json.loads(read_shipped("pronunciation-errors.json", folder))


def test_views_show_the_sentence_and_go_on_when_the_file_is_back(folder):
    view = explore_alignment("knight")
    mha_core.pronouncing._dictionary.cache_clear()
    words = folder / "cmudict-dev.txt.gz"
    whole = words.read_bytes()
    flip(words)
    view.controls["word"].value = "phone"
    assert view.refused
    assert view.message.startswith(f"{words} is damaged")
    words.write_bytes(whole)
    view.controls["word"].value = "phones"
    assert not view.refused
    view.close()


def test_views_that_cannot_start_say_which_file_is_broken(folder):
    for name, make in {
        "pronunciation-bahdanau.npz": explore_alignment,
        "relations.npz": explore_heads,
        "timings.json": explore_timing,
    }.items():
        flip(folder / name)
        assert str(folder / name) in refusal(make)


def test_a_slider_that_meets_a_broken_file_says_so(folder):
    view = explore_heads()
    flip(folder / "relations.npz")
    view.controls["h"].value = 8
    assert view.refused
    assert "relations.npz is damaged" in view.message
    view.controls["h"].value = 4
    assert not view.refused
    view.close()


PAIRS = [("cat", ("K", "AE", "T")), ("be", ("B", "IY")), ("tea", ("T", "IY"))]
DRAW = partial(batches, PAIRS, size=2)  # 2 batches in an epoch
FULL = Path("/dev/full")
on_full_disk = pytest.mark.skipif(not FULL.exists(), reason="this system has none")


def learn(steps, path=None, seed=0):
    """Return the weights and the history of a short training."""
    model = tiny("bahdanau", seed, np.float32)
    history = train(model, DRAW, steps, dev=PAIRS, checkpoint=path)
    return {name: p.tobytes() for name, p in model.params.items()}, history


def fill_disk(path):
    """Let the next write of a file meet a device without space."""
    path.with_name(path.name + ".new").symlink_to(FULL)


@on_full_disk
def test_a_full_disk_stops_training_with_a_sentence_and_the_last_epoch(tmp_path):
    path, kept = tmp_path / spelled("my 模型.npz"), []

    def draw(rng):
        if path.exists():
            kept.append(path.read_bytes())
            fill_disk(path)
        return DRAW(rng)

    with pytest.raises(OSError) as caught:
        train(tiny("bahdanau", 0, np.float32), draw, 6, dev=PAIRS, checkpoint=path)
    assert str(caught.value) == (
        f"{path} cannot be written (No space left on device: the disk is full); what "
        "was there before is kept, and the same command goes on from there."
    )
    assert kept == [path.read_bytes()]
    assert list(tmp_path.iterdir()) == [path]
    assert learn(6, path, seed=9) == learn(6)


@on_full_disk
def test_a_full_disk_at_the_first_epoch_leaves_nothing(tmp_path):
    fill_disk(tmp_path / "a.npz")
    with pytest.raises(OSError, match="a.npz cannot be written .*the disk is full"):
        learn(2, tmp_path / "a.npz")
    assert list(tmp_path.iterdir()) == []


@on_full_disk
@pytest.mark.parametrize("full", ["dates.npz", "manifest.json"])
def test_a_full_disk_leaves_shipped_file_and_manifest_as_they_were(full, folder):
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    fill_disk(folder / full)
    with pytest.raises(OSError, match=f"{full} cannot be written .*the disk is full"):
        ship("dates.npz", b"new", "-", folder)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    load_dates()


@on_full_disk
def test_a_recipe_ends_with_the_sentence_and_without_a_traceback(tmp_path):
    fill_disk(tmp_path / "timings.json")
    module = ["-m", "mha_core.recipes.timings", "--rounds", "1", "--longest", "16"]
    command = [sys.executable, *module, "--data", str(tmp_path)]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8")
    assert ended.returncode == 1
    assert ended.stderr.startswith(f"{tmp_path / 'timings.json'} cannot be written")
    assert ended.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("error", [OSError("a is full."), ValueError("b is broken.")])
def test_a_recipe_tells_its_refusals(error):
    def refuse():
        raise error

    with pytest.raises(SystemExit, match=str(error)):
        run(refuse)


KILLED = """
import os, signal, sys
sys.path.insert(0, "tests")
from pathlib import Path
from test_failures import learn
saves = []
write = Path.write_bytes

def write_half(self, content):
    saves.append(self)
    if len(saves) == 2 and sys.argv[2] == "half":
        write(self, content[:1000])
        os._exit(9)
    return write(self, content)

replace = os.replace

def stop_before(*paths):
    if len(saves) == 2:
        os._exit(9)
    replace(*paths)

Path.write_bytes, os.replace = write_half, stop_before
learn(6, Path(sys.argv[1]))
"""


@pytest.mark.parametrize("when", ["half", "before the rename"])
def test_a_training_that_is_killed_while_it_saves_goes_on(when, tmp_path):
    path = tmp_path / "a.npz"
    command = [sys.executable, "-c", KILLED, str(path), when]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8")
    assert ended.returncode == 9, ended.stderr
    with np.load(path) as saved:
        assert saved["step"] == 2
    assert learn(6, path, seed=9) == learn(6)
    assert list(tmp_path.iterdir()) == [path]


def test_a_checkpoint_that_cannot_be_read_is_told_and_kept(tmp_path):
    path = tmp_path / "a.npz"
    path.mkdir()
    with pytest.raises(OSError, match="a.npz cannot be read"):
        learn(2, path)
    assert list(tmp_path.iterdir()) == [path]


def test_no_flipped_bit_of_a_checkpoint_goes_unseen(tmp_path):
    path = tmp_path / "a.npz"
    right, _ = learn(2, path)
    whole, rng = path.read_bytes(), np.random.default_rng(0)
    directory = whole.index(b"PK\x01\x02")
    places = [*rng.integers(len(whole), size=40), *range(directory, directory + 46)]
    for place in [*places, *range(40)]:
        content = bytearray(whole)
        content[place] ^= 0x81
        path.write_bytes(content)
        model = tiny("bahdanau", 9, np.float32)
        try:
            train(model, None, 2, checkpoint=path)
        except ValueError as error:
            assert "no checkpoint of this bahdanau model; delete" in str(error)
        else:  # such as the date of an entry
            assert {k: p.tobytes() for k, p in model.params.items()} == right


DRAWING = """
import sys, warnings
warnings.simplefilter("error")
import mha_core.lab
from matplotlib.font_manager import fontManager
from mha_core.lab import heatmap
from mha_core.lab.drawing import fonts

def draw():
    rows, columns = ["\\u6211", "a"], ["$b", ""]
    picture = heatmap([[0.5, 0.5], [1, 0]], rows, columns, title="\\u6ce8")
    assert picture.pixels.std() > 10
    print(ascii(picture.figure.axes[0].get_yticklabels()[0].get_text()))

draw()
fontManager.ttflist = []
draw()
for font in fontManager.ttflist:
    object.__setattr__(font, "fname", sys.argv[1])
fontManager._findfont_cached.cache_clear()
draw()
fontManager.ttflist, fonts.get_data_path = [], lambda: sys.argv[1]
try:
    draw()
except ValueError as error:
    print(error)
"""


def test_pictures_come_whatever_the_fonts_are_and_nothing_is_warned(tmp_path):
    broken = tmp_path / "broken.ttf"
    broken.write_bytes(b"no font")
    nowhere = {"MPLCONFIGDIR": str(broken / "x"), "HOME": str(broken / "x")}
    ended = subprocess.run(
        [sys.executable, "-c", DRAWING, str(broken)],
        env=os.environ | nowhere | {"PYTHONIOENCODING": "utf-8"},
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
    )
    assert ended.stderr == ""
    *_, unlisted, damaged, missing = ended.stdout.splitlines()
    assert unlisted == damaged == "'U+6211'"
    assert "DejaVuSans.ttf is missing or damaged, so no text can be drawn" in missing
    assert "pip install --force-reinstall matplotlib" in missing
