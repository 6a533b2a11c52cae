"""The plan of the house, held against the code."""

import ast
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from stored import imports

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "mha_core"
MAX_MODULE_LINES = 200
MAX_BODY_LINES = 20


def module_name(path):
    """Return a module's name below the package, such as ``lab.views``."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


TREES = {
    module_name(path): ast.parse(path.read_text(encoding="utf-8"))
    for path in sorted(PACKAGE.rglob("*.py"))
}
PACKAGES = {module_name(path) for path in PACKAGE.rglob("__init__.py")}
LINES = {
    module_name(path): path.read_text(encoding="utf-8").count("\n")
    for path in sorted(PACKAGE.rglob("*.py"))
}

# Floors from the ground up: each may use what stands below it.
NUMPY = {"numpy"}
CHECKS = NUMPY | {"_checks"}
FORMULAS = CHECKS | {"masking", "attention", "multihead", "layer"}
FORMULAS |= {"recurrent", "blocks", "post_norm"}
GRADIENTS = FORMULAS | {"derivatives", "gradients", "losses"}
MODELS = GRADIENTS | {"shipped", "tasks", "models"}
USE = MODELS | {"tables", "training", "evaluation", "pretrained", "pronouncing"}
USE |= {"reader"}
DRAWING = {
    *("numpy", "matplotlib", "PIL"),
    *("_checks.sentences", "lab.locale", "lab.versions", "lab.drawing"),
}
SHEETS = DRAWING | {"lab.pictures.graphs", "lab.pictures.heatmaps"}
WIDGETS = {"anywidget", "ipywidgets", "traitlets", "lab.widgets"}
SCREEN = DRAWING | WIDGETS | {"lab.screen"}
VIEWS = SCREEN | {"IPython", "lab.controls", "lab.following", "lab.page", "lab.views"}
VIEWS |= {"lab.presets", "lab.pointed", "lab.projecting", "lab.saving", "lab.playing"}
PICTURES = USE | SHEETS | {"lab.measure", "lab.pictures"}
# What each module may import beside the standard library. The longest entry counts
# that is the module's name or a folder above it.
MAY_IMPORT = {
    "_checks": CHECKS,
    "masking": CHECKS,
    "attention": CHECKS | {"masking"},
    "multihead": CHECKS | {"attention"},
    "layer": CHECKS | {"attention", "multihead"},
    "recurrent": CHECKS,
    "blocks": CHECKS | {"multihead"},
    "post_norm": CHECKS | {"multihead", "blocks"},
    "derivatives": NUMPY,
    "gradients": NUMPY | {"derivatives"},
    "torch_weights": CHECKS,
    "losses": CHECKS,
    "shipped": NUMPY,
    "tasks": CHECKS | {"shipped", "tasks"},
    "models": MODELS,
    "evaluation": MODELS,
    "training": MODELS | {"evaluation", "tqdm", "threadpoolctl"},
    "pronouncing": MODELS,
    "tables": {"shipped"},
    "reader": MODELS,
    "pretrained": MODELS | {"pronouncing", "reader", "tables"},
    "lab.locale": CHECKS,
    "lab.drawing": DRAWING,
    "lab.measure": USE | {"", "lab.measure"},
    "lab.measure.clock": USE | {"threadpoolctl"},
    "lab.measure.held_out": USE | {"threadpoolctl"},
    "lab.pictures": PICTURES,
    "lab.pictures.graphs": DRAWING,
    "lab.pictures.heatmaps": DRAWING,
    "lab.versions": {"_checks.sentences"},
    "lab.following": CHECKS,
    "lab.controls": CHECKS | {"ipywidgets", "lab.following", "lab.page"},
    "lab.widgets": WIDGETS,
    "lab.presets": CHECKS | WIDGETS | {"lab.controls"},
    "lab.pointed": set(),
    "lab.projecting": CHECKS,
    "lab.playing": CHECKS | {"lab.widgets"},
    "lab.saving": CHECKS | {"lab.controls"},
    "lab.beside": VIEWS | {"numpy"},
    "lab.page": WIDGETS,
    "lab.screen": SCREEN,
    "lab.views": VIEWS,
    "lab.source": set(),
    "lab.explorers": PICTURES | VIEWS | {"", "lab.explorers"},
    "lab.exercises": USE
    | {"", "lab.measure", "lab.locale", "lab.pictures", "lab.exercises"},
    "lab": PICTURES
    | VIEWS
    | {"lab.beside", "lab.explorers", "lab.exercises", "lab.source"},
    "recipes": USE | {"recipes", "lab.measure", "lab.pictures.costs", "tqdm"},
    "recipes.catalogues": {"babel", "lab.locale"},
    "": FORMULAS,
}
NETWORK = {"socket", "ssl", "http", "urllib", "ftplib", "smtplib", "requests", "httpx"}
PICKLES = {"pickle", "shelve", "marshal", "dill", "cloudpickle", "joblib"}
each_module = pytest.mark.parametrize("name", TREES)


def imported(name):
    """Return what a module imports: other packages by name, ours from below it."""
    found = set()
    for node in ast.walk(TREES[name]):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= from_import(node)
    tops = {k if k.startswith("mha_core") else k.partition(".")[0] for k in found}
    ours = {k.removeprefix("mha_core").lstrip(".") for k in tops if "mha_core" in k}
    return ours | {k for k in tops if "mha_core" not in k} - sys.stdlib_module_names


def from_import(node):
    """Return the modules of a ``from`` import."""
    assert node.level == 0, "imports are absolute"
    below = {f"{node.module}.{alias.name}" for alias in node.names}
    known = {f"mha_core.{name}" for name in TREES}
    return (below & known) or {node.module}


def allowed(name):
    """Return the row of the table that counts for a module."""
    while name not in MAY_IMPORT:
        name = name.rpartition(".")[0]
    return MAY_IMPORT[name]


def is_allowed(target, may):
    """Tell whether an import is in the row, itself or by the folder it is in."""
    return any(target == entry or target.startswith(f"{entry}.") for entry in may)


def functions(tree):
    """Return all functions and methods of a module."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return [node for node in ast.walk(tree) if isinstance(node, kinds)]


