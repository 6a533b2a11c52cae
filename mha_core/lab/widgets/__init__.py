"""Widgets of our own: a picture that can be pointed at, sliders with names, play.

Their scripts and styles stand beside them; nothing is fetched.
"""

from mha_core.lab.widgets.showing import Message, PictureWidget, Pointer
from mha_core.lab.widgets.sliding import Play, Slider
from mha_core.lab.widgets.waiting import waiting
