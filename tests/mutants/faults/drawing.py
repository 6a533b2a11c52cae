"""Faults in the pictures: their arrays, axes, labels, limits and texts."""

from ..fault import Fault

PICTURES, CHARTS = "lab/pictures/heatmaps.py", "lab/pictures/graphs.py"
CHECKS, TELLINGS = "lab/drawing/checks.py", "lab/drawing/tellings.py"
FONTS = "lab/drawing/fonts.py"

FAULTS = [
    Fault(
        "swapped axes of the heat map",
        PICTURES,
        '(weights, "weights", (len(queries), len(keys)), limits)\n    marks',
        '(np.transpose(weights), "weights", (len(queries), len(keys)), limits)\n'
        "    marks",
        "test_pictures",
        "05",
    ),
    Fault(
        "row labels on the columns",
        PICTURES,
        "Maps(queries, keys, *names, size=size",
        "Maps(keys, queries, *names, size=size",
        "test_pictures",
        "03",
    ),
    Fault(
        "labels shifted by one cell",
        PICTURES,
        "Maps(queries, keys, *names, size=size",
        "Maps(queries, (keys[-1], *keys[:-1]), *names, size=size",
        "test_pictures",
        "03",
    ),
    Fault(
        "names of the axes swapped",
        PICTURES,
        "names = query_name, key_name, value_name, checks.ends(limits)\n"
        "    layout = Maps(queries, keys, *names, size=size",
        "names = key_name, query_name, value_name, checks.ends(limits)\n"
        "    layout = Maps(queries, keys, *names, size=size",
        "test_pictures",
        "02",
    ),
    Fault(
        "scale from the weights of the heads in place of 0 to 1",
        PICTURES,
        "value_name, checks.ends(limits)\n"
        "    layout = Maps(queries, keys, *names, shown",
        "value_name, (array.min(), array.max())\n"
        "    layout = Maps(queries, keys, *names, shown",
        "test_pictures",
        "04",
    ),
    Fault(
        "titles of page 0 on every page",
        PICTURES,
        "array[heads], titles[heads]",
        "array[heads], titles[: heads.stop - heads.start]",
        "test_pictures",
        lessons="04",
    ),
    Fault(
        "signs of seen and unseen swapped",
        PICTURES,
        '".#"[int(flag)]',
        '"#."[int(flag)]',
        "test_blocks_view",
        "05",
    ),
    Fault(
        "spread not handed on",
        CHARTS,
        "Curves(values, title, low, high)",
        "Curves(values, title)",
        "test_curves",
        "04",
    ),
    Fault(
        "given limits ignored",
        CHARTS,
        "checks.chart_limits(held, limits,",
        "checks.chart_limits(held, None,",
        "test_pictures",
        "01",
    ),
    Fault(
        "bars that start above 0",
        CHARTS,
        'floor = np.zeros(1) if fixed.get("bars") and not log else None',
        "floor = None",
        "test_pictures",
        exempt="the bars of all lessons have limits that start at 0",
    ),
    Fault(
        "heads counted from 1",
        CHECKS,
        'f"head {n}" for n in range(h)',
        'f"head {n + 1}" for n in range(h)',
        "test_pictures",
        "04",
    ),
    Fault(
        "one page too many where the heads fill the last",
        CHECKS,
        "pages = -(-h // most)",
        "pages = h // most + 1",
        "test_pictures",
        exempt="no lesson asks for a page that is not there",
    ),
    Fault(
        "NaN is drawn",
        CHECKS,
        "if not np.isfinite(array).all():",
        "if np.isinf(array).any():",
        "test_pictures",
        exempt="no lesson draws NaN",
    ),
    Fault(
        "weakest key named as the strongest",
        TELLINGS,
        "at = int(row.argmax())",
        "at = int(row.argmin())",
        "test_pictures",
        "02",
    ),
    Fault(
        "key beside the strongest named",
        TELLINGS,
        'return f"{spoken(keys[at])}{where}',
        'return f"{spoken(keys[at - 1])}{where}',
        "test_pictures",
        "02",
    ),
    Fault(
        "wrong head called the sharpest",
        TELLINGS,
        "sharp = int(np.round(means / span, 6).argmax())",
        "sharp = int(np.round(array.max(axis=(1, 2)) / span, 6).argmax())",
        "test_pictures",
        "04",
    ),
    Fault(
        "lowest told as the highest",
        TELLINGS,
        'f"    highest: {_all(data.high[n])}"',
        'f"    highest: {_all(data.low[n])}"',
        "test_layers",
        "04",
    ),
    Fault(
        "spaces that cannot be seen",
        FONTS,
        "if character in SIGNS:",
        'if character in SIGNS and character != " ":',
        "test_pictures",
        "02",
    ),
    Fault(
        "cut labels without a sign of it",
        FONTS,
        "return kept + ELLIPSIS",
        "return kept",
        "test_pictures",
        exempt="no lesson has a label that is too long",
    ),
]
