"""The models: one face, several ways to look back."""

from mha_core.models.bahdanau import Bahdanau
from mha_core.models.kinds import KINDS
from mha_core.models.last_state import LastState
from mha_core.models.model import Kind, Model
from mha_core.models.seq2seq import LETTERS, PHONEMES, Recurrent
from mha_core.models.several_heads import MultiHead
from mha_core.models.transformer import Transformer

__all__ = [
    "KINDS",
    "LETTERS",
    "PHONEMES",
    "Bahdanau",
    "Kind",
    "LastState",
    "Model",
    "MultiHead",
    "Recurrent",
    "Transformer",
]
