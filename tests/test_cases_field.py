"""Faults met where lessons are looked at: pictures, widgets, notebooks, Windows.

A test is named after the number of its case; the table is in README.md beside it.
"""

import ast
import base64
import fnmatch
import json
import os
import re
import shutil
import site
import statistics
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import nbformat
import numpy as np
import pytest
from bs4 import BeautifulSoup
from markdown_it import MarkdownIt
from nbconvert import HTMLExporter
from nbconvert.filters.markdown_mistune import markdown2html_mistune

import mha_core
import shape
import stored
from build import lesson_names, read_blocks, read_notebook
from builder.running import CELL_TIMEOUT
from drawn import tick_texts
from mha_core import lab
from mha_core.lab import explore_alignment, explore_heads, head_grid, heatmap
from mha_core.lab.drawing import characters
from places import spelled

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").rglob("*.ipynb"))
SOURCES = sorted((ROOT / "notebooks" / "source").glob("[0-9]*.py"))
MODULES = sorted((ROOT / "mha_core").rglob("*.py"))
CONFIG = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
each_source = pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)


def text_of(*names):
    """Return the text of a file of the project."""
    return ROOT.joinpath(*names).read_text(encoding="utf-8")


def guides():
    """Return what the project tells readers and contributors, as one text."""
    paths = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


def passages(path):
    """Return the passages of a source in all languages."""
    return [
        cell.source
        for block in read_blocks(path)
        for lang, cell in block.items()
        if lang != "code"
    ]


# Teaching


def test_t13_one_name_has_one_meaning():
    foreign = {"d_out", "d_in", "n_heads", "num_heads", "n_head", "nhead", "head_dim"}
    texts = [path.read_text(encoding="utf-8") for path in [*MODULES, *SOURCES]]
    found = {
        getattr(node, key, None)
        for text in texts
        for node in ast.walk(ast.parse(text))
        for key in ("id", "attr", "arg")
    }
    assert not found & foreign
    assert {"d_model", "d_k", "h", "T_q", "T_k"} <= found


def test_t18_the_exercise_takes_a_scaled_query_and_scaled_scores():
    sheet = lab.Sheet(3)
    for answer in (
        lambda query, key: query @ key.T / key.shape[-1] ** 0.5,
        lambda query, key: (query / key.shape[-1] ** 0.5) @ key.T,
    ):
        assert sheet.check("scaled", answer).solved
    assert not sheet.check("scaled", lambda query, key: query @ key.T).solved


def test_t19_the_width_is_a_multiple_of_the_heads():
    turned = re.compile(
        r"d_k\W+is\W+a\W+multiple\W+of|d_k\W*是\W*d_model\W*的\W*(整数)?倍"
    )
    for path in SOURCES:
        for passage in passages(path):
            assert not turned.search(passage), passage
    assert mha_core.split_heads(np.zeros((2, 768)), 12).shape == (12, 2, 64)
    with pytest.raises(ValueError, match="h=12 does not divide d_model=512"):
        mha_core.split_heads(np.zeros((2, 512)), 12)


def test_t22_the_lesson_shows_twelve_heads_of_64():
    cells = read_notebook(ROOT / "notebooks" / "04_multi_head_splitting.ipynb").cells
    assert any("Twelve heads of 64 are 768 again" in cell.source for cell in cells)
    assert any("(768, 12)" in cell.source for cell in cells)


def test_t17_the_lesson_says_why_only_columns_are_masked():
    cells = read_notebook(ROOT / "notebooks" / "03_scaled_dot_product.ipynb").cells
    assert any("A mask hides keys, which are columns" in c.source for c in cells)


# Heat maps

TOKENS = {
    "repeated": ["the", "cat", "the", "dog"],
    "right to left": ["שלום", "عالم", "a\u202eb", "אב"],
    "combining": ["e\u0301", "ñ", "ก็", "नि"],
    "emoji": ["👍🏽", "👨‍👩‍👧", "🇩🇪", "❤️"],
    "markup": ["$x$", r"\frac{1}", "a_b^c", "<b>&amp;"],
    "blank": ["", " ", "\t", "\n"],
    "long": ["x" * 400, "字" * 400, "a b " * 90, "\u0301" * 80],
    "numbers": [0, 1.5, np.int64(3), -2],
    "odd": ["\x00", "\ud83d", "\ufffd", "\u200b"],
}


@pytest.mark.parametrize("kind", TOKENS)
def test_v07_every_token_has_its_own_row_and_column(kind):
    tokens = TOKENS[kind]
    picture = heatmap(np.eye(4), tokens, tokens, title=tokens[0])
    axes = picture.figure.axes[0]
    for axis in (axes.xaxis, axes.yaxis):
        assert list(axis.get_ticklocs()) == [0, 1, 2, 3]
        assert all(label.strip() for label in tick_texts(axis))
    assert picture.pixels.std() > 10
    assert picture.text.count("<-") == 4
    assert picture.sentence.encode("utf-8")


