"""Words to find, in which one network fails and another does not."""

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.exercise import Exercise
from mha_core.lab.exercises.searching import (
    held_out,
    in_ipa,
    judged,
    said_by,
)

LONG, LONGER, LONGEST_ONES = 10, 12, 16


@judged
def _fault_of_middle(answer):
    """Tell why a word is not one that the first network loses the middle of."""
    said = said_by("last_state", held_out(answer, LONGER))
    word, mine, right = "".join(said.letters), said.phonemes, said.expected
    what = {"word": word, "said": in_ipa(mine), "right": in_ipa(right)}
    if mine == right:
        return sentence("it says {word} as the dictionary does: {said}", **what)
    if mine[:2] != right[:2] or mine[-2:] != right[-2:]:
        return sentence(
            "of {word} the ends are lost as well: {said}; the dictionary has {right}",
            **what,
        )
    return None


@judged
def _fault_of_better(answer):
    """Tell why a word is not one that attention gets right and its twin wrong."""
    word = held_out(answer, LONG)
    plain, twin = said_by("last_state", word), said_by("bahdanau", word)
    what = {"word": word, "said": in_ipa(twin.phonemes), "right": in_ipa(twin.expected)}
    if plain.phonemes == plain.expected:
        return sentence("the network without attention says {word} right, too", **what)
    if twin.phonemes != twin.expected:
        return sentence(
            "with attention {word} is wrong as well: {said}; the dictionary has "
            "{right}",
            **what,
        )
    return None


@judged
def _fault_of_cut_short(answer):
    """Tell why a word is not one that the Transformer cuts short."""
    word = held_out(answer, LONGEST_ONES)
    said, other = said_by("transformer", word), said_by("bahdanau", word)
    missing = len(said.expected) - len(said.phonemes)
    if missing < 2:
        return sentence(
            "the Transformer writes {count} sounds for {word}, the dictionary has "
            "{all}: not two short",
            count=len(said.phonemes),
            word=word,
            all=len(said.expected),
        )
    if len(other.phonemes) < len(other.expected):
        return sentence("additive attention cuts {word} short as well", word=word)
    return None


MIDDLE = Exercise(
    name="middle",
    kind="search",
    right=_fault_of_middle,
    mistakes=(
        ("phone", "letters; take a word of 12 or more"),
        ("internationalization", "was in training"),
        ("qqqqqqqqqqqqqqq", "not in the dictionary"),
        ("administration", "the ends are lost as well"),
        ("collaborations", "as the dictionary does"),
        (12, "hand in a word as text, not int"),
        ("wörterbuch", "the letters a to z only"),
    ),
    hints=(
        sentence("type words of twelve letters and more into the explorer."),
        sentence(
            "the note under the picture says which are held out; compare first, last "
            "and middle sounds with the dictionary's."
        ),
        sentence("try words that begin with dis- or inter-, or that end in -tions."),
    ),
    solution='answer = "distinctions"',
    praise=sentence("both ends are right, and the middle is lost."),
)

BETTER = Exercise(
    name="better",
    kind="search",
    right=_fault_of_better,
    mistakes=(
        ("phone", "letters; take a word of 10 or more"),
        ("internationalization", "was in training"),
        ("administration", "is wrong as well"),
        ("collaborations", "the network without attention says"),
    ),
    hints=(
        sentence("put the explorers of both networks side by side; they share a word."),
        sentence("long words with endings such as -ings or -ances are a good guess."),
        sentence("the note says held out, and as in the dictionary for one only."),
    ),
    solution='answer = "commodities"',
    praise=sentence("same data, same size: it is attention that gets this word."),
)

CUT_SHORT = Exercise(
    name="cut_short",
    kind="search",
    right=_fault_of_cut_short,
    mistakes=(
        ("knight", "letters; take a word of 16 or more"),
        ("internationalization", "was in training"),
        ("administratively", "not two short"),
        ("antidiscrimination", "cuts antidiscrimination short as well"),
    ),
    hints=(
        sentence("places beyond the fifteenth are rare in training."),
        sentence("try long words on -ization and -izing, and count the sounds."),
        sentence("some begin with institution-."),
    ),
    solution='answer = "institutionalize"',
    praise=sentence("it stops early where the recurrent network goes on."),
)