def body_lines(function):
    """Return the number of lines of a function's body, its docstring apart."""
    body = function.body[1:] if ast.get_docstring(function) else function.body
    return body[-1].end_lineno - body[0].lineno + 1 if body else 0


def attributes(tree):
    """Return the dotted names in a tree, such as ``np.random.seed``."""
    nodes = (node for node in ast.walk(tree) if isinstance(node, ast.Attribute))
    return {ast.unparse(node) for node in nodes}


def calls_without_encoding(tree):
    """Return the calls that open a text without naming its encoding (X01)."""
    names = {"open", "read_text", "write_text"}
    return [
        ast.unparse(node)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and (getattr(node.func, "id", 0) or getattr(node.func, "attr", 0)) in names
        and not {"encoding"} & {keyword.arg for keyword in node.keywords}
        and not any("b" in text for text in mode(node))
        and not ast.unparse(node.func).startswith(("Image.", "lab.", "gzip.", "os."))
    ]


def mode(call):
    """Return the mode that a call names, as a list of at most one text."""
    values = call.args + [k.value for k in call.keywords if k.arg == "mode"]
    texts = [v.value for v in values if isinstance(v, ast.Constant)]
    return [text for text in texts if text in ("r", "w", "a", "rb", "wb", "ab", "xb")]


@each_module
def test_floors(name):
    wrong = {k for k in imported(name) if not is_allowed(k, allowed(name))}
    assert wrong == set()


@each_module
def test_module_is_short(name):
    assert LINES[name] <= MAX_MODULE_LINES


@each_module
def test_functions_are_short(name):
    long = {f.name: body_lines(f) for f in functions(TREES[name])}
    assert {k: n for k, n in long.items() if n > MAX_BODY_LINES} == {}


