"""What a lesson looks like, one rule to a function.

A rule takes the cells of the English edition and returns a sentence for each fault.
"""

import ast
import io
import re
import tokenize
from itertools import groupby
from statistics import median

from builder import passages
from stored import imports, parse

CODE_CELLS = range(20, 36)
MAX_LINES = 12
MEDIAN_LINES = (2, 3)
PROSE_WORDS = range(20, 81)
EXERCISES = range(4, 12)
NEARLY_EVERY = 0.75
SHAPE = r"\([\w\s,.*/+-]*\)"
SHAPE_COMMENT = re.compile(rf"#\s*{SHAPE}(\s*(->|,|@|and)?\s*{SHAPE})*$")
CODE_BLOCK = re.compile(r"```.*?```", re.DOTALL)
NOT_PROSE = re.compile(
    r"```.*?```|<details>.*?</details>|\$\$.*?\$\$|\$[^$]+\$|<[^>]+>|\]\([^)]*\)"
    r"|^#+ [^\n]*$",
    re.DOTALL | re.MULTILINE,
)
HEADING = re.compile(r"^(#+) (.+)$", re.MULTILINE)
PREDICT = re.compile(r"predict, then run", re.IGNORECASE)


def faults(cells):
    """Return a sentence for each rule that a lesson breaks."""
    return [fault for rule in RULES for fault in rule(cells)]


def codes(cells):
    """Return the code cells."""
    return [cell for cell in cells if cell.cell_type == "code"]


def prose(cells):
    """Return the text of the passages, as one text without code blocks."""
    passages = [cell.source for cell in cells if cell.cell_type == "markdown"]
    return CODE_BLOCK.sub("", "\n\n".join(passages))


def headings(cells):
    """Return level and text of each heading."""
    return [(len(marks), text) for marks, text in HEADING.findall(prose(cells))]


def line_count(cell):
    """Return the number of lines of a cell that are not blank."""
    return sum(bool(line.strip()) for line in cell.source.splitlines())


def word_count(cell):
    """Return the number of words of a passage, a computed number as one.

    Headings and formulas do not count.
    """
    text = NOT_PROSE.sub(" ", passages.FIELD.sub("1", cell.source))
    return len(re.findall(r"\w[\w'’-]*", text))


def cell_count(cells):
    """20 to 35 code cells."""
    count = len(codes(cells))
    return [] if count in CODE_CELLS else [f"{count} code cells, not 20 to 35"]


def cell_length(cells):
    """At most 12 lines, median 2 to 3."""
    lines = [line_count(cell) for cell in codes(cells)]
    found = [
        f"code cell {n}: {k} lines" for n, k in enumerate(lines, 1) if k > MAX_LINES
    ]
    low, high = MEDIAN_LINES
    if not low <= median(lines or [0]) <= high:
        found.append(f"the median code cell has {median(lines or [0])} lines")
    return found


def cells_in_a_row(cells):
    """At most two code cells in a row."""
    runs = [
        len(list(run))
        for kind, run in groupby(c.cell_type for c in cells)
        if kind == "code"
    ]
    return [f"{run} code cells in a row" for run in runs if run > 2]


def prose_before_code(cells):
    """20 to 80 words before nearly every code cell."""
    pairs = list(zip(cells, cells[1:], strict=False))
    before = [a for a, b in pairs if (a.cell_type, b.cell_type) == ("markdown", "code")]
    fit = [cell for cell in before if word_count(cell) in PROSE_WORDS]
    found = []
    if len(before) < NEARLY_EVERY * len(codes(cells)):
        found.append(f"{len(before)} of {len(codes(cells))} code cells follow prose")
    if len(fit) < NEARLY_EVERY * len(before):
        counts = [word_count(cell) for cell in before]
        found.append(f"prose of other than 20 to 80 words before code: {counts}")
    return found


def definitions(cells):
    """At most one cell in ten defines something, exercises aside."""
    kinds = (ast.FunctionDef, ast.ClassDef, ast.Lambda)
    some = sum(
        any(isinstance(node, kinds) for node in ast.walk(parse(cell)))
        for cell in codes(cells)
        if not calls(cell, "check")
    )
    return [f"{some} cells define something"] if some * 10 > len(codes(cells)) else []


