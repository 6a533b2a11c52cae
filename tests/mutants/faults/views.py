"""Faults in views, their controls and the source that cells show."""

from ..fault import Fault

VIEWS, CONTROLS, SOURCE = "lab/views.py", "lab/controls.py", "lab/source.py"
PRINTED = "cells that print source are left out when faults are planted"
REFUSAL = "no lesson shows a refused value"

FAULTS = [
    Fault(
        "message not cleared",
        VIEWS,
        "        self._said.value = paragraph(self.message, size)",
        "        if message:\n"
        "            self._said.value = paragraph(self.message, size)",
        "test_views",
        exempt="no lesson moves from a message to none",
    ),
    Fault(
        "refused picture not grey",
        VIEWS,
        "self._show(greyed(self._pixels), _told_by(error))",
        "self._show(self._pixels, _told_by(error))",
        "test_views",
        exempt=REFUSAL,
    ),
    Fault(
        "close() that leaks",
        VIEWS,
        "for part in family(self._box):",
        "for part in self._box.children:",
        "test_views",
        exempt="a lesson cannot tell which widgets are left",
    ),
    Fault(
        "stored picture of a refused value in full colour",
        VIEWS,
        "        self._shown, self._image.value = pixels, png(pixels)",
        "        self._shown, self._image.value = self._pixels, png(pixels)",
        "test_explorers",
        exempt=REFUSAL,
    ),
    Fault(
        "sentence of the first picture for ever",
        VIEWS,
        "self._sentence.value = paragraph(self.picture.sentence, size)",
        "self._sentence.value = self._sentence.value or paragraph(\n"
        "            self.picture.sentence, size\n        )",
        "test_explorers",
        exempt="the sentence below a picture stands in a widget, which is not stored",
    ),
    Fault(
        "a view that speaks the language of the latest one",
        VIEWS,
        "translated(text, self._language)",
        "translated(text, current())",
        "test_views",
        exempt="a lesson speaks one language",
    ),
    Fault(
        "a picture in the language of the latest view",
        VIEWS,
        "picture.resized(self._size, projector, self._language), message",
        "picture.resized(self._size, projector), message",
        "test_views",
        exempt="a lesson speaks one language",
    ),
    Fault(
        "a projector for new views only",
        "lab/projecting.py",
        'view.controls["projector"].value = _KERNEL.large',
        "_KERNEL.views.add(view)",
        "test_beside",
        exempt="a lesson is stored in small print",
    ),
    Fault(
        "linked views of which only one moves",
        "lab/beside.py",
        "other.set(**{name: change",
        "view.set(**{name: change",
        "test_beside",
        exempt="a lesson moves no view that stands beside another one",
    ),
    Fault(
        "a preset that sets nothing",
        "lab/presets.py",
        'return presets[values["preset"]] | rest',
        "return rest",
        "test_beside",
        exempt="lessons set values by name",
    ),
    Fault(
        "labels taken for keys",
        CONTROLS,
        "control.options = [(say(label), key)",
        "control.options = [(say(label), say(label))",
        "test_views",
        "04 05",
    ),
    Fault(
        "packages that are too old taken",
        "lab/versions.py",
        'return version >= end if sign == ">=" else version < end',
        'return True if sign == ">=" else version < end',
        "test_versions",
        exempt="lessons run with the packages that they need",
    ),
    Fault(
        "controls dead after a refused set",
        VIEWS,
        "        finally:\n            self._quiet = False",
        "        finally:\n            pass",
        "test_views",
        exempt=REFUSAL,
    ),
    Fault(
        "set() that moves the first controls before it refuses",
        CONTROLS,
        "            control.options = options\n        control.value = value",
        "            control.options = options",
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
