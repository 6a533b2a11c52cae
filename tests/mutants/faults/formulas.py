"""Faults in the formulas, and in the checks of what they are given."""

from ..fault import Fault

NO_TORCH = "Lessons read no weights of PyTorch."
START = "what a lesson trains live ends alike, to the decimals shown, from any start"

ARGUMENTS = [
    Fault(
        name="any h up to d_model makes heads",
        file="_checks/projections.py",
        old="heads >= 1 and d_model % heads == 0:",
        new="heads >= 1 and d_model >= heads:",
        unit="test_malformed",
        lessons="04",
    ),
    Fault(
        name="the smallest head count in place of the nearest",
        file="_checks/projections.py",
        old="below, above = valid[bisect(valid, heads) - 1],",
        new="below, above = valid[0],",
        unit="test_cases_numerical",
        lessons="04",
    ),
    Fault(
        name="concat takes W_a of the keys alone",
        file="_checks/arguments.py",
        old='"concat": ((d_q + d_key, d_a), (d_a,)),',
        new='"concat": ((d_key, d_a), (d_a,)),',
        unit="test_frozen",
        lessons="03",
    ),
]
ARRAYS = [
    Fault(
        name="integers become float32",
        file="_checks/arrays.py",
        old="return array.astype(np.float64)",
        new="return array.astype(np.float32)",
        unit="test_malformed",
        lessons="04",
    ),
    Fault(
        name="float16 is computed in float16",
        file="_checks/arrays.py",
        old="return array.astype(np.float32)",
        new="return array",
        unit="test_cases_numerical",
        exempt="Lessons compute nothing in float16.",
    ),
    Fault(
        name="one finite number is enough",
        file="_checks/arrays.py",
        old="bool(np.isfinite(array).all())",
        new="bool(np.isfinite(array).any())",
        unit="test_malformed",
        exempt="Lessons pass neither NaN nor infinity.",
    ),
]
CHECKS = [
    Fault(
        name="a result may share memory with an argument",
        file="_checks/checked.py",
        old="return result.copy() if shared else result",
        new="return result",
        unit="test_cases_numerical",
        exempt="Lessons write into no result.",
    ),
    Fault(
        name="late arrays are never searched for NaN",
        file="_checks/checked.py",
        old="if hidden or name not in late:",
        new="if name not in late:",
        unit="test_malformed",
        exempt="Lessons pass neither NaN nor infinity.",
    ),
    Fault(
        name="values are taken of X, not of the key",
        file="_checks/checked.py",
        old="arrays[name] = arrays[source]",
        new='arrays[name] = arrays["X"]',
        unit="test_models",
        exempt="Lessons pass keys and values together, or neither.",
    ),
    Fault(
        name="leading axes are never too many",
        file="_checks/shapes.py",
        old="if extra < 0 or (extra and not leading):",
        new="if extra < 0:",
        unit="test_malformed",
        exempt="Lessons pass no array of a wrong shape.",
    ),
    Fault(
        name="three times n is compared with n",
        file="_checks/shapes.py",
        old="sizes.setdefault(letter, size // factor) * factor != size",
        new="sizes.setdefault(letter, size) != size",
        unit="test_malformed",
        exempt="Lessons call no cell by itself: models call the formula alone.",
    ),
]
MASKS = [
    Fault(
        name="a sequence without padding is refused",
        file="_checks/masks.py",
        old="if array.min() < 0 or array.max() > T_k:",
        new="if array.min() < 0 or array.max() >= T_k:",
        unit="test_properties",
        lessons="03",
    ),
    Fault(
        name="a mask for all heads does not fit",
        file="_checks/masks.py",
        old="return all(size in (1, wanted) for size, wanted in ends)",
        new="return all(size == wanted for size, wanted in ends)",
        unit="test_malformed",
        lessons="04",
    ),
    Fault(
        name="the batch of a mask falls on the heads",
        file="_checks/masks.py",
        old="return array[:, None]  # (B, 1, T_q, T_k)",
        new="return array[None]",
        unit="test_frozen",
        exempt="Lessons give multi-head attention one word at a time.",
    ),
    Fault(
        name="ones hide, zeros show",
        file="_checks/masks.py",
        old="return array.astype(bool)",
        new="return array == 0",
        unit="test_golden",
        exempt="Lessons mask with booleans only.",
    ),
]
WEIGHTS = [
    Fault(
        name="large scores are not lowered",
        file="attention.py",
        old="np.exp(lowered(scores))",
        new="np.exp(scores)",
        unit="test_cases_numerical",
        lessons="02",
    ),
    Fault(
        name="a row without keys is divided by 0",
        file="attention.py",
        old="weights /= np.where(total > 0, total, 1)",
        new="weights /= total",
        unit="test_cases_numerical",
        lessons="03",
    ),
    Fault(
        name="hidden keys of large scores are not hidden",
        file="attention.py",
        old="    if visible is not None:\n        scores = np.where(visible",
        new="    if visible is not None and small:\n        scores = np.where(visible",
        unit="test_properties",
        exempt="Scores of masked attention stay below 10 in the lessons.",
    ),
]
ATTENTION = [
    Fault(
        name="softmax over the first axis",
        file="attention.py",
        old='def softmax(x: "... n", axis=-1):',
        new='def softmax(x: "... n", axis=0):',
        unit="test_cases_numerical",
        lessons="03",
    ),
    Fault(
        name="padding masks are one key too long",
        file="masking.py",
        old="np.arange(T_k) < lengths[:, None, None]",
        new="np.arange(T_k) <= lengths[:, None, None]",
        unit="test_properties",
        lessons="03",
    ),
    Fault(
        name="concat takes the key's half for the query",
        file="attention.py",
        old="W_q, W_k = W_a[: query.shape[-1]], W_a[query.shape[-1] :]",
        new="W_k, W_q = W_a[: key.shape[-1]], W_a[key.shape[-1] :]",
        unit="test_frozen",
        lessons="03",
    ),
]
MULTIHEAD = [
    Fault(
        name="values are projected by W_K",
        file="multihead.py",
        old="V = split_heads(_project(value, W_V, b_V), h)",
        new="V = split_heads(_project(value, W_K, b_V), h)",
        unit="test_golden",
        lessons="04",
    ),
    Fault(
        name="W_O is not counted",
        file="multihead.py",
        old="return 4 * int(d_model) * (int(d_model) + biases)",
        new="return 3 * int(d_model) * (int(d_model) + biases)",
        unit="test_cases_numerical",
        lessons="04",
    ),
    Fault(
        name="the seed of the class is ignored",
        file="layer.py",
        old="draw = random_state(seed).randn",
        new="draw = (random_state(seed) and np.random).randn",
        unit="test_golden",
        exempt="Lessons draw the weights themselves and use the function.",
    ),
    Fault(
        name="the class mixes the keys in place of the values",
        file="layer.py",
        old="mask, key=K, value=V, causal=causal",
        new="mask, key=K, value=K, causal=causal",
        unit="test_golden",
        exempt="Lessons draw the weights themselves and use the function.",
    ),
]
RECURRENT = [
    Fault(
        name="keep and reset swapped",
        file="recurrent.py",
        old="z, r = gates[..., :n], gates[..., n:]",
        new="r, z = gates[..., :n], gates[..., n:]",
        unit="test_frozen",
        lessons="01",
    ),
    Fault(
        name="z renews and does not keep",
        file="recurrent.py",
        old="return (1 - z) * new + z * state\n\n\n",
        new="return z * new + (1 - z) * state\n\n\n",
        unit="test_frozen",
        lessons="01",
    ),
    Fault(
        name="padding renews the state",
        file="recurrent.py",
        old="np.where(mask[..., t, None], n, old) for n, old in pairs",
        new="np.where(mask[..., t, None], n, n) for n, old in pairs",
        unit="test_models",
        lessons="01",
    ),
    Fault(
        name="states read from the right come in reading order",
        file="recurrent.py",
        old="states[::-1] if reverse else states",
        new="states",
        unit="test_frozen",
        exempt="Lessons turn the letters and run from the left.",
    ),
    Fault(
        name="padding changes the cell of an LSTM",
        file="recurrent.py",
        old="pairs = zip(new, carry, strict=True)",
        new="pairs = zip(new, (carry[0], *new[1:]), strict=True)",
        unit="test_recurrent",
        exempt="Lessons run no LSTM.",
    ),
    Fault(
        name="write and forget swapped",
        file="recurrent.py",
        old="i, f = sigmoid(gates",
        new="f, i = sigmoid(gates",
        unit="test_frozen",
        exempt="Lessons run no LSTM.",
    ),
]
DERIVATIVES = [
    Fault(
        name="the slope of tanh taken of its input",
        file="derivatives.py",
        old="g * (1 - out * out)",
        new="g * (1 - a * a)",
        unit="test_gradients",
        lessons="05",
    ),
    Fault(
        name="a divisor pulls the wrong way",
        file="derivatives.py",
        old="lambda g, out, a, b: -g * out / b",
        new="lambda g, out, a, b: g * out / b",
        unit="test_gradients",
        lessons="05",
    ),
    Fault(
        name="a mean passes back a sum",
        file="derivatives.py",
        old="return _spread(g, out, x, axis, keepdims) * (out.size / x.size)",
        new="return _spread(g, out, x, axis, keepdims)",
        unit="test_gradients",
        exempt="Adam, with which lessons train, does not heed a gradient's size.",
    ),
]
GRADIENTS = [
    Fault(
        name="what is used twice keeps the last gradient only",
        file="gradients.py",
        old="self.grad = self.grad + g if self.grad_is_mine else g",
        new="self.grad = g",
        unit="test_gradients",
        lessons="05",
    ),
    Fault(
        name="broadcasting is undone by a mean",
        file="gradients.py",
        old="return g.sum(axis=tuple(axes)",
        new="return g.mean(axis=tuple(axes)",
        unit="test_gradients",
        lessons="05",
    ),
    Fault(
        name="joined parts begin one place early",
        file="gradients.py",
        old="range(e - v.shape[axis], e) for e, v in",
        new="range(e - v.shape[axis] - 1, e - 1) for e, v in",
        unit="test_gradients",
        lessons="01",
    ),
]
BLOCKS = [
    Fault(
        name="sines and cosines swapped",
        file="blocks.py",
        old="np.stack([np.sin(angles), np.cos(angles)], axis=-1)",
        new="np.stack([np.cos(angles), np.sin(angles)], axis=-1)",
        unit="test_blocks",
        lessons="05",
    ),
    Fault(
        name="the waves are half as long in the exponent",
        file="blocks.py",
        old="np.arange(0, d_model, 2) / d_model",
        new="np.arange(d_model // 2) / d_model",
        unit="test_blocks",
        lessons="05",
    ),
    Fault(
        name="normalised over the positions",
        file="blocks.py",
        old="centred = x - np.mean(x, axis=-1, keepdims=True)\n"
        "    variance = np.mean(centred * centred, axis=-1, keepdims=True)",
        new="centred = x - np.mean(x, axis=-2, keepdims=True)\n"
        "    variance = np.mean(centred * centred, axis=-2, keepdims=True)",
        unit="test_frozen",
        lessons="05",
    ),
    Fault(
        name="nothing added to what attention saw",
        file="blocks.py",
        old="return x + seen, weights",
        new="return seen, weights",
        unit="test_frozen",
        lessons="05",
    ),
    Fault(
        name="no ReLU",
        file="blocks.py",
        old="return np.maximum(finite(x @ W_1 + b_1), 0) @ W_2 + b_2",
        new="return finite(x @ W_1 + b_1) @ W_2 + b_2",
        unit="test_frozen",
        lessons="05",
    ),
]
TORCH = [
    Fault(
        name="matrices of torch are not turned",
        file="torch_weights.py",
        old="return [W.T for W in np.split(packed, 3)]",
        new="return [W for W in np.split(packed, 3)]",
        unit="test_torch_weights",
        exempt=NO_TORCH,
    ),
    Fault(
        name="a block leaves out the biases of its projections",
        file="blocks.py",
        old='if f"{part} b_Q" in p:',
        new="if False:",
        unit="test_torch_weights",
        exempt=NO_TORCH,
    ),
]
INITIAL = [
    Fault(
        name="weights as large as the width they lead to says",
        file="models/initial.py",
        old="fan_in = shape[-2] if len(shape) > 1 else shape[0]",
        new="fan_in = shape[-1]",
        unit="test_models",
        exempt=START,
    ),
    Fault(
        name="initial weights ignore their generator",
        file="models/initial.py",
        old="(size * rng.standard_normal(shape))",
        new="(size * np.random.standard_normal(shape))",
        unit="test_models",
        exempt=START,
    ),
    Fault(
        name="a gain begins at 0",
        file="models/initial.py",
        old="return np.ones(shape, np.float32)",
        new="return np.zeros(shape, np.float32)",
        unit="test_transformer",
        exempt="Lessons train no Transformer.",
    ),
]

FAULTS = [
    *ARGUMENTS,
    *ARRAYS,
    *CHECKS,
    *MASKS,
    *WEIGHTS,
    *ATTENTION,
    *MULTIHEAD,
    *RECURRENT,
    *DERIVATIVES,
    *GRADIENTS,
    *BLOCKS,
    *TORCH,
    *INITIAL,
]
