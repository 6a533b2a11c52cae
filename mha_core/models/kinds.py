"""The kinds of models that pronounce words: one record for each, by name."""

from mha_core._checks.sentences import sentence
from mha_core.models import bahdanau, last_state, several_heads, transformer
from mha_core.models.model import Kind
from mha_core.models.seq2seq import recurrent_shapes

KINDS = {
    "last_state": Kind(
        model=last_state.LastState,
        label=sentence("last states only"),
        shapes=recurrent_shapes,
        sizes={"d": 32, "n": 42},
        embedding=0.5,
        warm_up=200,
        paths=last_state.paths,
    ),
    "bahdanau": Kind(
        model=bahdanau.Bahdanau,
        label=sentence("with attention"),
        shapes=bahdanau.shapes,
        sizes={"d": 32, "n": 40, "d_a": 48},
        embedding=0.5,
        warm_up=200,
        paths=bahdanau.paths,
    ),
    "multihead": Kind(
        model=several_heads.MultiHead,
        label=sentence("with four heads"),
        shapes=several_heads.shapes,
        sizes={"d": 32, "n": 36},
        embedding=0.5,
        warm_up=200,
        paths=bahdanau.paths,
    ),
    "transformer": Kind(
        model=transformer.Transformer,
        label=sentence("Transformer"),
        shapes=transformer.shapes,
        sizes={"d": 48, "d_ff": 64},
        embedding=1.0,
        warm_up=400,
        paths=transformer.paths,
        recurrent=False,
    ),
}
