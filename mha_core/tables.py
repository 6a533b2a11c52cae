"""Load the shipped tables: what was measured of trained networks."""

import json
from pathlib import Path

from mha_core.shipped import DATA, read_shipped

ERRORS = "pronunciation-errors.json"
RELATIONS_TABLE = "relations-accuracy.json"
RELATION_CONTROLS = "controls-relations.json"
CONTROLS = "controls-pronunciation.json"
ONE_HEAD = "one-head-errors.json"
EVIDENCE = "evidence.json"
LANGUAGE = "language-bits.json"
HEAD_RELATIONS = "head-relations.json"
HEAD_PRUNING = "head-pruning.json"
CLASSIC_BUGS = "classic-bugs.json"
CONVENTIONS = "conventions.json"


def load_errors(folder=DATA):
    """Return the errors measured on the test words: kind to seed to measurements."""
    return json.loads(read_shipped(ERRORS, Path(folder)))


def load_controls(folder=DATA):
    """Return networks with one thing changed: name to what it is and its errors.

    Returns
    -------
    dict of str to dict
        ``short`` is the share of the words of 16 letters and more that come out at
        least two sounds too short; names of kinds are the shipped networks.
    """
    return json.loads(read_shipped(CONTROLS, Path(folder)))


def load_one_head(folder=DATA):
    """Return the errors of the networks trained with one head in place of four."""
    return json.loads(read_shipped(ONE_HEAD, Path(folder)))


def load_evidence(folder=DATA):
    """Return what was measured of the trained networks to hold claims against.

    Returns
    -------
    dict
        ``knocked out`` and ``transformer heads``: the error without some heads.
        ``agreement``: how often heads weigh the same letter most. ``fifths``: what the
        bottleneck costs along a word. ``places``: what heads of self-attention weigh
        their neighbours. All on the held-out words.
    """
    return json.loads(read_shipped(EVIDENCE, Path(folder)))


def load_relations_table():
    """Return accuracy, owner and mass of each role, as rows that name their layer.

    Returns
    -------
    dict of str to list of dict
        ``grid``: every width, head count and seed. ``longer``: some of them after more
        steps. ``examples``: two seeds in which a head did not specialise.
    """
    return json.loads(read_shipped(RELATIONS_TABLE))


def load_relation_controls():
    """Return what changed layers of the four relations reach, as rows for each seed.

    Returns
    -------
    dict of str to list of dict
        ``readers``: read-outs with a hidden layer. ``scales``: with the scores divided
        by the root of d_k and without. ``longer``: heads of width 1 after more steps.
    """
    return json.loads(read_shipped(RELATION_CONTROLS))


def load_language_table(folder=DATA):
    """Return the bits that a letter of held-out words takes: ``models``, ``counts``.

    Returns
    -------
    dict of str to dict of str to dict
        ``bits`` and how many ``numbers`` are kept; of a model also its last training
        ``loss``, in bits. Counts are named by the letters looked at together. Of
        ``changes``, 700 steps with one thing changed, the bits of three seeds.
    """
    return json.loads(read_shipped(LANGUAGE, Path(folder)))


def load_conventions(folder=DATA):
    """Return what libraries of attention make of the same arguments, as measured.

    Returns
    -------
    dict
        ``rows``: what was asked, then library to answer. ``versions``. ``weights``:
        the shapes of each library's weights for d_model 8 and h 2.
    """
    return json.loads(read_shipped(CONVENTIONS, Path(folder)))


def load_head_relations(folder=DATA):
    """Return what the heads of the sentence reader do: ``relations`` and ``places``.

    Returns
    -------
    dict of str to dict
        Of each relation the number of ``cases``; for each layer and head the ``share``
        of them in which the right word gets more weight, and its mean ``mass``; the
        share with ``shuffled`` positions, mean of three orders; the best fixed
        ``offset`` and its share. Of each place the mean weight.
    """
    return json.loads(read_shipped(HEAD_RELATIONS, Path(folder)))


def load_head_pruning(folder=DATA):
    """Return what is left of the sentence reader without some heads.

    Returns
    -------
    dict
        ``left``: mean cosine of the last states with those of the whole network, after
        each of ``steps`` heads, in three orders. ``without``: how often the ``watched``
        head is right about its relation while one other head is out.
    """
    return json.loads(read_shipped(HEAD_PRUNING, Path(folder)))


def load_classic_bugs(folder=DATA):
    """Return short trainings with each classic bug: ``bugs``, by name, and how.

    Returns
    -------
    dict
        Of a bug the ``losses`` after every so many steps, ``errors`` on held-out words
        and ``ends``, the last losses, of three seeds, and what seed 0 ``said`` of the
        first of the ``words`` with its ``weights``, (h, T_q, T_k); or why it
        ``stopped``.
    """
    return json.loads(read_shipped(CLASSIC_BUGS, Path(folder)))
