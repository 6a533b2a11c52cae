"""What a classic bug does: the loss of a training with it, its weights, its reach."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.measure.bugs_at_work import CLASSIC_BUGS, LENGTH, H, T, moved_by
from mha_core.lab.pictures import bars, head_grid, influence_map, lines
from mha_core.tables import load_classic_bugs
from mha_core.tasks import pronunciation, to_ipa

PADDING = "·"
SOME = "none", "split", "mask one late", "no scale", "no positions"


def trained_with(bug):
    """Return what was measured of short trainings with a bug, and of those without.

    Parameters
    ----------
    bug : str
        A key of `CLASSIC_BUGS`.

    Returns
    -------
    (dict, dict)
        Rows of `load_classic_bugs`.
    """
    if bug not in CLASSIC_BUGS:
        what = {"bugs": ", ".join(CLASSIC_BUGS), "bug": bug}
        raise ValueError(sentence("bug must be one of {bugs}, not {bug!r}.", **what))
    rows = load_classic_bugs()["bugs"]
    return rows[bug], rows["none"]


def bug_losses(bug):
    """Return the loss in training with a bug beside that without it, as curves."""
    row, right = trained_with(bug)
    series = {CLASSIC_BUGS["none"]: right["losses"]}
    if bug != "none" and "losses" in row:
        series[sentence("with the bug")] = row["losses"]
    every = load_classic_bugs()["every"]
    return lines(
        [every * (n + 1) for n in range(len(right["losses"]))],
        series,
        title=sentence("Loss in training: {bug}", bug=CLASSIC_BUGS[bug]),
        x_name=sentence("steps"),
        y_name=sentence("loss, nats for each sound"),
        limits=(0, 4),
    )


def bug_weights(bug, title=None):
    """Return the cross-attention of a network trained with a bug, head by head.

    Its rows are the true sounds of a held-out word that is read beside a longer one;
    without numbers, those of the network without it.
    """
    row, right = trained_with(bug)
    bug = bug if "weights" in row else "none"
    weights = np.array(row.get("weights", right["weights"]))  # (h, T_q, T_k)
    word = load_classic_bugs()["words"][0]
    sounds = [*to_ipa(dict(pronunciation("test"))[word]), "end"]
    letters = [*word] + [PADDING] * (weights.shape[-1] - len(word))
    names = {"query_name": "phoneme", "key_name": sentence("letter, · is padding")}
    if np.abs(weights.sum(axis=-1) - 1).max() > 0.01:
        names["value_name"] = sentence("weight; rows do not sum to 1")
    what = {"word": word, "bug": CLASSIC_BUGS[bug]}
    title = title or sentence("“{word}”, trained for a short time: {bug}", **what)
    return head_grid(weights, sounds, letters, title=title, **names)


def bug_reach(bug):
    """Return who can see whom with a bug, among four tokens and two of padding."""
    moved = moved_by(bug)
    bug, moved = ("none", moved_by("none")) if moved is None else (bug, moved)
    tokens = [*"abcd"[:LENGTH]] + [PADDING] * (T - LENGTH)
    title = sentence("untrained, h {h}, causal: {bug}", h=H, bug=CLASSIC_BUGS[bug])
    return influence_map(moved, tokens, title=title)


def bug_errors(*bugs):
    """Return the phoneme errors of short trainings with some bugs, as bars.

    Parameters
    ----------
    *bugs : str
        Keys of `CLASSIC_BUGS`; what stops at the first step has no error.

    Returns
    -------
    Picture
        On held-out words; means over three seeds, whiskers their range.
    """
    rows = {bug: trained_with(bug)[0] for bug in bugs or SOME}
    for bug, row in rows.items():
        if "stopped" in row:
            raise ValueError(
                sentence("{bug} has no error: its training stops at once.", bug=bug)
            )
    errors = np.array([row["errors"] for row in rows.values()])  # (bugs, seeds)
    name = sentence("phoneme error")
    return bars(
        list(rows),
        {name: errors.mean(axis=1)},
        spread={name: (errors.min(axis=1), errors.max(axis=1))},
        title=sentence("Short trainings with a bug"),
        x_name=sentence("bug"),
        y_name=name,
        limits=(0, 2),
    )
