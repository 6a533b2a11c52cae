"""Which letters move a sound, beside what is weighed."""

import numpy as np
import pytest

from mha_core.lab import (
    follow_true_sounds,
    gradient_shares,
    letter_gradients,
    near_bars,
    weight_and_gradient,
)
from mha_core.lab.measure.letter_gradients import at_the_strongest, near_the_line
from mha_core.models import KINDS
from mha_core.pretrained import load, load_evidence
from mha_core.tasks import as_arrays, pronunciation
from small_models import tiny

PAIRS = [("phone", ("F", "OW", "N")), ("chain", ("CH", "EY", "N"))]
SHIPPED = load_evidence()["gradients"]


@pytest.mark.parametrize("kind", KINDS)
def test_they_are_what_central_differences_find(kind):
    model = tiny(kind)
    found = letter_gradients(model, PAIRS)
    assert found.shape == (2, 3, 5)
    source, target = as_arrays(PAIRS)
    target_in = np.pad(target, [(0, 0), (1, 0)])[:, :3]
    table = model.params["E_source"]

    def score(moved, word, i):
        own = np.concatenate([table, moved])  # letters of this word from the end
        ids = np.arange(len(table), len(table) + 5)[None]
        other = model.with_params(model.params | {"E_source": own})
        row = other.logits(ids, target_in[word : word + 1])[0, i]
        return row[target[word, i]] - row.mean()

    for word, i, j in [(0, 0, 0), (1, 2, 3), (0, 1, 4)]:
        slope, letters = [], table[source[word]]
        for n in range(letters.shape[1]):
            ends = [letters.copy(), letters.copy()]
            ends[0][j, n] += 1e-5
            ends[1][j, n] -= 1e-5
            slope.append(np.subtract(*(score(e, word, i) for e in ends)) / 2e-5)
        assert found[word, i, j] == pytest.approx(np.linalg.norm(slope), rel=1e-5)


def test_words_must_be_of_one_size():
    for other in [("a", ("AH", "B", "T")), ("seven", ("S", "EH", "V", "AH", "N"))]:
        with pytest.raises(ValueError, match="as many letters, and as many sounds"):
            letter_gradients(tiny("bahdanau"), [PAIRS[0], other])


def test_shares_of_a_row_sum_to_one():
    model = load("bahdanau")
    shares, norms = (f(model, PAIRS) for f in (gradient_shares, letter_gradients))
    np.testing.assert_allclose(shares.sum(axis=-1), 1, rtol=1e-5)
    ratios = shares / norms
    np.testing.assert_allclose(ratios, np.repeat(ratios[..., :1], 5, -1), rtol=1e-5)


def test_near_is_the_letter_as_far_in_the_word_and_those_beside_it():
    shares = np.zeros((1, 2, 6))
    shares[0, 0, [0, 3]] = 0.9, 0.1  # the first sound is at letter 1
    shares[0, 1, [1, 4]] = 0.5, 0.5  # the second at letter 4
    assert near_the_line(shares) == pytest.approx((0.9 + 0.5) / 2)


def test_the_strongest_letter_has_its_weight_and_its_share():
    shares = np.array([[[0.2, 0.8], [0.3, 0.7]]])
    weights = np.array([[[0.9, 0.1], [0.4, 0.6]]])
    assert at_the_strongest(shares, weights) == pytest.approx((0.75, 0.45))


def test_they_are_measured_again():
    sizes = SHIPPED["letters"], SHIPPED["sounds"]
    test = pronunciation("test")
    some = [p for p in test if (len(p[0]), len(p[1])) == sizes]
    assert len(some) == SHIPPED["words"]
    for kind in ("last_state", "bahdanau"):
        model, row = load(kind), SHIPPED["kinds"][kind]
        shares = gradient_shares(model, some)
        assert near_the_line(shares) == pytest.approx(row["near"], abs=2e-3)
        weights = np.stack(follow_true_sounds(model, some)[1])
        again = [at_the_strongest(shares, weights[:, h]) for h in range(model.h)]
        np.testing.assert_allclose(again, row["strongest"], atol=2e-3)


def test_the_strongest_letter_does_not_decide_alone():
    weight, share = weight_and_gradient().array
    assert (weight > 0.7).all()
    assert (share < 0.3).all()
    heads = SHIPPED["kinds"]["multihead"]["strongest"]
    assert weight[1] == pytest.approx(np.mean(heads, axis=0)[0])


def test_attention_brings_the_gradient_near():
    near = near_bars().array[0]
    assert near.tolist() == [row["near"] for row in SHIPPED["kinds"].values()]
    assert 3 / 12 < near[0] < 0.4 < 0.5 < near[1:].min()
