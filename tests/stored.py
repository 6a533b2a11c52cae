"""What a committed notebook may not hold, one rule to a function.

Strict validation passes over an unrun notebook, a skipped cell and every picture.
These rules refuse each way in which a cell could pass without being compared, and
each output that would differ on another machine.
"""

import ast
import re

from build import LANGUAGES, metadata_of

MAX_BYTES = 500_000
COMPARED = {"text/plain", "text/html", "text/markdown", "text/latex", "image/png"}
MAY_IMPORT = {"numpy", "mha_core"}
NO_NAMES = {
    "interact",
    "interactive",
    "interactive_output",
    "Output",
    "clear_output",
    "display_id",
    "update_display",
    "get_ipython",
    "system",
    "popen",
}
OPT_OUT = re.compile(r"NBVAL_|PYTEST_VALIDATE", re.IGNORECASE)
OPT_OUT_TAG = re.compile(r"nbval|pytest-validate|raises-exception|skip", re.IGNORECASE)
MAGIC = re.compile(r"^\s*[%!?]|\?\s*$", re.MULTILINE)
INSTALLER = re.compile(r"\b(pip|conda|mamba)\b")
WEB = re.compile(r"\w+://")
ABSOLUTE = re.compile(
    r"(?<![\w.~/])/(home|Users|Volumes|private|root|tmp|usr|opt|mnt|media|srv|etc|work"
    r"|workspaces?|var|content|kaggle)/|\b[A-Za-z]:[\\/](?!/)|(?<=[\"'(\s])~/"
)
ADDRESS = re.compile(r" at 0x|\b0x[0-9a-fA-F]{7,}")
SAYS_NOTHING = re.compile(
    r"<Figure|\b(VBox|HBox|Box|Image|Label|IntSlider|Output)\(|^\[?<[\w.]+",
    re.MULTILINE,
)
FENCED = re.compile(r"```.*?```", re.DOTALL)
NUMPY_SCALAR = re.compile(r"\bnp\.(float|int|uint|bool|str)\w*\(")
TOO_EXACT = re.compile(r"\d\.\d{5,}")
RESIDUAL = re.compile(r"\de-[1-9]\d")
NUMBER = re.compile(r"\d\.\d|[.#]#|#[.#]")  # or the signs of a map of yes and no
AXES = re.compile(r"\n(rows|x): |\A(rows|x): ")
NO_TITLE = re.compile(r"^(message|controls):|drawn:$|, \d+( × \d+)+$")


def faults(notebook):
    """Return a sentence for each rule that a notebook breaks."""
    return [
        f"code cell {number}: {fault}"
        for number, cell in enumerate(code_cells(notebook), 1)
        for rule in CELL_RULES
        for fault in rule(cell)
    ] + [fault for rule in NOTEBOOK_RULES for fault in rule(notebook)]


def code_cells(notebook):
    """Return the code cells of a notebook."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def bundles(cell):
    """Return the outputs of a cell that are mime bundles."""
    return [output for output in cell.outputs if "data" in output]


def texts(cell):
    """Return the text of each output, the code blocks in it apart."""
    streams = [output.text for output in cell.outputs if output.output_type == "stream"]
    return streams + [text for output in bundles(cell) for text in _texts(output.data)]


def _texts(data):
    """Return the richest texts of a bundle: plain text is a stand-in for Markdown."""
    rich = [data[mime] for mime in ("text/markdown", "text/html") if mime in data]
    plain = [data["text/plain"]] if "text/plain" in data else []
    return [FENCED.sub("", text) for text in rich] or plain


def one_pattern(pattern, message, where):
    """Make a rule that refuses a pattern in ``where(cell)``, a list of texts."""

    def rule(cell):
        return [
            f"{message} ({match.group().strip()})"
            for text in where(cell)
            if (match := pattern.search(text))
        ]

    return rule


def source(cell):
    """Return the source of a cell as a list of one text."""
    return [cell.source]


def opted_out(cell):
    """Refuse tags that keep a cell from being compared."""
    tags = cell.metadata.get("tags", [])
    return [f"the tag {tag} opts out" for tag in tags if OPT_OUT_TAG.search(tag)]


def silenced(cell):
    """Refuse a trailing semicolon: it is not honoured when validated."""
    return ["ends with ;"] if cell.source.rstrip().endswith(";") else []


def stored_failure(cell):
    """Refuse stored errors and stored stderr."""
    kinds = [output.get("name", output.output_type) for output in cell.outputs]
    return [f"stored {kind}" for kind in kinds if kind in ("error", "stderr")]


def uncompared_mime(cell):
    """Refuse outputs of a kind that is not compared, or that holds widget state."""
    mimes = {mime for output in bundles(cell) for mime in output.data}
    return [f"stored {mime}" for mime in sorted(mimes - COMPARED)]


def told(text):
    """Return the sentence that ends a picture's text; of two side by side, both."""
    parts = text.split("\n\ncontrols: ")
    return " ".join(part.splitlines()[-1] for part in parts)


