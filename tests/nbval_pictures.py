"""A plugin: strict validation compares pictures too, not their texts alone.

nbval passes over every PNG. Here each picture that a cell makes is compared with the
stored one, point by point; the edges of letters may differ.
"""

from functools import partial

from nbval.plugin import IPyNbCell

from builder.pictures import show_the_same


def pytest_collection_modifyitems(items):
    """Have each cell compare its pictures after its texts."""
    for item in items:
        if isinstance(item, IPyNbCell):
            item.compare_outputs = partial(_compared, item, item.compare_outputs)


def _compared(item, texts_alike, made, stored, **options):
    if not texts_alike(made, stored, **options):
        return False
    new, old = _pictures(made), _pictures(stored)
    if len(new) != len(old):
        item.comparison_traceback.append(f"{len(new)} pictures, not {len(old)}")
        return False
    pairs = enumerate(zip(new, old, strict=True), 1)
    stale = [n for n, pair in pairs if not show_the_same(*pair)]
    item.comparison_traceback += [f"picture {n} shows something else" for n in stale]
    return not stale


def _pictures(outputs):
    """Return the PNG of each output that has one."""
    found = [output.get("data", {}).get("image/png") for output in outputs]
    return [png for png in found if png]
