"""Heat maps to read, and what they show."""

from functools import partial

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.attention import scaled_dot_product_attention, softmax
from mha_core.lab.exercises.exercise import Exercise
from mha_core.lab.exercises.searching import a_number, judged
from mha_core.lab.measure.probes import influence
from mha_core.lab.pictures import head_grid
from mha_core.models.four_relations import masses
from mha_core.pretrained import load_relations
from mha_core.tasks.tagged_sentences import ROLES, sentences

LETTERS = ("a", "b", "c", "d")


def weights_of_maps():
    """Return four maps of the same scores, the last key padding, (4, 4, 4)."""
    rng = np.random.default_rng(3)
    scores = rng.standard_normal((4, 4))
    mask = np.arange(4) < 3
    hidden = np.where(mask, scores, -1e9)
    by_columns = softmax(scores.T).T * mask
    return np.array(
        [softmax(scores), softmax(hidden), softmax(scores) * mask, by_columns]
    )


def four_maps():
    """Return the maps as a picture, named a to d."""
    labels = list(map(str, range(4)))
    return head_grid(
        weights_of_maps(),
        labels,
        ["0", "1", "2", "pad"],
        titles=LETTERS,
        title=sentence("Key 3 is padding; which map hides it after the softmax?"),
        value_name="weight",
    )


def relations_maps():
    """Return the four heads of a layer of relations on one sentence."""
    words, tags = sentences(np.random.default_rng(10**6), 1)
    _, weights = load_relations(64, 4).attend(words, tags)
    places = list(map(str, range(words.shape[1])))
    title = sentence("trained on four relations, d_model 64, one sentence")
    return head_grid(weights[0], places, places, title=title)


@judged
def _fault_of_back(answer):
    """Tell why a head is not the one that looks at the word before."""
    test = sentences(np.random.default_rng(10**6), 64)
    looked = masses(load_relations(64, 4), *test)  # (h, 4)
    head, right = a_number(answer), int(looked[:, 0].argmax())
    if head == right:
        return None
    if not 0 <= head < len(looked):
        return sentence("heads count from 0 to {last}", last=len(looked) - 1)
    role = int(looked[head].argmax())
    what = {"head": head, "weight": looked[head, role], "role": ROLES[role]}
    return sentence("head {head} puts {weight:.2f} on the word: {role}", **what)


def _seen(mask, X):
    return scaled_dot_product_attention(X, X, X, mask=mask)[0]


def leaking_maps():
    """Return who can see whom in three causal layers, measured, named a to c."""
    X = np.random.default_rng(0).standard_normal((3, 4))
    past = np.tri(3, dtype=bool)
    masks = past, past | (np.arange(3)[:, None] == 1), np.eye(3, dtype=bool)
    moved = [influence(partial(_seen, mask), X) for mask in masks]
    places = list(map(str, range(3)))
    return head_grid(
        np.array(moved, dtype=float),
        places,
        places,
        titles=LETTERS[:3],
        title=sentence("Three layers: which outputs move with which token"),
        query_name="output",
        key_name="changed token",
        value_name="moves",
    )


AFTERWARDS = Exercise(
    name="afterwards",
    kind="choice",
    right="c",
    picture=four_maps,
    mistakes=(
        ("a", sentence("there the padding gets weight: nothing is hidden")),
        ("b", sentence("there each row sums to 1 without the padding: it is right")),
        ("d", sentence("there the columns sum to 1: softmax over the queries")),
    ),
    hints=(
        sentence("in which of the maps is the column of the padding empty?"),
        sentence("add up one row of each of those."),
        sentence("a mask after the softmax takes weight away and gives it to nobody."),
    ),
    solution='answer = "c"',
    praise=sentence("its rows sum to less than 1: the weight of the padding is lost."),
)

BACK = Exercise(
    name="back",
    kind="search",
    right=_fault_of_back,
    picture=relations_maps,
    mistakes=(
        (2, "on the word: next"),
        (3, "on the word: first"),
        (1, "on the word: partner"),
        (4, "heads count from 0 to 3"),
        ("0", "one whole number is expected"),
    ),
    hints=(
        sentence("rows are words that look, columns words that are looked at."),
        sentence("the word before lies one column to the left of the diagonal."),
        sentence("look for a dark line just below the diagonal."),
    ),
    solution="answer = 0",
    praise=sentence("a line below the diagonal: each word looks one word back."),
)
