"""A calculator: how wide, how many heads, and what a layer then costs."""

from mha_core._checks.sentences import sentence
from mha_core.lab.drawing.tellings import commas, joined
from mha_core.lab.explorers.knobs import choice, slider
from mha_core.lab.measure.sizes import DTYPES, as_good_heads, attention_costs
from mha_core.lab.pictures import bars
from mha_core.lab.views import View

LENGTHS = [2**n for n in range(3, 15)]
BATCHES = [2**n for n in range(8)]
WIDTHS = (16, 24, 32, 48, 64, 128, 256, 512, 768, 1024, 2048, 4096, 12288)
HEADS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128)
PARTS = {
    "weights": sentence("weights"),
    "X, Q, K, V, output": sentence("activations"),
    "stored": sentence("scores, stored"),
    "in blocks": sentence("scores, in blocks"),
}
UNITS = (
    (1e9, sentence("gigabytes")),
    (1e6, sentence("megabytes")),
    (1e3, sentence("kilobytes")),
)
PAPERS = {
    "Transformer, base (2017)": {"d_model": 512, "h": 8, "T": 64},
    "BERT, base (2019)": {"d_model": 768, "h": 12, "T": 512},
    "GPT-2, small (2019)": {"d_model": 768, "h": 12, "T": 1024},
    "GPT-3 (2020)": {"d_model": 12288, "h": 96, "T": 2048},
    "Llama 2, 7B (2023)": {"d_model": 4096, "h": 32, "T": 4096},
}
PRESETS = PAPERS | {sentence("ours"): {"d_model": 64, "h": 4, "T": 16}}
WIDE = [size["d_model"] // size["h"] for size in PAPERS.values()]
CHOSEN = {"least": min(WIDE), "most": max(WIDE)}


def explore_sizes(d_model=512, h=8, T=64, batch=1, dtype="float32"):
    """Choose widths, heads and lengths; see what a layer of attention costs.

    Parameters
    ----------
    d_model, h, T, batch : int
        The head counts that are offered divide d_model.
    dtype : {"float16", "float32", "float64"}

    Returns
    -------
    View
        Controls of these names. The bars are memory, forward; the message counts
        parameters and multiply-adds, and says what papers and our trainings chose.
    """

    def compute(d_model, h, T, batch, dtype):
        costs = attention_costs(T, batch, h, d_model, dtype)
        return _bars(costs, d_model, h, T, batch, dtype), _told(costs, d_model)

    first = {"d_model": d_model, "h": h, "T": T, "batch": batch, "dtype": dtype}
    more = {"presets": PRESETS, "called": ("explore_sizes", {}), "first": first}
    offers = {"h": lambda values: [n for n in HEADS if values["d_model"] % n == 0]}
    return View(_controls(), compute, offers=offers, **more)


def _controls():
    return {
        "d_model": slider(WIDTHS, "d_model", sentence("The width of the layer.")),
        "h": slider(HEADS, "h", sentence("How many heads share the width.")),
        "T": slider(LENGTHS, "T", sentence("Tokens in each sequence.")),
        "batch": slider(
            BATCHES, sentence("batch"), sentence("Sequences that are read at once.")
        ),
        "dtype": choice(
            {name: name for name in DTYPES},
            "dtype",
            sentence("The kind of numbers: 2, 4 or 8 bytes each."),
        ),
    }


def _bars(costs, d_model, h, T, batch, dtype):
    title = sentence(
        "d_model {d_model}, h {h}, T {T}, batch {batch}, {dtype}",
        d_model=d_model,
        h=h,
        T=T,
        batch=batch,
        dtype=dtype,
    )
    most = max(costs[part] for part in PARTS)
    unit, name = next(pair for pair in UNITS if most >= pair[0])
    return bars(
        list(PARTS.values()),
        {name: [costs[part] / unit for part in PARTS]},
        title=title,
        x_name=sentence("what is in memory"),
        y_name=name,
    )


def _told(costs, d_model):
    return sentence(
        "d_k = {d_k}. Parameters: {each:,} in each of W_Q, W_K, W_V, W_O, {all:,} in "
        "all, whatever h. Multiply-adds: {products:.3g}, of them {scores:.3g} for "
        "scores and context. {advice}",
        d_k=costs["d_k"],
        each=costs["each matrix"],
        all=costs["parameters"],
        products=costs["products"],
        scores=costs["without projections"],
        advice=_advice(d_model),
    )


def _advice(d_model):
    chosen = sentence("Papers chose heads {least} to {most} wide.", **CHOSEN)
    heads = as_good_heads(d_model)
    if not heads:
        return chosen
    return sentence(
        "{chosen} In our trainings of this width, best or as good: h = {heads}.",
        chosen=chosen,
        heads=joined([str(h) for h in heads], commas),
    )
