import numpy as np
import pytest

from mha_core import merge_heads, multi_head_attention, split_heads
from mha_core.blocks import encoder_block
from mha_core.lab import (
    cosines,
    encoder_reach,
    gradient_reach,
    influence,
    untrained_reach,
    without_attention,
)
from mha_core.pretrained import load
from mha_core.pronouncing import pronounce
from mha_core.tasks import pronunciation, spell
from small_models import slopes, tiny

RNG = np.random.default_rng(0)
X = RNG.standard_normal((4, 6))


def attend(causal):
    weights = np.random.default_rng(1).standard_normal((4, 6, 6))
    return lambda x: multi_head_attention(x, *weights, h=2, causal=causal)[0]


@pytest.mark.parametrize(
    ("f", "expected"),
    [
        (lambda x: x, np.eye(4)),
        (lambda x: x[::-1], np.eye(4)[::-1]),
        (lambda x: np.cumsum(x, axis=0), np.tri(4)),
        (lambda x: x.mean(axis=0, keepdims=True), np.ones((1, 4))),
        (lambda x: np.ones((3, 2)), np.zeros((3, 4))),
        (lambda x: x[1:] - x[:-1], np.eye(3, 4) + np.eye(3, 4, 1)),
        (attend(causal=False), np.ones((4, 4))),
        (attend(causal=True), np.tri(4)),
        (lambda x: merge_heads(split_heads(x, 3)), np.eye(4)),
    ],
)
def test_influence_shows_who_can_see_whom(f, expected):
    seen = influence(f, X)
    assert seen.dtype == bool
    assert np.array_equal(seen, expected)


