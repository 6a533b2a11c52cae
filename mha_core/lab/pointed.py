"""What a view does when its controls move, or when something is done in its picture."""


class Pointed:
    """The part of a view that listens to the page."""

    def _listen(self):
        for control in self.controls.values():
            control.observe(self._follow, names="value")
        self._screen.pointer.observe(self._choose, names="chosen")
        self._screen.pointer.observe(self._fit, names="screen")

    def _choose(self, change):
        """Set the control that was chosen in the picture: a head, or a step."""
        chosen = change["new"]
        try:
            self.set(**{chosen["control"]: chosen["value"]})
        except ValueError:
            return  # the message says so

    def _fit(self, change):
        """Draw what is shown at the size that the page has now."""
        with self._lock:
            self._show(self.picture, self.message)
