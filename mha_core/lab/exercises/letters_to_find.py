"""Letters to find: where the network with attention looks, and where it does not."""

from mha_core._checks.sentences import sentence
from mha_core.lab.exercises.exercise import Exercise
from mha_core.lab.exercises.searching import a_word, judged, said_by
from mha_core.lab.pictures.alignments import alignment
from mha_core.tasks import to_ipa

FAINT = 0.05
READ = "wrestle"


@judged
def _fault_of_faint(answer):
    """Tell why a word is not one whose e is hardly looked at."""
    word = a_word(answer)
    said = said_by("bahdanau", word)
    places = [at for at, letter in enumerate(said.letters) if letter == "e"]
    if not places:
        return sentence("there is no e in {word}", word=word)
    if not said.phonemes:
        return sentence("the network says nothing for {word}", word=word)
    looked = said.weights[0][:, places]  # (sounds, places of e)
    step = int(looked.max(axis=1).argmax())
    if looked[step].max() < FAINT:
        return None
    return sentence(
        "in {word} an e gets {weight:.2f} while {sound} is written",
        word=word,
        weight=looked[step].max(),
        sound=to_ipa(said.phonemes)[step],
    )


@judged
def _fault_of_silent(answer):
    """Tell why letters are not those that no sound looks at most."""
    said = said_by("bahdanau", READ)
    darkest = set(said.weights[0].argmax(axis=1).tolist())
    right = sorted(c for at, c in enumerate(said.letters) if at not in darkest)
    mine = sorted(a_word("".join(answer) if isinstance(answer, list) else answer))
    if mine == right:
        return None
    if mine == sorted(said.letters[at] for at in darkest):
        return sentence("these are the darkest ones; the others are asked for")
    extra = [letter for letter in mine if mine.count(letter) > right.count(letter)]
    if extra:
        return sentence(
            "{letter} is the darkest of some row: look along each row", letter=extra[0]
        )
    return sentence("one more is never the darkest of a row: look at each column")


FAINT_E = Exercise(
    name="faint_e",
    kind="search",
    right=_fault_of_faint,
    mistakes=(
        ("tree", "an e gets 0."),
        ("these", "an e gets 0."),
        ("knight", "there is no e in knight"),
        (3, "hand in a word as text"),
    ),
    hints=(
        sentence("look for words in which e is not heard."),
        sentence("an e at the end of a word often only changes the vowel before it."),
        sentence("read the column of e: every cell has to stay pale, below .05."),
    ),
    solution='answer = "knife"',
    praise=sentence("no sound looks at this e."),
)

SILENT = Exercise(
    name="silent",
    kind="search",
    right=_fault_of_silent,
    picture=lambda: alignment(said_by("bahdanau", READ)),
    mistakes=(
        ("wt", "one more is never the darkest"),
        ("resl", "these are the darkest ones"),
        ("wst", "s is the darkest of some row"),
        (["w"], "one more is never the darkest"),
    ),
    hints=(
        sentence("each row is a sound: from its darkest cell go to the letter."),
        sentence("strike out each letter that you found; two sounds may share one."),
        sentence("what is left is a letter at the start, one inside, one at the end."),
    ),
    solution='answer = "wte"',
    praise=sentence("the letters that are not heard are nobody's darkest."),
)
