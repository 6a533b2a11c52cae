"""The kinds of models that pronounce words, by name."""

from mha_core.models.bahdanau import Bahdanau
from mha_core.models.last_state import LastState
from mha_core.models.several_heads import MultiHead
from mha_core.models.transformer import Transformer

KINDS = {model.kind: model for model in (LastState, Bahdanau, MultiHead, Transformer)}