@pytest.mark.parametrize(
    "token",
    ["\u200b", "\ufeff", "\u2003", "\u00ad", "\u202e", "\u2028", "", " ", "\x7f"],
)
def test_v07_a_token_that_is_invisible_is_shown(token):
    sign = characters.spoken(token)
    assert sign in ("␣", "∅", f"U+{ord(token or 'x'):04X}")


@pytest.mark.parametrize("labels", [None, 2, 1.5])
def test_v15_labels_that_are_none_are_refused(labels):
    with pytest.raises(ValueError, match="queries must be tokens, not"):
        heatmap(np.eye(2), labels, "ab")


@pytest.mark.parametrize("limits", [(-np.inf, np.inf), (0, np.inf), (-1e308, 1e308)])
def test_v08_a_scale_without_ends_is_refused(limits):
    with pytest.raises(ValueError, match="no scale is that wide"):
        heatmap(np.eye(2), "ab", "ab", limits=limits)


def test_complex_numbers_are_not_drawn_by_halves():
    with pytest.raises(ValueError, match="weights must be real numbers"):
        heatmap(np.eye(2) * 1j, "ab", "ab")


def test_v04_nothing_reorders_right_to_left_words():
    texts = [text_of("requirements.txt"), text_of("pyproject.toml")]
    texts += [path.read_text(encoding="utf-8") for path in MODULES]
    assert not [t for t in texts if re.search(r"bidi|reshaper|fribidi", t, re.I)]


def test_v08_a_flat_head_looks_flat_beside_a_sharp_one():
    flat = [[0.2501, 0.2499], [0.2499, 0.2501]]
    panels = np.array([flat, np.eye(2)])
    figure = head_grid(panels, "ab", "ab", value_name="share").figure
    first, second = (axes.images[0] for axes in figure.axes[:2])
    assert first.get_clim() == second.get_clim() == (0, 1)
    colours = first.cmap(first.norm(np.array(flat)))
    assert np.ptp(colours, axis=(0, 1)).max() < 0.01


def test_v11_64_heads_are_drawn_within_a_second():
    view = explore_heads(64, 32)
    start = time.process_time()
    view.set(h=64)
    assert time.process_time() - start < 1
    assert view.picture.array.shape[0] <= 16
    assert "page" in view.picture.sentence
    view.close()


# Widgets


def moves(view, count):
    """Return the processor times of moves among layouts that were seen before."""
    heads, times = (1, 2, 4, 8, 16), []
    for h in heads:
        view.controls["h"].value = h
    for n in range(count):
        start = time.process_time()
        view.controls["h"].value = heads[n % len(heads)]
        times.append(time.process_time() - start)
    return times


def test_w01_w17_moves_are_drawn_as_fast_as_they_come():
    view = explore_heads()
    times = moves(view, 40)
    assert view.values["h"] == 16 == view.picture.array.shape[0]
    assert statistics.median(times) < 0.1
    assert max(times) < 0.3
    view.close()


def test_w01_text_boxes_wait_for_enter():
    view = explore_alignment()
    assert view.controls["word"].continuous_update is False
    view.close()


@each_notebook
def test_w03_w18_every_view_is_stored_as_picture_and_text(path):
    seen = 0
    for cell in stored.code_cells(read_notebook(path)):
        last = cell.source.strip().splitlines()[-1]
        if re.match(r"(lab\.explore_|view\.set|view$)", last):
            (output,) = cell.outputs
            assert {"image/png", "text/plain"} == set(output.data), cell.source
            seen += 1
    assert seen


def test_w03_a_reader_without_a_kernel_is_told_to_run():
    first = read_notebook(ROOT / "notebooks" / "01_the_bottleneck.ipynb")
    text = shape.prose(first.cells)
    assert "Run the cells from top to bottom" in text
    assert "without a running kernel" in text


def test_w13_the_front_end_of_the_widgets_is_pinned_and_can_be_checked():
    pins = text_of("requirements.txt")
    assert re.search(r"^ipywidgets==8\.", pins, re.M)
    assert re.search(r"^jupyterlab-widgets==3\.", pins, re.M)
    assert "jupyter labextension list" in guides()


def test_w14_no_magic_and_no_old_backend():
    for path in [*SOURCES, *MODULES]:
        assert not re.search(
            r"%matplotlib|nbagg|ipympl", path.read_text(encoding="utf-8")
        )
    assert "ipympl" not in text_of("requirements.txt")


