import math
from functools import partial

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

import mha_core.training
from mha_core.gradients import gradients
from mha_core.losses import cross_entropy
from mha_core.tasks import as_arrays, batches
from mha_core.training import adam, learning_rate, loss, train
from places import spelled
from small_models import tiny

PAIRS = [("cat", ("K", "AE", "T")), ("be", ("B", "IY")), ("tea", ("T", "IY"))]
PAIRS += [("bee", ("B", "IY")), ("at", ("AE", "T")), ("act", ("AE", "K", "T"))]
DRAW = partial(batches, PAIRS, size=2)  # 3 batches in an epoch


def same(one, two):
    """Tell whether two models have the same weights, bit for bit."""
    return all(
        np.array_equal(one.params[name], two.params[name]) for name in one.params
    )


def small(seed=0):
    return tiny("bahdanau", seed, np.float32)


def test_cross_entropy_is_what_a_loop_finds():
    rng = np.random.default_rng(0)
    logits, targets = rng.standard_normal((2, 3, 5)), rng.integers(5, size=(2, 3))
    counted = np.array([[True, True, False], [True, False, False]])
    found = []
    for b, t in np.argwhere(counted):
        total = sum(math.exp(score) for score in logits[b, t])
        found.append(-math.log(math.exp(logits[b, t, targets[b, t]]) / total))
    expected = sum(found) / 3
    assert cross_entropy(logits, targets, counted) == pytest.approx(expected, rel=1e-12)


def test_cross_entropy_does_not_look_at_padding():
    rng = np.random.default_rng(0)
    logits, targets = rng.standard_normal((1, 3, 5)), np.array([[1, 2, 3]])
    counted = np.array([[True, True, False]])
    before = cross_entropy(logits, targets, counted)
    logits[0, 2], targets[0, 2] = 99, 0
    assert cross_entropy(logits, targets, counted) == before


def test_cross_entropy_of_equal_scores_and_of_hopeless_ones():
    counted, right = np.ones((1, 1), bool), np.array([[0]])
    even = cross_entropy(np.zeros((1, 1, 41)), right, counted)
    assert even == pytest.approx(math.log(41))
    hopeless = np.array([[[-1e4, 1e4]]], np.float32)
    assert cross_entropy(hopeless, right, counted) == 2e4
    value, found = gradients(
        lambda p: cross_entropy(p["logits"], right, counted), {"logits": hopeless}
    )
    assert value == 2e4 and found["logits"].tolist() == [[[-1, 1]]]


@pytest.mark.parametrize("target", [3, -1])
def test_a_target_that_no_score_belongs_to_is_refused(target):
    with pytest.raises(ValueError, match="targets run from .* may be 0 to 2"):
        cross_entropy(np.zeros((1, 1, 3)), np.array([[target]]), np.ones((1, 1), bool))


def test_a_loss_over_nothing_is_refused():
    with pytest.raises(ValueError, match="counted is false everywhere"):
        cross_entropy(np.zeros((1, 1, 3)), np.array([[0]]), np.zeros((1, 1), bool))


def test_a_huge_gradient_of_float32_is_clipped_as_any_other():
    params = {"x": np.zeros(2, np.float32)}
    moved = adam(params, {"x": np.array([1e20, 0], np.float32)}, {}, 1, 0.1)
    assert moved["x"].dtype == np.float32
    np.testing.assert_allclose(moved["x"], [-0.1, 0])


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_gradient_that_is_not_finite_moves_nothing(bad):
    grads = {"x": np.array([bad, 0])}
    with pytest.raises(ValueError, match="The gradient of x is not finite; train with"):
        adam({"x": np.zeros(2)}, grads, {}, 1, 0.1)


def test_rates_of_any_float_keep_the_dtype_of_the_weights():
    model = small()
    train(model, DRAW, 2, peak=np.float64(4e-3), warm_up=0)
    assert {param.dtype for param in model.params.values()} == {np.dtype(np.float32)}


@pytest.mark.parametrize(
    "options", [{"peak": math.nan}, {"peak": 0}, {"steps": 1.5}, {"steps": "3"}]
)
def test_what_is_no_rate_and_no_number_of_steps_is_refused(options):
    (name,) = options
    with pytest.raises(ValueError, match=f"^{name} must be"):
        train(small(), DRAW, **{"steps": 3} | options)


def test_the_end_counts_and_the_padding_behind_it_does_not():
    model = tiny("last_state")
    source, target = as_arrays(PAIRS[1:2])  # B IY 0
    wider = np.pad(target, [(0, 0), (0, 4)])
    assert loss(model, source, wider) == pytest.approx(loss(model, source, target))
    shown = np.array([[0, *target[0, :-1]]])
    logits = model.logits(source, shown)[0]
    chosen = logits[np.arange(3), target[0]] - np.log(np.exp(logits).sum(axis=-1))
    assert loss(model, source, target) == pytest.approx(-chosen.mean(), rel=1e-12)


