"""Save and load what is shipped, and let a trained model pronounce a word."""

import functools
import io
import json
import string
from dataclasses import dataclass

import numpy as np

from mha_core._arguments import check_heads
from mha_core._shipped import DATA, read_shipped, ship
from mha_core.models import KINDS
from mha_core.relations import FourRelations
from mha_core.tasks import LONGEST, SPLITS, name_phonemes, pronunciation, spell, to_ipa

MOST_LETTERS = 2 * LONGEST
COMMAND = "python -m mha_core.recipes.pronunciation"
ERRORS = "pronunciation-errors.json"
RELATIONS = "relations.npz"
RELATIONS_TABLE = "relations-accuracy.json"


def load(kind, seed=0, folder=DATA):
    """Return a trained model of one kind.

    Parameters
    ----------
    kind : {"last_state", "bahdanau"}
    seed : int
        Only seed 0 is shipped.
    folder : Path
        Where the weights are.

    Returns
    -------
    model of `mha_core.models`, its parameters in float32
    """
    if kind not in KINDS:
        raise ValueError(f"kind must be one of {', '.join(KINDS)}, not {kind!r}.")
    if seed != 0:
        raise ValueError(
            f"Only seed 0 is shipped, not {seed!r}; {COMMAND} --kind {kind} "
            f"--seed {seed} trains that model."
        )
    content = io.BytesIO(read_shipped(f"pronunciation-{kind}.npz", folder))
    with np.load(content, allow_pickle=False) as saved:
        return KINDS[kind]({name: saved[name].astype(np.float32) for name in saved})


def load_errors(folder=DATA):
    """Return the errors measured on the test words: kind to seed to measurements."""
    return json.loads(read_shipped(ERRORS, folder))


def load_relations(d_model, h, seed=0):
    """Return a trained layer of the four relations.

    Parameters
    ----------
    d_model : {16, 24, 32, 64}
    h : int
        Divides d_model.
    seed : int
        0 for every setting; a few others are shipped as examples.

    Returns
    -------
    FourRelations, its parameters in float32
    """
    check_heads(d_model, h)
    content = io.BytesIO(read_shipped(RELATIONS))
    with np.load(content, allow_pickle=False) as saved:
        prefix = f"{d_model}-{h}-{seed} "
        names = [name for name in saved if name.startswith(prefix)]
        params = {n.removeprefix(prefix): saved[n].astype(np.float32) for n in names}
    if not params:
        raise ValueError(
            f"No layer with d_model={d_model}, h={h} and seed={seed} is shipped; those "
            "of widths 16, 24, 32 and 64 are, with every h that divides them, seed 0."
        )
    return FourRelations(params, int(h))


def load_relations_table():
    """Return accuracy, owner and mass of each role: "d_model-h" to one row per seed."""
    return json.loads(read_shipped(RELATIONS_TABLE))


def save(model, folder=DATA):
    """Ship a model's parameters in float16; the file has the name of its kind."""
    file = io.BytesIO()
    np.savez(file, **{name: p.astype(np.float16) for name, p in model.params.items()})
    command = f"{COMMAND} --kind {model.kind} --seed 0"
    ship(f"pronunciation-{model.kind}.npz", file.getvalue(), command, folder)


@dataclass(frozen=True)
class Pronunciation:
    """What a model says of a word, and what it looked at.

    Attributes
    ----------
    letters : tuple of str
    phonemes : tuple of str
        In ARPAbet; `mha_core.tasks.to_ipa` turns them into phonetic signs.
    weights : ndarray, shape (h, phonemes, letters)
    expected : tuple of str or None
        The dictionary's phonemes; None for a word that is not in it.
    seen : bool
        The word was in training.
    """

    letters: tuple
    phonemes: tuple
    weights: np.ndarray
    expected: tuple | None
    seen: bool

    def __repr__(self):
        return f"{''.join(self.letters)}: {_ipa(self.phonemes)} ({self.note})"

    @property
    def note(self):
        """Say whether the word was in training, and what the dictionary has."""
        if self.expected is None:
            return "not in the dictionary"
        where = "seen in training" if self.seen else "held out of training"
        right = (
            "as in the dictionary"
            if self.phonemes == self.expected
            else (f"the dictionary has {_ipa(self.expected)}")
        )
        return f"{where}; {right}"


def pronounce(model, word):
    """Let a model pronounce a word, letter by letter.

    Parameters
    ----------
    model : model of `mha_core.models`
    word : str
        1 to 40 letters a to z; capitals count as small letters.

    Returns
    -------
    Pronunciation
    """
    word = check_word(word)
    ids, weights = model.greedy(spell([word]), len(word) + 5)
    phonemes = name_phonemes(ids[0])
    expected, seen = _dictionary().get(word, (None, False))
    looked = weights[0, :, : len(phonemes)]  # (h, phonemes, letters)
    return Pronunciation(tuple(word), phonemes, looked, expected, seen)


def check_word(word):
    """Return a typed word in small letters, or say what the models cannot read."""
    if not isinstance(word, str):
        raise ValueError(f"A word must be text, not {type(word).__name__}.")
    word = word.strip().lower()
    if not word:
        raise ValueError("Type a word: one or more of the letters a to z.")
    foreign = [letter for letter in word if letter not in string.ascii_lowercase]
    if foreign:
        raise ValueError(
            f"The models read the letters a to z only, and {foreign[0]!r} is none of "
            "them; type an English word without spaces, digits or accents."
        )
    if len(word) > MOST_LETTERS:
        raise ValueError(
            f"{len(word)} letters are too many; type at most {MOST_LETTERS} "
            f"(words in training have {LONGEST} or fewer)."
        )
    return word


def _ipa(phonemes):
    return " ".join(to_ipa(phonemes)) or "nothing"


@functools.cache
def _dictionary():
    return {
        word: (phonemes, split == "train")
        for split in SPLITS
        for word, phonemes in pronunciation(split)
    }
