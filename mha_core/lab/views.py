"""Views: a picture with controls, that a notebook shows, stores and compares.

Live, a view is a widget; stored, it is the image and the numbers of its picture.
"""

from threading import RLock

from mha_core._checks.sentences import sentence
from mha_core.lab.controls import (
    check_names,
    place,
    projector_switch,
    settings,
    translate_labels,
    values_of,
)
from mha_core.lab.drawing.canvas import SIZE
from mha_core.lab.following import noted
from mha_core.lab.locale import current, translated
from mha_core.lab.page import box, bundle_of, family, hints_of
from mha_core.lab.pointed import Pointed
from mha_core.lab.presets import Pressed, add_buttons, with_preset
from mha_core.lab.projecting import enrol
from mha_core.lab.saving import Saving
from mha_core.lab.screen import CHOSEN, Screen
from mha_core.lab.versions import check_version


class View(Saving, Pressed, Pointed):
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
    offers : dict of str to callable, optional
        Options of a control that follow the others: name to a function of the values
        of all by name. What depends on another control is named after it.
    presets : dict of str to dict, optional
        A button's label, and the values of controls that it sets.
    called : (str, dict), optional
        The function that makes this view, and what it was given beside the controls.
    first : dict, optional
        Values to start with in place of those that the controls have.
    size : (float, float)
        Of the picture, in inches, whatever it shows.

    Raises
    ------
    ValueError
        If a control has no description or is called projector, or does not offer its
        first value, or `compute` refuses them.
    ImportError
        If ipywidgets is too old or too new.
    """

    def __init__(
        self,
        controls,
        compute,
        *,
        offers=None,
        presets=None,
        called=None,
        first=None,
        size=SIZE,
    ):
        check_version("ipywidgets")
        check_names(controls)
        self.controls = {**controls, "projector": projector_switch()}
        self.picture, self.message, self._language = None, "", current()
        translate_labels(self.controls, self._say)
        self._compute, self._offers = compute, offers or {}
        self._presets, self._called = presets or {}, called
        self._screen = Screen(size, self._say, hints_of(self.controls))
        self._quiet, self.is_open, self.refused = False, True, False
        self._lock, self._drawn = RLock(), None
        self._box = box(self.controls, self._screen.widget)
        add_buttons(self._box, self._presets, self._say, self._press)
        self._listen()
        try:
            self.set(**{"projector": enrol(self), **(first or {})})
        except Exception:
            self.close()
            raise

    @property
    def values(self):
        """The value of each control by name."""
        return values_of(self.controls)

    def set(self, **values):
        """Move several controls at once and redraw once; return the view.

        ``preset="four inspectors"`` does what that button does.

        Raises
        ------
        ValueError
            If there is no such control or it does not offer the value; then nothing
            moves. Or if the values do not go together; then the view says so too.
        """
        with self._lock:
            self._redraw(self._place(with_preset(values, self._presets)))
        return self

    def close(self):
        """Close the view with all its widgets; it no longer follows its controls."""
        for control in self.controls.values() if self.is_open else ():
            control.unobserve(self._follow, names="value")
        self.is_open = False
        self._screen.pointer.unobserve_all()
        for part in family(self._box):
            part.close()
        self._screen.close()

    def _follow(self, change):
        # JupyterLab moves controls from several threads: one redraw at a time, each
        # with the values of now, and none for values that are drawn already.
        with self._lock:
            if self._quiet or self.values == self._drawn:
                return
            try:
                self._redraw(self._place({}))
            except ValueError:
                return  # the message says so

    def _place(self, values):
        """Move controls without a redraw; return what else moved, in sentences."""
        self._quiet = True
        try:
            return place(self.controls, values, self._offers)
        finally:
            self._quiet = False

    def _redraw(self, notes):
        self._drawn = self.values
        try:
            with self._screen.waiting():
                picture, message = self._computed()
                self.refused = False
                self._show(picture, noted(notes, message))
        except Exception as error:
            self._refuse(error)
            raise
        self.picture = picture

    def _computed(self):
        values = self.values
        projector = values.pop("projector")
        result = self._compute(**values)
        picture, message = result if isinstance(result, tuple) else (result, "")
        page = self._screen.standard, projector, self._language
        return picture.resized(*page), message

    def _refuse(self, error):
        self.refused = True
        if self.picture is not None:
            self._show(self.picture, _told_by(error))

    def _say(self, text):
        """Return a text in the language of this view: all that it shows goes here."""
        return translated(text, self._language)

    def _show(self, picture, message):
        chosen = [name for name in CHOSEN if name in self.controls]
        told = self._say(message), self.refused, chosen, self.code()
        self._screen.show(picture, *told)
        self.message = self._say(message)

    def __repr__(self):
        """Return the controls, the message and the numbers of the picture."""
        lines = [
            sentence("controls: {settings}", settings=settings(self.controls)),
            sentence("message: {message}", message=self.message),
        ]
        if self.refused:
            lines.append(sentence("the last picture that could be drawn:"))
        return "\n".join([*map(self._say, lines), repr(self.picture)])

    def _repr_mimebundle_(self, include=None, exclude=None):
        image = self._screen.stored(self.picture, self.refused)
        bundle = bundle_of(self._box) | {"text/plain": repr(self), "image/png": image}
        return bundle, {"image/png": {"alt": self.picture.sentence}}


def _told_by(error):
    """Return what an error says; the sentence in it where there is one."""
    if isinstance(error, ValueError):
        return error.args[0] if error.args else ""
    return sentence("{kind}: {error}", kind=type(error).__name__, error=error)
