"""Looking and teaching: pictures, views and exercises for the notebooks."""

from mha_core.lab.pictures import Picture, bars, head_grid, heatmap, lines

__all__ = ["Picture", "bars", "head_grid", "heatmap", "lines"]