# Notebooks

# The usual template drops alternative texts; this one keeps them.
HTML = HTMLExporter(template_name="classic")


@each_notebook
def test_w18_a01_a05_an_export_has_pictures_with_words_to_them(path):
    notebook = read_notebook(path)
    HTML.language_code = notebook.metadata.get("language", "en")
    html, _ = HTML.from_notebook_node(notebook)
    page = BeautifulSoup(html, "html.parser")
    images = [tag for tag in page.find_all("img") if "png;base64" in tag["src"]]
    assert images
    for image in images:
        assert len(image.get("alt", "").split()) >= 5, image.get("alt")
        assert not re.match(r"Image|Figure|<|No description", image["alt"])
        assert base64.b64decode(image["src"].partition(",")[2])[1:4] == b"PNG"
    assert page.html["lang"] == ("zh" if path.parent.name == "zh" else "en")
    levels = [int(tag.name[1]) for tag in page.find_all(re.compile(r"^h[1-6]$"))]
    assert levels.count(1) == 1 == levels[0]
    steps = zip(levels, levels[1:], strict=False)
    assert all(below <= above + 1 for above, below in steps)


PATHS = ["/home/me/a", "/Volumes/disk/a", "/private/var/a", "/kaggle/input", "~/a.npz"]
PATHS += [r"C:\a", "D:/a", "/workspace/a", "/etc/passwd", "/srv/a"]


@pytest.mark.parametrize("path", PATHS)
def test_y06_paths_of_any_machine_are_seen(path):
    assert stored.ABSOLUTE.search(f"load('{path}')")


@pytest.mark.parametrize(
    "text", ["a/b", "../a", "W_O / 2", "T:3", "https://a", "1 ~ 2"]
)
def test_y06_what_is_no_path_is_left_alone(text):
    assert not stored.ABSOLUTE.search(text)


@pytest.mark.parametrize(
    "text", ["<f at 0x7f>", "<Foo object 0x7f0000ab>"], ids=["function", "object"]
)
def test_q01_addresses_are_seen(text):
    assert stored.ADDRESS.search(text)
    assert not stored.ADDRESS.search("0x10 and U+6211")


@each_source
def test_a01_images_in_passages_have_words(path):
    for passage in passages(path):
        page = BeautifulSoup(MarkdownIt().render(passage), "html.parser")
        images = page.find_all("img")
        assert all(len(tag.get("alt", "").split()) >= 3 for tag in images), passage
        assert "attachment:" not in passage


@each_notebook
def test_a02_stored_colours_are_not_a_rainbow(path):
    source = "\n".join(cell.source for cell in read_notebook(path).cells)
    assert not re.search(r"\b(jet|turbo|RdYlGn|hsv|rainbow|cmap)\b", source)


def test_a01_a05_a_guide_tells_how_to_export_with_words_and_a_language():
    assert "--template classic --HTMLExporter.language_code=en" in guides()


def test_q06_q09_q14_validation_is_one_kernel_with_a_limit_and_no_second_try():
    options = CONFIG["tool"]["pytest"]["ini_options"]["addopts"].split()
    assert {"--nbval", "--nbval-current-env"} <= set(options)
    (limit,) = (o for o in options if o.startswith("--nbval-cell-timeout="))
    assert int(limit.partition("=")[2]) == CELL_TIMEOUT == 300
    files = ["pyproject.toml", "Makefile", "requirements-dev.txt", ".ci/run"]
    assert not [f for f in files if re.search("rerun|flaky|retry", text_of(f), re.I)]


@each_notebook
def test_y02_every_cell_has_an_id_of_its_own(path):
    raw = json.loads(path.read_bytes())
    ids = [cell["id"] for cell in raw["cells"]]
    assert len(ids) == len(set(ids))
    assert (raw["nbformat"], raw["nbformat_minor"]) == (4, 5)
    nbformat.validate(nbformat.read(path, as_version=4))  # a warning is an error here


@each_notebook
def test_y04_the_file_is_plain_json_with_sorted_keys(path):
    content = path.read_bytes()
    assert not content.startswith(b"\xef\xbb\xbf")
    assert b"\r" not in content
    raw = json.loads(content)
    again = json.dumps(raw, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
    assert again.encode("utf-8") == content
    assert not re.search(rb"^(<{7}|>{7}|={7})", content, re.M)


def test_y04_a_guide_names_the_command_that_normalises():
    assert "`make notebooks`" in guides()


def test_y06_a_lesson_runs_in_a_folder_with_spaces_and_chinese_letters(tmp_path):
    folder = tmp_path / spelled("my 课 程")
    folder.mkdir()
    shutil.copy(ROOT / "notebooks" / "03_scaled_dot_product.ipynb", folder)
    options = ["--nbval", "--nbval-current-env", "-q", "-p", "no:cacheprovider"]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", *options, str(folder)],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
    )
    assert run.returncode == 0, run.stdout


