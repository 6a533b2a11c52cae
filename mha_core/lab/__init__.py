"""Looking and teaching: pictures, views and exercises for the notebooks."""

from mha_core.lab.pictures import Picture, head_grid, heatmap

__all__ = ["Picture", "head_grid", "heatmap"]
