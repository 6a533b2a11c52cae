"""Each rule of ``stored`` refuses a notebook that breaks it, and only that."""

import copy

import nbformat
import pytest
from nbformat.v4 import (
    new_code_cell,
    new_markdown_cell,
    new_notebook,
    new_output,
)

from build import LANGUAGES, METADATA, WIDGET_VIEW, metadata_of
from stored import CELL_RULES, NOTEBOOK_RULES, code_cells, faults

TELLING = "strongest key per row: 0.75"
SENTENCE = "Each row sums to one."


def bundle(data, alt=None):
    metadata = {"image/png": {"alt": alt}} if alt else {}
    return new_output("display_data", data, metadata=metadata)


def picture(text=f"strongest 0.75\n{SENTENCE}", alt=SENTENCE, mime="image/png"):
    return bundle({mime: "iVBORw0KGgo=", "text/plain": text}, alt)


def good_notebook():
    cell = new_code_cell("x", execution_count=1, outputs=[picture()])
    return new_notebook(
        cells=[new_markdown_cell("# T"), cell], metadata=metadata_of("en")
    )


def planted(source=None, output=None, tags=None):
    """Return a good notebook with one thing in its code cell exchanged."""
    notebook = good_notebook()
    cell = code_cells(notebook)[0]
    cell.source = source or cell.source
    cell.outputs = [output] if output else cell.outputs
    cell.metadata.tags = tags or []
    return notebook


def stream(text, name="stdout"):
    return new_output("stream", name=name, text=text)


def value(text):
    return bundle({"text/plain": text})


ERROR = new_output("error", ename="ValueError", evalue="x", traceback=[])

