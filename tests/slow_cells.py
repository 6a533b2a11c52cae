"""The recurrent cells, the blocks and the measures, once more as loops over indices."""

import numpy as np

import slow
from slow import multi_head_attention, product


def products(x, W):
    """sum_c x_c W_cj; leading axes of W count from the last but one of x."""
    rows = x[None] if x.ndim == 1 else x
    batch = np.broadcast_shapes(rows.shape[:-2], W.shape[:-2])
    rows, W = (np.broadcast_to(a, batch + a.shape[-2:]) for a in (rows, W))
    y = np.zeros((*batch, rows.shape[-2], W.shape[-1]), W.dtype)
    for b in np.ndindex(batch):
        y[b] = product(rows[b], W[b])
    return y[..., 0, :] if x.ndim == 1 else y


def each(one, *arrays):
    """Apply a function to the numbers that stand at the same place."""
    shape = np.broadcast_shapes(*(a.shape for a in arrays))
    arrays = [np.broadcast_to(a, shape) for a in arrays]
    y = np.zeros(shape, arrays[0].dtype)
    for index in np.ndindex(shape):
        y[index] = one(*(a[index] for a in arrays))
    return y


def add(*arrays):
    """a + b + c at each place."""
    return each(lambda *numbers: sum(numbers), *arrays)


def sigmoid(x):
    """1 / (1 + exp(-x))."""
    return 1 / (1 + np.exp(-x)) if x > 0 else np.exp(x) / (1 + np.exp(x))


def rnn_cell(x, state, W, U, b):
    """s' = tanh(x W + s U + b): Elman 1990."""
    return each(np.tanh, add(products(x, W), products(state, U), b))


def gru_cell(x, state, W, U, b, b_U=None, reset_after=False):
    """s' = (1 - z) n + z s: Cho 2014, eq. 5 to 8, gates z | r | n."""
    b_U, n = np.zeros_like(b) if b_U is None else b_U, state.shape[-1]
    inputs, hidden = add(products(x, W), b), add(products(state, U), b_U)
    gates = each(
        lambda i, k: sigmoid(i + k), inputs[..., : 2 * n], hidden[..., : 2 * n]
    )
    z, r = gates[..., :n], gates[..., n:]
    if reset_after:
        kept = each(lambda r, k: r * k, r, hidden[..., 2 * n :])
    else:
        before = each(lambda r, s: r * s, r, state)
        kept = add(products(before, U[..., 2 * n :]), b_U[..., 2 * n :])
    new = each(lambda i, k: np.tanh(i + k), inputs[..., 2 * n :], kept)
    return each(lambda z, n, s: (1 - z) * n + z * s, z, new, state)


def lstm_cell(x, state, cell, W, U, b):
    """c = f c + i g, s = o tanh(c), gates i | f | g | o: Hochreiter 1997, Gers 2000."""
    n, gates = state.shape[-1], add(products(x, W), products(state, U), b)
    i, f, g, o = (gates[..., k * n : (k + 1) * n] for k in range(4))
    cell = each(
        lambda i, f, g, c: sigmoid(f) * c + sigmoid(i) * np.tanh(g), i, f, g, cell
    )
    return each(lambda o, c: sigmoid(o) * np.tanh(c), o, cell), cell


def run_rnn(inputs, state, W, U, b, mask=None, reverse=False):
    """s_t = cell(x_t, s_(t-1)), or s_(t-1) where the mask is false."""
    T = inputs.shape[-2]
    batch = np.broadcast_shapes(inputs.shape[:-2], state.shape[:-1])
    carry = np.broadcast_to(state, (*batch, state.shape[-1]))
    states = np.zeros((*batch, T, state.shape[-1]), inputs.dtype)
    for t in reversed(range(T)) if reverse else range(T):
        new = np.array(rnn_cell(inputs[..., t, :], carry, W, U, b))
        for index in np.ndindex(batch):
            seen = mask is None or np.broadcast_to(mask, (*batch, T))[(*index, t)]
            if not seen:
                new[index] = carry[index]
        carry = states[..., t, :] = new
    return states


def layer_norm(x, gain, shift, epsilon=1e-5):
    """gain (x - mean) / sqrt(variance + epsilon) + shift: Ba 2016, eq. 4."""
    y = np.zeros_like(x)
    for index in np.ndindex(x.shape[:-1]):
        row, d = x[index], x.shape[-1]
        mean = sum(row) / d
        variance = sum((row[c] - mean) ** 2 for c in range(d)) / d
        for c in range(d):
            normal = (row[c] - mean) / np.sqrt(variance + float(epsilon))
            y[(*index, c)] = slow.rounded(gain[c] * normal + shift[c])
    return y


def feed_forward(x, W_1, b_1, W_2, b_2):
    """max(0, x W_1 + b_1) W_2 + b_2: Vaswani 2017, eq. 2."""
    y = np.zeros_like(x, shape=(*x.shape[:-1], W_2.shape[1]))
    for index in np.ndindex(x.shape[:-1]):
        inside = [max(v, 0) for v in product(x[index][None], W_1, b_1)[0]]
        y[index] = product(np.array([inside]), W_2, b_2)[0]
    return y


def encoder_block(x, p, h, mask=None):
    """x + attention(norm x), then x + feed_forward(norm x): Xiong 2020."""
    x, weights = _attend(x, None, p, "self", h, mask, False)
    return _think(x, p), weights


def decoder_block(x, memory, p, h, mask=None):
    """The same with a look at the memory between the two."""
    x, own = _attend(x, None, p, "self", h, None, True)
    x, cross = _attend(x, memory, p, "cross", h, mask, False)
    return _think(x, p), own, cross


def _attend(x, memory, p, part, h, mask, causal):
    normal = layer_norm(x, p[f"{part} gain"], p[f"{part} shift"])
    W = [p[f"{part} {name}"] for name in ("W_Q", "W_K", "W_V", "W_O")]
    y, weights = multi_head_attention(normal, *W, h, mask, memory, causal=causal)
    return slow.rounded(x + y), weights


def _think(x, p):
    normal = layer_norm(x, p["think gain"], p["think shift"])
    return x + feed_forward(
        normal, *(p[f"think {k}"] for k in ("W_1", "b_1", "W_2", "b_2"))
    )


def positions(T, d_model):
    """sin(t / 10000^(2 i / d)) in column 2 i, cos in 2 i + 1: Vaswani 2017, 3.5."""
    y = np.zeros((T, d_model))
    for t in range(T):
        for i in range(d_model // 2):
            angle = t / 10000 ** (2 * i / d_model)
            y[t, 2 * i], y[t, 2 * i + 1] = np.sin(angle), np.cos(angle)
    return y


def cross_entropy(logits, targets, counted):
    """The mean of -log softmax(logits)[target] over what counts."""
    surprises = []
    for b, t in np.ndindex(targets.shape):
        if counted[b, t]:
            row = logits[b, t]
            total = sum(np.exp(v - max(row)) for v in row)
            surprises.append(np.log(total) - (row[targets[b, t]] - max(row)))
    return sum(surprises) / len(surprises)


def edits(a, b):
    """The least insertions, deletions and changes from a to b, by trying them all."""
    if not a or not b:
        return len(a) + len(b)
    if a[0] == b[0]:
        return edits(a[1:], b[1:])
    return 1 + min(edits(a[1:], b), edits(a, b[1:]), edits(a[1:], b[1:]))
