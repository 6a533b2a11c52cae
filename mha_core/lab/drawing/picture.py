"""A picture: a figure, the array it shows, and one sentence about it."""

from dataclasses import replace
from functools import cached_property

from mha_core.lab.drawing.png import stored
from mha_core.lab.drawing.tellings import one_line
from mha_core.lab.locale import current, translated


class Picture:
    """What a notebook shows: a figure, its array, and a sentence.

    The figure is drawn when it is first looked at. What is said of it is in the
    language that the kernel spoke when it was made.

    Parameters
    ----------
    layout : Maps or Chart
        What does not depend on the data.
    data : Cells or Curves
        What does.
    array : ndarray
        The numbers shown.
    sentence : str
        The picture in one sentence.
    """

    def __init__(self, layout, data, array, sentence):
        self.layout, self.data = layout, data
        self.array, self._sentence, self.language = array, sentence, current()

    @property
    def sentence(self):
        """The picture in one sentence, which is its alternative text."""
        return self._told(self._sentence)

    @property
    def text(self):
        """The picture as numbers: title, axes, limits, values, rounded."""
        return "\n".join(map(self._told, self.layout.told(self.data)))

    @property
    def figure(self):
        """The matplotlib figure, on a canvas of its own."""
        return self._drawn[0].whole()

    @property
    def pixels(self):
        """What the figure looks like: uint8 of shape (height, width, 3)."""
        return self._drawn[1]

    @cached_property
    def _drawn(self):
        plate = self.layout.fixed.plate()
        return plate, plate.paint(self.data, self.layout)

    def resized(self, size, projector, language=None, density=1):
        """Return the same picture on another canvas, or in larger print.

        Parameters
        ----------
        size : (float, float)
            In inches.
        projector : bool
            Larger text and lines.
        language : str, optional
            In which it is told; its own if not given.
        density : int
            How often as many pixels each way, for a finer screen.
        """
        page = {"size": size, "projector": projector, "density": density}
        layout = replace(self.layout, **page)
        picture = Picture(layout, self.data, self.array, self._sentence)
        picture.language = language or self.language
        return picture

    def _told(self, text):
        return translated(one_line(text), self.language)

    def __repr__(self):
        """Return the numbers and the sentence."""
        return f"{self.text}\n{self.sentence}"

    def _repr_mimebundle_(self, include=None, exclude=None):
        bundle = {"text/plain": repr(self), "image/png": stored(self.pixels)}
        return bundle, {"image/png": {"alt": self.sentence}}
