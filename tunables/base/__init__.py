"""Checks of arguments, numbers as text, units: the package that every other one may import."""
