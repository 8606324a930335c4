"""Tunables: six models that reproduce five published performance reports."""

__version__ = "0.3.0"
