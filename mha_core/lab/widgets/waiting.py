"""A sign that something takes long."""

from contextlib import contextmanager
from threading import Timer


@contextmanager
def waiting(widget, text, seconds=0.3):
    """Write a text into ``widget.busy`` while a block takes longer than this."""
    timer = Timer(seconds, setattr, (widget, "busy", text))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        widget.busy = ""
