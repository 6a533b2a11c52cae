import numpy as np
import pytest

from mha_core import additive_attention, gru_cell, multi_head_attention, softmax
from mha_core._checks.ids import check_numbers
from mha_core.evaluation import transcribe
from mha_core.gradients import gradients
from mha_core.models import KINDS, PHONEMES
from mha_core.models.initial import initial
from mha_core.models.seq2seq import LETTERS
from mha_core.pretrained import load, load_errors
from mha_core.pronouncing import pronounce
from mha_core.tasks import (
    as_arrays,
    name_phonemes,
    phoneme_names,
    pronunciation,
    spell,
    to_ipa,
)
from mha_core.training import loss
from small_models import slopes, tiny

MIXED = ["knight", "be", "administration", "queue"]
PAIRS = [("knight", ("N", "AY", "T")), ("be", ("B", "IY")), ("queues", ("K",))]
SHIPPED = load_errors()
SHAPES = {"last_state": (0, 84), "bahdanau": (1, 80), "multihead": (4, 72)}
SHAPES |= {"transformer": (4, 48)}
each_kind = pytest.mark.parametrize("kind", KINDS)
each_recurrent = pytest.mark.parametrize(
    "kind", ["last_state", "bahdanau", "multihead"]
)
each_that_looks = pytest.mark.parametrize("kind", ["bahdanau", "multihead"])
each_shipped_kind = pytest.mark.parametrize("kind", SHIPPED)


def counts(kind):
    """Return the number of parameters by name."""
    params = initial(kind, np.random.default_rng(0)).params
    return {name: param.size for name, param in params.items()}


def test_the_rungs_have_about_the_same_number_of_parameters():
    assert sum(counts("last_state").values()) == 86301
    assert sum(counts("bahdanau").values()) == 87305
    assert sum(counts("multihead").values()) == 87681
    assert sum(counts("transformer").values()) == 86745


@each_kind
def test_initial_weights_follow_their_generator(kind):
    one, two = (initial(kind, np.random.default_rng(3)).params for _ in range(2))
    assert all(np.array_equal(one[name], two[name]) for name in one)
    assert {param.dtype for param in one.values()} == {np.dtype("float32")}


@each_kind
def test_initial_weights_are_the_smaller_the_more_comes_in(kind):
    params = initial(kind, np.random.default_rng(0)).params
    for name, param in params.items():
        if name.split()[-1][0] in "WU":
            spread = param.shape[-2] ** -0.5
            np.testing.assert_allclose(param.std(), spread, rtol=0.05)


def test_an_unknown_kind_is_refused_with_those_there_are():
    with pytest.raises(ValueError, match="one of last_state, bahdanau.* not 'lstm'"):
        initial("lstm", np.random.default_rng(0))


@each_shipped_kind
def test_T21_shapes(kind):
    model, source = load(kind), spell(MIXED)  # (4, 14)
    h, m = SHAPES[kind]
    assert (model.kind, model.h) == (kind, h)
    assert model.encode(source, source > 0).shape == (4, 14, m)
    assert model.logits(source, np.zeros((4, 5), int)).shape == (4, 5, PHONEMES)
    ids, weights = model.greedy(source, 9)
    assert ids.shape == (4, 9)
    assert weights.shape == (4, h, 9, 14)
    assert model.logits(source, ids).dtype == weights.dtype == np.float32


@each_recurrent
def test_the_encoder_reads_both_ways(kind):
    model = tiny(kind)
    source = spell(["cat"])
    W, U, b, b_U = (model.params[f"{p}_encoder"] for p in ("W", "U", "b", "b_U"))
    forward, backward = np.zeros((2, 3, 2))
    for i, states in enumerate((forward, backward)):
        state = np.zeros((1, 2))
        for t in range(3) if i == 0 else (2, 1, 0):
            x = model.params["E_source"][source[:, t]]
            state = gru_cell(x, state, W[i], U[i], b[i], b_U[i], reset_after=True)
            states[t] = state[0]
    states = model.encode(source, source > 0)
    np.testing.assert_allclose(states[0], np.hstack([forward, backward]), rtol=1e-12)
    message = np.concatenate([forward[-1], backward[0]])
    np.testing.assert_allclose(model.last_states(states)[0], message, rtol=1e-12)


