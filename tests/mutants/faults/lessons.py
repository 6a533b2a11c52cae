"""Faults in what the lessons measure: words, curves, layers, bugs, probes, times."""

from ..fault import Fault

WORDS, CURVES, LAYERS = (
    "lab/pictures/alignments.py",
    "lab/pictures/errors.py",
    "lab/pictures/roles.py",
)
BUGS, SCALING, PROBES = (
    "lab/measure/bugs.py",
    "lab/measure/random_scores.py",
    "lab/measure/probes.py",
)
CLOCK, TIMINGS = "lab/measure/clock.py", "lab/pictures/costs.py"

FAULTS = [
    Fault(
        "letters in rows, phonemes in columns",
        WORDS,
        "        to_ipa(said.phonemes),\n        said.letters,\n"
        '        title=f"“{word}”"',
        "        said.letters,\n        to_ipa(said.phonemes),\n"
        '        title=f"“{word}”"',
        "test_explorers",
        "02",
    ),
    Fault(
        "probability axis that ends at the largest bar",
        WORDS,
        "limits=(0, 1)",
        "limits=(0, max(chosen))",
        "test_explorers",
        "01",
    ),
    Fault(
        "written and read characters swapped",
        WORDS,
        "list(written),\n        list(text),",
        "list(text),\n        list(written),",
        "test_dates",
        "02",
    ),
    Fault(
        "curve of all seeds in place of seed 0",
        CURVES,
        "{name: table[0] for name, table in values.items()}",
        "{name: table.mean(axis=0) for name, table in values.items()}",
        "test_curves",
        "04",
    ),
    Fault(
        "band from seed 0 in place of the lowest",
        CURVES,
        "(v.min(axis=0), v.max(axis=0))",
        "(v[0], v.max(axis=0))",
        "test_curves",
        "04",
    ),
    Fault(
        "accuracy of the best seed in place of the mean",
        LAYERS,
        "{name: mean},",
        "{name: high},",
        "test_layers",
        "04",
    ),
    Fault(
        "head number off by one",
        LAYERS,
        "{role: (head, round(mass, 2))",
        "{role: (head + 1, round(mass, 2))",
        "test_layers",
        "04",
    ),
    Fault(
        "split that is right",
        BUGS,
        "return np.reshape(x, (h, x.shape[0], x.shape[1] // h))",
        "return split_heads(x, h)",
        "test_bugs",
        "04",
    ),
    Fault(
        "merge that is right",
        BUGS,
        "return np.reshape(x, (x.shape[1], x.shape[0] * x.shape[2]))",
        "return merge_heads(x)",
        "test_bugs",
        "04",
    ),
    Fault(
        "scores divided by d_k",
        SCALING,
        '("scaled", 1 / math.sqrt(d_k))',
        '("scaled", 1 / d_k)',
        "test_scaling",
        "03",
    ),
    Fault(
        "entropy that is no share",
        SCALING,
        " / math.log(weights.shape[-1])",
        "",
        "test_scaling",
        "03",
    ),
    Fault(
        "influence rows and columns swapped",
        PROBES,
        "np.stack(columns, axis=-1)",
        "np.stack(columns, axis=0)",
        "test_probes",
        "05",
    ),
    Fault(
        "reach counted from the first step",
        PROBES,
        "reach = gradient_reach(last, inputs)[::-1]\n    return reach / reach[0]",
        "reach = gradient_reach(last, inputs)\n    return reach / reach[0]",
        "test_probes",
        "05",
    ),
    Fault(
        "uniform weights on padding too",
        PROBES,
        "mask / np.maximum(letters, 1)",
        "np.ones(mask.shape) / mask.shape[-1]",
        "test_probes",
        "02",
    ),
    Fault(
        "seconds called milliseconds",
        CLOCK,
        "1000 * seconds",
        "seconds",
        "test_timings",
        exempt="no lesson measures times: they differ from run to run",
    ),
    Fault(
        "a third of the multiply-adds of a GRU",
        CLOCK,
        '"recurrent": 6 * T * d**2',
        '"recurrent": 2 * T * d**2',
        "test_timings",
        exempt="the lesson counts by the orders of Vaswani's table",
    ),
    Fault(
        "crossing on a straight line without logarithms",
        TIMINGS,
        "T[i - 1] * (T[i] / T[i - 1]) ** share",
        "T[i - 1] + share * (T[i] - T[i - 1])",
        "test_timings",
        "05",
    ),
    Fault(
        "price of one stack of blocks",
        TIMINGS,
        "2 * len(Transformer.layers), 1, 1",
        "len(Transformer.layers), 1, 1",
        "test_timings",
        "05",
    ),
]
