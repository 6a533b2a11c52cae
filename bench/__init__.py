"""Measure the package: against bare products, against torch, and its sliders."""