PLANTED = {
    "comment": (planted("# NBVAL_IGNORE_OUTPUT\nx"), "opts out"),
    "skip comment": (planted("# NBVAL_SKIP\nx"), "opts out"),
    "old comment": (planted("# PYTEST_VALIDATE_IGNORE_OUTPUT\nx"), "opts out"),
    "ignore tag": (planted(tags=["nbval-ignore-output"]), "opts out"),
    "skip tag": (planted(tags=["nbval-skip"]), "opts out"),
    "lab's skip tag": (planted(tags=["skip-execution"]), "opts out"),
    "error tag": (planted(tags=["raises-exception"]), "opts out"),
    "Q02 stderr": (planted(output=stream("Warning", "stderr")), "stored stderr"),
    "stored error": (planted(output=ERROR), "stored error"),
    "widget view": (
        planted(output=bundle({WIDGET_VIEW: {}, "text/plain": "0.5"})),
        "widget-view",
    ),
    "jpeg is not compared": (planted(output=picture(mime="image/jpeg")), "image/jpeg"),
    "svg": (planted(output=picture(mime="image/svg+xml")), "image/svg"),
    "picture without numbers": (planted(output=picture(SENTENCE)), "without numbers"),
    "picture alone": (
        planted(output=bundle({"image/png": "iVBORw0KGgo="}, SENTENCE)),
        "without numbers",
    ),
    "A01 no alternative text": (planted(output=picture(alt=None)), "alternative"),
    "A01 a word is no sentence": (planted(output=picture(alt="Image")), "alternative"),
    "stale alternative text": (
        planted(output=picture(alt="Another sentence altogether.")),
        "not the picture's own sentence",
    ),
    "three words of the text": (
        planted(output=picture(f"strongest key per row: 0.75\n{SENTENCE}", TELLING)),
        "not the picture's own sentence",
    ),
    "half of the sentence": (
        planted(output=picture(alt="row sums to one.")),
        "not the picture's own sentence",
    ),
    **{
        f"no title: {above}": (
            planted(output=picture(f"{above}\n{axis}: a 0.75\n{SENTENCE}".lstrip())),
            "without a title",
        )
        for axis, above in [
            ("rows", ""),
            ("x", ""),
            ("rows", "controls: h=2\nmessage: "),
            ("x", "the last picture that could be drawn:"),
            ("rows", "attention weight, 3 × 6"),
            ("rows", "message: x\nattention weight, 8 × 3 × 6"),
        ]
    },
    "Q07 figure": (
        planted(output=value("<Figure size 640x480 with 1 Axes>")),
        "says nothing",
    ),
    "box": (planted(output=value("VBox(children=(IntSlider(value=1),))")), "says"),
    "object": (planted(output=value("[<matplotlib.lines.Line2D>]")), "says nothing"),
    "Q01 address": (planted(output=value("an image at 0x7f00")), "memory address"),
    "Q11 scalar": (planted(output=value("[np.float64(0.25)]")), "scalar"),
    "five decimals": (planted(output=value("0.12345")), "four decimals"),
    "five decimals printed": (planted(output=stream("0.12345")), "four decimals"),
    "residual": (planted(output=value("3.3e-16")), "residual"),
    "path in output": (planted(output=value("/home/me/x.npz 0.1")), "absolute path"),
    "semicolon": (planted("x;"), "ends with ;"),
    "magic": (planted("%matplotlib inline\nx"), "magic"),
    "shell": (planted("!ls\nx"), "magic"),
    "help": (planted("x?"), "magic"),
    "B14 pip": (planted("!pip install x"), "installs"),
    "B14 pip module": (planted("import pip"), "imports pip"),
    "B14 subprocess": (planted("import subprocess\nx"), "imports subprocess"),
    "B14 os.system": (planted("import os\nos.system('ls')"), "uses system"),
    "network": (planted("from urllib.request import urlopen"), "imports urllib"),
    "address": (planted("load('https://a.example/x')"), "address of the web"),
    "Y06 path": (planted("load('/home/me/x.npz')"), "absolute path"),
    "Y06 Windows path": (planted(r"load(r'C:\x.npz')"), "absolute path"),
    "Q04 interact": (planted("w.interact(f)"), "uses interact"),
    "Q04 import": (planted("from mha_core.lab import interact"), "uses interact"),
    "Q04 output widget": (planted("with Output():\n    x"), "uses Output"),
    "Q04 clear_output": (planted("clear_output()"), "uses clear_output"),
    "display_id": (planted("show(x, display_id=True)"), "uses display_id"),
    "get_ipython": (planted("get_ipython().run()"), "uses get_ipython"),
    "nothing compared": (
        planted(output=bundle({"image/png": "iVBORw0KGgo="})),
        "no output",
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_refuses(name):
    notebook, sentence = PLANTED[name]
    assert any(sentence in fault for fault in faults(notebook)), faults(notebook)


def test_accepts_a_good_notebook():
    assert faults(good_notebook()) == []


def test_accepts_a_map_of_yes_and_no():
    said = "Causal, # is seen: #. ##."
    assert faults(planted(output=picture(said, said))) == []


@pytest.mark.parametrize("above", ["knight", "message: x\nknight", "a\n2 × 3 heads"])
@pytest.mark.parametrize("axis", ["rows", "x"])
def test_accepts_a_picture_with_a_title(above, axis):
    text = f"{above}\n{axis}: a 0.75\n{SENTENCE}"
    assert faults(planted(output=picture(text))) == []


def test_accepts_shown_source_code():
    shown = {
        "text/markdown": "```python\ntolerance = 1e-12\n```",
        "text/plain": "<IPython.core.display.Markdown object>",
    }
    assert faults(planted(output=bundle(shown))) == []


def test_every_rule_refuses_something():
    cells = [cell for notebook, _ in PLANTED.values() for cell in code_cells(notebook)]
    idle = [rule for rule in CELL_RULES if not any(rule(cell) for cell in cells)]
    assert idle == []


@pytest.mark.parametrize("count", [None, 3])
def test_refuses_Y01_unrun_or_out_of_order(count):
    notebook = good_notebook()
    code_cells(notebook)[0].execution_count = count
    assert "execution counts" in faults(notebook)[0]


@pytest.mark.parametrize(
    "change",
    [
        {"widgets": {"state": {}}},
        {"kernelspec": {"name": "my-env", "display_name": "mine"}},
        {"language_info": {"name": "python", "version": "3.11.7"}},
        {"language": "en-GB"},
    ],
    ids=["widget state", "Q06 kernel of one machine", "Y04 version", "A05 language"],
)
def test_refuses_metadata(change):
    notebook = good_notebook()
    notebook.metadata = nbformat.from_dict(
        copy.deepcopy(METADATA) | {"language": "en"} | change
    )
    assert "metadata" in faults(notebook)[0]


def test_A05_refuses_a_notebook_that_does_not_say_its_language():
    notebook = good_notebook()
    notebook.metadata = nbformat.from_dict(METADATA)
    assert "metadata" in faults(notebook)[0]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_A05_accepts_each_language(lang):
    notebook = good_notebook()
    notebook.metadata = metadata_of(lang)
    assert faults(notebook) == []


def test_refuses_Y02_old_format():
    notebook = good_notebook()
    notebook.nbformat_minor = 4
    assert "4.5" in faults(notebook)[0]
    assert len(NOTEBOOK_RULES) == 3
