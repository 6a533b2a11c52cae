"""Checks of a model of one's own that an explorer is given."""

from mha_core._checks.arguments import told
from mha_core._checks.sentences import sentence
from mha_core.models import (
    LETTERS,
    PHONEMES,
    Bahdanau,
    LastState,
    MultiHead,
    Transformer,
)
from mha_core.models.four_relations import FourRelations
from mha_core.models.letter_model import Language
from mha_core.models.seq2seq import Recurrent
from mha_core.pretrained import load, load_dates, load_language


def relations_layer(model):
    """Return a layer of the four relations, or say what it is that was given."""
    needed = sentence("a layer of the four relations, such as load_relations(64, 4)")
    return _checked(model, isinstance(model, FourRelations), needed)


def transformer(model):
    """Return a Transformer that reads words; the shipped one if none is given."""
    model = load("transformer") if model is None else model
    needed = sentence("a Transformer that reads words, such as load('transformer')")
    return _checked(model, isinstance(model, Transformer) and _reads(model), needed)


def several_heads(model):
    """Return a model with several heads; the shipped recurrent one if none is given."""
    model = load("multihead") if model is None else model
    needed = sentence(
        "a model that reads words with several heads, such as load('multihead')"
    )
    fits = isinstance(model, MultiHead | Transformer) and _reads(model)
    return _checked(model, fits, needed)


def last_state(model):
    """Return a model without attention; the shipped one if none is given."""
    model = load("last_state") if model is None else model
    needed = sentence("a model that reads words, such as load('last_state')")
    return _checked(model, isinstance(model, LastState) and _reads(model), needed)


def recurrent(model):
    """Return a model with a recurrent encoder and decoder that reads words."""
    needed = sentence("a recurrent model that reads words, such as load('bahdanau')")
    return _checked(model, isinstance(model, Recurrent) and _reads(model), needed)


def attentive(model):
    """Return a model with attention; the shipped one of Bahdanau's if none is given."""
    model = load("bahdanau") if model is None else model
    needed = sentence(
        "a model that reads words with attention, such as load('bahdanau')"
    )
    return _checked(model, bool(getattr(model, "h", 0)) and _reads(model), needed)


def letter_model(model):
    """Return a model that writes letters; the shipped one if none is given."""
    model = load_language() if model is None else model
    needed = sentence("a letter model, such as load_language()")
    return _checked(model, isinstance(model, Language), needed)


def date_writer(model):
    """Return a model that writes dates; the shipped one if none is given."""
    shipped = load_dates()
    model = shipped if model is None else model
    needed = sentence("a model that writes dates, such as load_dates()")
    fits = isinstance(model, Bahdanau) and _sizes(model) == _sizes(shipped)
    return _checked(model, fits, needed)


def _reads(model):
    return hasattr(model, "greedy") and _sizes(model) == (LETTERS, PHONEMES)


def _sizes(model):
    """Return how many signs a model reads, and how many it writes."""
    return len(model.params["E_source"]), len(model.params["E_target"])


def _checked(model, fits, needed):
    if fits:
        return model
    given = told(model)
    if hasattr(model, "kind"):
        given = sentence("one of kind {kind}", kind=model.kind)
    raise ValueError(
        sentence("model must be {needed}, not {given}.", needed=needed, given=given)
    )
