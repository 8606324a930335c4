"""Checks of arguments, numbers as text, units: the bottom of the house."""
