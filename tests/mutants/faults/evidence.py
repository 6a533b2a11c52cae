"""Faults in what claims rest on: heads taken out, gradients, fifths, order, times."""

from ..fault import Fault

MEASURE, PICTURES = "lab/measure", "lab/pictures"
TABLE = "lessons show the table that the recipe shipped"


def fault(name, file, old, new, unit, exempt=TABLE):
    """Return a fault that unit tests alone can notice."""
    return Fault(name, file, old, new, unit, exempt=exempt)


FAULTS = [
    fault(
        "columns of a head are taken out instead of its rows",
        f"{MEASURE}/knockout.py",
        "W_O.reshape(model.h, -1, W_O.shape[-1])[heads] = 0",
        "W_O.T.reshape(model.h, -1, W_O.shape[0])[heads] = 0",
        "test_knockout",
    ),
    fault(
        "the network itself loses its heads",
        f"{MEASURE}/knockout.py",
        "W_O = model.params[name].copy()",
        "W_O = model.params[name]",
        "test_knockout",
    ),
    fault(
        "a straight line that begins too far left",
        f"{MEASURE}/knockout.py",
        "(np.arange(sounds) * 2 + 1)",
        "(np.arange(sounds) * 2)",
        "test_knockout",
    ),
    fault(
        "the sample is the beginning of the alphabet",
        f"{MEASURE}/held_out.py",
        "test[i * len(test) // count]",
        "test[i]",
        "test_knockout",
    ),
    fault(
        "the true sound itself is read, not the one before",
        f"{MEASURE}/held_out.py",
        "target_in = np.pad(target, [(0, 0), (1, 0)])[:, :-1]",
        "target_in = target",
        "test_knockout",
    ),
    fault(
        "true sounds never read",
        f"{MEASURE}/fifths.py",
        "if not true_sounds:",
        "if True:",
        "test_evidence",
    ),
    fault(
        "the interval is that of a mean of words",
        f"{MEASURE}/fifths.py",
        "(times @ more) / (times @ total)",
        "(times @ more) / total.sum(axis=0) / 2",
        "test_evidence",
    ),
    fault(
        "padding counts as a neighbour",
        f"{MEASURE}/neighbours.py",
        "there[:, i] & there[:, i + step]",
        "there[:, i] | True",
        "test_evidence",
    ),
    fault(
        "weights alike that see the future",
        f"{MEASURE}/neighbours.py",
        "np.tri(T) / np.arange(1, T + 1)[:, None]",
        "np.tri(T) / T",
        "test_evidence",
    ),
    fault(
        "letters that are the same share a gradient",
        f"{MEASURE}/letter_gradients.py",
        "logits(places, target_in)",
        "logits(places * 0 + 1, target_in)",
        "test_letter_gradients",
    ),
    fault(
        "the score of the first sound for every sound",
        f"{MEASURE}/letter_gradients.py",
        "i, target[:, i]]",
        "i, target[:, 0]]",
        "test_letter_gradients",
    ),
    fault(
        "the last token moves too",
        f"{MEASURE}/order.py",
        "np.append(rng.permutation(last), last)",
        "rng.permutation(last + 1)",
        "test_order",
    ),
    fault(
        "a rotation the other way round",
        f"{MEASURE}/order.py",
        "[[cosine, -sine], [sine, cosine]]",
        "[[cosine, sine], [-sine, cosine]]",
        "test_order",
    ),
    fault(
        "all maps of one size",
        f"{PICTURES}/untrained.py",
        "*(size * drawn)",
        "*drawn",
        "test_order",
    ),
    fault(
        "the time of the whole batch for one sequence",
        f"{PICTURES}/timed.py",
        'np.divide(many["recurrent"], n)',
        'np.divide(many["recurrent"], 1)',
        "test_timings",
    ),
    fault(
        "the true sounds drawn as the network's own",
        f"{PICTURES}/along_words.py",
        '("own sounds", "true sounds")',
        '("true sounds", "own sounds")',
        "test_evidence",
    ),
    fault(
        "agreement with itself counts among the others",
        f"{PICTURES}/taken_out.py",
        "(among.sum(axis=0) - 1) / (h - 1)",
        "among.sum(axis=0) / h",
        "test_evidence",
    ),
    fault(
        "weight and gradient change places",
        f"{PICTURES}/deciding.py",
        "weight, share = np.transpose(",
        "share, weight = np.transpose(",
        "test_letter_gradients",
    ),
    fault(
        "heads that are out are drawn all the same",
        "lab/explorers/knocked_out.py",
        "weights * on[:, None, None],",
        "weights,",
        "test_knockout",
        "lessons knock out by buttons, whose picture is stored with its numbers",
    ),
    fault(
        "the error of the whole network for every choice of heads",
        "lab/explorers/knocked_out.py",
        "held_out_error(without_heads(model, out, part), some_held_out(SAMPLE))",
        "held_out_error(model, some_held_out(SAMPLE))",
        "test_knockout",
    ),
    fault(
        "the recipe measures all four heads out for each of them",
        "recipes/evidence.py",
        "([head] for head in range(model.h))",
        "(range(model.h) for head in range(model.h))",
        "test_evidence",
    ),
]
