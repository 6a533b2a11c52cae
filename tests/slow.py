"""The formulas once more as loops over indices, to compare the package with.

They take arrays of float64 or wider, and go by the papers: nothing of the package is
called, nothing is fast, and nothing is checked.
"""

import math
import operator

import numpy as np


def softmax(x, axis=-1):
    """exp(x_i) / sum_j exp(x_j)."""
    moved = np.moveaxis(x, axis, -1)
    result = np.zeros_like(moved)
    for index in np.ndindex(moved.shape[:-1]):
        row = list(moved[index])
        result[index] = weigh(row, [True] * len(row))
    return np.moveaxis(result, -1, axis)


def weigh(scores, seen):
    """alpha_j = exp(e_j) / sum_l exp(e_l) over the keys that are seen, else 0."""
    visible = [scores[j] for j in range(len(scores)) if seen[j]]
    if not visible:
        return [0.0] * len(scores)
    shares = [
        np.exp(scores[j] - max(visible)) if seen[j] else 0.0 for j in range(len(scores))
    ]
    return [kept(share / sum(shares)) for share in shares]


def kept(weight):
    """Return a weight as it is; a test replaces this, as narrow floats lose some."""
    return weight


def dot(a, b):
    """sum_c a_c b_c."""
    return sum(a[c] * b[c] for c in range(len(a)))


def product(x, W, b=None):
    """y_tj = sum_c x_tc W_cj + b_j of one sequence."""
    y = np.zeros((len(x), W.shape[1]), W.dtype)
    for t in range(len(x)):
        for j in range(W.shape[1]):
            y[t, j] = rounded(dot(x[t], W[:, j]) + (0 if b is None else b[j]))
    return y


def rounded(x):
    """Return what it is given; a test replaces this to see what rounding can do."""
    return x


def attend(score, value, seen, bias=None):
    """c_i = sum_j alpha_ij v_j, alpha_i = softmax_j(score(i, j) + bias_ij)."""
    (T_q, T_k), d_v = seen.shape, value.shape[1]
    context, weights = (
        np.zeros((T_q, d_v), value.dtype),
        np.zeros_like(value, shape=(T_q, T_k)),
    )
    for i in range(T_q):
        scores = [rounded(score(i, j)) for j in range(T_k)]
        if bias is not None:
            scores = [rounded(scores[j] + bias[i, j]) for j in range(T_k)]
        weights[i] = weigh(scores, seen[i])
        for c in range(d_v):
            context[i, c] = sum(
                weights[i, j] * value[j, c] for j in range(T_k) if seen[i, j]
            )
    return context, weights


def visible(shape, mask=None, bias=None, causal=False):
    """True where mask, bias and causal (j <= i) all let a query see a key."""
    seen = np.ones(shape, bool)
    for index in np.ndindex(shape):
        i, j = index[-2:]
        seen[index] &= mask is None or mask[index] == 1
        seen[index] &= bias is None or bias[index] != -np.inf
        seen[index] &= not causal or j <= i
    return seen


def over_batches(one, query, key, value, mask=None, bias=None, causal=False):
    """Attend in each sample; leading axes of size 1 serve all samples."""
    samples = np.broadcast_shapes(query.shape[:-2], key.shape[:-2])  # of the scores
    batch = np.broadcast_shapes(samples, value.shape[:-2])
    shape = (*samples, query.shape[-2], key.shape[-2])
    mask, bias = (
        None if x is None else np.broadcast_to(x, shape) for x in (mask, bias)
    )
    seen = visible(shape, mask, bias, causal)
    Q, K = (np.broadcast_to(x, samples + x.shape[-2:]) for x in (query, key))
    V = np.broadcast_to(value, batch + value.shape[-2:])
    context = np.zeros((*batch, query.shape[-2], value.shape[-1]), value.dtype)
    weights = np.zeros(shape, value.dtype)
    for v in np.ndindex(batch):
        inner = v[len(batch) - len(samples) :]
        b = tuple(i % size for i, size in zip(inner, samples, strict=True))
        added = None if bias is None else bias[b]
        context[v], weights[b] = attend(one(Q[b], K[b]), V[v], seen[b], added)
    return context, weights


def scaled_dot_product_attention(
    query, key, value, mask=None, bias=None, scale=None, causal=False
):
    """softmax(Q K^T / sqrt(d_k)) V: Vaswani 2017, eq. 1."""
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else float(scale)

    def one(Q, K):
        return lambda i, j: scale * dot(Q[i], K[j])

    return over_batches(one, query, key, value, mask, bias, causal)


def additive_attention(query, key, value, W_a, U_a, v_a, mask=None):
    """e_ij = v_a . tanh(W_a s_i + U_a h_j): Bahdanau 2015, appendix A.1.2."""

    def one(Q, K):
        Q, K = product(Q, W_a), product(K, U_a)
        return lambda i, j: dot(v_a, np.tanh(Q[i] + K[j]))

    return over_batches(one, query, key, value, mask)


