"""Tunables: seven models that reproduce six published performance reports."""

__version__ = "0.3.0"
