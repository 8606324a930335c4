"""Tunables: eight models that reproduce seven published performance reports."""

__version__ = "0.3.0"
