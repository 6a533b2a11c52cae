"""Values of controls: reading them, and placing them without silent changes.

A value is a key of the code. What a reader sees of it is its label, which an option
carries beside it: ``options=[(label, key), ...]``.
"""

import ipywidgets as widgets

from mha_core._checks.sentences import sentence
from mha_core.lab.following import follow
from mha_core.lab.page import explained


def check_names(controls):
    """Refuse a control without a description, or with the name of the view's own."""
    if "projector" in controls:
        raise ValueError(
            "a view adds the control projector itself; give yours another name."
        )
    for name, control in controls.items():
        if not control.description:
            raise ValueError(f"the control {name} needs a description")


def projector_switch():
    """Return the box to tick that every view has."""
    box = widgets.Checkbox(False, description=sentence("projector"), indent=False)
    return explained(
        box, sentence("Larger text and lines, to be read from the last row.")
    )


def translate_labels(controls, say):
    """Write descriptions and labels of controls as a view says them; keys stay."""
    for control in controls.values():
        control.description = say(control.description)
        control.tooltip = say(getattr(control, "tooltip", None) or "")
        if any(isinstance(option, tuple) for option in getattr(control, "options", ())):
            value = control.value
            control.options = [(say(label), key) for label, key in control.options]
            control.value = value


def values_of(controls):
    """Return the value of each control by name."""
    return {name: control.value for name, control in controls.items()}


def settings(controls):
    """Return names and values as they are set: ``h=2, word=knight``."""
    pairs = values_of(controls).items()
    return ", ".join(f"{name}={figure(value)}" for name, value in pairs)


def place(controls, values, offers):
    """Give controls new values by name: all of them, or none.

    Parameters
    ----------
    controls, values : dict
        By name.
    offers : dict of str to callable
        What a control offers, from the values of all: of those named later it may
        depend on those named before.

    Returns
    -------
    list of str
        A sentence for each control that moved because its value is gone.

    Raises
    ------
    ValueError
        If there is no such control, or it does not offer the value as it is.
    """
    _check_known(controls, values)
    before, notes = _kept(controls), []
    for name in [*(n for n in values if n not in offers), *offers]:
        note = _follow(name, controls, offers)
        if name not in values:
            notes += [note] if note else []
        elif not _takes(controls[name], values[name]):
            refusal = _refusal(name, values[name], controls[name])
            _restore(before)
            raise ValueError(refusal)
    return notes


def _check_known(controls, values):
    unknown = [name for name in values if name not in controls]
    if unknown:
        raise ValueError(
            sentence(
                "there is no control {unknown}; there are {known}",
                unknown=", ".join(unknown),
                known=", ".join(controls),
            )
        )


def _follow(name, controls, offers):
    """Let a control follow the others; where they do not go together, it stays."""
    if name not in offers:
        return None
    try:
        options = offers[name](values_of(controls))
    except (ValueError, OSError):
        return None  # the view says so when it computes
    return follow(name, controls[name], options)


def _kept(controls):
    return [(c, getattr(c, "options", None), c.value) for c in controls.values()]


def _restore(before):
    for control, options, value in before:
        if options is not None and control.options != options:
            control.options = options
        control.value = value


def _refusal(name, value, control):
    what = {"name": name, "value": value, "offer": offer(control)}
    return sentence("{name} cannot be {value!r}; {offer}", **what)


def offer(control):
    """Return what a control offers, in words."""
    if hasattr(control, "options"):
        keys = list(_keys(control))
        if _in_a_row(keys):
            return sentence(
                "choose a number from {low:g} to {high:g}", low=keys[0], high=keys[-1]
            )
        keys = ", ".join(map(str, keys))
        return sentence("choose one of {keys}", keys=keys)
    if hasattr(control, "max"):
        return _range(control)
    if isinstance(control.value, bool):
        return sentence("choose True or False")
    if isinstance(control.value, str):
        return sentence("give it a text")
    return sentence("its value now is {value!r}", value=control.value)


def _range(control):
    ends = control.min, control.max
    stepped = control.step not in (1, None) and not hasattr(control, "base")
    if hasattr(control, "base"):  # a log slider: these are exponents
        ends = [control.base**end for end in ends]
    what = {"low": ends[0], "high": ends[1], "step": control.step}
    if isinstance(control.value, tuple):
        if stepped:
            return sentence(
                "choose two numbers from {low:g} to {high:g} in steps of {step:g}",
                **what,
            )
        return sentence("choose two numbers from {low:g} to {high:g}", **what)
    if stepped:
        return sentence(
            "choose a number from {low:g} to {high:g} in steps of {step:g}", **what
        )
    return sentence("choose a number from {low:g} to {high:g}", **what)


def _in_a_row(keys):
    """Tell whether keys are whole numbers that count up, too many to be listed."""
    whole = len(keys) > 5 and all(type(key) is int for key in keys)
    return whole and keys == list(range(keys[0], keys[-1] + 1))


def _keys(control):
    return [o[1] if isinstance(o, tuple) else o for o in control.options]


def figure(value):
    """Return a value as settings tell it."""
    return f"{value:g}" if isinstance(value, float) else value


def _takes(control, value):
    try:
        control.value = value
        taken = bool(control.value == value)
    except Exception:  # what a widget raises for a value that it does not take
        return False
    return taken and _on_step(control)


def _on_step(control):
    if not hasattr(control, "max") or hasattr(control, "base") or not control.step:
        return True
    values = control.value if isinstance(control.value, tuple) else (control.value,)
    counted = [(value - control.min) / control.step for value in values]
    return all(abs(steps - round(steps)) < 1e-6 for steps in counted)
