"""Attention in plain NumPy, from the seq2seq bottleneck to self-attention.

Read it in this order:

1. `attention`: scores, softmax, weighted sum; `masking`; then `multihead`, `layer`.
2. `recurrent` and `blocks`: the cells and the block that attention is put into;
   `torch_weights` reads those that PyTorch trained.
3. `gradients`, with `derivatives` and `losses`: how plain NumPy code is differentiated.
4. `tasks`, `models`: the data, and the networks that learn it; one file for each.
5. `training`, `evaluation`, `pretrained`, `pronouncing`: trained, measured, used.
6. `lab`: drawing, measure, pictures, views, explorers, exercises.
"""

from mha_core.attention import (
    additive_attention,
    luong_attention,
    masked_softmax,
    scaled_dot_product_attention,
    softmax,
)
from mha_core.layer import MultiHeadAttention
from mha_core.masking import causal_mask, padding_mask
from mha_core.multihead import (
    count_parameters,
    merge_heads,
    multi_head_attention,
    split_heads,
)
from mha_core.recurrent import gru_cell, lstm_cell, rnn_cell

__version__ = "0.2.0"
__all__ = [
    "MultiHeadAttention",
    "additive_attention",
    "causal_mask",
    "count_parameters",
    "gru_cell",
    "lstm_cell",
    "luong_attention",
    "masked_softmax",
    "merge_heads",
    "multi_head_attention",
    "padding_mask",
    "rnn_cell",
    "scaled_dot_product_attention",
    "softmax",
    "split_heads",
]
