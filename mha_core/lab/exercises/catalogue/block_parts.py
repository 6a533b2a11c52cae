"""The block as a formula: its own slips and those of its parts."""

from mha_core.lab.exercises.catalogue.many_heads import CRASHES, INSIDE, SPLITS
from mha_core.lab.exercises.catalogue.merging import AFTER
from mha_core.lab.exercises.catalogue.normalising import NORMALISING
from mha_core.lab.exercises.catalogue.stacking import AROUND, STEPS, attend, norm
from mha_core.lab.exercises.stepwise import Formula, Slip, drawn


def _in_both_norms(way):
    """Return the ways to make a slip of layer norm: in both of them, or in one."""
    first = {"normal": lambda a: norm(a, a.x, "self", way)}
    second = {"again": lambda a: norm(a, a.added, "think", way)}
    return first | second, first, second


def _in_attention(way):
    return {"seen": lambda a: attend(a, a.normal, way)}


def weights(T, h, d_k, d_ff):
    """Return x, the weights of a block by name, and h."""
    d = h * d_k
    x, *matrices = drawn((T, d), *4 * [(d, d)], (d, d_ff), (d_ff, d), *5 * [d], d_ff)
    names = ["self W_Q", "self W_K", "self W_V", "self W_O", "think W_1", "think W_2"]
    vectors = ["self gain", "self shift", "think gain", "think shift", "think b_2"]
    names += [*vectors, "think b_1"]
    x[-1] *= 0.003
    return x, dict(zip(names, matrices, strict=True)), h


BLOCK = Formula(
    inputs="x p h",
    steps=STEPS,
    slips=AROUND,
    rare=(
        *(
            Slip(each.said, sum(map(_in_both_norms, each.ways), ()))
            for each in NORMALISING
        ),
        *(
            Slip(each.said, tuple(map(_in_attention, each.ways)))
            for each in (*SPLITS, *INSIDE[:-1], *AFTER)
        ),
    ),
    crashes=(
        *(
            Slip(each.said, sum(map(_in_both_norms, each.ways), ()))
            for each in NORMALISING
            if "keepdims" in each.said
        ),
        *(Slip(each.said, tuple(map(_in_attention, each.ways))) for each in CRASHES),
    ),
    draw=weights,
    sizes=((3, 2, 2, 5), (4, 3, 2, 4), (5, 2, 3, 7)),
)
