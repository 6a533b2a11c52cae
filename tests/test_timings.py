import json
import math
import re
import time
from collections import deque

import numpy as np
import pytest

from mha_core.blocks import OURS
from mha_core.lab.measure import clock
from mha_core.lab.pictures import costs as timings
from mha_core.lab.pictures.timed import batch_curves, operation_curves
from mha_core.models import KINDS, seq2seq, transformer
from mha_core.models.initial import initial
from mha_core.recipes import timings as recipe
from mha_core.shipped import read_shipped
from mha_core.tasks import as_arrays
from mha_core.training import loss
from places import spelled
from small_models import tiny

SHIPPED = timings.load_timings()
LAYERS = SHIPPED["layers"]
FEW = {"d": 64, "T": [10, 20, 40]}


def test_the_file_says_what_was_measured_and_where():
    assert SHIPPED["command"] == recipe.COMMAND
    for name in ("date", "machine", "processor", "numpy"):
        assert SHIPPED[name]
        assert isinstance(SHIPPED[name], str)
    assert SHIPPED["cores"] >= 1
    assert SHIPPED["blas_threads"] == 1
    step = {name: SHIPPED["step"][name] for name in clock.BATCH}
    assert step == {"words": 128, "letters": 8, "phonemes": 7}
    assert list(SHIPPED["step"]["ms"]) == list(KINDS)
    assert (LAYERS["d"], LAYERS["h"]) == (64, 4)
    assert LAYERS["T"] == [16, 32, 64, 128, 256, 512, 1024, 2048]


def test_all_times_are_positive_and_grow_with_the_length():
    assert all(ms > 0 for ms in SHIPPED["step"]["ms"].values())
    for name in ("recurrent", "attention"):
        assert len(LAYERS[name]) == len(LAYERS["T"])
        assert LAYERS[name][0] > 0
        assert (np.diff(LAYERS[name]) > 0).all()


def test_pictures_show_the_file():
    picture = timings.timing_curve()
    assert np.array_equal(picture.array, [LAYERS["recurrent"], LAYERS["attention"]])
    assert picture.layout.names == ("recurrent loop", "self-attention")
    assert picture.layout.x == tuple(map(str, LAYERS["T"]))
    assert picture.layout.log


def test_the_crossing_by_count_is_at_d_and_the_measured_one_far_beyond():
    found = timings.crossings()
    assert found["counted"] == pytest.approx(64)
    assert 256 < found["measured"] < 2048
    words = timings.timing_curve().sentence.partition("a length of about ")[2].split()
    assert float(words[0].strip(",")) == pytest.approx(found["measured"], rel=0.05)
    assert float(words[3]) == pytest.approx(found["measured"] / 64, rel=0.1)


@pytest.mark.parametrize(
    ("attention", "expected"),
    [
        ([1, 2, 8], 20),
        ([1, 1, 16], 20 * 2 ** (1 / 3)),
        ([3, 4, 8], 10),
        ([1, 1, 1], math.inf),
    ],
)
def test_the_crossing_lies_on_a_line_in_the_logarithms(attention, expected):
    layers = FEW | {"recurrent": [2, 2, 4], "attention": attention}
    assert timings.crossings(layers)["measured"] == pytest.approx(expected)
    told = timings.timing_curve(layers).sentence
    assert ("at no length" in told) == (expected == math.inf)


class Counted(np.ndarray):
    """An array that counts the multiply-adds of the products it is in."""

    total = 0

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        inputs = [np.asarray(x) for x in inputs]
        if "out" in options:
            options["out"] = tuple(np.asarray(x) for x in options["out"])
        found = getattr(ufunc, method)(*inputs, **options)
        if ufunc is np.matmul and found.shape[-1] > 1:  # no sum by a row of ones
            Counted.total += found.size * inputs[0].shape[-1]
        return found.view(Counted) if isinstance(found, np.ndarray) else found


@pytest.mark.parametrize(("T", "d"), [(5, 8), (8, 8), (30, 4)])
def test_multiply_adds_are_those_of_the_products(T, d, monkeypatch):
    draw, rng = clock._draw, np.random.default_rng(0)
    monkeypatch.setattr(clock, "_draw", lambda *sizes: draw(*sizes).view(Counted))
    layers = clock._recurrent(rng, d), clock._attention(rng, d, 2)
    found = []
    for layer in layers:
        monkeypatch.setattr(Counted, "total", 0)
        layer(np.ones((T, d), np.float32))
        found.append(Counted.total)
    assert found == list(clock.multiply_adds(T, d).values())
    assert (found[0] < found[1]) == (T > d)


def test_the_fastest_turn_counts():
    turns = iter([0, 0, 0.03, 0.01, 0.02])

    def busy():
        end = time.process_time() + next(turns)
        while time.process_time() < end:
            pass

    found = clock.fastest({"busy": busy}, rounds=3, sample=1e-9)
    assert 10 <= found["busy"] < 15


