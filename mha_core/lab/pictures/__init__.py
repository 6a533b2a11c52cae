"""Arrays in, pictures out: heat maps of attention, curves and bars.

A notebook stores each as an image with a sentence about it, and as numbers.
"""

from mha_core.lab.drawing.picture import Picture
from mha_core.lab.pictures.graphs import bars, lines
from mha_core.lab.pictures.heatmaps import head_grid, heatmap, influence_map
