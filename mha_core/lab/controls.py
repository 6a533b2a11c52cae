"""Values of controls: reading them, and placing them without silent changes.

A value is a key of the code. What a reader sees of it is its label, which an option
carries beside it: ``options=[(label, key), ...]``.
"""

from mha_core._checks.sentences import sentence


def check_names(controls):
    """Refuse a control without a description, or with the name of the view's own."""
    if "projector" in controls:
        raise ValueError(
            "a view adds the control projector itself; give yours another name."
        )
    for name, control in controls.items():
        if not control.description:
            raise ValueError(f"the control {name} needs a description")


def translate_labels(controls, say):
    """Write descriptions and labels of controls as a view says them; keys stay."""
    for control in controls.values():
        control.description = say(control.description)
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
    return ", ".join(f"{name}={_figure(value)}" for name, value in pairs)


def place(controls, values):
    """Give controls new values by name: all of them, or none.

    Raises
    ------
    ValueError
        If there is no such control, or it does not offer the value as it is.
    """
    unknown = [name for name in values if name not in controls]
    if unknown:
        raise ValueError(
            sentence(
                "there is no control {unknown}; there are {known}",
                unknown=", ".join(unknown),
                known=", ".join(controls),
            )
        )
    before = values_of(controls)
    for name, value in values.items():
        if not _takes(controls[name], value):
            for other, old in before.items():
                controls[other].value = old
            raise ValueError(_refusal(name, value, controls[name]))


def _refusal(name, value, control):
    what = {"name": name, "value": value, "offer": offer(control)}
    return sentence("{name} cannot be {value!r}; {offer}", **what)


def offer(control):
    """Return what a control offers, in words."""
    if hasattr(control, "options"):
        keys = ", ".join(str(key) for key in _keys(control))
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


def _keys(control):
    return [o[1] if isinstance(o, tuple) else o for o in control.options]


def _figure(value):
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
