"""Faults in the recipes that make data and weights."""

from ..fault import Fault

APART = "Lessons never import the recipes, they read what is shipped."


def fault(name, file, old, new, unit):
    """Return a fault in a recipe."""
    return Fault(name, f"recipes/{file}", old, new, unit, exempt=APART)


FAULTS = [
    fault(
        "stress is kept",
        "cmudict.py",
        old='phoneme.rstrip("012")',
        new="phoneme",
        unit="test_recipes",
    ),
    fault(
        "each word is split for itself",
        "cmudict.py",
        old="relatives[stem(word)].append(word)",
        new="relatives[word].append(word)",
        unit="test_recipes",
    ),
    fault(
        "any dictionary is taken",
        "cmudict.py",
        old="if hashlib.sha256(content).hexdigest() != SOURCE_SHA256:",
        new="if not content:",
        unit="test_recipes",
    ),
    fault(
        "long words are drawn as rarely as ever",
        "pronunciation_controls.py",
        old="if control.long_words:",
        new="if False:",
        unit="test_changed_networks",
    ),
    fault(
        "the hidden layer of a control is forgotten",
        "relation_controls.py",
        old="if control.hidden:",
        new="if False:",
        unit="test_changed_layers",
    ),
    fault(
        "the last seed is shipped, not the first",
        "dates.py",
        old="if seed == 0:",
        new="if seed == 2:",
        unit="test_dates",
    ),
    fault(
        "dates are tested on days of the training",
        "dates.py",
        old="1000, held_out=True)",
        new="1000)",
        unit="test_dates",
    ),
    fault(
        "four heads in place of one",
        "one_head.py",
        old="options.folder, h=1)",
        new="options.folder)",
        unit="test_recipes",
    ),
    fault(
        "one head is measured on other words",
        "one_head.py",
        old='pronunciation("test")',
        new='pronunciation("dev")',
        unit="test_recipes",
    ),
    fault(
        "training reads the test words",
        "pronunciation.py",
        old='partial(batches, pronunciation("train"))',
        new='partial(batches, pronunciation("test"))',
        unit="test_recipes",
    ),
    fault(
        "every seed starts from the same weights",
        "pronunciation.py",
        old="initial(kind, np.random.default_rng(seed))",
        new="initial(kind, np.random.default_rng(0))",
        unit="test_recipes",
    ),
    fault(
        "a seed wipes out the others",
        "pronunciation.py",
        old="errors.setdefault(kind, {})[str(seed)] = measured",
        new="errors[kind] = {str(seed): measured}",
        unit="test_recipes",
    ),
    fault(
        "errors of weights that nobody has",
        "pronunciation.py",
        old="transcribe(as_shipped(model), [",
        new="transcribe(model, [",
        unit="test_pretrained",
    ),
    fault(
        "layers measured before they are rounded",
        "relations.py",
        old="    layer = as_shipped(layer)\n",
        new="",
        unit="test_relations",
    ),
    fault(
        "layers that are not shipped measured again",
        "relations.py",
        old='part == "examples" or (part == "grid" and seed == 0)',
        new='part == "examples" or seed == 0',
        unit="test_relations",
    ),
    fault(
        "a head owns its best role, not a role its best head",
        "relations.py",
        old="mass.argmax(axis=0)",
        new="mass.argmax(axis=1)",
        unit="test_relations",
    ),
    fault(
        "longer trainings go on from the shorter ones",
        "relations.py",
        old='f"{d_model}-{h}-{seed}-{steps}.npz"',
        new='f"{d_model}-{h}-{seed}.npz"',
        unit="test_relations",
    ),
    fault(
        "the clearest owners are the examples",
        "relations.py",
        old='min(measure(pair[1])["mass"]))',
        new='-min(measure(pair[1])["mass"]))',
        unit="test_blocks_view",
    ),
    fault(
        "the longest length is left out",
        "timings.py",
        old="if T <= options.longest]",
        new="if T < options.longest]",
        unit="test_timings",
    ),
    fault(
        "the processor's name ends at its last colon",
        "timings.py",
        old='line.partition(":")[2].strip()',
        new='line.rpartition(":")[2].strip()',
        unit="test_timings",
    ),
]
