"""Short English sentences in which one word should look at another, and at no third.

Each case names both candidates, and each comes in both orders, so that "the nearer
one" or "the one two words back" is right in half of them.
"""

import itertools
from typing import NamedTuple

PAIRS = (
    *(("king", "queen"), ("man", "woman"), ("boy", "girl"), ("father", "mother")),
    *(("brother", "sister"), ("uncle", "aunt"), ("prince", "princess")),
    ("husband", "wife"),
)
DONE = ("called", "saw", "helped", "met")
STATES = ("lonely", "kind")
THINGS = ("cat", "dog", "horse", "bird", "boat", "train", "child", "king")
SEVERAL = ("cats", "dogs", "horses", "birds", "boats", "trains", "children", "kings")
LOOKS = ("beautiful", "small")
AGES = ("old", "new")
PEOPLE = ("doctor", "teacher", "farmer", "king")
PLACES = ("garden", "house", "church", "river", "bridge", "village")
MADE = ("built", "bought", "found", "lost", "painted", "opened")
FIELDS = (
    *(("doctor", "nurse"), ("bread", "cheese"), ("piano", "guitar")),
    *(("cat", "dog"), ("river", "lake"), ("king", "queen"), ("train", "car")),
    ("summer", "winter"),
)
WORLD = (
    (
        "the animal did not cross the street because it was too {}",
        1,
        6,
        "tired",
        "wide",
    ),
    ("the ball did not fit into the box because it was too {}", 1, 7, "large", "small"),
    ("the dog did not jump over the wall because it was too {}", 1, 7, "old", "high"),
    ("the car did not pass the bridge because it was too {}", 1, 6, "heavy", "weak"),
    ("the child could not lift the stone because it was too {}", 1, 6, "weak", "heavy"),
    ("the boat did not reach the island because it was too {}", 1, 6, "slow", "far"),
    ("the horse did not enter the river because it was too {}", 1, 6, "tired", "deep"),
    ("the man did not buy the house because it was too {}", 1, 6, "poor", "small"),
)


class Case(NamedTuple):
    """A sentence, the word that asks, the one it should look at, and a third.

    Attributes
    ----------
    sentence : str
    query, right, wrong : int
        Places of words, from 0.
    """

    sentence: str
    query: int
    right: int
    wrong: int


def same_word():
    """Return cases of a noun that came before, with another noun between or ahead."""
    for one, other in itertools.permutations(PLACES, 2):
        yield Case(f"we saw the {one} and the {other} and then the {one}", 10, 3, 6)
        yield Case(f"we saw the {other} and the {one} and then the {one}", 10, 6, 3)


def gender():
    """Return cases of a pronoun and two persons, of which one can be meant."""
    for (he, she), verb, state in itertools.product(PAIRS, DONE, STATES):
        for one, other in ((he, she), (she, he)):
            for word, person in (("he", he), ("she", she)):
                text = f"the {one} {verb} the {other} because {word} was {state}"
                right, wrong = (1, 4) if person == one else (4, 1)
                yield Case(text, 6, right, wrong)


def number():
    """Return cases of a pronoun and two things, one alone and one of several."""
    for one, many in itertools.product(range(6), repeat=2):
        if one == many:
            continue
        for verb in ("saw", "left"):
            first, second = THINGS[one], SEVERAL[many]
            for a, b, it in ((first, second, 1), (second, first, 4)):
                yield Case(f"the {a} {verb} the {b} before it moved", 6, it, 5 - it)
                yield Case(f"the {a} {verb} the {b} before they moved", 6, 5 - it, it)


def adjective():
    """Return cases of an adjective, its noun across a word, and another noun."""
    for look, age, (noun, other) in itertools.product(
        LOOKS, AGES, itertools.permutations(PLACES, 2)
    ):
        yield Case(f"the {other} near a {look} {age} {noun} was sold", 4, 6, 1)
        yield Case(f"a {look} {age} {noun} near the {other} was sold", 1, 3, 6)
        yield Case(f"they saw the {other} and a {look} and {age} {noun}", 6, 9, 3)
        yield Case(f"they saw a {look} and {age} {noun} and the {other}", 3, 6, 9)


def object_of():
    """Return cases of a noun, the verb whose object it is, and another verb."""
    for verb, other in itertools.permutations(MADE, 2):
        for noun, thing in (("house", "boat"), ("bridge", "garden")):
            text = f"they {verb} the old {noun} and {other} the {thing} today"
            yield Case(text, 4, 1, 6)
            yield Case(text, 8, 6, 1)


def subject_of():
    """Return cases of a verb, its subject across a phrase, and the noun between."""
    for one, other in itertools.permutations(
        ("doctor", "teacher", "farmer", "king"), 2
    ):
        for verb in ("smiled", "waited", "laughed", "left"):
            yield Case(f"the {one} near the {other} {verb} today", 5, 1, 4)
            yield Case(f"near the {other} the {one} {verb} today", 5, 4, 2)


def field():
    """Return cases of a noun, one of the same field, and one of another."""
    for (a, b), (c, _) in itertools.permutations(FIELDS, 2):
        yield Case(f"we saw the {a} and the {c} and then the {b}", 10, 3, 6)
        yield Case(f"we saw the {c} and the {a} and then the {b}", 10, 6, 3)


def world():
    """Return cases in which only knowledge of the world tells what *it* is."""
    for text, one, other, of_one, of_other in WORLD:
        it = text.split().index("it")
        yield Case(text.format(of_one), it, one, other)
        yield Case(text.format(of_other), it, other, one)


RELATIONS = {
    "same word": same_word,
    "gender": gender,
    "number": number,
    "adjective": adjective,
    "object": object_of,
    "subject": subject_of,
    "field": field,
    "world": world,
}


def cases(relation):
    """Return the cases of a relation, a key of `RELATIONS`."""
    return list(RELATIONS[relation]())
