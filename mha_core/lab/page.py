"""What a view puts on a page: controls, message, image, sentence, in a column."""

from html import escape

import ipywidgets as widgets

from mha_core.lab.drawing.canvas import DPI

PLAIN = "margin: 0; line-height: 1.35; font-size: {}"


def parts(size):
    """Return the widgets of the image, of its sentence and of the message."""
    width, height = (f"{round(inches * DPI)}" for inches in size)
    style = widgets.Layout(max_width="100%", height="auto")
    image = widgets.Image(format="png", width=width, height=height, layout=style)
    image.add_class("mha-picture")
    return image, _text("mha-sentence"), _text("mha-message")


def _text(name):
    still = widgets.Layout(height="4em", overflow="auto")
    text = widgets.HTML(layout=still)
    text.add_class(name)
    return text


def box(controls, message, image, sentence):
    """Return the widget that holds all others, the controls first."""
    for name, control in controls.items():
        _fit(control)
        control.add_class(f"mha-control-{name}")
    wrapped = widgets.Layout(flex_flow="row wrap")
    row = widgets.HBox(list(controls.values()), layout=wrapped)
    whole = widgets.VBox([row, message, image, sentence])
    whole.add_class("mha-view")
    return whole


def _fit(control):
    """Give a control room for its whole description."""
    control.style.description_width = "initial"
    if control.layout.width is None:
        short = isinstance(control, widgets.Checkbox)
        control.layout.width = "auto" if short else "26em"


def paragraph(text, size):
    """Return a text as HTML that a screen reader reads when it changes."""
    return f'<p role="status" style="{PLAIN.format(size)}">{escape(text)}</p>'


def family(widget):
    """Yield a widget and all that belong to it."""
    for child in getattr(widget, "children", ()):
        yield from family(child)
    for trait in ("layout", "style"):
        if widget.has_trait(trait):
            yield getattr(widget, trait)
    yield widget
