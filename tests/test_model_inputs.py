"""Models refuse ids that they do not know, and stay quiet where products warn."""

import inspect
import warnings

import numpy as np
import pytest

from mha_core.models import KINDS, LETTERS, PHONEMES, Model
from mha_core.models.four_relations import untrained
from mha_core.models.initial import initial
from mha_core.models.seq2seq import recurrent_shapes
from mha_core.pretrained import load, load_relations
from mha_core.pronouncing import pronounce
from mha_core.tasks import as_arrays, spell
from mha_core.tasks.tagged_sentences import TAGS, WORDS, sentences
from small_models import tiny

each_kind = pytest.mark.parametrize("kind", KINDS)
SOURCE, TARGET = as_arrays([("knight", ("N", "AY", "T")), ("cat", ("K", "AE", "T"))])


class Stray(np.ndarray):
    """Arrays whose products raise flags that mean nothing, as some libraries' do."""

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        plain = [np.asarray(x) if isinstance(x, Stray) else x for x in inputs]
        kwargs.pop("out", None)
        result = getattr(ufunc, method)(*plain, **kwargs)
        if ufunc is np.matmul:
            np.divide(1.0, np.zeros(1))
        return result.view(Stray) if result.dtype.kind == "f" else result


def stray(model):
    params = {name: p.view(Stray) for name, p in model.params.items()}
    return model.with_params(params)


@pytest.fixture(autouse=True)
def warnings_are_errors():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def test_stray_products_warn_where_nobody_cares():
    with pytest.raises(RuntimeWarning):
        np.ones((2, 2)).view(Stray) @ np.ones((2, 2))


@each_kind
def test_R8_models_stay_quiet(kind):
    model, quiet = tiny(kind), stray(tiny(kind))
    for name, given in [
        ("encode", (SOURCE, SOURCE > 0)),
        ("logits", (SOURCE, TARGET)),
        ("greedy", (SOURCE, 4)),
    ]:
        right, ours = (getattr(m, name)(*given) for m in (model, quiet))
        pairs = zip(right, ours, strict=True) if name == "greedy" else [(right, ours)]
        for a, b in pairs:
            np.testing.assert_allclose(np.asarray(a), np.asarray(b))
    assert pronounce(quiet, "knight").letters == tuple("knight")


@pytest.mark.parametrize("kind", ["last_state", "bahdanau", "multihead"])
def test_R8_single_steps_stay_quiet(kind):
    model = stray(tiny(kind))
    memory, state = model.start(SOURCE)
    previous = model.params["E_target"][np.zeros(2, int)]
    state, context, _ = model.step(state, previous, memory)
    assert model.read_out(state, context).shape == (2, 41)


def test_R8_the_relations_stay_quiet():
    layer = stray(untrained(16, 4, np.random.default_rng(0)))
    words, tags = sentences(np.random.default_rng(0), 2)
    assert layer.logits(words, tags).shape == (2, 12, 4, WORDS)


WRONG = [np.array([[-1, 2]]), np.array([[27, 1]]), np.array([1, 2]), [[1, 2]]]
WRONG += [np.zeros((1, 2)), np.zeros((1, 0), int), None]


@each_kind
@pytest.mark.parametrize("wrong", WRONG, ids=range(len(WRONG)))
def test_R6_letters_that_no_model_knows(kind, wrong):
    model = tiny(kind)
    for call in (
        lambda: model.encode(wrong, np.ones((1, 2), bool)),
        lambda: model.logits(wrong, np.zeros((1, 2), int)),
        lambda: model.greedy(wrong, 3),
    ):
        with pytest.raises(ValueError, match="source must be .* from 0 to 26"):
            call()


@each_kind
@pytest.mark.parametrize("wrong", [np.array([[-1]]), np.array([[41]]), np.array([1])])
def test_R6_phonemes_that_no_model_knows(kind, wrong):
    with pytest.raises(ValueError, match="target_in must be .* from 0 to 40"):
        tiny(kind).logits(spell(["at"]), wrong)


@each_kind
@pytest.mark.parametrize("mask", [None, np.ones((1, 3), bool), np.ones((1, 2))])
def test_R6_masks_of_other_letters(kind, mask):
    with pytest.raises(ValueError, match=r"mask must hold True or False .* \(1, 2\)"):
        tiny(kind).encode(spell(["at"]), mask)


def with_first(array, value):
    array = array.copy()
    array.flat[0] = value
    return array


@pytest.mark.parametrize("method", ["attend", "logits"])
@pytest.mark.parametrize("name, count", [("words", WORDS), ("tags", TAGS)])
def test_R6_words_and_tags_that_no_layer_knows(method, name, count):
    layer = load_relations(64, 4)
    drawn = sentences(np.random.default_rng(0), 2)
    good = dict(zip(("words", "tags"), drawn, strict=True))
    spoiled = [with_first(good[name], -1), with_first(good[name], count)]
    spoiled += [good[name][:, :11], np.pad(good[name], [(0, 0), (0, 1)])]
    for wrong in spoiled:
        with pytest.raises(ValueError, match=f"{name} must be .* 0 to {count - 1}.*12"):
            getattr(layer, method)(**good | {name: wrong})
    with pytest.raises(ValueError, match="one row for each"):
        getattr(layer, method)(good["words"], good["tags"][:1])


def test_shapes_of_a_kind_are_those_of_its_parameters():
    for kind, record in KINDS.items():
        params = initial(kind, np.random.default_rng(0)).params
        shapes = record.shapes(LETTERS, PHONEMES, **record.sizes)
        assert {name: p.shape for name, p in params.items()} == shapes
    some = recurrent_shapes(3, 4, 5, 6)
    assert some["E_source"] == (3, 5) and some["U_decoder"] == (12, 36)


def test_a_size_that_no_kind_has():
    with pytest.raises(ValueError, match="sizes may be d, d_a, d_ff, n, not width"):
        initial("bahdanau", np.random.default_rng(0), width=3)


@each_kind
def test_every_kind_has_the_face_of_a_model(kind):
    model = KINDS[kind].model
    for name in ("with_params", "encode", "logits", "greedy"):
        asked = inspect.signature(getattr(Model, name)).parameters
        assert list(inspect.signature(getattr(model, name)).parameters) == list(asked)
    assert model.kind == kind and load(kind).h == tiny(kind).h
