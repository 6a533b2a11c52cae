"""The faults that every course on attention warns of."""

from ..fault import Fault

FAULTS = [
    Fault(
        name="reshape-only split",
        file="multihead.py",
        old="    x = np.reshape(x, (*x.shape[:-1], h, d_k))  # (..., T, h, d_k)\n"
        "    return np.swapaxes(x, -2, -3)  # (..., h, T, d_k)",
        new="    return np.reshape(x, (*x.shape[:-2], h, x.shape[-2], d_k))",
        unit="test_cases_numerical",
        lessons="04",
    ),
    Fault(
        name="merge without moving the axis back",
        file="multihead.py",
        old="    h, _, d_k = x.shape[-3:]\n"
        "    x = np.swapaxes(x, -2, -3)  # (..., T, h, d_k)\n"
        "    return np.reshape(x, (*x.shape[:-2], h * d_k))",
        new="    h, T, d_k = x.shape[-3:]\n"
        "    return np.reshape(x, (*x.shape[:-3], T, h * d_k))",
        unit="test_golden",
        lessons="04",
    ),
    Fault(
        name="softmax over the queries",
        file="attention.py",
        old="    total = np.sum(weights, axis=-1, keepdims=True)",
        new="    total = np.sum(weights, axis=-min(weights.ndim, 2), keepdims=True)",
        unit="test_golden",
        lessons="03",
    ),
    Fault(
        name="no scale",
        file="attention.py",
        old="scale = 1 / math.sqrt(d_k) if scale is None",
        new="scale = 1.0 if scale is None",
        unit="test_golden",
        lessons="03",
    ),
    Fault(
        name="scale by d_model",
        file="multihead.py",
        old="        Q, K, V, mask=mask, bias=bias, causal=causal\n",
        new="        Q, K, V, mask=mask, bias=bias, causal=causal,\n"
        "        scale=W_Q.shape[-1] ** -0.5,\n",
        unit="test_golden",
        lessons="04",
    ),
    Fault(
        name="mask inverted",
        file="masking.py",
        old="visible = True if mask is None else as_mask(mask, scores.shape)",
        new="visible = True if mask is None else ~as_mask(mask, scores.shape)",
        unit="test_golden",
        lessons="03",
    ),
    Fault(
        name="causal mask hides the token itself",
        file="masking.py",
        old="np.arange(T_k) <= np.arange(T_q)[:, None] + offset",
        new="np.arange(T_k) < np.arange(T_q)[:, None] + offset",
        unit="test_golden",
        lessons="05",
    ),
    Fault(
        name="causal mask shows the next token",
        file="masking.py",
        old="np.arange(T_k) <= np.arange(T_q)[:, None] + offset",
        new="np.arange(T_k) <= np.arange(1, T_q + 1)[:, None] + offset",
        unit="test_golden",
        lessons="05",
    ),
    Fault(
        name="mask after the softmax",
        file="attention.py",
        old="    weights = masked_softmax("
        "scores, visible_keys(scores, mask, bias, causal))\n",
        new="    visible = visible_keys(scores, mask, bias, causal)\n"
        "    seen = True if visible is None else visible\n"
        "    weights = masked_softmax(scores) * seen\n",
        unit="test_golden",
        lessons="03",
    ),
    Fault(
        name="no W_O",
        file="multihead.py",
        old="return _project(merge_heads(heads), W_O, b_O), weights",
        new="return merge_heads(heads), weights",
        unit="test_golden",
        lessons="04",
    ),
    Fault(
        name="no tanh in additive scores",
        file="attention.py",
        old="scores = np.tanh(inside) @ v_a",
        new="scores = inside @ v_a",
        unit="test_frozen",
        lessons="02",
    ),
    Fault(
        name="the current state looks, not the previous one",
        file="models/seq2seq.py",
        old='*self._gru("decoder"), reset_after=True)\n'
        "        return state, context, weights",
        new='*self._gru("decoder"), reset_after=True)\n'
        "        return state, *self.look(state, memory)",
        unit="test_models",
        lessons="02",
    ),
    Fault(
        name="-1e9 for minus infinity",
        file="attention.py",
        old="        scores = np.where(visible, scores, -np.inf)\n",
        new="        scores = np.where(visible, scores, -1e9)\n"
        "        visible, small = None, False\n",
        unit="test_cases_numerical",
        lessons="03",
    ),
    Fault(
        name="float64 from np.sqrt",
        file="attention.py",
        old="1 / math.sqrt(d_k)",
        new="1 / np.sqrt(d_k)",
        unit="test_cases_numerical",
        exempt="Lessons show no dtype of attention, and its digits are the same.",
    ),
    Fault(
        name="the weights of another model in the file",
        file="data/pronunciation-bahdanau.npz",
        old="",
        new="pronunciation-multihead.npz",
        unit="test_shipped",
        lessons="02",
    ),
    Fault(
        name="the words of another network in the file of the dates",
        file="data/dates.npz",
        old="",
        new="pronunciation-bahdanau.npz",
        unit="test_dates",
        lessons="02",
    ),
    Fault(
        name="every kind opens the weights of one",
        file="pretrained.py",
        old="read_shipped(name, Path(folder))",
        new='read_shipped("pronunciation-bahdanau.npz", Path(folder))',
        unit="test_models",
        lessons="01",
    ),
]
