"""Views: a picture with controls, that a notebook shows, stores and compares.

Live, a view is a widget; stored, it is the image and the numbers of its picture.
"""

from html import escape
from threading import RLock

import ipywidgets as widgets

from mha_core.lab.controls import check_names, label_of, place, values_of
from mha_core.lab.drawing.canvas import DPI, SIZE, Plates, greyed
from mha_core.lab.drawing.png import png, stored

PLAIN = "margin: 0; line-height: 1.35; font-size: {}"


class View:
    """A picture that follows its controls.

    Parameters
    ----------
    controls : dict
        Name to an ipywidgets control with a description. A switch that enlarges
        text and lines for a projector is added.
    compute : callable
        Takes the value of each control by name; returns a Picture, or a Picture
        and a message. For values that do not go together it raises ValueError
        with a sentence, which is shown while the last picture turns grey.
    first : dict, optional
        Values to start with in place of those that the controls have.
    size : (float, float)
        Of the picture, in inches, whatever it shows.

    Raises
    ------
    ValueError
        If a control has no description or is called projector, or does not offer its
        first value, or `compute` refuses them.
    """

    def __init__(self, controls, compute, *, first=None, size=SIZE):
        check_names(controls)
        switch = widgets.Checkbox(False, description="projector", indent=False)
        self.controls = {**controls, "projector": switch}
        self._compute, self._size, self._plates = compute, size, Plates(size)
        self._quiet, self._open, self.refused = False, True, False
        self._lock, self._drawn = RLock(), None
        self._image, self._sentence, self._said = _parts(size)
        self._box = _box(self.controls, self._said, self._image, self._sentence)
        for control in self.controls.values():
            control.observe(self._follow, names="value")
        try:
            self.set(**(first or {}))
        except Exception:
            self.close()
            raise

    @property
    def values(self):
        """The value of each control by name."""
        return values_of(self.controls)

    def set(self, **values):
        """Move several controls at once and redraw once; return the view.

        Raises
        ------
        ValueError
            If there is no such control or it does not offer the value; then nothing
            moves. Or if the values do not go together; then the view says so too.
        """
        with self._lock:
            self._quiet = True
            try:
                place(self.controls, values)
            finally:
                self._quiet = False
            self._redraw()
        return self

    def close(self):
        """Close the view with all its widgets; it no longer follows its controls."""
        for control in self.controls.values() if self._open else ():
            control.unobserve(self._follow, names="value")
        self._open = False
        for part in _family(self._box):
            part.close()
        self._plates.clear()

    def _follow(self, change):
        # JupyterLab moves controls from several threads: one redraw at a time, each
        # with the values of now, and none for values that are drawn already.
        with self._lock:
            if self._quiet or self.values == self._drawn:
                return
            try:
                self._redraw()
            except ValueError:
                return  # the message says so

    def _redraw(self):
        self._drawn = self.values
        try:
            picture, message = self._computed()
            pixels = self._plates.paint(picture)
        except Exception as error:
            self._refuse(error)
            raise
        self.picture, self._pixels, self.refused = picture, pixels, False
        self._show(pixels, message)

    def _computed(self):
        values = self.values
        projector = values.pop("projector")
        result = self._compute(**values)
        picture, message = result if isinstance(result, tuple) else (result, "")
        return picture.resized(self._size, projector), message

    def _refuse(self, error):
        known = isinstance(error, ValueError)
        sentence = str(error) if known else f"{type(error).__name__}: {error}"
        self.refused = True
        if hasattr(self, "picture"):
            self._show(greyed(self._pixels), sentence)

    def _show(self, pixels, message):
        self.message = message
        size = "1.6em" if self.values["projector"] else "1.05em"
        self._shown, self._image.value = pixels, png(pixels)
        self._said.value = _paragraph(message, size)
        self._sentence.value = _paragraph(self.picture.sentence, size)

    def __repr__(self):
        """Return the controls, the message and the numbers of the picture."""
        shown = [f"{name}={label_of(c)}" for name, c in self.controls.items()]
        lines = [f"controls: {', '.join(shown)}", f"message: {self.message}"]
        stale = ["the last picture that could be drawn:"] if self.refused else []
        return "\n".join([*lines, *stale, repr(self.picture)])

    def _repr_mimebundle_(self, include=None, exclude=None):
        bundle = self._box._repr_mimebundle_()
        bundle |= {"text/plain": repr(self), "image/png": stored(self._shown)}
        return bundle, {"image/png": {"alt": self.picture.sentence}}


def _parts(size):
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


def _box(controls, message, image, sentence):
    for name, control in controls.items():
        _fit(control)
        control.add_class(f"mha-control-{name}")
    wrapped = widgets.Layout(flex_flow="row wrap")
    row = widgets.HBox(list(controls.values()), layout=wrapped)
    box = widgets.VBox([row, message, image, sentence])
    box.add_class("mha-view")
    return box


def _fit(control):
    """Give a control room for its whole description."""
    control.style.description_width = "initial"
    if control.layout.width is None:
        short = isinstance(control, widgets.Checkbox)
        control.layout.width = "auto" if short else "26em"


def _paragraph(text, size):
    return f'<p role="status" style="{PLAIN.format(size)}">{escape(text)}</p>'


def _family(widget):
    for child in getattr(widget, "children", ()):
        yield from _family(child)
    for trait in ("layout", "style"):
        if widget.has_trait(trait):
            yield getattr(widget, trait)
    yield widget
