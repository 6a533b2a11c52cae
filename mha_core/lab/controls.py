"""Values of controls: reading them, and placing them without silent changes."""


def check_names(controls):
    """Refuse a control without a description, or with the name of the view's own."""
    if "projector" in controls:
        raise ValueError(
            "a view adds the control projector itself; give yours another name."
        )
    for name, control in controls.items():
        if not control.description:
            raise ValueError(f"the control {name} needs a description")


def values_of(controls):
    """Return the value of each control by name."""
    return {name: control.value for name, control in controls.items()}


def label_of(control):
    """Return the value of a control in words."""
    value = getattr(control, "label", None) or control.value
    return f"{value:g}" if isinstance(value, float) else str(value)


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
            f"there is no control {', '.join(unknown)}; there are {', '.join(controls)}"
        )
    before = values_of(controls)
    for name, value in values.items():
        if not _takes(controls[name], value):
            for other, old in before.items():
                controls[other].value = old
            raise ValueError(f"{name} cannot be {value!r}; {offer(controls[name])}")


def offer(control):
    """Return what a control offers, in words."""
    if hasattr(control, "options"):
        return f"choose one of {', '.join(_options(control))}"
    if hasattr(control, "max"):
        return _range(control)
    kinds = {bool: "choose True or False", str: "give it a text"}
    return kinds.get(type(control.value), f"its value now is {control.value!r}")


def _range(control):
    ends = control.min, control.max
    step = "" if control.step in (1, None) else f" in steps of {control.step:g}"
    if hasattr(control, "base"):  # a log slider: these are exponents
        ends, step = [control.base**end for end in ends], ""
    what = "two numbers" if isinstance(control.value, tuple) else "a number"
    return f"choose {what} from {ends[0]:g} to {ends[1]:g}{step}"


def _options(control):
    pairs = [o if isinstance(o, tuple) else (o, o) for o in control.options]
    return [str(pair[0]) for pair in pairs]


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
