"""Heads of a pretrained network on a sentence that is typed."""

from mha_core._checks.arguments import told
from mha_core._checks.sentences import sentence
from mha_core.lab.explorers.knobs import choice, slider, text_box
from mha_core.lab.pictures import head_grid
from mha_core.lab.pictures.head_roles import names_of_heads
from mha_core.lab.views import View
from mha_core.models.sentence_reader import SentenceReader
from mha_core.pretrained import load_reader

TIRED = "The animal did not cross the street because it was too tired."
PRESETS = {
    sentence("he or she"): {
        "text": "The king thanked the queen because she was kind.",
        "layer": 1,
        "head": 3,
    },
    sentence("what is too tired"): {"text": TIRED, "layer": 3, "head": 1},
    sentence("what is too wide"): {
        "text": TIRED.replace("tired", "wide"),
        "layer": 3,
        "head": 1,
    },
}
NOBODY = "nobody"


def explore_sentence(text=TIRED, layer=3, head=1, out=NOBODY, *, model=None):
    """Type an English sentence; see what each head of a pretrained network looks at.

    Parameters
    ----------
    text : str
        Words among the some 1,500 that are shipped.
    layer, head : int
        Counted from 0; four layers of twelve heads. The head is enlarged.
    out : str
        A head of an earlier layer that is taken out, such as ``"1, 3"``, or
        ``"nobody"``.
    model : SentenceReader, optional
        One of your own.

    Returns
    -------
    View
        Controls ``text``, ``layer``, ``head`` and ``out``. Heads carry the name of what
        they were measured to do.
    """
    reader = _reader(model)

    def compute(text, layer, head, out):
        pair = () if out == NOBODY else (tuple(map(int, out.split(", "))),)
        seen = reader.without(pair).read(text)
        weights, name = seen.weights[layer], names_of_heads(layer)[head]
        return _maps(seen.tokens, weights, layer, head, out), _told(weights[head], name)

    first = {"text": text, "layer": layer, "head": head, "out": out}
    more = {"presets": PRESETS, "first": first}
    more["called"] = "explore_sentence", {"model": model} if model else {}
    return View(_controls(reader), compute, **more)


def _controls(reader):
    layers, heads = range(reader.layers), range(reader.h)
    whole = [i for i in layers if f"layer {i} W_O" in reader.params]
    outs = {NOBODY: sentence("nobody")}
    outs |= {
        f"{i}, {j}": sentence("layer {i}, head {j}", i=i, j=j)
        for i in whole
        for j in heads
    }
    what = {
        "text": sentence("An English sentence; then press Enter."),
        "layer": sentence("Which layer, the first is 0."),
        "head": sentence("The head that is shown large, beside all the others."),
        "out": sentence("A head that hands on nothing, so that later layers miss it."),
    }
    return {
        "text": text_box(sentence("sentence"), what["text"]),
        "layer": slider(layers, sentence("layer"), what["layer"]),
        "head": slider(heads, sentence("enlarged head"), what["head"]),
        "out": choice(outs, sentence("without"), what["out"]),
    }


def _title(layer, out):
    if out == NOBODY:
        return sentence("MiniLM, trained, layer {layer}", layer=layer)
    return sentence(
        "MiniLM, trained, layer {layer}, without head {out}", layer=layer, out=out
    )


def _maps(tokens, weights, layer, head, out):
    return head_grid(
        weights,
        tokens,
        tokens,
        titles=names_of_heads(layer),
        title=_title(layer, out),
        query_name="word",
        key_name="word",
        enlarge=head,
    )


def _told(weights, name):
    first = float(weights[1:-1, 0].mean())
    return sentence(
        "{name}. On average {first:.2f} of the weight of a word is on [CLS].",
        name=name,
        first=first,
    )


def _reader(model):
    model = load_reader() if model is None else model
    if not isinstance(model, SentenceReader):
        raise ValueError(
            sentence(
                "model must be a sentence reader, such as load_reader(), not {given}.",
                given=told(model),
            )
        )
    return model
