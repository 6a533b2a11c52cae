import numpy as np
import pytest

from mha_core import multi_head_attention, split_heads
from mha_core.lab import BUGS, explore_influence, influence
from mha_core.lab.measure.bugs import (
    buggy_attention,
    merge_by_reshape,
    split_by_reshape,
)

ALL = ["######"] * 6
TRIANGLE = ["#.....", "##....", "###...", "####..", "#####.", "######"]
# Rows are outputs, columns are changed tokens: 6 tokens, 8 features, 2 heads.
SEEN = {
    ("none", False): ALL,
    ("none", True): TRIANGLE,
    ("split and merge", False): ["###..."] * 3 + ["...###"] * 3,
    ("split and merge", True): [
        "#.....",
        "##....",
        "###...",
        "...#..",
        "...##.",
        "...###",
    ],
    ("merge", False): ALL,
    ("merge", True): ["##....", "####..", "######"] * 2,
    ("split", False): ALL,
    ("split", True): ["#..#..", "#..#..", "##.##.", "##.##.", "######", "######"],
    ("mask upside down", False): ALL,
    ("mask upside down", True): [
        "######",
        ".#####",
        "..####",
        "...###",
        ".....#",  # one key is left: its weight is 1, whatever the query
        "......",
    ],
    ("mask one late", False): ALL,
    ("mask one late", True): [
        "##....",
        "###...",
        "####..",
        "#####.",
        "######",
        "######",
    ],
}


@pytest.fixture(params=range(3))
def layer(request):
    """Random tokens, and the four matrices of a layer."""
    rng = np.random.default_rng(request.param)
    return rng.standard_normal((6, 8)), rng.standard_normal((4, 8, 8))


def seen(X, weights, bug, causal):
    """Return who can see whom, one text per output."""

    def f(x):
        return buggy_attention(x, weights, 2, bug=bug, causal=causal)[0]

    return ["".join(".#"[flag] for flag in row) for row in influence(f, X).astype(int)]


def test_every_bug_has_its_pattern():
    assert {bug for bug, _ in SEEN} == set(BUGS)


@pytest.mark.parametrize(("bug", "causal"), SEEN)
def test_who_can_see_whom(bug, causal, layer):
    assert seen(*layer, bug, causal) == SEEN[bug, causal]


def test_the_explorer_shows_the_bug_and_the_mask_that_are_chosen():
    view = explore_influence()
    for (bug, causal), rows in SEEN.items():
        view.set(bug=bug, causal=causal)
        assert f"# is seen: {' '.join(rows)}." in view.picture.sentence
        future = sum(row[i + 1 :].count("#") for i, row in enumerate(rows))
        assert f"; {future} of 15 future tokens" in view.message
    view.close()


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("bug", BUGS)
def test_all_have_the_right_shapes(bug, causal, layer):
    output, weights = buggy_attention(*layer, 2, bug=bug, causal=causal)
    assert output.shape == (6, 8)
    assert weights.shape == (2, 6, 6)
    sums = weights.sum(axis=-1)
    hidden = bug == "mask upside down" and causal
    assert np.allclose(sums[:, :-1], 1)
    assert np.allclose(sums[:, -1], 0 if hidden else 1)


@pytest.mark.parametrize("causal", [False, True])
def test_without_a_bug_it_is_multi_head_attention(causal, layer):
    X, weights = layer
    ours = multi_head_attention(X, *weights, 2, causal=causal)
    for found, right in zip(
        buggy_attention(X, weights, 2, causal=causal), ours, strict=True
    ):
        assert np.array_equal(found, right)


@pytest.mark.parametrize("bug", [bug for bug in BUGS if bug != "none"])
def test_each_bug_changes_the_output(bug, layer):
    causal = bug.startswith("mask")
    right, _ = buggy_attention(*layer, 2, causal=causal)
    wrong, _ = buggy_attention(*layer, 2, bug=bug, causal=causal)
    assert not np.allclose(wrong, right)


def test_N11_a_split_by_reshape_cuts_the_sequence():
    small = np.arange(12).reshape(3, 4)
    wrong = [[[0, 1], [2, 3], [4, 5]], [[6, 7], [8, 9], [10, 11]]]
    assert split_by_reshape(small, 2).tolist() == wrong
    right = [[[0, 1], [4, 5], [8, 9]], [[2, 3], [6, 7], [10, 11]]]
    assert split_heads(small, 2).tolist() == right


def test_N12_a_merge_by_reshape_mixes_the_positions():
    heads = np.array([[[1, 2], [3, 4]], [[5, 6], [7, 8]]])
    assert merge_by_reshape(heads).tolist() == [[1, 2, 3, 4], [5, 6, 7, 8]]


def test_an_unknown_bug_is_refused_with_those_there_are(layer):
    with pytest.raises(ValueError, match="bug must be one of none, split.*not 'mask'"):
        buggy_attention(*layer, 2, bug="mask")


def test_heads_that_do_not_divide_the_width_are_refused(layer):
    with pytest.raises(ValueError, match="h=3 does not divide d_model=8"):
        split_by_reshape(layer[0], 3)
    with pytest.raises(ValueError, match="h=3 does not divide d_model=8"):
        buggy_attention(*layer, 3, bug="split")
