import numpy as np
import pytest

import mha_core.models.transformer
from mha_core._checks.ids import check_rows
from mha_core.blocks import decoder_block, encoder_block, layer_norm, positions
from mha_core.models import PHONEMES, Transformer
from mha_core.models.initial import initial
from mha_core.tasks import spell
from small_models import tiny

SOURCE = spell(["cat", "knight", "queues"])  # (3, 6)
SHOWN = np.random.default_rng(0).integers(0, 40, (3, 5))


@pytest.fixture(scope="module")
def model():
    """A Transformer of the usual size, untrained, in float64."""
    made = initial("transformer", np.random.default_rng(0))
    return made.with_params({k: v.astype(float) for k, v in made.params.items()})


def test_the_number_of_parameters(model):
    params, d, d_ff = model.params, 48, 64
    norm, look, think = 2 * d, 4 * d * d, 2 * d * d_ff + d_ff + d
    encoder, decoder = 2 * norm + look + think, 3 * norm + 2 * look + think
    embeddings, out = (27 + 41) * d, d * 41 + 41
    total = 2 * (encoder + decoder) + 2 * norm + embeddings + out
    assert sum(p.size for p in params.values()) == total == 86745


def block(model, name):
    return {
        key.removeprefix(f"{name} "): array
        for key, array in model.params.items()
        if key.startswith(f"{name} ")
    }


def test_the_whole_model_by_hand():
    model = tiny("transformer")
    p, mask = model.params, (SOURCE > 0)[:, None]  # (3, 1, 6)
    memory = p["E_source"][SOURCE] + positions(6, 8)
    for name in ("encoder 0", "encoder 1"):
        memory, _ = encoder_block(memory, block(model, name), 4, mask)
    memory = layer_norm(memory, p["encoder gain"], p["encoder shift"])
    x = p["E_target"][SHOWN] + positions(5, 8)
    for name in ("decoder 0", "decoder 1"):
        x, *_ = decoder_block(x, memory, block(model, name), 4, mask)
    x = layer_norm(x, p["decoder gain"], p["decoder shift"])
    expected = x @ p["W_out"] + p["b_out"]
    np.testing.assert_allclose(model.encode(SOURCE, SOURCE > 0), memory, rtol=1e-12)
    np.testing.assert_allclose(model.logits(SOURCE, SHOWN), expected, rtol=1e-12)


def test_step_by_step_gives_what_teacher_forcing_gives(model):
    at_once, looked = model.logits(SOURCE, SHOWN), model.attention(SOURCE, SHOWN)
    for t in range(1, 6):
        logits = model.logits(SOURCE, SHOWN[:, :t])
        np.testing.assert_allclose(logits, at_once[:, :t], rtol=0, atol=1e-6)
        weights = model.attention(SOURCE, SHOWN[:, :t])
        for name in ("decoder 0 cross", "decoder 1 cross"):
            here = looked[name][:, :, :t]
            np.testing.assert_allclose(weights[name], here, rtol=0, atol=1e-6)


@pytest.mark.parametrize("t", range(5))
def test_a_later_phoneme_moves_no_earlier_output(model, t):
    other = SHOWN.copy()
    other[:, t] = (other[:, t] + 7) % 40
    before, after = model.logits(SOURCE, SHOWN), model.logits(SOURCE, other)
    assert np.array_equal(before[:, :t], after[:, :t])
    assert (np.abs(before - after)[:, t:].max(axis=-1) > 1e-3).all()


def test_padding_changes_no_output(model):
    logits, looked = model.logits(SOURCE, SHOWN), model.attention(SOURCE, SHOWN)
    states = model.encode(SOURCE, SOURCE > 0)
    cat = SOURCE[:1, :3]
    alone, alone_looked = model.logits(cat, SHOWN[:1]), model.attention(cat, SHOWN[:1])
    np.testing.assert_allclose(logits[:1], alone, rtol=0, atol=1e-6)
    np.testing.assert_allclose(states[:1, :3], model.encode(cat, cat > 0), 0, 1e-6)
    for name, weights in alone_looked.items():
        T_q, T_k = weights.shape[-2:]
        here = looked[name][:1, :, :T_q]
        np.testing.assert_allclose(here[..., :T_k], weights, rtol=0, atol=1e-6)
        assert (here[..., T_k:] == 0.0).all()


