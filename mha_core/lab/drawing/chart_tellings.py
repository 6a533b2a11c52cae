"""What curves and bars say: their numbers as lines, and themselves in one sentence."""

from mha_core._checks.sentences import sentence
from mha_core.lab.drawing.characters import named
from mha_core.lab.drawing.labels import told_apart
from mha_core.lab.drawing.numerals import figures, rounded
from mha_core.lab.drawing.tellings import indented, joined, one_line, semicolons

VALUES_TOLD = 64


def told(value):
    """Return a number as the text under a picture gives it."""
    small = 0 < abs(value) < 0.001
    return f"{value:.1e}" if small else rounded(value, 0 if abs(value) >= 1000 else 3)


def chart_lines(layout, data):
    """Return curves or bars in lines: title, axes, limits, each series' values."""
    names = enumerate(_names(layout.names))
    return [
        one_line(data.title),
        _x_line(layout),
        *([_counts(layout)] if layout.counts else []),
        _y_line(layout),
        *(told for n, name in names for told in _series(layout, data, n, name)),
    ]


def chart_sentence(layout, title, data):
    """Return curves or bars in one sentence; a title is named where there is one."""
    chart, names = _chart(layout, title), _names(layout.names)
    if not layout.tell:
        return sentence("{chart}: {names}.", chart=chart, names=", ".join(names))
    series = zip(names, data.values, strict=True)
    ends = [_ends(layout, name, values) for name, values in series]
    return sentence("{chart}: {ends}.", chart=chart, ends=joined(ends, semicolons))


def _chart(layout, title):
    kind = sentence("Bars") if layout.bars else sentence("Curves")
    if title:
        kind = sentence("{kind} {title}", kind=kind, title=one_line(title))
    fields = {"chart": kind, "y": one_line(layout.y_name)}
    if layout.x_name:
        return sentence("{chart}, {y} over {x}", x=one_line(layout.x_name), **fields)
    return sentence("{chart}, {y}", **fields)


def _ends(layout, name, values):
    places = _places(layout.x)
    first = {"name": name, "first": told(values[0]), "start": places[0]}
    if len(values) == 1:
        return sentence("{name} {first} at {start}", **first)
    last = {"last": told(values[-1]), "end": places[-1]}
    return sentence("{name} {first} at {start}, {last} at {end}", **first, **last)


def _x_line(layout):
    values = _listed(_places(layout.x), str)
    if layout.x_name:
        return sentence(
            "x: {name}: {values}", name=one_line(layout.x_name), values=values
        )
    return sentence("x: names: {values}", values=values)


def _y_line(layout):
    low, high = figures(layout.limits)
    fields = {"name": one_line(layout.y_name), "low": low, "high": high}
    if layout.log:
        return sentence("y: {name}, {low} to {high}, log scale", **fields)
    return sentence("y: {name}, {low} to {high}", **fields)


def _counts(layout):
    counts = _listed(layout.counts, str)
    return sentence(
        "{name}: {counts}", name=one_line(layout.counts_name), counts=counts
    )


def _series(layout, data, n, name):
    if not layout.tell:
        machines = sentence("{name}: differs from machine to machine", name=name)
        return [indented(machines)]
    values = sentence("{name}: {values}", name=name, values=_listed(data.values[n]))
    return [indented(values)] + ([] if data.low is None else _spread(data, n))


def _spread(data, n):
    low = sentence("lowest: {values}", values=_listed(data.low[n]))
    high = sentence("highest: {values}", values=_listed(data.high[n]))
    return [indented(indented(low)), indented(indented(high))]


def _listed(values, tell=told):
    return ", ".join(tell(value) for value in values[:: -(-len(values) // VALUES_TOLD)])


def _names(names):
    spelled = told_apart(names, named)
    return [spelled[name] for name in names]


def _places(x):
    return _names(x) if isinstance(x[0], str) else figures(x)
