"""Larger print for a projector, in all views of this kernel at once."""

from types import SimpleNamespace
from weakref import WeakSet

from mha_core._checks.arguments import check_flag

# A kernel is a process of its own, and this is what its reader chose.
_KERNEL = SimpleNamespace(large=False, views=WeakSet())


def enrol(view):
    """Let a view follow the choice from now on; return what was chosen last."""
    _KERNEL.views.add(view)
    return _KERNEL.large


def projector(on=True):
    """Enlarge text and lines of all views, those that are open and those to come.

    Parameters
    ----------
    on : bool
        False makes all of them small again. A single view has its own switch.

    Raises
    ------
    ValueError
        If it is neither True nor False.
    """
    _KERNEL.large = check_flag("on", on)
    for view in [view for view in _KERNEL.views if view.is_open]:
        view.controls["projector"].value = _KERNEL.large
