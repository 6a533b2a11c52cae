"""Measuring without pictures: probes, faults, clocks, short trainings."""
