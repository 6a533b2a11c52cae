"""Every classic bug as a switch: its loss, its heat map, its reach, its symptom."""

from mha_core._checks.sentences import sentence
from mha_core.lab.explorers.knobs import choice
from mha_core.lab.measure.bugs_at_work import CLASSIC_BUGS
from mha_core.lab.pictures.bugs_drawn import (
    bug_losses,
    bug_reach,
    bug_weights,
    trained_with,
)
from mha_core.lab.views import View

SHOWN = {
    "loss": sentence("loss in training"),
    "weights": sentence("weights after it"),
    "reach": sentence("who can see whom"),
}
DRAWN = {"loss": bug_losses, "weights": bug_weights, "reach": bug_reach}
PRESETS = {
    sentence("too good"): {"bug": "mask one late", "show": "loss"},
    sentence("nobody notices"): {"bug": "batch as heads", "show": "loss"},
    sentence("not a number"): {"bug": "empty rows", "show": "loss"},
}


def explore_bugs(bug="none", show="loss"):
    """Switch a classic bug on; see what a short training with it looked like.

    Parameters
    ----------
    bug : str
        A key of `mha_core.lab.CLASSIC_BUGS`.
    show : {"loss", "weights", "reach"}
        The loss in training beside that without the bug; the cross-attention after it;
        which outputs move when a token is changed.

    Returns
    -------
    View
        Controls ``bug`` and ``show``. The message says what a person would notice.
    """

    def compute(bug, show):
        return DRAWN[show](bug), symptom(bug)

    first = {"bug": bug, "show": show}
    called = "explore_bugs", {}
    return View(_controls(), compute, presets=PRESETS, called=called, first=first)


def symptom(bug):
    """Return what a person notices of a bug, or that there is nothing to notice.

    Parameters
    ----------
    bug : str
        A key of `mha_core.lab.CLASSIC_BUGS`.
    """
    row, right = trained_with(bug)
    if "stopped" in row:
        return sentence(
            "The training stops at the first step, at a loss that is no number; shown "
            "is what it should be."
        )
    return sentence(
        "Loss at the end {end:.2f}, phoneme error {error:.2f}; as it should be "
        "{right_end:.2f} and {right_error:.2f}. {noticed}",
        end=_mean(row["ends"]),
        error=_mean(row["errors"]),
        right_end=_mean(right["ends"]),
        right_error=_mean(right["errors"]),
        noticed=_noticed(row, right),
    )


def _noticed(row, right):
    """Return which symptom the numbers of a training are."""
    if row is right or row == right:
        return sentence("Nothing is wrong.")
    if min(row["errors"]) <= max(right["errors"]) * 1.1:
        return sentence("The error does not tell: only a test of the code can.")
    if max(row["ends"]) < min(right["ends"]):
        return sentence("Too good to be true: it learns to copy what it should guess.")
    return sentence("It learns, but less: it looks like a model that is too small.")


def _mean(values):
    return sum(values) / len(values)


def _controls():
    return {
        "bug": choice(
            CLASSIC_BUGS,
            sentence("bug"),
            sentence("The fault that the network was trained with."),
        ),
        "show": choice(
            SHOWN, sentence("picture"), sentence("Which picture of the bug is drawn.")
        ),
    }