@each_module
def test_no_global_state(name):
    dotted = attributes(TREES[name])
    assert not {k for k in dotted if k.endswith((".rcParams", "random.seed"))}
    assert not [n for n in ast.walk(TREES[name]) if isinstance(n, ast.Global)]


@each_module
def test_no_pickle_and_no_network(name):
    tops = {module.partition(".")[0] for module in imports(TREES[name])}
    assert not tops & (NETWORK | PICKLES)
    for node in ast.walk(TREES[name]):
        if isinstance(node, ast.keyword) and node.arg == "allow_pickle":
            assert ast.unparse(node.value) == "False"


def test_lessons_do_not_need_the_recipes():
    for name in TREES:
        if not name.startswith("recipes"):
            assert not {k for k in imported(name) if k.startswith("recipes")}


def test_a_file_name_stands_once():
    names = Counter(name.rpartition(".")[2] for name in TREES if name not in PACKAGES)
    assert {name for name, count in names.items() if count > 1} == set()


def test_import_loads_no_pictures_and_no_widgets():
    names = [name for name in TREES if not name.startswith(("lab", "recipes"))]
    script = "import importlib, sys\n" + "\n".join(
        f"importlib.import_module({f'mha_core.{name}'.rstrip('.')!r})" for name in names
    )
    check = "\nprint({'matplotlib', 'ipywidgets', 'IPython'} & set(sys.modules))"
    run = subprocess.run(
        [sys.executable, "-c", script + check], capture_output=True, encoding="utf-8"
    )
    assert run.stdout.strip() == "set()", run.stderr


@pytest.mark.parametrize("folder", ["mha_core", "tests", "notebooks/source"])
def test_X01_texts_are_opened_with_their_encoding(folder):
    for path in sorted((ROOT / folder).rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assert calls_without_encoding(tree) == [], path.name


def test_every_public_function_is_called_in_a_test():
    inside = (
        "shipped",
        "tasks.sounds",
        "lab.drawing",
        "lab.controls",
        "lab.page",
        "lab.widgets",
        "lab.exercises.catalogue",
    )  # what only the package calls
    called = set()
    for path in (ROOT / "tests").glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        called |= {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
        called |= {n.attr for n in ast.walk(tree) if isinstance(n, ast.Attribute)}
    public = {
        f"{name}.{node.name}"
        for name, tree in TREES.items()
        if not name.startswith(inside)
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        and not any(part.startswith("_") for part in f"{name}.{node.name}".split("."))
    }
    assert {k for k in public if k.rpartition(".")[2] not in called} == set()


@pytest.mark.parametrize(
    "line", ["open('a')", "path.read_text()", "path.write_text('b')", "p.open('w')"]
)
def test_missing_encoding_is_seen(line):
    assert calls_without_encoding(ast.parse(line))


@pytest.mark.parametrize(
    "line", ["open('a', 'rb')", "path.read_text(encoding='utf-8')", "p.open('wb')"]
)
def test_named_encoding_and_bytes_are_fine(line):
    assert not calls_without_encoding(ast.parse(line))


def test_forbidden_imports_are_seen():
    assert not is_allowed("matplotlib", allowed("attention"))
    assert not is_allowed("models", allowed("attention"))
    assert not is_allowed("attention", allowed("lab.pictures.heatmaps"))
    assert not is_allowed("ipywidgets", allowed("training"))
    assert not is_allowed("training", allowed("models.initial"))
    assert not is_allowed("lab.explorers", allowed("lab.views"))
    assert not is_allowed("lab.pictures", allowed("lab.measure"))
    assert not is_allowed("lab.views", allowed("lab.pictures"))
    assert not is_allowed("lab.drawing", allowed("lab.widgets"))
    assert not is_allowed("lab.views", allowed("lab.screen"))
    assert is_allowed("lab.views", allowed("lab.explorers"))
