"""Curves and bars of the errors that models make."""

import numpy as np

from mha_core._checks.arguments import told
from mha_core._checks.sentences import sentence
from mha_core.lab.drawing.tellings import joined, semicolons
from mha_core.lab.pictures import bars, lines
from mha_core.models import KINDS
from mha_core.pretrained import load_errors

FIFTHS = (
    sentence("first"),
    sentence("second"),
    sentence("third"),
    sentence("fourth"),
    sentence("last"),
)


def error_curves(*kinds):
    """Return the phoneme error over word length, measured on the held-out words.

    Parameters
    ----------
    *kinds : str
        Kinds of models; the curve is seed 0, which is shipped, the band all seeds.

    Returns
    -------
    Picture
    """
    errors = load_errors()
    _check_kinds(kinds, errors)
    ranges = errors[kinds[0]]["0"]["by_length"]
    tables = {KINDS[kind].label: by_seed(errors[kind], "by_length") for kind in kinds}
    values = {name: table[:, :, 2] for name, table in tables.items()}
    return lines(
        [f"{low}-{high}" for low, high, _, _ in ranges],
        {name: table[0] for name, table in values.items()},
        spread={name: (v.min(axis=0), v.max(axis=0)) for name, v in values.items()},
        title=sentence("Errors on held-out words: seed 0, and the range of all seeds"),
        counts=[words for *_, words in ranges],
        counts_name="words",
        x_name="letters",
        y_name="phoneme error",
        limits=(0, 0.5),
    )


def missed_bars(*kinds):
    """Return where in long words the phonemes are missed, by fifth of the word.

    Parameters
    ----------
    *kinds : str
        Kinds of models; the bar is seed 0, the whisker all seeds.

    Returns
    -------
    Picture
    """
    errors = load_errors()
    _check_kinds(kinds, errors)
    tables = {KINDS[kind].label: by_seed(errors[kind], "by_fifth") for kind in kinds}
    return bars(
        FIFTHS,
        {name: table[0] for name, table in tables.items()},
        spread={name: (t.min(axis=0), t.max(axis=0)) for name, t in tables.items()},
        title=sentence("What is missed of held-out words of 12 letters and more"),
        x_name="fifth of the word",
        y_name="share of phonemes missed",
        limits=(0, 0.5),
    )


def small_curves(errors, lengths=range(4, 16)):
    """Return curves of errors measured on the spot, and whether each of them climbs.

    Parameters
    ----------
    errors : dict of str to ndarray, shape (lengths,)
        From `small_errors`, by kind or by any other name. They differ a little from
        machine to machine, so the text under the picture says only which ones grow
        more than 1.5-fold.
    lengths : sequence of int

    Returns
    -------
    Picture
    """
    errors = {_label(kind): error for kind, error in errors.items()}
    grown = {
        name: error[-3:].mean() / error[:3].mean() for name, error in errors.items()
    }
    return lines(
        list(lengths),
        errors,
        title=sentence("Errors of the small models, trained now"),
        x_name="letters",
        y_name="phoneme error",
        limits=(0, 1),
        tell=False,
        sentence=_climbing(grown),
    )


def _climbing(grown):
    climbs = [_climbs(name, growth > 1.5) for name, growth in grown.items()]
    return sentence(
        "Small models; more than 1.5-fold from the three shortest lengths to the three "
        "longest: {climbs}.",
        climbs=joined(climbs, semicolons),
    )


def _climbs(name, does):
    if does:
        return sentence("{name}: yes", name=name)
    return sentence("{name}: no", name=name)


def which_there_are(kinds, unknown):
    """Return the sentence that names what there is, and the first that is not."""
    if not unknown:
        return sentence("Name one or more of {kinds}.", kinds=kinds)
    return sentence(
        "Name one or more of {kinds}, not {unknown}.",
        kinds=kinds,
        unknown=told(unknown[0]),
    )


def _check_kinds(kinds, errors):
    unknown = [kind for kind in kinds if kind not in errors]
    if unknown or not kinds:
        raise ValueError(which_there_are(", ".join(errors), unknown))


def by_seed(seeds, what):
    """Return one measurement of all seeds as one array, a seed in each row."""
    return np.array([measured[what] for measured in seeds.values()])


def _label(name):
    return KINDS[name].label if name in KINDS else name
