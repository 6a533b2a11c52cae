"""Faults planted one at a time, which unit tests and lessons must both notice.

``python -m mutants`` with ``tests`` on the path plants them all (``make mutants``).
"""
