"""Two views next to each other, chosen controls moved together."""

import io
from base64 import b64decode

import ipywidgets as widgets
import numpy as np
from PIL import Image

from mha_core._checks.sentences import sentence
from mha_core.lab.drawing.png import stored
from mha_core.lab.page import bundle_of, family
from mha_core.lab.widgets import Message

GAP = 20  # pixels between the stored pictures


class Beside:
    """Two views side by side; what is linked moves in both.

    Attributes
    ----------
    views : (View, View)
    message : str
        Why one view does not follow the other, where that is so.
    """

    def __init__(self, views, link):
        self.views, self._link, self._busy = views, link, False
        self.message = ""
        views[1]._lock = views[0]._lock  # each may move the other
        self._told = Message()
        half = widgets.Layout(flex="1 1 380px", min_width="0")
        sides = [widgets.Box([view._box], layout=half) for view in views]
        wrapped = widgets.Layout(flex_flow="row wrap")
        self._box = widgets.VBox([self._told, widgets.HBox(sides, layout=wrapped)])
        self._box.add_class("mha-beside")
        for view in views:
            for name in link:
                view.controls[name].observe(self._follow, names="value")

    def set(self, **values):
        """Move controls of both views; one that only one of them has moves there.

        Raises
        ------
        ValueError
            If neither has such a control, or one of them refuses; then neither moves.
        """
        known = {name: None for view in self.views for name in view.controls}
        unknown = [name for name in values if name not in known]
        if unknown:
            what = {"unknown": ", ".join(unknown), "known": ", ".join(known)}
            raise ValueError(
                sentence("there is no control {unknown}; there are {known}", **what)
            )
        before = [view.values for view in self.views]
        self._busy = True
        try:
            self._set_each(values)
        except ValueError:
            for view, old in zip(self.views, before, strict=True):
                view.set(**old)
            raise
        finally:
            self._busy = False
        self._tell("")
        return self

    def _set_each(self, values):
        for view in self.views:
            view.set(**{k: v for k, v in values.items() if k in view.controls})

    def close(self):
        """Close both views and what holds them."""
        for view in self.views:
            for name in self._link:
                view.controls[name].unobserve_all("value")
            view.close()
        for part in family(self._box):
            part.close()

    def _follow(self, change):
        """Set the control of the other view to what was set in one."""
        if self._busy:
            return
        here = [change["owner"] in view.controls.values() for view in self.views]
        view, other = self.views if here[0] else self.views[::-1]
        name = next(k for k, c in view.controls.items() if c is change["owner"])
        self._busy = True
        try:
            other.set(**{name: change["new"]})
            self._tell("")
        except ValueError as refusal:
            self._tell(sentence("The other view: {refusal}.", refusal=refusal.args[0]))
        finally:
            self._busy = False

    def _tell(self, message):
        self.message = self.views[0]._say(message)
        self._told.value = self.message

    def __repr__(self):
        """Return what both say, one after the other."""
        lines = [repr(view) for view in self.views]
        return "\n\n".join([self.message, *lines] if self.message else lines)

    def _repr_mimebundle_(self, include=None, exclude=None):
        pixels = [_pixels(view) for view in self.views]
        told = " ".join(view.picture.sentence for view in self.views)
        bundle = bundle_of(self._box)
        bundle |= {"text/plain": repr(self), "image/png": stored(_joined(*pixels))}
        return bundle, {"image/png": {"alt": told}}


def beside(a, b, link=()):
    """Show two views next to each other, and move chosen controls together.

    Parameters
    ----------
    a, b : View
    link : sequence of str
        Names of controls that both have, such as ``("word",)``. The second view takes
        over what the first one shows.

    Returns
    -------
    Beside
        With ``set``, ``close`` and ``views``.

    Raises
    ------
    ValueError
        If one view has no such control, or both views are one.
    """
    link = (link,) if isinstance(link, str) else tuple(link)
    if a is b:
        raise ValueError(
            sentence("A view cannot stand beside itself; open a second one.")
        )
    for name in link:
        if not (name in a.controls and name in b.controls):
            both = ", ".join(name for name in a.controls if name in b.controls)
            raise ValueError(
                sentence(
                    "{name} cannot be linked: both views have {both}.",
                    name=name,
                    both=both,
                )
            )
    b.set(**{name: a.values[name] for name in link})
    return Beside((a, b), link)


def _pixels(view):
    """Return the picture that a notebook stores of a view."""
    file = io.BytesIO(b64decode(view._repr_mimebundle_()[0]["image/png"]))
    return np.array(Image.open(file).convert("RGB"))


def _joined(left, right):
    """Return two pictures as one, with a gap between them."""
    size = max(len(left), len(right)), left.shape[1] + GAP + right.shape[1], 3
    whole = np.full(size, 255, np.uint8)
    whole[: len(left), : left.shape[1]] = left
    whole[: len(right), left.shape[1] + GAP :] = right
    return whole