def mute_picture(cell):
    """Refuse a picture whose numbers and sentence do not stand beside it in text."""
    found = []
    for output in bundles(cell):
        if "image/png" not in output.data:
            continue
        text = output.data.get("text/plain") or "-"
        alt = output.metadata.get("image/png", {}).get("alt", "").strip()
        if not NUMBER.search(text):
            found.append("a picture without numbers in its text")
        if len(alt.split()) < 3:
            found.append("a picture without a sentence as its alternative text")
        elif alt != told(text):
            found.append("the alternative text is not the picture's own sentence")
    return found


def untitled_picture(cell):
    """Refuse a picture that does not say in its title what it shows."""
    found = []
    for output in bundles(cell):
        if "image/png" in output.data:
            text = output.data.get("text/plain", "")
            axes = AXES.search(text)
            title = text[: axes.start()].rpartition("\n")[2] if axes else "given"
            if not title or NO_TITLE.search(title):
                found.append(f"a picture without a title of its own ({title})")
    return found


def foreign_import(cell):
    """Refuse imports of anything but NumPy and this package."""
    return [
        f"imports {name}"
        for name in imports(parse(cell))
        if name.partition(".")[0] not in MAY_IMPORT
    ]


def forbidden_name(cell):
    """Refuse what strict validation cannot follow, and what starts programs."""
    found = set()
    for node in ast.walk(parse(cell)):
        names = {getattr(node, key, None) for key in ("id", "attr", "arg")}
        if isinstance(node, ast.alias):
            names.add(node.name)
        found |= names & NO_NAMES
    return [f"uses {name}" for name in sorted(found)]


def parse(cell):
    """Return the syntax tree of a cell; an empty one where a magic stands."""
    try:
        return ast.parse(cell.source)
    except SyntaxError:
        return ast.Module(body=[], type_ignores=[])


def imports(tree):
    """Return the names of the modules that a tree imports."""
    names = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names.append("." * node.level + (node.module or ""))
    return names


def unrun(notebook):
    """Refuse execution counts other than 1 to n."""
    counts = [cell.execution_count for cell in code_cells(notebook)]
    whole = counts == list(range(1, len(counts) + 1))
    return [] if whole else [f"execution counts are {counts}, not 1 to n"]


def nothing_compared(notebook):
    """Refuse a notebook without any output that is compared."""
    some = any(texts(cell) for cell in code_cells(notebook))
    return [] if some else ["no output is compared"]


def metadata(notebook):
    """Refuse metadata of one machine, widget state, and old formats."""
    found = []
    if notebook.metadata not in map(metadata_of, LANGUAGES):
        found.append(f"metadata is not the minimal one: {dict(notebook.metadata)}")
    if (notebook.nbformat, notebook.nbformat_minor) != (4, 5):
        found.append("not in notebook format 4.5")
    return found


CELL_RULES = [
    opted_out,
    silenced,
    stored_failure,
    uncompared_mime,
    mute_picture,
    untitled_picture,
    foreign_import,
    forbidden_name,
    one_pattern(OPT_OUT, "opts out", source),
    one_pattern(MAGIC, "uses a magic or the shell", source),
    one_pattern(INSTALLER, "installs packages", source),
    one_pattern(WEB, "names an address of the web", source),
    one_pattern(ABSOLUTE, "names an absolute path", source),
    one_pattern(ABSOLUTE, "shows an absolute path", texts),
    one_pattern(ADDRESS, "shows a memory address", texts),
    one_pattern(SAYS_NOTHING, "shows a text that says nothing", texts),
    one_pattern(NUMPY_SCALAR, "shows a NumPy scalar's repr", texts),
    one_pattern(TOO_EXACT, "shows more than four decimals", texts),
    one_pattern(RESIDUAL, "shows a rounding residual", texts),
]
NOTEBOOK_RULES = [unrun, nothing_compared, metadata]
