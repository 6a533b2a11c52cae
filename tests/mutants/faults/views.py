"""Faults in views, their controls and the source that cells show."""

from ..fault import Fault

VIEWS, CONTROLS, SOURCE = "lab/views.py", "lab/controls.py", "lab/source.py"
PRINTED = "cells that print source are left out when faults are planted"
REFUSAL = "no lesson shows a refused value"

FAULTS = [
    Fault(
        "message not cleared",
        VIEWS,
        "        self._said.value = _paragraph(message, size)",
        "        if message:\n            self._said.value = _paragraph(message, size)",
        "test_views",
        exempt="no lesson moves from a message to none",
    ),
    Fault(
        "refused picture not grey",
        VIEWS,
        "self._show(greyed(self._pixels), sentence)",
        "self._show(self._pixels, sentence)",
        "test_views",
        exempt=REFUSAL,
    ),
    Fault(
        "close() that leaks",
        VIEWS,
        "for part in _family(self._box):",
        "for part in self._box.children:",
        "test_views",
        exempt="a lesson cannot tell which widgets are left",
    ),
    Fault(
        "controls dead after a refused set",
        VIEWS,
        "            try:\n"
        "                place(self.controls, values)\n"
        "            finally:\n"
        "                self._quiet = False",
        "            place(self.controls, values)\n            self._quiet = False",
        "test_views",
        exempt=REFUSAL,
    ),
    Fault(
        "set() that moves the first controls before it refuses",
        CONTROLS,
        "                controls[other].value = old",
        "                controls[name].value = before[name]",
        "test_views",
        exempt=REFUSAL,
    ),
    Fault(
        "values between two steps taken",
        CONTROLS,
        "abs(steps - round(steps)) < 1e-6",
        "abs(steps - round(steps)) < 1",
        "test_views",
        exempt=REFUSAL,
    ),
    Fault(
        "docstrings shown where not asked for",
        SOURCE,
        "Source(code if docstring else",
        "Source(code if not docstring else",
        "test_source",
        exempt=PRINTED,
    ),
    Fault(
        "first line of the docstring left",
        SOURCE,
        "del lines[first - 1 : after]",
        "del lines[first:after]",
        "test_source",
        exempt=PRINTED,
    ),
]
