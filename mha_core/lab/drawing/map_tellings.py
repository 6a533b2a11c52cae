"""What heat maps say line by line: title, axes, limits, each row, what is hidden."""

from mha_core._checks.sentences import sentence
from mha_core.lab.drawing.numerals import figures
from mha_core.lab.drawing.strongest import rows_told, words_of
from mha_core.lab.drawing.tellings import commas, indented, joined, one_line


def map_lines(layout, cells):
    """Return a heat map in lines, one per row."""
    return [
        *_heading(layout, cells.title),
        *map(indented, rows_told(layout, cells, 0)),
        *_hidden(layout, cells.hidden),
    ]


def grid_lines(layout, cells):
    """Return a grid of heat maps in lines, one per head."""
    heads = [
        indented(_head(layout, cells, n, one_line(name)))
        for n, name in enumerate(layout.titles)
    ]
    return [*_heading(layout, cells.title), *heads, *_hidden(layout, cells.hidden)]


def note_lines(steps, blocks):
    """Return what a picture leaves out for want of room, in sentences."""
    found = []
    if max(steps) > 1:
        told = sentence(
            "Labelled: 1 query in {rows}, 1 key in {columns}.",
            rows=steps[0],
            columns=steps[1],
        )
        found.append(told)
    if max(blocks) > 1:
        told = sentence(
            "A pixel shows the largest of up to {rows} by {columns} cells.",
            rows=blocks[0],
            columns=blocks[1],
        )
        found.append(told)
    return found


def _head(layout, cells, n, name):
    rows = joined(rows_told(layout, cells, n), commas)
    if n == cells.enlarged:
        return sentence("{head} (enlarged): {rows}", head=name, rows=rows)
    return sentence("{head}: {rows}", head=name, rows=rows)


def _heading(layout, title):
    return [one_line(title), _rows(layout), _columns(layout), *_scale(layout)]


def _rows(layout):
    words, name = words_of(layout), one_line(layout.query_name)
    tokens = " ".join(words[token] for token in layout.queries)
    if "query" in name:
        return sentence("rows: {name} {tokens}", name=name, tokens=tokens)
    return sentence("rows: {name} (query) {tokens}", name=name, tokens=tokens)


def _columns(layout):
    words, name = words_of(layout), one_line(layout.key_name)
    tokens = " ".join(words[token] for token in layout.keys)
    if "key" in name:
        return sentence("columns: {name} {tokens}", name=name, tokens=tokens)
    return sentence("columns: {name} (key) {tokens}", name=name, tokens=tokens)


def _scale(layout):
    if layout.flags:
        no, yes = layout.flags
        return [
            sentence("colour: dark {yes}, pale {no}", yes=yes, no=no),
            sentence("{yes}, row by row:", yes=yes),
        ]
    low, high = figures(layout.limits)
    name = one_line(layout.value_name)
    return [
        sentence("colour: {name}, {low} to {high}", name=name, low=low, high=high),
        sentence("strongest key per row:"),
    ]


def _hidden(layout, hidden):
    if hidden is None or not hidden.any():
        return []
    if (hidden == hidden[:1, :1]).all():
        words = words_of(layout)
        keys = [words[k] for k, h in zip(layout.keys, hidden[0, 0], strict=True) if h]
        return [sentence("hidden from every row: {keys}", keys=" ".join(keys))]
    if (hidden == hidden[:1]).all():
        return [_counts(hidden[0])]
    return [
        sentence("{head}, {hidden}", head=one_line(name), hidden=_counts(one))
        for name, one in zip(layout.titles, hidden, strict=True)
    ]


def _counts(hidden):
    counts = ", ".join(str(n) for n in hidden.sum(axis=-1))
    return sentence("hidden keys per row: {counts}", counts=counts)
