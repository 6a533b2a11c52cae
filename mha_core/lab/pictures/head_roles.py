"""Every head of the sentence reader by every relation, as one map."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.pictures import bars, head_grid, lines
from mha_core.pretrained import load_head_pruning, load_head_relations

SURE = 0.9  # share from which a head is named after a relation
SINK = "[CLS]"
MASS = 0.15  # and weight, so that what it does can be seen


def relation_map():
    """Return how often each head picks the right word, by relation and layer.

    Returns
    -------
    Picture
        One map a layer; rows are heads, columns relations. 0.5 is chance.
    """
    table = load_head_relations()["relations"]
    shares = np.array([row["share"] for row in table.values()])  # (R, layers, h)
    layers, h = shares.shape[1:]
    return head_grid(
        np.moveaxis(shares, 0, -1),
        [str(head) for head in range(h)],
        list(table),
        titles=[f"layer {layer}" for layer in range(layers)],
        title=sentence("How often a head weighs the right word more than the wrong"),
        query_name="head",
        key_name="relation",
        value_name=sentence("share of cases"),
    )


def relation_bars():
    """Return the best head of each relation beside what needs no network.

    Returns
    -------
    Picture
        The share of cases: of the best of 48 heads (of equals, that with more weight on
        the right word), of the mean head, of the same best head with positions
        shuffled, and of the best fixed distance.
    """
    table = load_head_relations()["relations"]
    share, shuffled, mass = (
        np.array([np.ravel(row[part]) for row in table.values()])
        for part in ("share", "shuffled", "mass")
    )  # (R, layers * h)
    best = (np.round(share, 2) + mass / 1000).argmax(axis=1)
    rows = np.arange(len(best))
    return bars(
        list(table),
        {
            sentence("best head"): share[rows, best],
            sentence("it, places shuffled"): shuffled[rows, best],
            sentence("mean head"): share.mean(axis=1),
            sentence("fixed distance"): [r["offset"][1] for r in table.values()],
        },
        title=sentence("How often the right word gets more weight than the wrong"),
        x_name=sentence("relation"),
        y_name=sentence("share of cases"),
        limits=(0, 1),
    )


def names_of_heads(layer):
    """Return what the heads of a layer are called, by what they were measured to do.

    Parameters
    ----------
    layer : int

    Returns
    -------
    list of str
        Such as ``1: next .70`` or ``3: gender .97``; only the number where no relation
        reaches 0.9 of its cases with a weight one can see.
    """
    table = load_head_relations()
    names = []
    for head in range(len(table["places"]["previous"][layer])):
        done = _done(table, layer, head)
        if done:
            what, how = max(done.items(), key=lambda pair: pair[1])
            names.append(f"{head}: {what} {how:.2f}".replace(" 0.", " ."))
        else:
            names.append(sentence("head {head}", head=head))
    return names


def _done(table, layer, head):
    """Return what a head does: a neighbour, else relations, else where it rests."""
    places = {
        name: weights[layer][head]
        for name, weights in table["places"].items()
        if name != "alike" and weights[layer][head] > 0.5
    }
    relations = {
        name: row["share"][layer][head]
        for name, row in table["relations"].items()
        if row["share"][layer][head] >= SURE and row["mass"][layer][head] >= MASS
    }
    rest = {name: places.pop(name) for name in (SINK,) if name in places}
    return places or relations or rest


def pruning_curves():
    """Return how alike the last states stay as heads are taken out, in three orders.

    Returns
    -------
    Picture
        Mean cosine with the states of the whole network; 1 if nothing has changed.
    """
    table = load_head_pruning()
    return lines(
        list(map(str, table["steps"])),
        table["left"],
        title=sentence("What is left of the states as heads are taken out"),
        x_name=sentence("heads that are out, of 36"),
        y_name=sentence("cosine with the whole network"),
        limits=(0, 1),
    )


def missing_bars(shown=8):
    """Return how often one head is right while another one is out, worst first.

    Parameters
    ----------
    shown : int
        Bars, after that of the whole network.

    Returns
    -------
    Picture
    """
    table = load_head_pruning()
    without = dict(table["without"])
    whole = without.pop("nobody")
    worst = sorted(without, key=without.get)[:shown]
    layer, head = table["watched"]["head"]
    title = sentence(
        "Layer {layer}, head {head} on {relation}, with another head out",
        layer=layer,
        head=head,
        relation=table["watched"]["relation"],
    )
    return bars(
        ["none", *worst],
        {sentence("share of cases"): [whole, *(without[name] for name in worst)]},
        title=title,
        x_name=sentence("layer and head that is out"),
        y_name=sentence("share of cases"),
        limits=(0, 1),
    )