def luong_attention(query, key, value, score="dot", W_a=None, v_a=None, mask=None):
    """q . k, or q W_a k, or v_a . tanh([q; k] W_a): Luong 2015, section 3.1."""

    def one(Q, K):
        def concat(i, j):
            return dot(v_a, np.tanh(product([[*Q[i], *K[j]]], W_a)[0]))

        return {
            "dot": lambda i, j: dot(Q[i], K[j]),
            "general": lambda i, j: dot(product(Q[i : i + 1], W_a)[0], K[j]),
            "concat": concat,
        }[score]

    return over_batches(one, query, key, value, mask)


def split_heads(x, h):
    """head_i[t, c] = x[t, i d_k + c]."""
    h = operator.index(h)
    *batch, T, d_model = x.shape
    heads = np.zeros_like(x, shape=(*batch, h, T, d_model // h))
    for *b, i, t, c in np.ndindex(heads.shape):
        heads[*b, i, t, c] = x[*b, t, i * (d_model // h) + c]
    return heads


def merge_heads(x):
    """y[t, i d_k + c] = head_i[t, c]."""
    *batch, h, T, d_k = x.shape
    merged = np.zeros_like(x, shape=(*batch, T, h * d_k))
    for *b, i, t, c in np.ndindex(x.shape):
        merged[*b, t, i * d_k + c] = x[*b, i, t, c]
    return merged


def multi_head_attention(
    X,
    W_Q,
    W_K,
    W_V,
    W_O,
    h,
    mask=None,
    key=None,
    value=None,
    projection_bias=None,
    bias=None,
    causal=False,
):
    """Concat(head_1, ..., head_h) W_O: Vaswani 2017, section 3.2.2."""
    key = X if key is None else key
    value = key if value is None else value
    if X.ndim == 2:
        arrays = (x[None] for x in (X, key, value))
        bare = {"mask": mask, "bias": bias, "batched": False}
        output, weights = _all_samples(
            arrays, (W_Q, W_K, W_V, W_O), h, projection_bias, causal, **bare
        )
        return output[0], weights[0]
    return _all_samples(
        (X, key, value), (W_Q, W_K, W_V, W_O), h, projection_bias, causal, mask, bias
    )


def _all_samples(sequences, W, h, projection_bias, causal, mask, bias, batched=True):
    X, key, value = sequences
    b_Q, b_K, b_V, b_O = (None,) * 4 if projection_bias is None else projection_bias
    h, (B, T_q, _), T_k = operator.index(h), X.shape, key.shape[1]
    shape = (B, h, T_q, T_k)
    mask, bias = (laid_over(x, shape, batched) for x in (mask, bias))
    seen = visible(shape, mask, bias, causal)
    output, weights = (
        np.zeros((B, T_q, W[3].shape[1]), X.dtype),
        np.zeros(shape, X.dtype),
    )
    for b in range(B):
        Q, K = product(X[b], W[0], b_Q), product(key[b], W[1], b_K)
        V, heads = product(value[b], W[2], b_V), []
        for i in range(h):
            Q_i, K_i, V_i = (split_heads(x, h)[i] for x in (Q, K, V))
            added = None if bias is None else bias[b, i]
            head, weights[b, i] = attend(
                lambda s, t, Q=Q_i, K=K_i: dot(Q[s], K[t]) / math.sqrt(Q.shape[1]),
                V_i,
                seen[b, i],
                added,
            )
            heads.append(head)
        output[b] = product(merge_heads(np.stack(heads)), W[3], b_O)
    return output, weights


def laid_over(x, shape, batched=True):
    """A mask of multi-head attention as (B, h, T_q, T_k), by the table of shapes."""
    if x is None:
        return None
    B, h, T_q, T_k = shape
    rows = (1, T_q)
    kinds = {
        2: lambda q, k: q in rows and k == T_k,
        3: lambda b, q, k: batched and b == B and q in rows and k == T_k,
        4: lambda b, i, q, k: b in (1, B) and i in (1, h) and q in rows and k == T_k,
    }
    assert kinds[x.ndim](*x.shape), f"{x.shape} is not in the table for {shape}"
    axes = {2: (0, 1), 3: (0,), 4: ()}[x.ndim]
    x = x[:, None] if x.ndim == 3 else np.expand_dims(x, axes) if axes else x
    full = np.zeros(shape, x.dtype)
    for b, i, q, k in np.ndindex(shape):
        size = x.shape
        full[b, i, q, k] = x[b % size[0], i % size[1], q % size[2], k]
    return full


def causal_mask(T_q, T_k=None, offset=0):
    """j <= i + offset."""
    T_q, offset = operator.index(T_q), operator.index(offset)
    T_k = T_q if T_k is None else operator.index(T_k)
    return [[j <= i + offset for j in range(T_k)] for i in range(T_q)]


def padding_mask(lengths, T_k):
    """j < length_b."""
    T_k = operator.index(T_k)
    return [[[j < int(length) for j in range(T_k)]] for length in lengths]
