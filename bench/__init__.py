"""Measure the package against bare matrix products and against torch."""
