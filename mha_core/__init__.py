"""Attention in plain NumPy, from the seq2seq bottleneck to self-attention."""

__version__ = "0.1.0"
