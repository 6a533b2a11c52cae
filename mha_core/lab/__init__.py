"""Looking and teaching: pictures, views and exercises for the notebooks."""

from mha_core.lab.exercises import Sheet
from mha_core.lab.explorers import explore_alignment, explore_bottleneck
from mha_core.lab.pictures import Picture, bars, head_grid, heatmap, lines
from mha_core.lab.probes import influence
from mha_core.lab.source import show_source
from mha_core.lab.views import View

__all__ = [
    "Picture",
    "Sheet",
    "View",
    "bars",
    "explore_alignment",
    "explore_bottleneck",
    "head_grid",
    "heatmap",
    "influence",
    "lines",
    "show_source",
]