@each_recurrent
def test_one_decoder_step_by_hand(kind):
    model = tiny(kind)
    p, source = model.params, spell(["cat"])
    states = model.encode(source, source > 0)
    context = message = model.last_states(states)
    s_0 = np.tanh(message @ p["W_start"] + p["b_start"])
    if kind == "bahdanau":
        found = additive_attention(
            s_0[:, None], states, states, p["W_a"], p["U_a"], p["v_a"]
        )
        context = found[0][:, 0]
    if kind == "multihead":
        W = [p[name] for name in ("W_Q", "W_K", "W_V", "W_O")]
        found = multi_head_attention(s_0[:, None], *W, 4, key=states)
        context = found[0][:, 0]
    x = np.concatenate([p["E_target"][[0]], context], axis=-1)
    gru = [p[f"{part}_decoder"] for part in ("W", "U", "b", "b_U")]
    s_1 = gru_cell(x, s_0, *gru, reset_after=True)
    scores = np.concatenate([s_1, context], axis=-1) @ p["W_out"] + p["b_out"]
    logits = model.logits(source, np.zeros((1, 1), int))
    np.testing.assert_allclose(logits[:, 0], scores, rtol=1e-12)
    state, looked_at, _ = model.step(s_0, p["E_target"][[0]], model.start(source)[0])
    np.testing.assert_allclose(model.read_out(state, looked_at), scores, rtol=1e-12)


@each_shipped_kind
def test_greedy_writes_what_teacher_forcing_finds_likeliest(kind):
    model, source = load(kind), spell(MIXED)
    ids, _ = model.greedy(source, 19)
    shown = np.pad(ids, [(0, 0), (1, 0)])[:, :-1]
    logits = model.logits(source, shown)
    written = np.cumsum(ids == 0, axis=1) <= 1
    taken = np.take_along_axis(logits, ids[..., None], axis=-1)[..., 0]
    assert np.allclose(taken[written], logits.max(axis=-1)[written], atol=1e-5)
    assert (ids[~written] == 0).all()


@each_shipped_kind
def test_T15_padding_changes_nothing(kind):
    model = load(kind)
    ids, weights = model.greedy(spell(MIXED), 19)
    for i, word in enumerate(MIXED):
        alone, looked = model.greedy(spell([word]), 19)
        assert name_phonemes(ids[i]) == name_phonemes(alone[0])
        here = weights[i, :, : alone.shape[1]]
        assert np.allclose(here[..., : len(word)], looked[0], rtol=0, atol=1e-5)
        assert (here[..., len(word) :] == 0.0).all()


@each_kind
def test_T15_padding_changes_no_logits(kind):
    model = tiny(kind)
    shown = np.array([[0, 5, 7]])
    alone = model.logits(spell(["cat"]), shown)
    both = model.logits(spell(["cat", "catches"]), np.repeat(shown, 2, axis=0))
    np.testing.assert_allclose(both[0], alone[0], rtol=1e-11)


@each_recurrent
def test_T15_padding_changes_no_message(kind):
    model = tiny(kind)
    _, first = model.start(spell(["cat", "catches"]))
    np.testing.assert_allclose(first[0], model.start(spell(["cat"]))[1][0], rtol=1e-12)


@pytest.mark.parametrize("kind", [k for k in SHIPPED if SHAPES[k][0]])
def test_rows_of_weights_sum_to_1(kind):
    _, weights = load(kind).greedy(spell(MIXED), 19)
    assert np.allclose(weights.sum(axis=-1), 1, atol=1e-6)
    assert weights.min() >= 0


def test_the_message_has_one_size_and_is_the_same_at_every_step():
    model = load("last_state")
    for word in ("be", "administration"):
        memory, state = model.start(spell([word]))
        assert memory[0].shape == (1, 84)
        contexts = []
        for token in (0, 5, 9):
            previous = model.params["E_target"][[token]]
            state, context, weights = model.step(state, previous, memory)
            contexts.append(context)
            assert weights.shape == (1, 0, len(word))
        assert np.array_equal(contexts[0], contexts[1])
        assert np.array_equal(contexts[0], contexts[2])


