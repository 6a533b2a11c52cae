"""Validation, all of it: arguments, arrays, masks, shapes."""
