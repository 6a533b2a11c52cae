"""What is trained on the spot: on which words, from which weights, in which order."""

import inspect

import numpy as np
import pytest

from mha_core.lab.measure import clock, live
from mha_core.tasks import as_arrays, name_phonemes, pronunciation
from mha_core.tasks.words import LETTERS

TRAININGS = {
    "bahdanau": lambda seed: live.train_small("bahdanau", 1, seed),
    "last_state": lambda seed: live.train_small("last_state", 1, seed),
    "relations": lambda seed: live.train_relations(16, 4, 1, seed),
}
each_training = pytest.mark.parametrize("name", TRAININGS)


@pytest.fixture
def asked(monkeypatch):
    """Train nothing, and return what `train` was asked for."""
    calls = []

    def train(model, draw, steps, **options):
        calls.append((draw, options))

    monkeypatch.setattr(live, "train", train)
    return calls


@each_training
def test_each_seed_has_starting_weights_and_an_order_of_its_own(name, asked):
    one, two, again = (TRAININGS[name](seed).params for seed in (0, 1, 0))
    drawn = [key for key, param in one.items() if param.any()]
    assert drawn and all(np.array_equal(one[key], again[key]) for key in one)
    assert not any(np.array_equal(one[key], two[key]) for key in drawn)
    assert [options["seed"] for _, options in asked] == [0, 1, 0]


def read_back(source, target):
    """Return words and phonemes of one batch."""
    words = ["".join(LETTERS[i - 1] for i in row if i) for row in source]
    return {*zip(words, map(name_phonemes, target), strict=True)}


@pytest.mark.parametrize("kind", live.SMALL)
def test_small_models_learn_from_the_training_words_alone(kind, asked):
    TRAININGS[kind](0)
    ((draw, options),) = asked
    drawn = set.union(*(read_back(*b) for b in draw(np.random.default_rng(0))))
    splits = {name: set(pronunciation(name)) for name in ("train", "dev", "test")}
    assert drawn <= splits["train"]
    assert set(options["dev"]) <= splits["dev"]
    assert {len(word) for word, _ in drawn} == set(range(3, 16))
    assert not drawn & splits["dev"] and not drawn & splits["test"]


def test_q10_the_longest_cell_of_the_lessons_takes_less_than_12_seconds(asked):
    """Lesson 1 trains both; the least CPU time of a step does not heed other work."""
    default = inspect.signature(live.train_small).parameters["steps"].default
    long = [pair for pair in pronunciation("dev") if len(pair[0]) == 9][:64]
    models = {kind: TRAININGS[kind](0) for kind in live.SMALL}
    steps = {k: clock._step(model, *as_arrays(long)) for k, model in models.items()}
    milliseconds = clock.fastest(steps, rounds=20)
    assert default * sum(milliseconds.values()) < 12_000


def test_small_models_are_measured_on_the_test_words_alone(monkeypatch):
    asked = []
    monkeypatch.setattr(live, "transcribe", lambda model, words: asked.extend(words))
    monkeypatch.setattr(live, "error_by_length", lambda said, pairs, buckets: {})
    live.small_errors({"any": None}, range(4, 16), most=20)
    assert len(asked) == 12 * 20
    assert set(asked) <= {word for word, _ in pronunciation("test")}


def test_relations_are_measured_on_sentences_that_training_never_draws(monkeypatch):
    seeds = []
    rng = np.random.default_rng
    monkeypatch.setattr(live, "accuracy", lambda layer, *test: np.array([0.5]))
    monkeypatch.setattr(
        np.random, "default_rng", lambda seed: seeds.append(seed) or rng(seed)
    )
    live.mean_accuracy(None, 4)
    assert seeds == [10**6]