def test_what_stands_at_padding_does_not_matter(model):
    changed = model.params | {"E_source": model.params["E_source"].copy()}
    changed["E_source"][0] += 5
    other = model.with_params(changed)
    found = other.logits(SOURCE, SHOWN), model.logits(SOURCE, SHOWN)
    np.testing.assert_allclose(*found, rtol=0, atol=1e-6)


def test_without_positions_the_encoder_does_not_see_the_order(model, monkeypatch):
    order = np.random.default_rng(1).permutation(6)
    source = spell(["knight"])

    def both():
        states = model.encode(source, source > 0)
        moved = model.encode(source[:, order], source > 0)
        return moved, states[:, order]

    moved, expected = both()
    assert np.abs(moved - expected).max() > 0.1
    monkeypatch.setattr(
        mha_core.models.transformer, "positions", lambda *s: np.zeros(s)
    )
    np.testing.assert_allclose(*both(), rtol=0, atol=1e-9)
    anagram = model.logits(spell(["thingk"]), SHOWN[:1])
    np.testing.assert_allclose(anagram, model.logits(source, SHOWN[:1]), 0, 1e-9)


def test_greedy_writes_what_teacher_forcing_finds_likeliest(model):
    b_out = np.zeros(PHONEMES)
    b_out[[0, -1]] = 0.5, 50  # words end, and not together; the last is no phoneme
    model = model.with_params(model.params | {"b_out": b_out})
    ids, weights = model.greedy(SOURCE, 9)
    shown = np.pad(ids, [(0, 0), (1, 0)])[:, :-1]
    likeliest = model.logits(SOURCE, shown)[..., : PHONEMES - 1].argmax(axis=-1)
    written = np.cumsum(ids == 0, axis=1) <= 1
    assert np.array_equal(ids[written], likeliest[written])
    assert (ids[~written] == 0).all()
    assert len(np.unique(ids)) > 2
    assert sorted(written.sum(axis=1)) == [4, 6, 9]
    looked = model.attention(SOURCE, shown)["decoder 1 cross"]
    np.testing.assert_allclose(weights, looked, rtol=0, atol=1e-6)


def test_attention_by_name(model):
    looked = model.attention(SOURCE, SHOWN)
    shapes = {name: weights.shape for name, weights in looked.items()}
    encoders = {f"encoder {i}": (3, 4, 6, 6) for i in (0, 1)}
    own = {f"decoder {i} self": (3, 4, 5, 5) for i in (0, 1)}
    cross = {f"decoder {i} cross": (3, 4, 5, 6) for i in (0, 1)}
    assert shapes == encoders | own | cross
    for name, weights in looked.items():
        assert np.allclose(weights.sum(axis=-1), 1)
        assert weights.min() >= 0
        if name.endswith("self"):
            assert (weights[..., ~np.tri(5, dtype=bool)] == 0.0).all()


@pytest.mark.parametrize("h", [1, 2, 12])
def test_other_numbers_of_heads(model, h):
    other = Transformer(model.params, h)
    assert other.with_params(model.params).h == h
    assert other.greedy(SOURCE, 2)[1].shape == (3, h, 2, 6)
    far = np.abs(other.logits(SOURCE, SHOWN) - model.logits(SOURCE, SHOWN))
    assert far.max() > 0.01


def test_words_longer_than_any_in_training_are_read(model):
    source = spell(["antidisestablishmentarianism" + "z" * 12])  # (1, 40)
    assert model.encode(source, source > 0).shape == (1, 40, 48)
    assert np.isfinite(model.logits(source, np.zeros((1, 45), int))).all()


@pytest.mark.parametrize("wrong", [[[1, 2]], np.array([[-1]]), np.array([[41]])])
def test_attention_refuses_what_is_no_table_of_numbers(model, wrong):
    with pytest.raises(ValueError, match="source must be a 2-D array of integers"):
        model.attention(wrong, SHOWN[:1])
    with pytest.raises(ValueError, match="target_in must be a 2-D array of integers"):
        model.attention(SOURCE[:1], wrong)
    with pytest.raises(ValueError, match="has 3 rows for 2 words"):
        model.attention(SOURCE[:2], SHOWN)
    with pytest.raises(ValueError, match="has 2 rows for 3 words"):
        check_rows(SOURCE, SHOWN[:2])


def test_N08_weights_in_float32_stay_so():
    model = initial("transformer", np.random.default_rng(0))
    looked = model.attention(SOURCE, SHOWN).values()
    assert {weights.dtype for weights in looked} == {np.dtype("float32")}
    assert model.logits(SOURCE, SHOWN).dtype == np.float32
