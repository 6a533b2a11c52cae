"""What heads are worth: errors without some of them, and where they agree."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.pictures import bars
from mha_core.pretrained import load_evidence


def knockout_bars():
    """Return the phoneme error of the network with four heads, without some of them.

    Returns
    -------
    Picture
        A bar for each subset of the heads that is taken out, on all held-out words.
    """
    found = load_evidence()
    outs, errors = zip(*found["knocked out"], strict=True)
    return bars(
        [_out(out) for out in outs],
        {"phoneme error": errors},
        title=sentence("Heads taken out of the trained network"),
        x_name="heads that are out",
        y_name="phoneme error",
        limits=(0, 1),
        sentence=_lost(found),
    )


def agreement_bars():
    """Return how often heads weigh the same letter most as a head elsewhere does.

    Returns
    -------
    Picture
        For each of the four heads: with the single additive head; with the other three
        on average; and with a straight line from the first letter to the last, which
        learned nothing. Over all sounds of the held-out words.
    """
    found = load_evidence()["agreement"]
    shares = np.array(found["shares"])  # (1 + h + 1, 1 + h + 1)
    h = len(shares) - 2
    among = shares[1:-1, 1:-1]
    return bars(
        _heads(h),
        {
            sentence("additive head"): shares[0, 1:-1],
            sentence("the other heads"): (among.sum(axis=0) - 1) / (h - 1),
            sentence("straight line"): shares[-1, 1:-1],
        },
        title=sentence("How often a head has the same strongest letter as"),
        y_name=sentence("share of {sounds:,} sounds", sounds=found["sounds"]),
        limits=(0, 1),
        sentence=_agreed(shares),
    )


def part_knockouts():
    """Return the error of the Transformer without heads, for each of its attentions.

    Returns
    -------
    Picture
        Without each head, and without all four of the attention.
    """
    found = load_evidence()["transformer heads"]
    whole = found["whole"]
    parts = [part for part in found if part != "whole"]
    errors = np.array([found[part] for part in parts])  # (parts, h + 1)
    names = [*_heads(errors.shape[1] - 1), sentence("all of them")]
    return bars(
        [_short(part) for part in parts],
        dict(zip(names, errors.T, strict=True)),
        title=sentence("Transformer, error {whole:.3f}, without heads", whole=whole),
        x_name="attention",
        y_name="phoneme error",
        sentence=_spared(whole, errors[:, :-1], errors[:, -1]),
    )


def _short(part):
    side, layer, kind = part.split()
    return f"{kind if kind == 'cross' else side} {layer}"


def _heads(count):
    return [sentence("head {head}", head=head) for head in range(count)]


def _out(out):
    return "".join(map(str, out)) or sentence("none")


def _lost(found):
    by_count = {}
    for out, error in found["knocked out"]:
        by_count.setdefault(len(out), []).append(error)
    one, two = by_count[1], by_count[2]
    return sentence(
        "Phoneme error on {words:,} held-out words: {whole:.3f} with all heads, "
        "{one_low:.3f} to {one_high:.3f} without one of them, {two_low:.3f} to "
        "{two_high:.3f} without two, {none:.3f} without any.",
        words=found["words"],
        whole=by_count[0][0],
        one_low=min(one),
        one_high=max(one),
        two_low=min(two),
        two_high=max(two),
        none=by_count[len(by_count) - 1][0],
    )


def _agreed(shares):
    among = shares[1:-1, 1:-1][~np.eye(len(shares) - 2, dtype=bool)]
    return sentence(
        "The additive head has the same strongest letter as one of the four at "
        "{low:.2f} to {high:.2f} of the sounds, and as a straight line in the word "
        "at {line:.2f}; two of the four heads agree at {least:.2f} to {most:.2f}.",
        low=shares[0, 1:-1].min(),
        high=shares[0, 1:-1].max(),
        line=shares[0, -1],
        least=among.min(),
        most=among.max(),
    )


def _spared(whole, one, every):
    return sentence(
        "Without one head the error of the Transformer is {low:.3f} to {high:.3f}, in "
        "place of {whole:.3f}; without all four of one attention {least:.3f} to "
        "{most:.3f}.",
        whole=whole,
        low=one.min(),
        high=one.max(),
        least=every.min(),
        most=every.max(),
    )