def slow_adam(params, grads_of_steps, rates, clip):
    """Return parameters after some steps: algorithm 1 of the paper, one by one."""
    x = {name: [float(v) for v in param] for name, param in params.items()}
    m = {name: [0.0] * len(v) for name, v in x.items()}
    v = {name: [0.0] * len(w) for name, w in x.items()}
    for t, (grads, rate) in enumerate(zip(grads_of_steps, rates, strict=True), start=1):
        norm = math.sqrt(sum(g**2 for grad in grads.values() for g in grad))
        for name in x:
            for i, g in enumerate(grads[name]):
                g = g * min(1, clip / norm)
                m[name][i] = 0.9 * m[name][i] + 0.1 * g
                v[name][i] = 0.999 * v[name][i] + 0.001 * g * g
                mean, square = m[name][i] / (1 - 0.9**t), v[name][i] / (1 - 0.999**t)
                x[name][i] -= rate * mean / (math.sqrt(square) + 1e-8)
    return x


@pytest.mark.parametrize("size", [0.01, 10.0], ids=["small", "clipped"])
def test_adam_is_what_a_slow_version_finds(size):
    rng = np.random.default_rng(0)
    params = {"a": rng.standard_normal(3), "b": rng.standard_normal(2)}
    steps = [
        {name: size * rng.standard_normal(p.shape) for name, p in params.items()}
        for _ in range(4)
    ]
    rates, moments, moved = [0.1, 0.2, 0.05, 0.1], {}, params
    for step, (grads, rate) in enumerate(zip(steps, rates, strict=True), start=1):
        moved = adam(moved, grads, moments, step, rate)
    expected = slow_adam(params, steps, rates, 1.0)
    for name in params:
        np.testing.assert_allclose(moved[name], expected[name], rtol=1e-9)


def test_N35_adam_makes_new_arrays_of_the_same_dtype():
    params, grads = {"a": np.ones(2, np.float32)}, {"a": np.full(2, 9, np.float32)}
    moved = adam(params, grads, {}, 1, 0.5)
    assert moved["a"].dtype == np.float32
    assert np.allclose(moved["a"], 0.5)
    assert (params["a"] == 1).all()
    assert (grads["a"] == 9).all()


def test_adam_stands_still_without_a_gradient():
    params = {"a": np.ones(2)}
    assert adam(params, {"a": np.zeros(2)}, {}, 1, 0.5)["a"].tolist() == [1, 1]


def test_the_learning_rate_rises_then_falls_to_zero():
    rates = [learning_rate(step, 1000, peak=0.1, warm_up=100) for step in range(1001)]
    top = rates.index(max(rates))
    assert 95 <= top <= 100
    assert 0.09 < max(rates) <= 0.1
    assert all(np.diff(rates[:90]) > 0)
    assert all(np.diff(rates[100:]) < 0)
    assert rates[50] == pytest.approx(0.05, rel=0.01)
    assert rates[500] == pytest.approx(0.05)
    assert rates[1000] == pytest.approx(0)


def test_each_step_has_its_rate(monkeypatch):
    asked = []

    def rate(step, steps, peak, warm_up):
        asked.append((step, steps, peak, warm_up))
        return 0.0

    monkeypatch.setattr(mha_core.training, "learning_rate", rate)
    model = small()
    train(model, DRAW, 4, peak=0.1, warm_up=9)
    assert asked == [(step, 4, 0.1, 9) for step in (1, 2, 3, 4)]
    assert same(model, small())


def test_the_same_seed_gives_the_same_weights():
    one, two, other = small(), small(), small()
    first = train(one, DRAW, 7, seed=5, dev=PAIRS)
    assert train(two, DRAW, 7, seed=5, dev=PAIRS) == first
    train(other, DRAW, 7, seed=6, dev=PAIRS)
    assert same(one, two)
    assert not same(one, other)
    assert [step for step, *_ in first] == [3, 6, 7]
    assert {param.dtype for param in one.params.values()} == {np.dtype("float32")}


def test_every_epoch_has_an_order_of_its_own():
    epochs = []

    def draw(rng):
        epochs.append([batch[0].tolist() for batch in DRAW(rng)])
        yield from DRAW(rng)

    def order(rng):
        orders.append(rng.permutation(6).tolist())
        yield from DRAW(rng)

    orders = []
    train(small(), order, 9)
    again, orders = orders, []
    train(small(), order, 9, seed=1)
    assert len({tuple(one) for one in again + orders}) == 6
    train(small(), draw, 9)
    assert len(epochs) == 3 and not epochs[0] == epochs[1] == epochs[2]


class Told:
    """Stands for a batch; its loss is the number in it, whatever the weights."""

    def __init__(self, *epochs):
        self.epochs = iter(epochs)

    def draw(self, rng):
        return [(number,) for number in next(self.epochs)]

    @staticmethod
    def objective(model, number):
        return np.sum(model.params["b_out"] * 0.0) + number


def test_the_history_tells_the_mean_loss_of_each_epoch():
    told = Told([1.0, 3.0], [10.0, 0.0, 2.0], [5.0, 99.0])
    history = train(small(), told.draw, 6, objective=told.objective)
    assert [row[:2] for row in history] == [(2, 2.0), (5, 4.0), (6, 5.0)]