def literal_stars(markdown):
    """Return the asterisks that two renderers leave in a text, formulas apart."""
    power = r"```.*?```|`[^`]*`|\$\$.*?\$\$|\$[^$]*\$| \*\* "
    text = re.sub(power, "", markdown, flags=re.S)
    pages = [MarkdownIt().render(text), markdown2html_mistune(text)]
    shown = [BeautifulSoup(page, "html.parser").get_text() for page in pages]
    return [line for page in shown for line in page.splitlines() if "**" in line]


@each_source
def test_y10_bold_is_bold_in_both_languages(path):
    for passage in passages(path):
        assert literal_stars(passage) == []


@pytest.mark.parametrize("text", ["含**「重点」**内容", "**多头（MHA）**是"])
def test_y10_bold_that_stays_literal_is_seen(text):
    assert literal_stars(text)
    assert not literal_stars("**注意力**是")


@each_source
def test_n37_code_blocks_of_passages_run(path):
    space = {"np": np, **{k: getattr(mha_core, k) for k in mha_core.__all__}}
    blocks = [
        block
        for passage in passages(path)
        for block in re.findall(r"```python\n(.*?)```", passage, re.S)
    ]
    assert blocks
    for block in blocks:
        exec(block, space)


def test_b14_the_package_starts_no_programs():
    for path in MODULES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        tops = {name.partition(".")[0] for name in stored.imports(tree)}
        assert not tops & {"subprocess", "pip", "ensurepip", "conda"}
        dotted = {
            ast.unparse(n) for n in ast.walk(tree) if isinstance(n, ast.Attribute)
        }
        assert not {n for n in dotted if n.startswith(("os.system", "os.popen"))}


# Windows

READ_ALL = """
import sys
from pathlib import Path
sys.path[:0] = ["tests", "notebooks/source"]
import locale
assert locale.getpreferredencoding(False).lower().replace("-", "") != "utf8"
from build import NOTEBOOKS, SOURCES, read_blocks, read_notebook
from mha_core import lab, tasks
for path in NOTEBOOKS.rglob("*.ipynb"):
    read_notebook(path)
for path in SOURCES.glob("0*.py"):
    read_blocks(path)
tasks.phoneme_names()
tasks.pronunciation("dev")
lab.heatmap([[1]], ["\\u6211"], ["\\u6ce8\\u610f"]).pixels
lab.explore_alignment("phone").close()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="has no such locale")
def test_x01_everything_is_read_where_the_code_page_is_not_utf8():
    # Python's own start (site) cannot read a path in Chinese in that locale.
    path = os.pathsep.join([str(ROOT), *site.getsitepackages()])
    settings = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONPATH": path}
    run = subprocess.run(
        [sys.executable, "-S", "-X", "utf8=0", "-c", READ_ALL],
        env=os.environ | settings,
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
    )
    assert run.returncode == 0, run.stderr


def test_x01_git_leaves_the_lines_of_shipped_texts_alone():
    rules = text_of(".gitattributes")
    kinds = {path.suffix for path in (ROOT / "mha_core" / "data").glob("*.[jt]s*")}
    for kind in sorted(kinds):
        assert re.search(
            rf"^(\*\{kind} text eol=lf|mha_core/data/\*+ -text)$", rules, re.M
        )


# The table

ROW = re.compile(r"^\| ([A-Z])(\d\d) \| ([^|]+) \| ([^|]+) \|$", re.M)
LETTERS = "NTVWBQYAXK"
WHERE = re.compile(r"`(\w+\.py)::(test_\w+\*?)`")


def functions_of(name):
    """Return the names of the functions of a test file."""
    tree = ast.parse(text_of("tests", name))
    return [node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]


def test_the_table_of_faults_is_true_and_sorted():
    rows = ROW.findall(text_of("tests", "README.md"))
    ids = [(LETTERS.index(letter), number) for letter, number, _, _ in rows]
    assert len(rows) >= 83
    assert ids == sorted(set(ids))
    for letter, number, fault, where in rows:
        assert 3 <= len(fault.split()) <= 10, fault
        found = WHERE.findall(where)
        assert found, letter + number
        for name, pattern in found:
            met = fnmatch.filter(functions_of(name), pattern)
            assert met, f"{letter}{number}: {name} has no {pattern}"


def test_every_lesson_is_looked_at_here():
    assert len(NOTEBOOKS) >= len(lesson_names()) >= len(SOURCES) >= 5
