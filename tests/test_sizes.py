"""What the calculator counts: arrays of these sizes, and products that were made."""

import numpy as np
import pytest

from mha_core import multi_head_attention
from mha_core.lab import as_good_heads, attention_costs, explore_sizes
from mha_core.lab.explorers.calculator import HEADS, PAPERS, WIDTHS
from mha_core.tables import load_relations_table

SIZES = [(7, 3, 2, 8, "float32"), (5, 1, 4, 8, "float64"), (9, 2, 1, 6, "float32")]


class Counted(np.ndarray):
    """An array whose products count their multiply-adds."""

    done = 0

    def __matmul__(self, other):
        one, other = np.asarray(self), np.asarray(other)
        product = one @ other
        Counted.done += product.size * one.shape[-1]
        return product.view(Counted)


def split(x, h):
    return np.asarray(x).reshape(*x.shape[:-1], h, -1).swapaxes(-2, -3).view(Counted)


def by_hand(X, W, h):
    """Return Q, K, V, the scores and the output of a layer, all products counted."""
    Q, K, V = (split(X @ w, h) for w in W[:3])
    scores = Q @ np.asarray(K).swapaxes(-1, -2)  # (B, h, T, T)
    heads = np.asarray(scores @ V).swapaxes(-2, -3)
    return Q, K, V, scores, heads.reshape(X.shape).view(Counted) @ W[3]


@pytest.mark.parametrize(("T", "batch", "h", "d_model", "dtype"), SIZES)
def test_costs_are_those_of_arrays_and_of_products(T, batch, h, d_model, dtype):
    X = np.ones((batch, T, d_model), dtype).view(Counted)
    W = np.ones((4, d_model, d_model), dtype)
    Counted.done = 0
    Q, K, V, scores, output = by_hand(X, W, h)
    costs = attention_costs(T, batch, h, d_model, dtype)
    assert costs["products"] == Counted.done
    assert costs["without projections"] == Counted.done - 4 * X.size * d_model
    assert costs["weights"] == W.nbytes
    assert costs["each matrix"] == W[0].size
    assert costs["parameters"] == W.size
    assert costs["X, Q, K, V, output"] == sum(x.nbytes for x in (X, Q, K, V, output))
    weights = multi_head_attention(np.asarray(X), *W, h)[1]
    assert costs["stored"] == weights.nbytes == scores.nbytes
    assert costs["d_k"] == Q.shape[-1]


def test_blocks_are_never_more_than_all_scores_and_grow_with_the_length_alone():
    for T in (1, 16, 127, 128, 129, 200, 4096):
        costs = attention_costs(T, 2, 4, 64)
        assert costs["in blocks"] <= costs["stored"]
        assert (costs["in blocks"] < costs["stored"]) == (T > 135)
    long = [attention_costs(T, 2, 4, 64)["in blocks"] for T in (1024, 2048, 4096)]
    assert long[2] - long[1] == 2 * (long[1] - long[0])
    assert attention_costs(4096, 2, 4, 64)["stored"] > 100 * long[2]


def test_head_counts_that_did_as_well_as_the_best():
    rows = load_relations_table()["grid"]
    for d_model in (16, 24, 32, 64):
        score = {
            h: np.mean(
                [r["accuracy"] for r in rows if r["d_model"] == d_model and r["h"] == h]
            )
            for h in range(1, d_model + 1)
            if d_model % h == 0
        }
        good = as_good_heads(d_model)
        assert max(score, key=score.get) in good
        assert min(score[h] for h in good) > max(score.values()) - 0.021
        assert all(
            score[h] < max(score.values()) - 0.019 for h in score if h not in good
        )
    assert as_good_heads(512) == []


def test_every_preset_is_offered_and_said(opened):
    view = opened(explore_sizes)
    for name, size in PAPERS.items():
        view.set(preset=name)
        assert size.items() <= view.values.items()
        assert f"d_k = {size['d_model'] // size['h']}." in view.message
    assert "Papers chose heads 64 to 128 wide." in view.message
    view.set(d_model=64, h=4)
    assert "best or as good: h = 4, 8" in view.message


def test_offers_are_all_that_divide(opened):
    view = opened(explore_sizes)
    for d_model in WIDTHS:
        view.set(d_model=d_model)
        offered = [h for h in view.controls["h"].options]
        assert offered == [h for h in HEADS if d_model % h == 0]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ((0, 1, 1, 4), "T"),
        ((4, 1.5, 1, 4), "batch"),
        ((4, 1, 3, 4), "h=3 does not divide"),
        ((4, 1, 2, 4, "int8"), "float16, float32, float64"),
    ],
)
def test_sizes_that_are_none_are_refused(wrong, said):
    with pytest.raises(ValueError, match=said):
        attention_costs(*wrong)