def test_contestants_take_turns():
    called = []
    calls = {name: lambda name=name: called.append(name) for name in "ab"}
    clock.fastest(calls, rounds=3, sample=1e-9)
    assert "".join(called[4:]) == "ababab"


def test_measure_again_gives_what_the_curve_draws():
    found = timings.measure_again((4, 8), rounds=1)
    assert found.keys() == LAYERS.keys()
    assert found["batch"] == 1
    assert (found["T"], found["d"], found["h"]) == ([4, 8], 64, 4)
    assert min(found["recurrent"] + found["attention"]) > 0
    array = timings.timing_curve(found).array
    assert np.array_equal(array, [found["recurrent"], found["attention"]])


def test_a_batch_is_measured_again_at_its_own_lengths(monkeypatch):
    given = []
    monkeypatch.setattr(
        timings, "time_layers", lambda *sizes: given.append(sizes) or {}
    )
    assert timings.measure_again(batch=32)["T"] == SHIPPED["batch"]["T"]
    assert given == [(SHIPPED["batch"]["T"], 64, 4, 3, 32)]


@pytest.mark.parametrize("batch", [1, 3])
def test_both_layers_read_a_batch_at_once(batch, monkeypatch):
    shapes = []

    def fastest(calls, rounds):
        shapes.extend(
            np.shape(call()) or np.shape(call()[0]) for call in calls.values()
        )
        return dict.fromkeys(calls, 1.0)

    def attention(*given):
        return lambda X: X

    monkeypatch.setattr(clock, "fastest", fastest)
    monkeypatch.setattr(clock, "_attention", attention)
    clock.time_layers((5,), d=4, h=2, batch=batch)
    shape = (5, 4) if batch == 1 else (3, 5, 4)
    assert shapes == [shape, shape]


def test_a_step_of_the_loop_takes_longer_than_its_products():
    found = clock.time_one_step(rounds=2)
    assert 0 < found["products"] < found["step"]
    assert 0 < SHIPPED["one step"]["products"] < SHIPPED["one step"]["step"] / 2


def test_with_a_batch_the_curves_cross_far_earlier():
    many = SHIPPED["batch"]
    assert (many["d"], many["h"], many["batch"]) == (64, 4, 32)
    assert many["T"] == LAYERS["T"][:6]
    assert LAYERS["batch"] == 1
    alone, of_many = (
        timings.crossings(layers)["measured"] for layers in (LAYERS, many)
    )
    assert 64 < of_many < 256 < alone
    assert "32 sequences at once" in timings.timing_curve(many).data.title


def test_batch_curves_show_the_file_for_each_sequence():
    picture, many = batch_curves(), SHIPPED["batch"]
    assert picture.layout.names[0] == "recurrent, alone"
    assert np.array_equal(picture.array[0], LAYERS["recurrent"][:6])
    assert np.array_equal(picture.array[2], LAYERS["attention"][:6])
    np.testing.assert_allclose(32 * picture.array[1], many["recurrent"])
    np.testing.assert_allclose(32 * picture.array[3], many["attention"])
    assert picture.layout.x == tuple(map(str, many["T"]))
    told = [float(n) for n in re.findall(r"about (\d+)", picture.sentence)]
    found = [timings.crossings(layers)["measured"] for layers in (LAYERS, many)]
    assert told == pytest.approx(found, rel=0.05)


def test_operations_are_counted_with_the_projections():
    gru, simple, attention, projections = operation_curves().array * 1e6
    T = np.array(LAYERS["T"])
    assert np.allclose(gru, clock.multiply_adds(T)["recurrent"], rtol=1e-12)
    assert np.allclose(attention - projections, 2 * T**2 * 64, rtol=1e-9)
    assert np.allclose(projections, 2 * simple, rtol=1e-12)
    assert np.allclose(gru, 3 * simple, rtol=1e-12)
    assert (attention > simple).all()
    assert "T = d = 64" in operation_curves().sentence


def test_both_layers_are_timed_at_each_length():
    found = clock.time_layers((3, 5, 8), d=4, h=2, rounds=1)
    assert list(found) == ["recurrent", "attention"]
    assert all(len(row) == 3 and min(row) > 0 for row in found.values())


def test_times_of_steps_are_of_the_kinds_asked_for():
    found = clock.time_steps(["bahdanau", "transformer"], 1, words=2, letters=3)
    assert list(found) == ["bahdanau", "transformer"]
    assert min(found.values()) > 0


def test_the_recipe_measures_prints_and_ships(tmp_path, monkeypatch, capsys):
    small = {"words": 2, "letters": 3, "phonemes": 2}
    monkeypatch.setattr(recipe, "BATCH", small)
    folder = tmp_path / spelled("my 数据")
    folder.mkdir()
    recipe.main(["--rounds", "1", "--longest", "32", "--data", str(folder)])
    made = timings.load_timings(folder)
    assert made.keys() == SHIPPED.keys()
    assert made["layers"]["T"] == [16, 32]
    assert made["batch"]["T"] == [16, 32]
    assert (made["layers"]["batch"], made["batch"]["batch"]) == (1, 32)
    assert {name: made["step"][name] for name in small} == small
    assert min(made["step"]["ms"].values()) > 0
    manifest = (folder / "manifest.json").read_text(encoding="utf-8")
    assert json.loads(manifest)["timings.json"]["rebuild"] == recipe.COMMAND
    out = capsys.readouterr().out
    assert out.count("training step of") == 4
    assert "T 32: recurrent" in out
    assert json.loads(read_shipped("timings.json", folder)) == made


