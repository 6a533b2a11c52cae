"""What a view puts on a page: controls above, the message and the picture below."""

import ipywidgets as widgets

LIVE = "application/vnd.jupyter.widget-view+json"


def box(controls, picture):
    """Return the widget that holds all others, the controls first."""
    for name, control in controls.items():
        _fit(control)
        control.add_class(f"mha-control-{name}")
    wrapped = widgets.Layout(flex_flow="row wrap")
    row = widgets.HBox(list(controls.values()), layout=wrapped)
    row.add_class("mha-controls")
    whole = widgets.VBox([row, picture])
    whole.add_class("mha-view")
    return whole


def explained(control, what):
    """Say what a control does, and return it."""
    control.tooltip = what  # not an argument: few controls of ipywidgets 7 know it
    return control


def hints_of(controls):
    """Return by name what each control does, of those that say so."""
    return {
        name: control.tooltip for name, control in controls.items() if control.tooltip
    }


def _fit(control):
    """Give a control room for its whole description."""
    control.style.description_width = "initial"
    if control.layout.width is None:
        short = isinstance(control, widgets.Checkbox)
        control.layout.width = "auto" if short else "26em"


def bundle_of(widget):
    """Return what makes a page show a widget: by hand, for ipywidgets before 8."""
    about = {"version_major": 2, "version_minor": 0, "model_id": widget.model_id}
    return {LIVE: about}


def family(widget):
    """Yield a widget and all that belong to it."""
    for child in getattr(widget, "children", ()):
        yield from family(child)
    for trait in ("layout", "style", "pointer"):
        if widget.has_trait(trait):
            yield from family(getattr(widget, trait))
    yield widget