def comments(cells):
    """No comments but shapes."""
    return [
        f"code cell {number}: the comment {token.string!r} is no shape"
        for number, cell in enumerate(codes(cells), 1)
        for token in tokenize.generate_tokens(io.StringIO(cell.source).readline)
        if token.type == tokenize.COMMENT and not SHAPE_COMMENT.match(token.string)
    ]


def printed_sentences(cells):
    """No print of sentences."""
    return [
        f"code cell {number}: prints a sentence"
        for number, cell in enumerate(codes(cells), 1)
        for call in calls(cell, "print")
        if any(len(text.split()) > 2 for text in strings(call))
    ]


def calls(cell, name):
    """Return the calls of a function or method in a cell."""
    return [
        node
        for node in ast.walk(parse(cell))
        if isinstance(node, ast.Call)
        and name in (getattr(node.func, "id", None), getattr(node.func, "attr", None))
    ]


def strings(node):
    """Return the texts of the string constants below a node."""
    constants = (n.value for n in ast.walk(node) if isinstance(n, ast.Constant))
    return [value for value in constants if isinstance(value, str)]


def heading_levels(cells):
    """One title, first of all, and no level skipped (A05)."""
    levels = [level for level, _ in headings(cells)]
    found = []
    if levels[:1] != [1] or levels.count(1) != 1:
        found.append("not one title at the top")
    if any(b > a + 1 for a, b in zip(levels, levels[1:], strict=False)):
        found.append(f"a heading level is skipped: {levels}")
    return found


def opening(cells):
    """What you will do, learn and need, before the first section."""
    first = next((n for n, c in enumerate(cells) if "\n## " in f"\n{c.source}"), 0)
    words = set(re.findall(r"\w+", prose(cells[:first]).lower()))
    missing = sorted({"do", "learn", "need"} - words)
    return [f"the opening does not say: {', '.join(missing)}"] if missing else []


def first_cell(cells):
    """The first code cell imports NumPy, then names from the package."""
    tree = parse(codes(cells)[0]) if codes(cells) else ast.Module([], [])
    names = imports(tree)
    only = all(isinstance(node, (ast.Import, ast.ImportFrom)) for node in tree.body)
    ours = all(name.partition(".")[0] == "mha_core" for name in names[1:])
    good = only and ours and len(names) > 1 and names[0] == "numpy"
    return [] if good else ["the first code cell is not NumPy and the package"]


def predictions(cells):
    """Two or three times "Predict, then run"."""
    count = len(PREDICT.findall(prose(cells)))
    return [] if count in (2, 3) else [f'{count} times "Predict, then run"']


def exercises(cells):
    """Four to eleven exercises, each checked."""
    checks = [call for cell in codes(cells) for call in calls(cell, "check")]
    names = {strings(call.args[0])[0] for call in checks if call.args}
    fit = len(names) in EXERCISES
    return [] if fit else [f"{len(names)} exercises are checked, not 4 to 11"]


def moved_view(cells):
    """A cell moves a view, so that one which ignores its control is found out."""
    moved = any(calls(cell, "set") for cell in codes(cells))
    return [] if moved else ["no cell moves a view with .set"]


def closing(cells):
    """Exercises, summary, further reading, and what comes next."""
    wanted = ("Exercises", "Summary", "Further reading", "Next")
    return [
        f"no heading {word!r}"
        for word in wanted
        if not re.search(rf"^(#+ |\*\*){word}", prose(cells), re.MULTILINE)
    ]


def summary(cells):
    """The summary has three items."""
    section = re.search(r"^#+ Summary$(.*?)(?=^#+ |\Z)", prose(cells), re.M | re.S)
    items = re.findall(r"^([-*]|\d\.) ", section.group(1), re.M) if section else []
    return [] if len(items) == 3 else [f"the summary has {len(items)} items, not three"]


def slides(cells):
    """The lesson is a lecture too: the title is a slide."""
    kind = cells[0].metadata.get("slideshow", {}).get("slide_type") if cells else None
    return [] if kind == "slide" else ["the title is not a slide"]


RULES = [
    cell_count,
    cell_length,
    cells_in_a_row,
    prose_before_code,
    definitions,
    comments,
    printed_sentences,
    heading_levels,
    opening,
    first_cell,
    predictions,
    exercises,
    moved_view,
    closing,
    summary,
    slides,
]