def test_influence_shows_that_reshape_alone_mixes_tokens():
    seen = influence(lambda x: merge_heads(x.reshape(2, 4, 3)), X)
    expected = [[t // 2 == j or (4 + t) // 2 == j for j in range(4)] for t in range(4)]
    assert seen.tolist() == expected
    assert not seen[1, 1]


@pytest.mark.parametrize("tokens", [np.zeros((3, 2)), [[1, 2], [3, 4]], 1e9 * X])
def test_influence_sees_any_tokens(tokens):
    assert influence(lambda x: x, tokens).tolist() == np.eye(len(tokens)).tolist()


def test_N35_influence_leaves_the_tokens_alone():
    before = X.copy()
    influence(attend(causal=True), X)
    assert np.array_equal(X, before)


@pytest.mark.parametrize("tokens", [np.zeros(3), np.zeros((2, 3, 4)), np.zeros((0, 2))])
def test_influence_needs_one_sequence(tokens):
    with pytest.raises(ValueError, match=r"X must be of shape \(T_in, d_in\), but"):
        influence(lambda x: x, tokens)


def test_influence_sees_through_a_layer_norm_and_a_square():
    everybody = np.ones((3, 3), bool)
    block = {f"self W_{letter}": np.eye(4) for letter in "QKVO"}
    block |= {"think W_1": np.eye(4), "think b_1": np.zeros(4)}
    block |= {"think W_2": np.eye(4), "think b_2": np.zeros(4)}
    for part in ("self", "think"):
        block |= {f"{part} gain": np.ones(4), f"{part} shift": np.zeros(4)}

    def attend(x):
        return encoder_block(x[None], block, 1)[0][0]

    def squares(x):
        return np.sum(x * x, axis=0, keepdims=True) + 0 * x

    assert np.array_equal(influence(attend, np.zeros((3, 4))), everybody)
    for value in (-1.0, -3.0, 0.0):
        assert np.array_equal(influence(squares, np.full((3, 2), value)), everybody)


def test_a_function_that_writes_into_its_argument_does_no_harm():
    def doubled(x):
        x *= 2
        return x

    X = np.ones((3, 2))
    assert np.array_equal(influence(doubled, X), np.eye(3, dtype=bool))
    assert np.array_equal(X, np.ones((3, 2)))


def test_influence_needs_finite_numbers():
    with pytest.raises(ValueError, match="X must hold finite numbers"):
        influence(lambda x: x, np.array([[np.nan]]))


def test_rows_of_zeros_have_no_direction():
    with pytest.raises(ValueError, match="A row of zeros has no direction"):
        cosines(np.array([[0.0, 0.0], [1.0, 0.0]]))


def test_without_attention_a_word_without_letters_is_read_as_nothing():
    uniform = without_attention(tiny("bahdanau"))
    _, weights = uniform.greedy(np.array([[0, 0], [1, 2]]), 2)
    assert not weights[0].any() and np.allclose(weights[1], 0.5)


def test_gradient_reach_is_what_central_differences_find():
    inputs = RNG.standard_normal((2, 3, 2))
    W = RNG.standard_normal((2, 2))

    def f(x):
        mixed = np.tanh(x @ W)
        return np.sum(mixed[:, 0] * mixed[:, 1]) + np.sum(np.exp(x[:, 2]))

    gradient = slopes(f, inputs, range(inputs.size)).reshape(inputs.shape)
    expected = [np.linalg.norm(gradient[:, t], axis=-1).mean() for t in range(3)]
    np.testing.assert_allclose(gradient_reach(f, inputs), expected, rtol=1e-6)


def test_gradient_reach_is_zero_where_nothing_is_read():
    reach = gradient_reach(lambda x: np.sum(x[:, -1]), np.ones((3, 4, 2)))
    np.testing.assert_allclose(reach, [0, 0, 0, np.sqrt(2)])


def test_a_plain_network_fades_holds_or_explodes_with_its_gain():
    reach = {gain: untrained_reach("rnn", gain=gain, T=40) for gain in (0.8, 1.5, 2)}
    assert all(r.shape == (40,) and r[0] == 1 for r in reach.values())
    assert reach[0.8][30] < 1e-3
    assert all(np.diff(reach[0.8][::5]) < 0)
    assert 1e-2 < reach[1.5][30] < 1e2
    assert reach[2][30] > 10


def test_a_gru_reaches_further_only_if_its_gate_keeps():
    plain, kept = (untrained_reach("gru", keep=keep, T=40)[30] for keep in (0.0, 2.0))
    assert plain < 1e-3
    assert kept > 20 * plain


def test_untrained_reach_follows_its_seed():
    one, two, other = (untrained_reach("rnn", T=5, n=8, seed=s) for s in (1, 1, 2))
    assert np.array_equal(one, two)
    assert not np.allclose(one[1:], other[1:])


@pytest.mark.parametrize("cell", ["lstm", "", None])
def test_an_unknown_cell_is_refused(cell):
    with pytest.raises(ValueError, match="cell must be rnn or gru, not"):
        untrained_reach(cell)


@pytest.mark.parametrize("kind", ["last_state", "bahdanau"])
def test_each_direction_hears_its_own_end_best(kind):
    words = [word for word, _ in pronunciation("test") if len(word) == 15][:20]
    forward, backward = encoder_reach(load(kind), words)
    assert forward.shape == backward.shape == (15,)
    assert forward[-3:].mean() > 2 * forward[:3].mean()
    assert backward[:3].mean() > 2 * backward[-3:].mean()


def test_encoder_reach_is_what_central_differences_find():
    model, source = tiny("last_state"), spell(["cat", "dog"])
    letters = model.params["E_source"][source]  # (2, 3, 3)
    total = np.zeros((2, 2, 3))
    for half in range(2):
        for number in range(2 * half, 2 * half + 2):

            def f(x, end=half - 1, number=number):
                return np.sum(model.read(x, source > 0)[:, end, number])

            found = slopes(f, letters, range(letters.size)).reshape(letters.shape)
            total[half] += (found**2).sum(axis=-1)
    reach = encoder_reach(model, ["cat", "dog"])
    np.testing.assert_allclose(reach, np.sqrt(total).mean(axis=1), rtol=1e-6)


def test_encoder_reach_needs_words_of_one_length():
    with pytest.raises(ValueError, match="same number of letters"):
        encoder_reach(tiny("last_state"), ["cat", "be"])


def test_T15_uniform_weights_fall_on_letters_only():
    model = without_attention(load("bahdanau"))
    _, weights = model.greedy(spell(["cat", "catches"]), 5)
    assert weights.dtype == np.float32
    assert np.allclose(weights[0, :, :, :3], 1 / 3)
    assert (weights[0, :, :, 3:] == 0.0).all()
    assert np.allclose(weights[1], 1 / 7)


def test_uniform_weights_give_the_mean_of_the_states():
    trained = load("bahdanau")
    model, source = without_attention(trained), spell(["cat", "catches"])
    memory, state = model.start(source)
    context, _ = model.look(state, memory)
    states = trained.encode(source, source > 0)
    assert np.allclose(context[0], states[0, :3].mean(axis=0), atol=1e-6)
    assert np.allclose(context[1], states[1].mean(axis=0), atol=1e-6)


def test_without_its_attention_the_model_fails():
    trained = load("bahdanau")
    whole, broken = trained, without_attention(trained)
    words = ["administration", "conversation", "attention"]
    assert all(
        pronounce(whole, word).phonemes != pronounce(broken, word).phonemes
        for word in words
    )
    assert pronounce(trained, "knight").phonemes == ("N", "AY", "T")


def test_a_model_without_attention_has_none_to_replace():
    with pytest.raises(ValueError, match="kind last_state has no attention"):
        without_attention(load("last_state"))
