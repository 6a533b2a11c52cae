"""Looking and teaching: pictures, views and exercises for the notebooks."""

from mha_core.lab.exercises import Sheet
from mha_core.lab.pictures import Picture, bars, head_grid, heatmap, lines
from mha_core.lab.source import show_source
from mha_core.lab.views import View

__all__ = [
    "Picture",
    "Sheet",
    "View",
    "bars",
    "head_grid",
    "heatmap",
    "lines",
    "show_source",
]
