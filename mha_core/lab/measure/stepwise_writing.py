"""What a recurrent network holds at each step while it writes a word."""

from typing import NamedTuple

import numpy as np

from mha_core._checks.sentences import sentence
from mha_core.attention import softmax
from mha_core.models.seq2seq import PHONEMES, Recurrent
from mha_core.pronouncing import check_word
from mha_core.tasks import name_phonemes, spell, to_ipa

LIKELY = 3


class Step(NamedTuple):
    """One step of the decoder: what asked, what came, and what is written."""

    before: np.ndarray  # the state that asks, (n,)
    weights: np.ndarray  # (h, letters); of no head where nothing looks
    context: np.ndarray  # (m,)
    state: np.ndarray  # (n,)
    likely: list  # (sound, probability) of the likeliest sounds, from the top

    @property
    def looked(self):
        """The weights of all heads on average, (letters,); None where nothing looks."""
        return self.weights.mean(axis=0) if len(self.weights) else None


class Writing(NamedTuple):
    """A word, the encoder's state at each letter, and every step of the decoder."""

    letters: tuple
    states: np.ndarray  # (letters, 2, n): forward and backward
    message: np.ndarray  # (2 n,): where each direction ends
    steps: list
    kind: str

    @property
    def sounds(self):
        """The sounds that are written, without the end."""
        return [step.likely[0][0] for step in self.steps]


def write_word(model, word):
    """Let a recurrent network write a word, and keep what it held at each step.

    Parameters
    ----------
    model : model of `mha_core.models` with a recurrent encoder and decoder
    word : str
        1 to 40 letters a to z.

    Returns
    -------
    Writing
        Its steps are those that write a sound, as `mha_core.pretrained.pronounce`
        has them; the step that ends the word is left out.

    Raises
    ------
    ValueError
        If the model is not recurrent, or the word cannot be read.
    """
    if not isinstance(model, Recurrent):
        kind = getattr(model, "kind", type(model).__name__)
        raise ValueError(
            sentence(
                "A recurrent network is needed, not one of kind {kind}.", kind=kind
            )
        )
    word = check_word(word)
    source = spell([word])  # (1, T)
    states = model.encode(source, source > 0)  # (1, T, m)
    parts = states[0].reshape(len(word), 2, -1)
    message = model.last_states(states)[0]
    steps = list(_steps(model, source))
    return Writing(tuple(word), parts, message, steps, model.kind)


def _steps(model, source):
    memory, state = model.start(source)
    token = 0
    for _ in range(source.shape[1] + 5):
        before, previous = state, model.params["E_target"][[token]]
        state, context, weights = model.step(before, previous, memory)
        chances = softmax(model.read_out(state, context)[0, : PHONEMES - 1])
        token = int(chances.argmax())
        if token == 0:
            return
        looked = np.reshape(weights, (-1, source.shape[1]))  # (h, T)
        yield Step(before[0], looked, context[0], state[0], _likely(chances))


def _likely(chances):
    """Return the names and the probabilities of the likeliest sounds."""
    order = np.argsort(-chances)[:LIKELY]
    return [(_name(token), float(chances[token])) for token in order]


def _name(token):
    return to_ipa(name_phonemes([token]))[0] if token else "end"
