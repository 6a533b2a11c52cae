"""Along a word: what the bottleneck costs, and which neighbours heads look at."""

import numpy as np

from mha_core._checks.arguments import told
from mha_core._checks.sentences import sentence
from mha_core.lab.pictures import bars
from mha_core.lab.pictures.errors import FIFTHS
from mha_core.pretrained import load_evidence

SIDES = ("encoder", "decoder")


def bottleneck_cost():
    """Return what is missed without attention beyond what is missed with it.

    Returns
    -------
    Picture
        Bars by fifth of the long words: each network reads the sounds that it wrote,
        or the true ones, so that a fault is not carried on. The whiskers hold 95 of
        100 drawings of as many words.
    """
    found = load_evidence()["fifths"]
    names = [sentence("own sounds before"), sentence("true sounds before")]
    costs = [np.array(found[how]["cost"]) for how in ("own sounds", "true sounds")]
    both = list(zip(names, costs, strict=True))
    what = {"shortest": found["shortest"], "words": found["words"]}
    return bars(
        FIFTHS,
        {name: cost[0] for name, cost in both},
        spread={name: (cost[1], cost[2]) for name, cost in both},
        title=sentence(
            "Cost of the bottleneck, words of {shortest} letters or more", **what
        ),
        x_name="fifth of the word",
        y_name="share of phonemes missed more",
        sentence=_most_lost(what, *(cost[0] for cost in costs)),
    )


def place_bars(side="encoder"):
    """Return what each head of the Transformer's self-attention weighs its neighbours.

    Parameters
    ----------
    side : {"encoder", "decoder"}

    Returns
    -------
    Picture
        Mean weights over all held-out words, for each head, such as 1.3 for head 3 of
        layer 1, and for weights that are all alike. In the decoder the same place
        holds the sound that was written last, and the next is hidden.
    """
    if side not in SIDES:
        raise ValueError(
            sentence("side must be encoder or decoder, not {side}.", side=told(side))
        )
    found = load_evidence()["places"]
    rows = {name: row for name, row in found.items() if name.startswith(side)}
    alike = rows.pop(f"{side} alike")
    names = [f"{k.split()[1]}.{n}" for k, row in rows.items() for n in range(len(row))]
    shares = np.concatenate([*rows.values(), alike])  # (heads + 1, 3)
    return bars(
        [*names, sentence("alike")],
        dict(zip(_places()[side], shares.T, strict=False)),
        title=_titles()[side],
        x_name=sentence("layer and head"),
        y_name=sentence("mean weight"),
        limits=(0, 1),
        sentence=_sharpest(side, names, shares),
    )


def _most_lost(what, own, true):
    most = {"own": FIFTHS[own.argmax()], "true": FIFTHS[true.argmax()]}
    return sentence(
        "Long words, phonemes missed by the last states less those missed with "
        "attention: on their own sounds {own_first:.3f} in the first fifth, most in "
        "the {own} with {own_most:.3f}, {own_last:.3f} in the last; on the true sounds "
        "{true_first:.3f}, most in the {true} with {true_most:.3f}, {true_last:.3f}.",
        own_first=own[0],
        own_most=own.max(),
        own_last=own[-1],
        true_first=true[0],
        true_most=true.max(),
        true_last=true[-1],
        **most,
        **what,
    )


def _titles():
    return {
        "encoder": sentence("Encoder of the Transformer: where its heads look"),
        "decoder": sentence("Decoder of the Transformer: where its heads look back"),
    }


def _places():
    return {
        "encoder": [
            sentence("letter before"),
            sentence("same letter"),
            sentence("letter after"),
        ],
        "decoder": [sentence("sound before the last"), sentence("last sound")],
    }


def _sharpest(side, names, shares):
    heads, alike = shares[:-1], shares[-1]
    before, after = heads[:, 0].argmax(), heads[:, 2].argmax()
    what = {"before": names[before], "previous": heads[before, 0], "alike": alike[0]}
    if side == "decoder":
        what |= {"own": names[heads[:, 1].argmax()], "same": heads[:, 1].max()}
        return sentence(
            "Most weight on the last sound: head {own} with {same:.2f} (all alike: "
            "{level:.2f}); on the sound before it: head {before} with "
            "{previous:.2f} ({alike:.2f}).",
            **what,
            level=alike[1],
        )
    return sentence(
        "Most weight on the letter before: head {before} with {previous:.2f}; on the "
        "letter after: head {after} with {next:.2f}; all alike would give {alike:.2f}.",
        **what,
        after=names[after],
        next=heads[after, 2],
    )
