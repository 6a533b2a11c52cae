import numpy as np
import pytest

from mha_core import lab
from mha_core.pretrained import load_relations
from mha_core.tasks import tagged_sentences


def test_by_hand():
    vectors = np.array([[0.0, 0.0], [2.0, 0.0], [4.0, 0.0], [6.0, 0.0]])
    assert lab.carried(vectors, np.array([0, 0, 1, 1])) == pytest.approx(16 / 20)
    assert lab.carried(vectors, np.array([0, 1, 1, 0])) == pytest.approx(0)
    assert lab.carried(vectors, np.arange(4)) == pytest.approx(1)
    assert lab.carried(vectors + 1e3, np.array([0, 0, 1, 1])) == pytest.approx(0.8)


def test_any_number_of_axes():
    rng = np.random.default_rng(0)
    labels = rng.integers(3, size=(5, 4))
    vectors = np.eye(3)[labels] + 0.1 * rng.standard_normal((5, 4, 3))
    flat = lab.carried(vectors.reshape(-1, 3), labels.ravel())
    assert lab.carried(vectors, labels) == pytest.approx(flat)
    assert 0.9 < flat < 1


@pytest.mark.parametrize("shape", [(3,), (4, 2), (2, 4), ()])
def test_one_label_for_each_vector(shape):
    with pytest.raises(ValueError, match="one for each vector"):
        lab.carried(np.ones((4, 5)), np.zeros(shape))


def test_vectors_that_are_all_the_same_carry_nothing():
    with pytest.raises(ValueError, match="must differ"):
        lab.carried(np.ones((4, 5)), np.arange(4))


def test_trained_keys_carry_tags_and_values_carry_words():
    layer = load_relations(64, 4)
    words, tags = tagged_sentences.sentences(np.random.default_rng(0), 200)
    p = layer.params
    X = p["E_word"][words] + p["E_tag"][tags] + p["E_place"]
    keys, values = X @ p["W_K"][:, 16:32], X @ p["W_V"][:, 16:32]
    assert lab.carried(keys, tags) > 0.6 > 0.2 > lab.carried(keys, words)
    assert lab.carried(values, words) > 0.9 > 0.1 > lab.carried(values, tags)
