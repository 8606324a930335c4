"""Confidence interval of a mean from independent runs: the page has it too."""

from tunables.plain.interval import confidence_interval

__all__ = ["confidence_interval"]