def alphas(model, **changed):
    """Return the weights of the first two steps, some parameters changed."""
    params = model.params | {
        name: model.params[name] + d for name, d in changed.items()
    }
    _, weights = model.with_params(params).greedy(spell(["knight"]), 2)
    return weights[0].swapaxes(0, 1)  # (T_q, h, T_k)


@each_that_looks
def test_T04_the_previous_state_asks(kind):
    model = load(kind)
    plain, other_s_1 = alphas(model), alphas(model, b_decoder=0.3)
    assert np.array_equal(other_s_1[0], plain[0])
    assert not np.allclose(other_s_1[1], plain[1], atol=1e-3)
    assert not np.allclose(alphas(model, b_start=0.3)[0], plain[0], atol=1e-3)


@each_that_looks
def test_T04_a_step_looks_before_it_renews_the_state(kind):
    model = load(kind)
    memory, s_0 = model.start(spell(["knight"]))
    s_1, context, weights = model.step(s_0, model.params["E_target"][[0]], memory)
    assert all(map(np.array_equal, model.look(s_0, memory), (context, weights)))
    assert not np.allclose(model.look(s_1, memory)[1], weights, atol=1e-3)


@each_kind
def test_gradients_of_the_whole_loss(kind):
    model, rng = tiny(kind), np.random.default_rng(1)
    source, target = as_arrays(PAIRS)
    assert (source == 0).any()
    assert (target[:, -2:] == 0).any()
    _, found = gradients(
        lambda p: loss(model.with_params(p), source, target), model.params
    )
    for name, param in model.params.items():
        places = rng.permutation(param.size)[:15]

        def f(array, name=name):
            return loss(model.with_params(model.params | {name: array}), source, target)

        expected = slopes(f, param, places)
        worst = np.abs(found[name].flat[places] - expected).max()
        assert worst < 1e-6 * np.abs(found[name]).max(), name


@each_kind
def test_the_loss_of_a_model_is_that_of_its_words_one_by_one(kind):
    model = tiny(kind)
    sizes = [len(phonemes) + 1 for _, phonemes in PAIRS]
    alone = [loss(model, *as_arrays([pair])) for pair in PAIRS]
    together = loss(model, *as_arrays(PAIRS))
    np.testing.assert_allclose(together, np.average(alone, weights=sizes), rtol=1e-12)


@each_kind
def test_greedy_stops_at_the_end_or_at_max_steps(kind):
    model, source = tiny(kind), spell(["cat", "be"])
    model.params["b_out"] = np.full(PHONEMES, -50.0)
    model.params["b_out"][0] = 50
    ids, weights = model.greedy(source, 7)
    assert ids.tolist() == [[0], [0]]
    assert weights.shape == (2, model.h, 1, 3)
    model.params["b_out"][[0, 7, PHONEMES - 1]] = -50, 50, 500
    assert model.greedy(source, 3)[0].tolist() == [[7] * 3] * 2


@each_kind
def test_every_phoneme_can_be_written_and_the_number_of_none_never_is(kind):
    model, source = tiny(kind), spell(["cat"])
    for number in range(1, PHONEMES - 1):
        model.params["b_out"] = np.full(PHONEMES, -50.0)
        model.params["b_out"][[number, PHONEMES - 1]] = 50, 500
        assert model.greedy(source, 2)[0].tolist() == [[number, number]]


@each_kind
def test_every_letter_and_every_phoneme_is_read_from_a_row_of_its_own(kind):
    model = tiny(kind)
    source, shown = np.arange(1, LETTERS)[None], np.arange(PHONEMES - 1)[None]
    _, found = gradients(
        lambda p: np.sum(model.with_params(p).logits(source, shown)[..., 3]),
        model.params,
    )
    letters, phonemes = (found[f"E_{side}"].any(-1) for side in ("source", "target"))
    assert letters.tolist() == [False] + [True] * (LETTERS - 1)
    assert phonemes.tolist() == [True] * (PHONEMES - 1) + [False]


