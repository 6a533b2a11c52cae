"""Controls that offer only what exists: their options follow the other controls."""

from numbers import Number

from mha_core._checks.sentences import sentence


def follow(name, control, options):
    """Let a control offer these options, and keep its value where it still can.

    Parameters
    ----------
    name : str
        Of the control.
    control : ipywidgets control with options
    options : sequence of keys, all of them numbers or all texts

    Returns
    -------
    str or None
        A sentence, if the value is no longer there; the nearest one takes its place.
    """
    before, options = control.value, tuple(options)
    if options == tuple(control.options):
        return None
    with control.hold_sync():
        control.options = options
        control.value = _nearest(options, before)
    if control.value == before:
        return None
    what = {"name": name, "before": before, "value": control.value}
    return sentence("There is no {name} {before} here; {name} is {value} now.", **what)


def _nearest(options, value):
    if value in options:
        return value
    if not isinstance(value, Number):
        return options[0]
    return min(options, key=lambda option: abs(option - value))


def noted(notes, message):
    """Return a message with the sentences before it that tell what moved by itself."""
    for note in reversed(notes):
        message = sentence("{note} {told}", note=note, told=message)
    return message
