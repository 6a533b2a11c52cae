"""Heads to find: those that cost most, and those that look at neighbours."""

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.exercise import Exercise
from mha_core.lab.exercises.searching import (
    Unfit,
    a_number,
    held_out,
    in_ipa,
    judged,
    network,
)
from mha_core.lab.measure.held_out import held_out_error, some_held_out
from mha_core.lab.measure.knockout import without_heads
from mha_core.pronouncing import pronounce
from mha_core.tasks import number_phonemes, spell

SAMPLE = 500  # as in the explorer
READ = 60
MOST = 0.5
LONG = 8


def _a_head(answer, h):
    head = a_number(answer)
    if not 0 <= head < h:
        raise Unfit(sentence("heads count from 0 to {last}", last=h - 1))
    return head


@judged
def _fault_of_costly(answer):
    """Tell why a head is not the one whose removal costs most."""
    model, pairs = network("multihead"), some_held_out(SAMPLE)
    head = _a_head(answer, model.h)
    errors = [held_out_error(without_heads(model, [n]), pairs) for n in range(model.h)]
    if head == int(np.argmax(errors)):
        return None
    return sentence(
        "without head {head} the error is {error:.3f}; without another it is higher",
        head=head,
        error=errors[head],
    )


@judged
def _fault_of_robust(answer):
    """Tell why a word is not said right whichever single head is out."""
    model = network("multihead")
    word = held_out(answer, LONG)
    for out in ([], *([head] for head in range(model.h))):
        said = pronounce(without_heads(model, out), word)
        what = {"word": word, "said": in_ipa(said.phonemes)}
        if said.phonemes != said.expected and not out:
            return sentence("{word} is wrong with all heads already: {said}", **what)
        if said.phonemes != said.expected:
            return sentence("without head {head}: {said}", head=out[0], **what)
    return None


def neighbours(pairs):
    """Return the mean weight on the letter before and after, both (layers, h)."""
    model, before, after = network("transformer"), [], []
    for word, sounds in pairs:
        found = model.attention(spell([word]), number_phonemes([sounds]))
        looked = np.array([found[f"encoder {n}"][0] for n in model.layers])
        before.append(np.diagonal(looked, -1, -2, -1).mean(axis=-1))
        after.append(np.diagonal(looked, 1, -2, -1).mean(axis=-1))
    return np.mean(before, axis=0), np.mean(after, axis=0)


@judged
def _fault_of_neighbour(answer):
    """Tell why a head of the encoder does not look at the letter before."""
    if not isinstance(answer, (tuple, list)) or len(answer) != 2:
        return sentence("hand in layer and head, such as {pair}", pair=(0, 0))
    model = network("transformer")
    layer, head = a_number(answer[0]), _a_head(answer[1], model.h)
    if layer not in model.layers:
        return sentence("layers count from 0 to {last}", last=model.layers[-1])
    before, after = neighbours([p for p in some_held_out(READ) if len(p[0]) > 1])
    what = {"layer": layer, "head": head}
    what |= {"before": before[layer, head], "after": after[layer, head]}
    if what["before"] >= MOST:
        return None
    if what["after"] >= MOST:
        return sentence(
            "that one looks at the letter after: {after:.2f}, before {before:.2f}",
            **what,
        )
    return sentence(
        "layer {layer}, head {head} puts {before:.2f} on the letter before", **what
    )


COSTLY = Exercise(
    name="costly",
    kind="search",
    right=_fault_of_costly,
    mistakes=(
        (1, "without head 1 the error is 0."),
        (2, "without head 2 the error is 0."),
        (3, "without head 3 the error is 0."),
        (4, "heads count from 0 to 3"),
        ("all", "one whole number is expected"),
    ),
    hints=(
        sentence("switch one head off at a time, and note the error below."),
        sentence("the error is that of 500 words: it does not depend on your word."),
        sentence("compare the four errors, each with one box empty."),
    ),
    solution="answer = 0",
    praise=sentence("much more than the others, though it looks at the same letters."),
)

ROBUST = Exercise(
    name="robust",
    kind="search",
    right=_fault_of_robust,
    mistakes=(
        ("knight", "letters; take a word of 8 or more"),
        ("internationalization", "was in training"),
        ("collaborations", "wrong with all heads already"),
        ("administration", "without head 0"),
    ),
    hints=(
        sentence("a regular spelling helps: each letter says its own sound."),
        sentence("type long regular words, and empty one box after the other."),
        sentence("words on -ment, -ness or -ing are a good guess."),
    ),
    solution='answer = "claiming"',
    praise=sentence("heads can stand in for one another, for this word."),
)

NEIGHBOUR = Exercise(
    name="neighbour",
    kind="search",
    right=_fault_of_neighbour,
    mistakes=(
        ((0, 0), "layer 0, head 0 puts"),
        ((1, 0), "that one looks at the letter after"),
        ((1, 1), "that one looks at the letter after"),
        ((2, 0), "layers count from 0 to 1"),
        ((0, 4), "heads count from 0 to 3"),
        (3, "hand in layer and head"),
    ),
    hints=(
        sentence("place: encoder; go through layers and heads with a long word."),
        sentence("the letter before lies just below the diagonal of the map."),
        sentence("the blurred layer is not the one: take the other."),
    ),
    solution="answer = (1, 3)",
    praise=sentence("a positional head: it looks one letter back in nearly any word."),
)