def test_the_printed_times_are_those_of_the_file(capsys):
    recipe.print_times(SHIPPED)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == (
        f"training step of last_state: {SHIPPED['step']['ms']['last_state']:.1f} ms"
    )
    assert f"attention {LAYERS['attention'][-1]:.3f} ms" in lines[-3]
    assert lines[-2] == "self-attention costs more from T = 64, counted"


def test_the_processor_is_named_or_unknown(tmp_path, monkeypatch):
    path = tmp_path / "cpuinfo"
    path.write_text("cores : 2\nmodel name\t: Some 9: fast\n", encoding="utf-8")
    assert recipe.processor(path) == "Some 9: fast"
    monkeypatch.setattr("platform.processor", lambda: "")
    assert recipe.processor(tmp_path / "none") == "unknown"


def test_prices_of_a_word():
    rows = {row["kind"]: row for row in timings.price_table(8, 7)}
    assert list(rows) == list(KINDS)
    for kind, row in rows.items():
        assert row["ms per training step"] == SHIPPED["step"]["ms"][kind]
        params = initial(kind, np.random.default_rng(1)).params
        assert row["parameters"] == sum(p.size for p in params.values())
    names = ("steps", "letter to letter", "letter to phoneme")
    assert {kind: tuple(row[n] for n in names) for kind, row in rows.items()} == {
        "last_state": (16, 8, 4),
        "bahdanau": (16, 8, 2),
        "multihead": (16, 8, 2),
        "transformer": (4, 1, 1),
    }


@pytest.mark.parametrize("kind", KINDS)
def test_steps_are_the_cells_and_blocks_that_wait_for_one_another(kind, monkeypatch):
    calls = []

    def counted(function):
        return lambda *given, **options: calls.append(1) or function(*given, **options)

    monkeypatch.setattr(seq2seq, "gru_cell", counted(seq2seq.gru_cell))
    blocks = counted(transformer.decoder_block)
    monkeypatch.setattr(transformer, "decoder_block", blocks)
    model = tiny(kind)
    if kind == "transformer":
        read = counted(OURS.encoder_block)
        model = model.with_formulas(OURS._replace(encoder_block=read))
    loss(model, *as_arrays([("knight", ("N", "AY", "T"))]))
    row = next(r for r in timings.price_table(6, 3) if r["kind"] == kind)
    assert len(calls) == row["steps"]


def edges(kind, n, m):
    """Return who hands on to whom, and what it costs: 1 for a cell and for a look."""
    found = []
    for i in range(n):
        found += [("letter", i, "right", i, 1), ("letter", i, "left", i, 1)]
        found += [(way, i, "state", i, 0) for way in ("right", "left")]
    for i in range(n - 1):
        found += [("right", i, "right", i + 1, 1), ("left", i + 1, "left", i, 1)]
    for j in range(m + 1):
        if kind == "last_state":
            found += [("right", n - 1, "context", j, 0), ("left", 0, "context", j, 0)]
        else:
            found += [("state", i, "context", j, 1) for i in range(n)]
        found += [("context", j, "phoneme", j, 0), ("context", j, "decoder", j, 1)]
        found += [("decoder", j, "phoneme", j, 0), ("decoder", j, "decoder", j + 1, 1)]
    return found


def farthest(found, n, ends):
    """Return the longest of the shortest ways from a letter to one of the ends."""
    longest = 0
    for i in range(n):
        cost, queue = {("letter", i): 0}, deque([("letter", i)])
        while queue:
            here = queue.popleft()
            for *start, name, at, price in found:
                there, total = (name, at), cost[here] + price
                if tuple(start) == here and total < cost.get(there, math.inf):
                    cost[there] = total
                    queue.append(there)
        longest = max(longest, *(cost[end] for end in cost if end[0] == ends))
    return longest


@pytest.mark.parametrize("kind", ["last_state", "bahdanau"])
@pytest.mark.parametrize(("n", "m"), [(1, 1), (2, 3), (5, 4), (8, 7)])
def test_paths_are_the_shortest_between_the_farthest(kind, n, m):
    row = next(r for r in timings.price_table(n, m) if r["kind"] == kind)
    found = edges(kind, n, m)
    assert farthest(found, n, "state") == row["letter to letter"]
    assert farthest(found, n, "phoneme") == row["letter to phoneme"]


@pytest.mark.parametrize("word", [(0, 7), (8, 0), (0, -3), (8.0, 7), ("8", 7)])
def test_no_price_of_a_word_without_letters_or_phonemes(word):
    with pytest.raises(ValueError, match="must be an integer of at least 1, not"):
        timings.price_table(*word)