@each_kind
def test_every_phoneme_has_scores_of_its_own(kind):
    model, shown = tiny(kind), np.zeros((1, 1), int)
    before = model.logits(spell(["cat"]), shown)[0, 0]
    for number in range(PHONEMES):
        bias = np.eye(PHONEMES)[number]
        other = model.with_params(
            model.params | {"b_out": model.params["b_out"] + bias}
        )
        moved = other.logits(spell(["cat"]), shown)[0, 0] - before
        np.testing.assert_allclose(moved, bias, atol=1e-12)


@each_kind
def test_the_last_letter_and_the_first_are_read(kind):
    model, shown = tiny(kind), np.array([[0, 5]])
    said = {word: model.logits(spell([word]), shown) for word in ("cat", "bat", "caz")}
    assert np.abs(said["cat"] - said["bat"]).max() > 1e-6
    assert np.abs(said["cat"] - said["caz"]).max() > 1e-6


@each_shipped_kind
def test_the_shipped_models_write_every_phoneme(kind):
    words = [word for word, _ in pronunciation("dev")] + ["vision", "television"]
    said = transcribe(load(kind), words)
    assert {phoneme for line in said for phoneme in line} == set(phoneme_names())


@pytest.mark.parametrize("kind", ["bahdanau", "multihead", "transformer"])
def test_the_last_phoneme_of_the_table_is_written_in_vision(kind):
    said = pronounce(load(kind), "vision").phonemes
    assert to_ipa(said) == ["v", "ɪ", "ʒ", "ə", "n"]


WRONG = {
    "list": [[1, 2]],
    "floats": np.ones((1, 2)),
    "booleans": np.ones((1, 2), bool),
    "one word": np.array([1, 2]),
    "3-D": np.ones((1, 1, 2), int),
    "empty": np.zeros((1, 0), int),
    "no words": np.zeros((0, 3), int),
    "negative": np.array([[1, -1]]),
    "too large": np.array([[1, 41]]),
    "text": np.array([["a"]]),
}


@each_kind
@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_what_is_no_table_of_numbers_is_refused(kind, wrong):
    model, fine = tiny(kind), np.array([[1, 2]])
    with pytest.raises(ValueError, match="source must be a 2-D array of integers"):
        model.logits(wrong, fine)
    with pytest.raises(ValueError, match="source must be a 2-D array of integers"):
        model.greedy(wrong, 3)
    with pytest.raises(ValueError, match="target_in must be a 2-D array of integers"):
        model.logits(fine, wrong)
    with pytest.raises(ValueError, match="ids must be a 2-D array"):
        check_numbers("ids", wrong, 41)


@each_kind
def test_targets_are_one_row_for_each_word(kind):
    with pytest.raises(ValueError, match="has 3 rows for 1 words"):
        tiny(kind).logits(np.array([[1, 2]]), np.zeros((3, 2), int))


@each_kind
@pytest.mark.parametrize("steps", [0, -1, 2.5, "3", None])
def test_max_steps_is_a_positive_integer(kind, steps):
    with pytest.raises(ValueError, match="max_steps must be an integer of at least 1"):
        tiny(kind).greedy(np.array([[1, 2]]), steps)


@each_kind
def test_N35_nothing_given_is_changed(kind):
    model, source, shown = tiny(kind), spell(MIXED), np.ones((4, 3), int)
    params = {name: param.copy() for name, param in model.params.items()}
    one = model.logits(source, shown), *model.greedy(source, 3)
    two = model.logits(source, shown), *model.greedy(source, 3)
    assert all(map(np.array_equal, one, two))
    assert np.array_equal(source, spell(MIXED))
    assert (shown == 1).all()
    assert all(np.array_equal(params[name], model.params[name]) for name in params)


def test_N08_weights_in_float32_stay_so():
    model = tiny("bahdanau", dtype=np.float32)
    assert softmax(model.logits(spell(["cat"]), np.zeros((1, 2), int))).dtype == "f4"
