"""One training step on the tape against torch eager, the same operations in both."""

import numpy as np
import torch

from bench.report import report
from mha_core.gradients import gradients
from mha_core.lab.measure.clock import fastest
from mha_core.models.initial import initial
from mha_core.training import loss

WORDS, LETTERS, PHONEMES = 128, 8, 7
LIMIT = 1.2


def run():
    """Print the ratio of a training step; return whether it holds."""
    rng = np.random.default_rng(0)
    model = initial("bahdanau", rng)
    source = rng.integers(1, 27, (WORDS, LETTERS))
    target = np.pad(rng.integers(1, 40, (WORDS, PHONEMES)), [(0, 0), (0, 1)])
    tensors = {k: torch.from_numpy(v).requires_grad_() for k, v in model.params.items()}
    numbers = torch.from_numpy(source), torch.from_numpy(target)

    def ours():
        return gradients(
            lambda p: loss(model.with_params(p), source, target), model.params
        )

    def theirs():
        value = torch_loss(tensors, *numbers)
        found = torch.autograd.grad(value, tuple(tensors.values()))
        return value.item(), dict(zip(tensors, found, strict=True))

    _compare(ours(), theirs())
    times = fastest({"ours": ours, "torch": theirs}, rounds=300, sample=0.004)
    what = f"training step, {WORDS} words of {LETTERS} letters / torch"
    return report(what, times["ours"], times["torch"], LIMIT)


def _compare(ours, theirs):
    np.testing.assert_allclose(ours[0], theirs[0], rtol=1e-5)
    for name, gradient in theirs[1].items():
        np.testing.assert_allclose(ours[1][name], gradient, rtol=1e-3, atol=1e-6)


def torch_loss(p, source, target):
    """Return the loss of the Bahdanau model, as `mha_core` computes it."""
    mask = source > 0
    states = _encode(p, source, mask)
    n = states.shape[-1] // 2
    last = torch.cat([states[:, -1, :n], states[:, 0, n:]], -1)
    state = torch.tanh(last @ p["W_start"] + p["b_start"])
    keys = states @ p["U_a"]
    before = torch.cat([torch.zeros_like(target[:, :1]), target[:, :-1]], 1)
    previous = p["E_target"][before]
    shown = []
    for t in range(target.shape[1]):
        context = _look(p, state, states, keys, mask)
        x = torch.cat([previous[:, t], context], -1)
        state = _gru(p, "decoder", x, state)
        shown.append(torch.cat([state, context], -1))
    logits = torch.stack(shown, 1) @ p["W_out"] + p["b_out"]
    counted = torch.cumsum(target == 0, 1) <= 1
    right = torch.gather(logits, -1, target[..., None])[..., 0]
    surprise = torch.logsumexp(logits, -1) - right
    return torch.sum(surprise * counted) / counted.sum()


def _encode(p, source, mask):
    letters = p["E_source"][source]
    both = torch.stack([letters, letters.flip(1)])
    visible = torch.stack([mask, mask.flip(1)])
    state = both.new_zeros(2, len(source), p["U_encoder"].shape[-2])
    states = []
    for t in range(source.shape[1]):
        new = _gru(p, "encoder", both[:, :, t], state)
        state = torch.where(visible[:, :, t, None], new, state)
        states.append(state)
    states = torch.stack(states, -2)
    return torch.cat([states[0], states[1].flip(1)], -1)


def _look(p, state, states, keys, mask):
    query = (state @ p["W_a"])[:, None, None]
    scores = torch.tanh(query + keys[:, None]) @ p["v_a"]
    scores = scores.masked_fill(~mask[:, None], -torch.inf)
    return (torch.softmax(scores, -1) @ states)[:, 0]


def _gru(p, name, x, state):
    W, U, b, b_U = (p[f"{part}_{name}"] for part in ("W", "U", "b", "b_U"))
    n = state.shape[-1]
    inputs, recurrent = x @ W + b, state @ U + b_U
    gates = torch.sigmoid(inputs[..., : 2 * n] + recurrent[..., : 2 * n])
    z, r = gates[..., :n], gates[..., n:]
    new = torch.tanh(inputs[..., 2 * n :] + r * recurrent[..., 2 * n :])
    return (1 - z) * new + z * state
