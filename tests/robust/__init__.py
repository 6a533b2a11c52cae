"""The same tests in the places where readers are: one row for each.

``python -m robust`` with ``tests`` on the path visits them all (``make robust``).
"""
