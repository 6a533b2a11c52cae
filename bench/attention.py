"""`multi_head_attention` against its bare matrix products, and against torch."""

import numpy as np

from bench.report import report
from mha_core.lab.measure.clock import fastest
from mha_core.multihead import multi_head_attention

BARE = {(64, 128, 8): 2.0, (128, 512, 8): 1.2, (512, 512, 8): 1.45}
BARE |= {(1024, 1024, 16): 1.45}
TORCH = {(10, 16, 4): 1.0} | dict.fromkeys(BARE, 1.0)


def run():
    """Print all ratios for (T, d_model, h); return whether all hold."""
    return all([measure(*size) for size in TORCH])


def measure(T, d_model, h):
    """Print the ratios of one size; return whether they hold."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((T, d_model), np.float32)
    W = [_draw(rng, d_model) for _ in range(4)]
    times = fastest(
        {
            "ours": lambda: multi_head_attention(X, *W, h),
            "bare": lambda: bare_products(X, *W, h),
            "torch": in_torch(X, *W, h),
        },
        rounds=500 if T < 512 else 80,
        sample=0.004,
    )
    size = (T, d_model, h)
    held = [report(f"{size} / torch", times["ours"], times["torch"], TORCH[size])]
    if size in BARE:
        held += [report(f"{size} / bare", times["ours"], times["bare"], BARE[size])]
    return all(held)


def bare_products(X, W_Q, W_K, W_V, W_O, h):
    """Multiply all matrices of multi-head attention, and do nothing else."""
    Q, K, V = (_split(X @ W, h) for W in (W_Q, W_K, W_V))
    heads = Q @ np.swapaxes(K, -1, -2) @ V  # (h, T, d_k)
    return np.swapaxes(heads, 0, 1).reshape(X.shape) @ W_O


def in_torch(X, W_Q, W_K, W_V, W_O, h):
    """Return a call of torch's module on the same weights, with weights per head."""
    import torch

    module = torch.nn.MultiheadAttention(X.shape[1], h, bias=False, batch_first=True)
    with torch.no_grad():
        module.in_proj_weight.copy_(torch.from_numpy(np.hstack([W_Q, W_K, W_V]).T))
        module.out_proj.weight.copy_(torch.from_numpy(W_O.T))
    module.eval()
    x = torch.from_numpy(X)[None]

    @torch.inference_mode()
    def call():
        return module(x, x, x, need_weights=True, average_attn_weights=False)

    np.testing.assert_allclose(
        call()[0][0], multi_head_attention(X, W_Q, W_K, W_V, W_O, h)[0], 1e-3, 1e-5
    )
    return call


def _draw(rng, d_model):
    W = rng.standard_normal((d_model, d_model), np.float32)
    return W / np.float32(d_model**0.5)


def _split(x, h):
    return np.swapaxes(x.reshape(len(x), h, -1), 0, 1)
