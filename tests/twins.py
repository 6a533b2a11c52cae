"""A view in this process, beside the same view on a page of a browser."""

import time

from mha_core.lab.drawing.canvas import DPI


class Twin:
    """What a page has to show of a view.

    Parameters
    ----------
    page : Page
        Of `browser`.
    css : str
        The view on the page.
    view : View
        The same view with the same settings, here.
    """

    def __init__(self, page, css, view):
        self.page, self.css, self.view = page, css, view

    def expect(self, seconds=30, **values):
        """Wait until the page shows picture and message of these settings.

        A page that has just got a new picture may still show the old one in its new
        frame, so what it is drawn for is read anew each time.
        """
        self.view.set(**values)
        end = time.monotonic() + seconds
        while not self._shows_the_picture():
            if time.monotonic() > end:
                raise AssertionError(f"{self.css} never showed {self.view.values}")
            self.page.page.wait_for_timeout(20)
        self.page.wait_for_text(f"{self.css} .mha-message", self.view.message)

    def _shows_the_picture(self):
        width, height, density = self.page.drawn_at(self.css)
        size = width / DPI, height / DPI
        live = self.view.picture.resized(
            size, self.view.values["projector"], density=density
        )
        return self.page.shows(f"{self.css} .mha-picture", live.pixels)

    def place(self, panel, row):
        """Return where on the page the middle of a row of a heat map is."""
        width, height, density = self.page.drawn_at(self.css)
        screen = {"width": width, "height": height, "density": density}
        self.view._screen.pointer.screen = screen
        geometry = self.view._screen.widget.shown["geometry"]
        left, top, wide, high = geometry["panels"][panel]["box"]
        overlay = self.page.page.locator(f"{self.css} .mha-frame svg")
        overlay.scroll_into_view_if_needed()
        box = overlay.bounding_box()
        down = (row + 0.5) / len(geometry["queries"])
        scale = box["width"] / width
        x, y = left + wide / 2, top + down * high
        return box["x"] + scale * x, box["y"] + scale * y

    def point(self, panel, row):
        """Put the mouse on the middle of a row of a heat map."""
        self.page.page.mouse.move(*self.place(panel, row))

    def click(self, panel, row):
        """Press the mouse on the middle of a row of a heat map."""
        self.page.page.mouse.click(*self.place(panel, row))
