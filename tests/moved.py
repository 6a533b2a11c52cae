"""What a view tells, its last move left out; and moves as a page makes them."""

import re

from ipywidgets.widgets import widget

NOTE = re.compile(r"There is no \w+ \S+ here; \w+ is \S+ now\. ")


def settled(text):
    """Return a text without the sentences about controls that moved by themselves."""
    return NOTE.sub("", text)


def from_browser(control, value):
    """Move a control as a page does."""
    options = getattr(control, "options", None)
    state = {"index": list(options).index(value)} if options else {"value": value}
    data = {"method": "update", "state": state, "buffer_paths": []}
    control._handle_msg({"content": {"data": data}, "buffers": []})


def divisors(d_model):
    """Return the head counts that divide a width."""
    return tuple(h for h in range(1, d_model + 1) if d_model % h == 0)


def widgets_there():
    """Return all widgets that are open, whichever ipywidgets is installed."""
    if hasattr(widget, "_instances"):
        return widget._instances
    return widget.Widget.widgets  # ipywidgets 7