def test_the_loss_falls_on_a_tiny_task():
    model = small()
    history = train(model, DRAW, 150, dev=PAIRS, peak=0.03, warm_up=10)
    (_, first, before), (_, last, after) = history[0], history[-1]
    assert last < 0.25 * first
    assert after < 0.25 < before


def test_without_words_to_look_at_there_is_no_error_to_show():
    assert math.isnan(train(small(), DRAW, 3)[0][2])


def stopping(epochs):
    """Draw as usual for some epochs; stop within the next, as Ctrl-C does."""
    begun = []

    def draw(rng):
        begun.append(rng)
        for i, batch in enumerate(DRAW(rng)):
            if len(begun) > epochs and i == 1:
                raise KeyboardInterrupt
            yield batch

    return draw


@pytest.mark.parametrize("epochs", [1, 2, 3])
def test_an_interrupted_training_goes_on_as_if_it_had_not_been(epochs, tmp_path):
    path = tmp_path / spelled("my 模型.npz")
    straight, interrupted, resumed = small(), small(), small(9)
    history = train(straight, DRAW, 12, dev=PAIRS)
    with pytest.raises(KeyboardInterrupt):
        train(interrupted, stopping(epochs), 12, dev=PAIRS, checkpoint=path)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    assert train(resumed, DRAW, 12, dev=PAIRS, checkpoint=path) == history
    assert same(resumed, straight)


def test_a_finished_training_is_taken_from_its_checkpoint(tmp_path):
    path, model, again = tmp_path / "a.npz", small(), small(9)
    history = train(model, DRAW, 6, dev=PAIRS, checkpoint=path)
    assert train(again, None, 6, dev=PAIRS, checkpoint=path) == history
    assert same(again, model)


def test_checkpoints_are_whole_at_every_moment(tmp_path, monkeypatch):
    path = tmp_path / "a.npz"
    train(small(), DRAW, 3, dev=PAIRS, checkpoint=path)
    before = path.read_bytes()

    def no_space(source, target):
        raise OSError("No space left on device")

    monkeypatch.setattr("os.replace", no_space)
    with pytest.raises(OSError, match="No space"):
        train(small(), DRAW, 6, dev=PAIRS, checkpoint=path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def garbage(path):
    path.write_bytes(b"not a checkpoint")


def cut_short(path):
    train(small(), DRAW, 3, checkpoint=path)
    path.write_bytes(path.read_bytes()[:-100])


def of_another_kind(path):
    train(tiny("last_state"), DRAW, 3, checkpoint=path)


def of_another_width(path):
    train(small(), DRAW, 3, checkpoint=path)
    with np.load(path) as saved:
        arrays = dict(saved)
    np.savez(path, **arrays | {"m W_a": np.zeros((2, 2))})


def with_objects(path):
    np.savez(path, step=np.array([None], dtype=object))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda path: path.write_bytes(b""),
        garbage,
        cut_short,
        of_another_kind,
        of_another_width,
        with_objects,
    ],
)
def test_a_checkpoint_of_something_else_is_refused_and_kept(spoil, tmp_path):
    path, model = tmp_path / "a.npz", small()
    spoil(path)
    before = path.read_bytes()
    with pytest.raises(
        ValueError, match="no checkpoint of this bahdanau model; delete"
    ):
        train(model, DRAW, 6, checkpoint=path)
    assert same(model, small())
    assert path.read_bytes() == before


def test_an_epoch_needs_batches():
    with pytest.raises(ValueError, match="draw gave no batches"):
        train(small(), lambda rng: [], 6)


def threads():
    return [
        pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"
    ]


def test_one_thread_while_training_and_as_many_as_before_after_it():
    inside = []

    def draw(rng):
        inside.append(threads())
        yield from DRAW(rng)

    with threadpool_limits(2):
        before = threads()
        train(small(), draw, 3)
        assert threads() == before
        with pytest.raises(KeyboardInterrupt):
            train(small(), stopping(0), 3)
        assert threads() == before
    assert set(inside[0]) == {1}


def test_the_bar_shows_loss_and_error_and_closes(monkeypatch):
    bars = []

    class Bar:
        def __init__(self, **options):
            self.options, self.count, self.said, self.closed = options, 0, {}, False
            bars.append(self)

        def __enter__(self):
            return self

        def __exit__(self, *error):
            self.closed = True

        def update(self):
            self.count += 1

        def set_postfix(self, **said):
            self.said = said

    monkeypatch.setattr(mha_core.training, "tqdm", Bar)
    train(small(), DRAW, 3, dev=PAIRS)
    with pytest.raises(KeyboardInterrupt):
        train(small(), stopping(0), 3)
    assert bars[0].options["total"] == bars[0].count == 3
    assert set(bars[0].said) == {"loss", "error"}
    assert [bar.closed for bar in bars] == [True, True]


def test_the_bar_is_drawn_where_errors_go_not_where_results_go(capfd):
    train(small(), DRAW, 3, dev=PAIRS)
    out, err = capfd.readouterr()
    assert out == ""
    assert "3/3" in err
